package fsafe

import "path/filepath"

// OpenParent opens the directory in which a user wants a file of his own, and
// returns the file's name in it. Unlike [OpenRoot] it takes the path as any
// program does: links are followed, and whose directory it is and who may write
// to it is the user's affair. A file made there is exclusive and 0600 all the
// same. An error of [KindBadName] says that the path names no file.
func OpenParent(path string) (d *Dir, name string, err error) {
	parent, name := filepath.Split(path)
	if err := checkName(name); err != nil {
		return nil, "", failure("open", path, err)
	}
	if parent == "" {
		parent = "."
	}
	h, err := openPlain(parent)
	if err != nil {
		return nil, "", failure("open directory", parent, err)
	}
	return &Dir{h: h, path: filepath.Clean(parent)}, name, nil
}
