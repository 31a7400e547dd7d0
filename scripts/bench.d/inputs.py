"""What the programs are given to read. The same in every run."""
import json
import os
import random
import shutil
import subprocess

WORDS = ("connection accepted from client request handled status user session started worker pool flushed cache "
         "entries compaction finished reading file module retry attempt upstream response body bytes closed by peer "
         "checking dependencies building package running tests passed skipped").split()

# Inputs made to be slow: beginnings without ends, and anchors without secrets.
ADVERSARIES = {
    "jwt beginnings": "eyJ", "jwt parts": "eyJhbGciOiJI.", "key blocks": "-----BEGIN RSA PRIVATE KEY-----\n",
    "schemes": "a://b:", "quotes": 'password="', "assignments": "token=", "nested quotes": '\\"password\\":\\"',
    "real tokens": "token=aB3dE6gH9jK2 ", "escapes": "\x1b[1m", "headers": "Authorization: Basic ",
    "newlines": "\n", "one letter": "a", "yaml": "password: |\n  ", "prefixes": "sk-",
}


def log_block():
    """About 4 MiB of log lines with nothing to redact."""
    rng, lines, size = random.Random(7), [], 0
    while size < 4 << 20:
        words = " ".join(rng.choices(WORDS, k=rng.randint(4, 11)))
        line = (f"2026-11-30T{rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}."
                f"{rng.randrange(1000):03d}Z {rng.choice(['INFO', 'WARN', 'DEBUG', 'ERROR'])} "
                f"[worker-{rng.randrange(16)}] {words} path=/srv/app/{rng.choice(WORDS)}/{rng.randrange(1000)}.go:"
                f"{rng.randrange(900)} took={rng.randrange(5000)}ms\n")
        lines.append(line)
        size += len(line)
    return "".join(lines).encode()


def fill(path, block, size):
    """A file of exactly size bytes, made of one block again and again."""
    with open(path, "wb") as f:
        for left in range(size, 0, -len(block)):
            f.write(block[:left])
    return path


def literals(count):
    """Secrets of 32 letters and digits that occur nowhere."""
    rng = random.Random(3)
    return ["".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", k=32))
            for _ in range(count)]


def namespace(path, env, count):
    """A namespace of final, empty captures: one made by spool-run, the others
    its copies under names of their own, older than it."""
    env = {**env, "SPOOL_DIR": path}
    subprocess.run(["spool-run", "--keep", "always", "--", "true"], env=env, check=True, capture_output=True)
    shown = subprocess.run(["spool-receipt", "show", "--json", "latest"], env=env, check=True, capture_output=True)
    first = json.loads(shown.stdout)["id"]
    for i in range(count - 1):
        name = "00" + digits(i, 6) + first[8:]
        shutil.copytree(os.path.join(path, first), os.path.join(path, name))
        receipt = os.path.join(path, name, "receipt.json")
        with open(receipt, encoding="utf-8") as f:
            text = f.read()
        with open(receipt, "w", encoding="utf-8") as f:
            f.write(text.replace(first, name))
    return path


def digits(n, width):
    """A number in the digits of a capture's name."""
    text = ""
    for _ in range(width):
        text, n = "0123456789abcdefghjkmnpqrstvwxyz"[n % 32] + text, n // 32
    return text
