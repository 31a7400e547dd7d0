package fsafe

import (
	"cmp"
	"strings"

	"golang.org/x/sys/windows"
)

func (h handle) locality() (string, bool, error) {
	f, err := h.root.Open(".")
	if err != nil {
		return "", false, err
	}
	var name, final [windows.MAX_PATH + 1]uint16
	err = onFile(f, func(h windows.Handle) error {
		err := windows.GetVolumeInformationByHandle(h, nil, 0, nil, nil, nil, &name[0], uint32(len(name)))
		if err != nil {
			return err
		}
		// One that does not fit leaves final empty, and the answer no.
		_, err = windows.GetFinalPathNameByHandle(h, &final[0], uint32(len(final)), 0)
		return err
	})
	if err = cmp.Or(err, f.Close()); err != nil {
		return "", false, err
	}
	fsname := strings.ToLower(windows.UTF16ToString(name[:]))
	local := strings.HasPrefix(windows.UTF16ToString(final[:]), `\\?\`) &&
		!strings.HasPrefix(windows.UTF16ToString(final[:]), `\\?\UNC\`)
	return fsname, local && (fsname == "ntfs" || fsname == "refs"), nil
}
