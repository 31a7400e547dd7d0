"""Where and under which load figures were taken, and a clean place to take them in."""
import os
import platform
import subprocess
import sys


def facts(root):
    """The machine, its load at this moment and the version under test, for the head of a report."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            model = next((line.split(":", 1)[1].strip() for line in f if line.startswith("model name")), model)
    except OSError:
        pass
    git = subprocess.run(["git", "-C", root, "describe", "--tags", "--always", "--dirty"],
                         capture_output=True, text=True, check=False)
    return {
        "cpu": model, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}",
        "load_average": [round(x, 2) for x in os.getloadavg()],
        "version": git.stdout.strip() or "unknown",
    }


def sentence(f):
    """The facts as one line of Markdown."""
    load = " ".join(f"{x:.2f}" for x in f["load_average"])
    return (f"Taken on {f['cpu']}, {f['cores']} cores, {f['system']}, at a load average of {load} "
            f"when it began; version {f['version']}.")


def environment(bindir, home):
    """An environment in which no option and no secret of the caller's is in force."""
    return {"PATH": f"{bindir}:{os.environ.get('PATH', '/usr/bin:/bin')}", "HOME": home,
            "LC_ALL": "C.UTF-8", "SPOOL_DIR": os.path.join(home, "namespace")}


def tools(root, bindir):
    """The directory of the built tools: the one given, else a fresh build in bin/."""
    if bindir:
        return os.path.abspath(bindir)
    built = subprocess.run([os.path.join(root, "scripts", "build"), "--if-changed"], check=False)
    if built.returncode != 0:
        sys.exit(f"{os.path.basename(sys.argv[0])}: the tools cannot be built")
    return os.path.join(root, "bin")
