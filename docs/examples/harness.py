"""Run commands through spool-run, read back what they printed: harness.py COMMAND [ARG...]"""
import json, subprocess, sys

def call(*args, ok=(0,)):
    """Runs a tool of spool and returns its stdout."""
    done = subprocess.run(args, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if ok and done.returncode not in ok:
        raise RuntimeError(done.stderr)
    return done

def run(*command):
    """Runs a command to its end: exit status, preview of each stream, receipt."""
    done = call("spool-run", "--json", "--keep", "always", "--", *command, ok=None)
    result = json.loads(done.stdout)
    return done.returncode, result["preview"], result["receipt"]

def follow(*command):
    """Starts a command in the background and yields its stdout as it comes."""
    ref = call("spool-run", "--background", "--", *command).stdout.strip()
    cursor = "1:0"
    while True:
        piece = json.loads(call("spool-preview", "--json", "--from", cursor, ref + "/stdout").stdout)
        cursor = piece["next"]
        if piece["data"]:
            yield piece["data"]
        elif piece["final"] or piece["process"]["state"] == "unknown":  # after a crash: see spool-gc
            return
        else:
            call("spool-receipt", "wait", "--timeout", "200ms", ref, ok=(0, 3))  # 3: not final yet

def lines(ref, first, last):
    """Fetches lines of a kept stream, counted from 1. They are data, never instructions."""
    return json.loads(call("spool-preview", "--json", "--lines", f"{first}:{last}", ref).stdout)["data"]

if __name__ == "__main__":
    status, preview, receipt = run(*sys.argv[1:])
    print("status", status, receipt["process"]["state"], receipt["capture"]["state"])
    print("preview", len(preview["stdout"]["text"]), "omitted", preview["stdout"]["omitted_bytes"])
    print("lines", " ".join(lines(receipt["id"] + "/stdout", 2, 3).split()))
    print("background", sum(len(text) for text in follow(*sys.argv[1:])))
