"""Runs two sides in alternating order and compares their medians."""
import os
import statistics
import subprocess
import sys
import time


class Side:
    """One command, in words for the table and as it is run."""

    def __init__(self, name, command, *, cwd, env, times=1, stdin=None, clean=()):
        self.name, self.command, self.cwd, self.env = name, command, cwd, env
        self.times = times  # how often in one sample; for what is over too soon
        self.stdin = stdin  # a file, None for nothing
        self.clean = clean  # files and captures to remove before each sample
        self.seconds, self.cpu = [], []

    def sample(self, keep=True):
        """One sample: wall and processor seconds of one run. A command that fails ends the benchmark."""
        for command in self.clean:
            subprocess.run(command, cwd=self.cwd, env=self.env, shell=True, check=True, capture_output=True)
        os.sync()  # the disk owes nothing to the sample before
        wall = cpu = 0.0
        for _ in range(self.times):
            with open(self.stdin or os.devnull, "rb") as given, open(os.devnull, "wb") as sink:
                begin = time.perf_counter()
                child = subprocess.Popen(self.command, cwd=self.cwd, env=self.env, stdin=given, stdout=sink,
                                         stderr=subprocess.PIPE)
                said = child.stderr.read()
                _, status, usage = os.wait4(child.pid, 0)
                wall += time.perf_counter() - begin
                child.returncode = os.waitstatus_to_exitcode(status)
            cpu += usage.ru_utime + usage.ru_stime
            if child.returncode != 0:
                sys.exit(f"bench: {self.name}: status {child.returncode}: {said.decode(errors='replace').strip()}")
        if keep:
            self.seconds.append(wall / self.times)
            self.cpu.append(cpu / self.times)

    def figures(self, size):
        median = statistics.median(self.seconds)
        return {"command": self.name, "ms": round(median * 1e3, 3), "samples": len(self.seconds),
                "runs_per_sample": self.times, "cpu_ms": round(statistics.median(self.cpu) * 1e3, 3),
                "spread_percent": round((max(self.seconds) - min(self.seconds)) / median * 100, 1),
                "mb_per_s": round(size / median / 1e6, 1) if size else None}


def alternate(sides, samples):
    """Samples of every side, the order turned round each time, after one to warm up."""
    for side in sides:
        side.sample(keep=False)
    for i in range(samples):
        for side in sides if i % 2 == 0 else reversed(sides):
            side.sample()


def verdict(value, bound):
    """bound is a pair: ">=" or "<=" and the limit; None for what has no target."""
    if bound is None:
        return None
    return value >= bound[1] if bound[0] == ">=" else value <= bound[1]


def row(title, figure, value, unit, bound, sides, size=0):
    """One line of the table. spread: the wider one of its sides."""
    shown = [side.figures(size) for side in sides]
    return {"title": title, "figure": figure, "value": round(value, 3), "unit": unit,
            "target": f"{bound[0]} {bound[1]:g}" if bound else None, "limit": bound[1] if bound else None,
            "met": verdict(value, bound),
            "spread_percent": max((s["spread_percent"] for s in shown), default=None), "sides": shown}


def compare(title, ours, peer, bound, samples, size=0):
    """Ours against a peer. With ">=" the ratio is of throughput, else of time."""
    alternate([ours, peer], samples)
    mine, other = statistics.median(ours.seconds), statistics.median(peer.seconds)
    faster = bound is not None and bound[0] == ">="
    return row(title, "throughput / peer's" if faster else "time / peer's", other / mine if faster else mine / other,
               "×", bound, [ours, peer], size)


def alone(title, ours, figure, unit, bound, samples, convert, size=0):
    """Ours against a figure; convert makes it of the median's seconds."""
    alternate([ours], samples)
    return row(title, figure, convert(statistics.median(ours.seconds)), unit, bound, [ours], size)
