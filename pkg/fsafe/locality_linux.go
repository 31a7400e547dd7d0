package fsafe

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func (h handle) locality() (string, bool, error) {
	var st unix.Statfs_t
	if err := h.at(func(fd int) error { return unix.Fstatfs(fd, &st) }); err != nil {
		return "", false, err
	}
	name, dependable := filesystem(uint32(st.Type)) //nolint:gosec // magic numbers have 32 bits
	return name, dependable, nil
}

// localFS keep their locks in the kernel that everyone shares who can ask.
var localFS = map[uint32]string{
	unix.EXT4_SUPER_MAGIC:      "ext4", // and its ancestors
	unix.XFS_SUPER_MAGIC:       "xfs",
	unix.BTRFS_SUPER_MAGIC:     "btrfs",
	unix.F2FS_SUPER_MAGIC:      "f2fs",
	unix.BCACHEFS_SUPER_MAGIC:  "bcachefs",
	0x2fc12fc1:                 "zfs",
	unix.TMPFS_MAGIC:           "tmpfs",
	unix.RAMFS_MAGIC:           "ramfs",
	unix.OVERLAYFS_SUPER_MAGIC: "overlay",
	unix.ECRYPTFS_SUPER_MAGIC:  "ecryptfs",
	unix.NILFS_SUPER_MAGIC:     "nilfs2",
	unix.REISERFS_SUPER_MAGIC:  "reiserfs",
	0x3153464a:                 "jfs",
	unix.MSDOS_SUPER_MAGIC:     "vfat",
	unix.EXFAT_SUPER_MAGIC:     "exfat",
	0x7366746e:                 "ntfs3",
}

// remoteFS may keep locks where others do not see them, or lose them.
var remoteFS = map[uint32]string{
	unix.NFS_SUPER_MAGIC:   "nfs",
	unix.CIFS_SUPER_MAGIC:  "cifs",
	unix.SMB2_SUPER_MAGIC:  "smb2",
	unix.SMB_SUPER_MAGIC:   "smb",
	unix.V9FS_MAGIC:        "9p",
	unix.FUSE_SUPER_MAGIC:  "fuse", // virtiofs too
	unix.CEPH_SUPER_MAGIC:  "ceph",
	unix.AFS_SUPER_MAGIC:   "afs",
	unix.CODA_SUPER_MAGIC:  "coda",
	unix.OCFS2_SUPER_MAGIC: "ocfs2",
	0x01161970:             "gfs2",
	0x0bd00bd0:             "lustre",
	0x786f4256:             "vboxsf",
}

func filesystem(magic uint32) (name string, dependable bool) {
	if name, ok := localFS[magic]; ok {
		return name, true
	}
	if name, ok := remoteFS[magic]; ok {
		return name, false
	}
	return fmt.Sprintf("unknown (0x%x)", magic), false
}
