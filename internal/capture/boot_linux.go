package capture

import (
	"os"
	"strings"
)

// bootID tells one run of the kernel from another: proc(5),
// /proc/sys/kernel/random/boot_id. Empty where it cannot be known.
func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
