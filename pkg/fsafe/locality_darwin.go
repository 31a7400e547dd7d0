package fsafe

import "golang.org/x/sys/unix"

func (h handle) locality() (string, bool, error) {
	var st unix.Statfs_t
	if err := h.at(func(fd int) error { return unix.Fstatfs(fd, &st) }); err != nil {
		return "", false, err
	}
	name := unix.ByteSliceToString(st.Fstypename[:])
	switch name {
	case "apfs", "hfs":
		return name, st.Flags&unix.MNT_LOCAL != 0, nil
	}
	return name, false, nil
}
