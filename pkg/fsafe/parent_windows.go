package fsafe

import "os"

// openPlain opens a directory as the system resolves its path.
func openPlain(path string) (handle, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return handle{}, err
	}
	return handle{root: root}, nil
}
