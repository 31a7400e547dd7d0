"""The programs that spool is held against: found, installed or built; what
cannot be had is named."""
import ast
import glob
import os
import re
import shutil
import subprocess

PACKAGES = {"tee": "coreutils", "tail": "coreutils", "timeout": "coreutils", "chronic": "moreutils", "s6-log": "s6"}
YARDSTICK = ["gcc", "libc6-dev", "libhyperscan-dev"]


def install(packages):
    """Installs Debian packages where that is possible; says nothing if not."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["install"], ["update"], ["install"]):
        names = packages if command == ["install"] else []
        done = subprocess.run(["apt-get", *command, "-q", "-y", *(["--no-install-recommends"] if names else []), *names],
                              env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if names and done.returncode == 0:
            return


def missing(may_install):
    """The peers that are not here, after an attempt to have them."""
    absent = [p for p in PACKAGES if not shutil.which(p)]
    if absent and may_install:
        install(sorted({PACKAGES[p] for p in absent}))
    return [p for p in PACKAGES if not shutil.which(p)]


def yardstick(root, scratch, literals, may_install):
    """Builds the redactor in C: its command, or None and why not."""
    program = os.path.join(scratch, "redact-yardstick")
    command = ["gcc", "-O2", "-D_GNU_SOURCE", "-o", program, os.path.join(root, "scripts", "bench.d", "redact.c"), "-lhs"]
    if not os.path.exists("/usr/include/hs/hs.h") and may_install:
        install(YARDSTICK)
    if not shutil.which("gcc") or not os.path.exists("/usr/include/hs/hs.h"):
        return None, "needs " + ", ".join(YARDSTICK)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, "it cannot be built: " + done.stderr.strip().splitlines()[-1]
    patterns = os.path.join(scratch, "patterns")
    with open(patterns, "w", encoding="utf-8") as f:
        f.writelines(f"l {value}\n" for value in literals)
        f.writelines(line + "\n" for line in anchors(root))
    return [program, patterns], None


def replacer(root, scratch, secrets):
    """Builds a CI agent's literal replacer, from a module of its own: its command,
    or None and why not."""
    program = os.path.join(scratch, "redact-agent")
    if not shutil.which("go"):
        return None, "needs go"
    done = subprocess.run(["go", "build", "-C", os.path.join(root, "scripts", "bench.d", "replacer"), "-o", program, "."],
                          env={**os.environ, "CGO_ENABLED": "0"}, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return None, "it cannot be built: " + done.stderr.strip().splitlines()[-1]
    return [program, secrets], None


def anchors(root):
    """The anchors of spool-redact's own rules, read from its source, as lines for
    the yardstick. Names of keys and places are found in any case, as there; the
    vendors' prefixes as they are written, which is in the yardstick's favour."""
    lines = set()
    for path in glob.glob(os.path.join(root, "internal", "redact", "*.go")):
        if path.endswith("_test.go"):
            continue
        with open(path, encoding="utf-8") as f:
            source = f.read()
        kind = "i" if os.path.basename(path) in ("keys.go", "places.go") else "a"
        for block in re.findall(r"anchors:\s*\[\]string\{((?:[^}\"]|\"(?:[^\"\\]|\\.)*\")*)\}", source):
            for text in re.findall(r"\"(?:[^\"\\]|\\.)*\"", block):
                lines.add(f"{kind} {expression(ast.literal_eval(text))}")
    return sorted(lines)


def expression(anchor):
    """An anchor, where [abc] stands for one byte, as a regular expression."""
    parts = re.split(r"(\[[^\]]*\])", anchor)
    return "".join(p.replace("\\", "\\\\").replace("\t", "\\t") if p.startswith("[") else re.escape(p) for p in parts)
