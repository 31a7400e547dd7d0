package cmdline

import "runtime/debug"

// version is set by the build: -ldflags "-X spool/internal/cmdline.version=v1.2.3".
var version string

// Version returns the version of this build: what the build declared, else
// what Go noted about the module, else "devel".
func Version() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
