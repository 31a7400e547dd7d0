"""Peak memory of the processes of spool, sampled from /proc while they run.

A process that lives for less than a sample is missed. What a process had before
it became its program does not count.
"""
import os
import subprocess
import tempfile


def descendants(pid):
    """The process and all below it, by the kernel's lists of children."""
    found, todo = [], [pid]
    while todo:
        pid = todo.pop()
        found.append(pid)
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as f:
                    todo += map(int, f.read().split())
        except OSError:
            continue  # it has ended
    return found


def high_water(pid):
    """A process's name and peak resident bytes, None once it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as f:
            status = dict(line.rstrip("\n").split(":", 1) for line in f)
        return status["Name"].strip(), int(status["VmHWM"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return None


def peaks(command, env):
    """Peak resident bytes by process of spool, in one run of a command."""
    seen = {}
    with tempfile.TemporaryFile() as sink, subprocess.Popen(
            command, env=env, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink) as child:
        while child.poll() is None:
            for pid in descendants(child.pid):
                found = high_water(pid)
                # A child that still bears the driver's name has not become its program yet.
                if found and found[0].startswith("spool-") and (pid == child.pid or found[0] != "spool-run"):
                    seen[pid] = max(seen.get(pid, 0), found[1])
    return seen
