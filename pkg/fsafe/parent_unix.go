//go:build unix

package fsafe

import "golang.org/x/sys/unix"

// openPlain opens a directory as the system resolves its path.
func openPlain(path string) (h handle, err error) {
	err = uninterrupted(func() error {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err == nil {
			h = newHandle(fd, path)
		}
		return err
	})
	return h, err
}
