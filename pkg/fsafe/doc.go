// Package fsafe keeps files private, creates them exclusively, follows no
// link, publishes each name once and tells errors apart.
//
// It speaks of directories and files only and knows nothing of what they are
// for. A [Dir] is a held descriptor; every name given to it is one component,
// so nothing is ever resolved outside the directory, whatever is renamed or
// planted while a call runs. What is opened is judged by its descriptor: a
// regular file or a directory, owned by us, closed to group and others, with
// one name. What is not so is refused; nothing that exists is ever repaired.
//
// # Atomic
//
// [Dir.Publish], [Dir.PublishReserved], [Dir.Replace] and [Dir.Rename] make a
// name appear with all its content or not at all, to every other process, at
// any moment, also when this process is killed in between. What such a death
// leaves is a temporary ([IsTemp]), never a half-written name. All but Replace
// never overwrite: of two that publish one name, one gets [KindExist].
//
// Where the filesystem has no rename that refuses to replace (NFS, 9p, some
// FUSE, kernels before 3.15), a file is linked under its new name and unlinked
// under its old one. A death between the two leaves both names on one file,
// which Open refuses; repeating the Rename or removing the old name heals it.
// A directory is there renamed over an empty one made for it.
//
// # Durable
//
// Nothing is durable unless sync is asked for or [Dir.Sync] is called. With
// sync, a nil error means that content and name survive a power cut; an error
// after the rename means that the name is there and its durability unknown.
// The first error of an fsync is final: it is returned and never retried.
// [CreateRoot] makes the directories that it creates durable; [Dir.Mkdir],
// [Dir.Create], [Dir.Remove] and [Dir.Rename] do not, a following Sync does.
//
// This holds on ext4, XFS, Btrfs, F2FS, ZFS and APFS with an honest disk. It
// does not hold on tmpfs (nothing survives), on overlayfs mounted volatile, on
// network and FUSE filesystems whose server does as it likes, and where the
// filesystem cannot sync a directory, which counts as done. On Windows the
// file is flushed; names are as durable as NTFS's journal makes them.
//
// # Reserved
//
// [Dir.Reserve] allocates blocks and inode, so that [Dir.PublishReserved] needs
// neither on a full disk. Copy-on-write filesystems (Btrfs, ZFS, bcachefs) and
// servers that ignore allocation may still refuse.
//
// # Locked
//
// [Lock] is a flock: it belongs to an open file description, is inherited with
// the descriptor and ends with its last copy, also by SIGKILL. It does not
// hold between hosts or on filesystems that keep locks to themselves:
// [Dir.Locality] tells which can be depended on.
//
// # Caveat
//
// Another process of the same user can do all that we can. Against it only
// this is promised: no link of its making is followed, and nothing is opened
// that was not, at that moment, a private file of ours in the held directory.
// A directory that was moved is still the same directory.
package fsafe
