package fsafe

import (
	"cmp"
	"os"
)

// Publish makes the file name appear at once with data as its content. It is
// an error of [KindExist] if the name is taken, and nothing is overwritten.
// With sync it is durable; see the package's documentation for what that means
// when the error comes after the rename.
func (d *Dir) Publish(name string, data []byte, sync bool) error {
	return d.publish("publish", name, data, sync, d.h.renameNew)
}

// Replace is Publish for the few files that are rewritten: an existing file of
// that name is replaced, if Open would accept it and its owner may write it.
func (d *Dir) Replace(name string, data []byte, sync bool) error {
	if err := checkName(name); err != nil {
		return d.failure("replace", name, err)
	}
	e, err := d.h.stat(name)
	switch {
	case KindOf(err) == KindNotExist:
	case err != nil:
		return d.failure("replace", name, err)
	default:
		if err := e.checkReplaceable(); err != nil {
			return d.failure("replace", name, err)
		}
	}
	return d.publish("replace", name, data, sync, d.h.renameOver)
}

func (e Entry) checkReplaceable() error {
	if err := e.checkFile(); err != nil {
		return err
	}
	if e.Mode&0o200 == 0 {
		return refuse(KindPermission, "not writable (mode %04o)", e.Mode.Perm())
	}
	return nil
}

// publish is the one place that knows the order of publication.
func (d *Dir) publish(op, name string, data []byte, sync bool, rename func(string, handle, string) error) error {
	if err := checkName(name); err != nil {
		return d.failure(op, name, err)
	}
	// 1. An exclusive temporary in the same directory.
	tmp := TempName()
	f, err := d.h.create(tmp, d.join(name))
	if err != nil {
		return d.failure(op, name, err)
	}
	// 2. All of the content, 3. durable, 4. closed: a server may say only
	// then that it did not keep it.
	_, err = f.WriteAt(data, 0)
	err = settle(f, sync, err)
	// 5. The name.
	if err == nil {
		err = rename(tmp, d.h, name)
	}
	if err != nil {
		_ = d.h.remove(tmp) // the first error is the one that tells
		return d.failure(op, name, err)
	}
	// 6. The name durable.
	if sync {
		err = d.h.sync()
	}
	return d.failure(op, name, err)
}

// settle makes f durable if sync, and closes it; err is what came before.
func settle(f *os.File, sync bool, err error) error {
	if err == nil && sync {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// Reserve creates the file tmpname with size bytes allocated, so that
// [Dir.PublishReserved], in this process or another, works on a full disk.
// tmpname is the caller's to choose, and to know again after a crash. It is an
// error if the space is not there; then nothing is left behind.
func (d *Dir) Reserve(tmpname string, size int64) error {
	if err := checkName(tmpname); err != nil {
		return d.failure("reserve", tmpname, err)
	}
	f, err := d.h.create(tmpname, d.join(tmpname))
	if err != nil {
		return d.failure("reserve", tmpname, err)
	}
	if err := settle(f, false, allocate(f, size)); err != nil {
		_ = d.h.remove(tmpname) // the first error is the one that tells
		return d.failure("reserve", tmpname, err)
	}
	return nil
}

// PublishReserved is Publish into what Reserve has set aside under tmpname.
// Within the reserved size it needs neither space nor inode. On an error before
// the rename the reservation stays, with content that means nothing, and can
// be used again, for shorter data say; Remove gives it up.
func (d *Dir) PublishReserved(tmpname, name string, data []byte, sync bool) error {
	for _, n := range []string{tmpname, name} {
		if err := checkName(n); err != nil {
			return d.failure("publish", n, err)
		}
	}
	// 1. The temporary that exists.
	f, _, err := d.openNamed(tmpname, os.O_RDWR)
	if err != nil {
		return d.failure("publish", name, err)
	}
	// 2. All of the content and nothing behind it, 3. durable, 4. closed.
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.Truncate(int64(len(data)))
	}
	err = settle(f, sync, err)
	// 5. The name.
	if err == nil {
		err = d.h.renameNew(tmpname, d.h, name)
	}
	// 6. The name durable.
	if err == nil && sync {
		err = d.h.sync()
	}
	return d.failure("publish", name, err)
}

// Rename gives the file or directory oldname another name, which must be free:
// [KindExist] otherwise. Neither is ever followed if it is a link.
func (d *Dir) Rename(oldname, newname string) error { return d.RenameTo(oldname, d, newname) }

// RenameTo moves oldname into the directory to, as Rename does. To make that
// durable both directories are to be synced.
func (d *Dir) RenameTo(oldname string, to *Dir, newname string) error {
	for _, n := range []string{oldname, newname} {
		if err := checkName(n); err != nil {
			return d.failure("rename", n, err)
		}
	}
	err := d.h.renameNew(oldname, to.h, newname)
	if KindOf(err) == KindNotExist {
		return d.failure("rename", oldname, err)
	}
	return to.failure("rename to", newname, err)
}

// WriteFull writes all of p at f's offset, through short writes and EINTR. n
// is exactly what the file took, also beside an error. Under a file size limit
// (RLIMIT_FSIZE) the process must ignore SIGXFSZ, or it ends instead of getting
// [KindFileTooLarge].
func WriteFull(f *os.File, p []byte) (n int, err error) {
	n, err = f.Write(p)
	return n, failure("write", f.Name(), err)
}
