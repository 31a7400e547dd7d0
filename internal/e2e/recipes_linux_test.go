package e2e

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// examples is where what can be copied from docs/integration.md lies.
const examples = "../../docs/examples"

// recipeSecret is printed by the project that the recipes build; nobody's.
const recipeSecret = "open-sesame-4711"

// example returns an example's text.
func example(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// readYAML reads an example in YAML.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	needPrograms(t, "python3")
	if exec.Command("python3", "-c", "import yaml").Run() != nil {
		t.Skip("SKIPPED: needs PyYAML")
	}
	const convert = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
	cmd := exec.Command("python3", "-c", convert)
	cmd.Stdin = strings.NewReader(example(t, name))
	data, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// A ciJob is a checkout of a project with a test that prints a secret and fails,
// and the environment of its steps.
type ciJob struct {
	dir string
	env map[string]string
}

func newJob(t *testing.T) *ciJob {
	t.Helper()
	needPrograms(t, "bash", "make", "jq", "zstd", "tar")
	job := &ciJob{dir: t.TempDir(), env: map[string]string{}}
	if err := os.WriteFile(filepath.Join(job.dir, "Makefile"),
		[]byte("test: ; @echo with $$DEPLOY_TOKEN; exit 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, e := range emptyHome(t, os.Getenv("PATH")) {
		name, value, _ := strings.Cut(e, "=")
		job.env[name] = value
	}
	job.env["DEPLOY_TOKEN"] = recipeSecret
	return job
}

// run runs a step as the service does, and returns its status.
func (j *ciJob) run(t *testing.T, script string, more map[string]string) int {
	t.Helper()
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", script)
	cmd.Dir = j.dir
	env := maps.Clone(j.env)
	maps.Copy(env, more)
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	code := exitCode(t, err)
	t.Logf("status %d of: %s\n%s", code, script, out)
	if bytes.Contains(out, []byte(recipeSecret)) {
		t.Errorf("a secret is in the log of: %s", script)
	}
	return code
}

// checkBundle unpacks what the job kept, and looks at it as a reader would.
func checkBundle(t *testing.T, bundle string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil { //nolint:gosec // a namespace
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", "-c", `zstd -dc "$1" | tar -x -C "$2"`, "sh", bundle, dir).CombinedOutput(); err != nil {
		t.Fatalf("unpack: %v\n%s", err, out)
	}
	if code, _, stderr := call(t, "spool-receipt", "verify", "--dir", dir, "--all"); code != 0 {
		t.Errorf("verify: status %d: %s", code, stderr)
	}
	code, out, stderr := call(t, "spool-preview", "--dir", dir, "latest/stdout")
	if code != 0 || !strings.Contains(out, "with [REDACTED:env:DEPLOY_TOKEN]") {
		t.Errorf("preview: status %d, %q, %q", code, out, stderr)
	}
}

var expression = regexp.MustCompile(`\$\{\{ *([a-z_.A-Z]+) *\}\}`)

func TestGitHubActionsKeepTheBundleOfAFailingTest(t *testing.T) {
	type step struct {
		Name, Uses, Run, If string
		With, Env           map[string]string
	}
	var flow struct {
		Jobs map[string]struct {
			Env   map[string]string
			Steps []step
		}
	}
	readYAML(t, "github-actions.yml", &flow)
	job := newJob(t)
	temp := t.TempDir()
	resolve := func(s string) string {
		return expression.ReplaceAllStringFunc(s, func(e string) string {
			switch name := expression.FindStringSubmatch(e)[1]; name {
			case "runner.temp":
				return temp
			case "secrets.DEPLOY_TOKEN":
				return recipeSecret
			default:
				t.Errorf("an expression that nothing stands for: %s", name)
				return ""
			}
		})
	}
	job.env["RUNNER_TEMP"], job.env["GITHUB_PATH"] = temp, filepath.Join(temp, "path")
	if err := os.Symlink(absolute(t, "../.."), filepath.Join(job.dir, ".spool")); err != nil {
		t.Fatal(err)
	}
	failed, kept := "", ""
	for name, value := range flow.Jobs["test"].Env {
		job.env[name] = resolve(value)
	}
	for _, s := range flow.Jobs["test"].Steps {
		if failed != "" && s.If != "always()" {
			continue
		}
		if strings.HasPrefix(s.Uses, "actions/upload-artifact@") {
			kept = resolve(s.With["path"])
		}
		env := map[string]string{}
		for name, value := range s.Env {
			env[name] = resolve(value)
		}
		if s.Run != "" && job.run(t, s.Run, env) != 0 {
			failed += s.Name
		}
		if more, err := os.ReadFile(job.env["GITHUB_PATH"]); err == nil {
			job.env["PATH"] = strings.TrimSpace(string(more)) + ":" + os.Getenv("PATH")
		}
	}
	if failed != "Test" {
		t.Errorf("the steps that failed: %q", failed)
	}
	checkBundle(t, kept)
}

func TestGitLabKeepsTheBundleOfAFailingTest(t *testing.T) {
	var config struct {
		Test struct {
			Variables    map[string]string
			BeforeScript []string `json:"before_script"`
			Script       []string
			AfterScript  []string `json:"after_script"`
			Artifacts    struct {
				When  string
				Paths []string
			}
		}
	}
	readYAML(t, "gitlab-ci.yml", &config)
	job := newJob(t)
	maps.Copy(job.env, config.Test.Variables)
	job.env["CI_PROJECT_DIR"], job.env["CI_JOB_ID"] = job.dir, "4711"
	job.env["SPOOL_REPOSITORY"] = "file://" + freshClone(t)
	lines := slices.Concat(config.Test.BeforeScript, config.Test.Script)
	// make's status for a recipe that failed.
	if code := job.run(t, strings.Join(lines, "\n"), nil); code != 2 {
		t.Errorf("script: status %d", code)
	}
	if code := job.run(t, strings.Join(config.Test.AfterScript, "\n"), nil); code != 0 {
		t.Errorf("after_script: status %d", code)
	}
	if config.Test.Artifacts.When != "always" {
		t.Error("the bundle of a failing test is not kept")
	}
	checkBundle(t, filepath.Join(job.dir, config.Test.Artifacts.Paths[0]))
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSystemdUnitVerifiesAndItsCommandRuns(t *testing.T) {
	bin := os.Getenv(binVariable)
	unit := strings.ReplaceAll(example(t, "nightly.service"), "/usr/local/bin/nightly", "/bin/true")
	unit = strings.ReplaceAll(unit, "/usr/local/bin", bin)
	home := t.TempDir()
	state := regexp.MustCompile(`(?m)^Environment=SPOOL_DIR=%S/(\S+)$`).FindStringSubmatch(unit)
	if state == nil {
		t.Fatal("the unit names no namespace")
	}
	lines := regexp.MustCompile(`(?m)^Exec\w+=-?(.*)$`).FindAllStringSubmatch(unit, -1)
	if len(lines) != 3 {
		t.Fatalf("%d commands", len(lines))
	}
	for _, line := range lines {
		cmd := exec.Command("sh", "-c", line[1])
		cmd.Env = []string{"PATH=/usr/bin:/bin", "SPOOL_DIR=" + filepath.Join(home, state[1])}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", line[1], err, out)
		}
	}
	needPrograms(t, "systemd-analyze")
	file := filepath.Join(t.TempDir(), "nightly.service")
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("systemd-analyze", "verify", "--man=no", file).CombinedOutput()
	if err != nil || strings.Contains(string(out), file) {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}
