package capture

import "golang.org/x/sys/unix"

// bootID tells one run of the kernel from another: sysctl(3),
// kern.bootsessionuuid. Empty where it cannot be known.
func bootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}
