package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A container is what docs/examples/Containerfile asks for, made of namespaces:
// a read-only root with this machine's programs, one volume, an ordinary user.
type container struct {
	volume     string // on this machine, owned by the image's user
	user       string // UID:GID
	env        string // SPOOL_DIR=DIR, within
	entrypoint []string
}

// enter is the way in: its process becomes PID 1 of the container.
const enter = `set -eu
root=$1 volume=$2 bin=$3 user=$4
shift 4
mount --make-rprivate /
mount -t tmpfs -o mode=755 none "$root"
for dir in usr lib lib32 lib64 libx32 bin sbin; do
  if [ -L "/$dir" ]; then
    cp -P "/$dir" "$root/"
  elif [ -d "/$dir" ]; then
    mkdir "$root/$dir"
    mount --bind "/$dir" "$root/$dir"
    mount -o remount,ro,bind "$root/$dir"
  fi
done
mkdir "$root/captures" "$root/proc" "$root/dev"
mount -t tmpfs -o mode=755 none "$root/usr/local/bin"
cp "$bin"/spool-* "$root/usr/local/bin/"
mount -o remount,ro "$root/usr/local/bin"
mount --rbind /dev "$root/dev"
mount -t proc none "$root/proc"
mount --bind "$volume" "$root/captures"
mount -o remount,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" \
  env -i PATH=/usr/local/bin:/usr/bin:/bin "$@"
`

func newContainer(t *testing.T) *container {
	t.Helper()
	needPrograms(t, "unshare", "setpriv", "chroot")
	if out, err := exec.Command("unshare", "-mpf", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: needs root and namespaces: %s", out)
	}
	file := example(t, "Containerfile")
	word := func(pattern string) string {
		m := regexp.MustCompile("(?m)^" + pattern + "$").FindStringSubmatch(file)
		if m == nil {
			t.Fatalf("the Containerfile has no %s", pattern)
		}
		return m[1]
	}
	c := &container{volume: t.TempDir(), user: word(`USER (\d+:\d+)`), env: word(`ENV (SPOOL_DIR=/captures/\S+)`)}
	if err := json.Unmarshal([]byte(word(`ENTRYPOINT (\[.*\])`)), &c.entrypoint); err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.Atoi(strings.Split(c.user, ":")[0])
	if err == nil {
		err = os.Chown(c.volume, uid, uid)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// run runs a command in the container and returns its log and its status.
func (c *container) run(t *testing.T, args ...string) (log string, code int) {
	t.Helper()
	argv := []string{"-mpf", "sh", "-c", enter, "sh", t.TempDir(), c.volume, os.Getenv(binVariable), c.user, c.env}
	out, err := exec.Command("unshare", append(append(argv, c.entrypoint...), args...)...).CombinedOutput()
	return string(out), exitCode(t, err)
}

func TestContainerRunsAsInitReadOnlyAndUnprivileged(t *testing.T) {
	c := newContainer(t)
	uid, _, _ := strings.Cut(c.user, ":")
	for _, test := range []struct {
		rule, script string
		code         int
		says         string
	}{
		{"it is PID 1 and an ordinary user", `echo "$(cat /proc/1/comm), $(id -u)"; exit 7`, 7, "spool-run, " + uid + "\n"},
		{"its root cannot be written", `echo x >/x`, 2, "Read-only file system"},
		{
			"a stop leaves the command its last words",
			`trap 'echo last words; exit 5' TERM; kill -TERM 1; while :; do sleep 0.02; done`, 5, "last words",
		},
		{
			"orphans are reaped", // the substitution ends with the orphan
			`: "$(sh -c 'sleep 0.05 &')"; i=0
			while grep -qs '^State:.Z' /proc/[0-9]*/status; do i=$((i + 1)); [ $i -lt 250 ] || exit 1; sleep 0.02; done`, 0, "complete",
		},
		{"what was kept verifies", `spool-receipt verify --all && spool-receipt list`, 0, "complete"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			log, code := c.run(t, "sh", "-c", test.script)
			if code != test.code || !strings.Contains(log, test.says) {
				t.Errorf("status %d, %q", code, log)
			}
		})
	}
	namespace := filepath.Join(c.volume, filepath.Base(c.env))
	if code, _, _ := call(t, "spool-receipt", "list", "--dir", namespace); code != 1 {
		t.Errorf("root took a namespace that is another's: status %d", code)
	}
}
