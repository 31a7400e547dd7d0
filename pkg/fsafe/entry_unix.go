//go:build unix

package fsafe

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

func statFile(f *os.File) (Entry, error) {
	var st unix.Stat_t
	err := onFile(f, func(fd int) error { return unix.Fstat(fd, &st) })
	return entryOf(filepath.Base(f.Name()), &st), err
}

// entryOf is st in portable terms. The conversions are needed on some systems.
func entryOf(name string, st *unix.Stat_t) Entry {
	return Entry{
		Name:    name,
		Mode:    modeOf(uint32(st.Mode)),
		Size:    st.Size,
		UID:     st.Uid,
		Links:   uint64(st.Nlink),
		ModTime: time.Unix(st.Mtim.Unix()),
		Changed: time.Unix(st.Ctim.Unix()),
		Dev:     deviceOf(st),
		Ino:     st.Ino,
	}
}

func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	default:
		m |= fs.ModeIrregular
	}
	if mode&unix.S_ISUID != 0 {
		m |= fs.ModeSetuid
	}
	if mode&unix.S_ISGID != 0 {
		m |= fs.ModeSetgid
	}
	if mode&unix.S_ISVTX != 0 {
		m |= fs.ModeSticky
	}
	return m
}

func isUs(uid uint32) bool { return int64(uid) == int64(os.Geteuid()) }

func owner(uid uint32) string { return "user " + strconv.FormatUint(uint64(uid), 10) }

// wayOut tells how to close what is open to others; want is the mode.
func wayOut(want fs.FileMode) string { return "chmod " + strconv.FormatUint(uint64(want), 8) + " it" }
