package fsafe

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// openRoot judges the directory itself. The way to it is left to the system,
// where making links takes a privilege and profiles are closed to others.
func openRoot(given string, create bool) (*Dir, bool, error) {
	h, made, err := reach(given, create)
	if err != nil {
		return nil, false, failure("directory", given, err)
	}
	return &Dir{h: h, path: given}, made, nil
}

func reach(given string, create bool) (h handle, made bool, err error) {
	if given == "" || strings.ContainsRune(given, 0) {
		return handle{}, false, refuse(KindBadName, "an empty path or one with a NUL byte")
	}
	abs, err := filepath.Abs(given)
	if err != nil {
		return handle{}, false, err
	}
	if create {
		if made, err = makeDirs(abs); err != nil {
			return handle{}, false, err
		}
	}
	info, err := os.Lstat(abs)
	if err != nil {
		return handle{}, false, err
	}
	if !info.IsDir() {
		return handle{}, false, Entry{Mode: info.Mode().Type()}.checkDir()
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return handle{}, false, err
	}
	h = handle{root}
	got, err := root.Stat(".")
	if err == nil && !os.SameFile(got, info) {
		err = refuse(KindLoop, "replaced while it was opened")
	}
	var e Entry
	if err == nil {
		e, err = h.statSelf()
	}
	if err == nil {
		err = e.checkDir()
	}
	if err != nil {
		return handle{}, false, cmp.Or(err, h.close())
	}
	return h, made, nil
}

// makeDirs makes abs and its missing parents, with a list of their own that
// lets in no one else and is handed down to all that is created in them.
func makeDirs(abs string) (made bool, err error) {
	if _, err := os.Lstat(abs); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return false, windows.ERROR_PATH_NOT_FOUND
	}
	if _, err := makeDirs(parent); err != nil {
		return false, err
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false, err
	}
	sid := user.User.Sid.String()
	sd, err := windows.SecurityDescriptorFromString("O:" + sid + "D:P(A;OICI;FA;;;" + sid + ")(A;OICI;FA;;;SY)")
	if err != nil {
		return false, err
	}
	path, err := windows.UTF16PtrFromString(abs)
	if err != nil {
		return false, err
	}
	sa := windows.SecurityAttributes{SecurityDescriptor: sd}
	sa.Length = uint32(unsafe.Sizeof(sa))
	err = windows.CreateDirectory(path, &sa)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		return false, nil // someone was faster
	}
	return err == nil, err
}
