"""The evidence table as Markdown."""
import machine


def table(head, rows):
    """A Markdown table; numbers are set flush right."""
    right = [all(not isinstance(row[i], str) for row in rows) for i in range(len(head))]
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---:" if r else "---" for r in right) + " |"]
    for row in rows:
        cells = [cell if isinstance(cell, str) else f"{cell:,}" for cell in row]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def yes(value):
    return {True: "yes", False: "**no**", None: "–"}[value]


def fixtures(result):
    rows = [[r["fixture"], r["input_bytes"], r["inline_bytes"], r["saved_bytes"],
             yes(r["exact"]) + ("" if r["stored"] else ", inline"), r["exit"], yes(r["cause_shown"]),
             r["alone_ms"], r["ms"], r["processes"], round(r["memory_sum_bytes"] / 2**20, 1),
             round(r["memory_max_bytes"] / 2**20, 1)] for r in result["fixtures"]]
    totals = [sum(r[key] for r in result["fixtures"]) for key in ("input_bytes", "inline_bytes", "saved_bytes")]
    head = ["fixture", "input B", "inline B", "saved B", "exact", "exit", "cause shown", "alone ms", "spool-run ms",
            "processes", "memory, sum MiB", "largest MiB"]
    return table(head, rows), totals


def tasks(result):
    rows = [[t["fixture"], t["question"], yes(t["right"]), t["calls"], t["bytes"], t["tokens"], t["answer_ms"],
             t["formatting_ms"], "yes" if t["inline_already"] else "no"] for t in result["tasks"]]
    head = ["fixture", "question", "right", "calls", "bytes read", "tokens", "answer ms", "formatting ms",
            "in the preview already"]
    return table(head, rows)


def markdown(result, bound):
    """The whole report; bound is what the inline bytes may be together."""
    rows, (total_in, total_inline, saved) = fixtures(result)
    calls = "".join(f"- {t['question']} " + ", then ".join(f"`{c}`" for c in t["commands"]) + "\n"
                    for t in result["tasks"])
    verdict = "Everything holds." if not result["faults"] else "Does not hold: " + "; ".join(result["faults"]) + "."
    runs = "one run each" if result["runs"] == 1 else f"medians of {result['runs']} runs"
    return f"""# Measurements

Written by `scripts/measure --write`; not to be edited. {machine.sentence(result["machine"])} Times are {runs}.

## What the caller sees, and what is kept

{rows}
Together {total_in:,} bytes in, {total_inline:,} inline (at most {bound:,}), {saved:,} saved. Inline is what
`spool-run` prints on stdout and stderr, its summary line included. Exact means that every stored stream is byte for
byte what the command wrote, or, where nothing is stored, what was printed. Alone is the command without spool-run.
Memory is the sampled peak of each process of spool: their sum, and the largest of them.

## What an answer costs afterwards

{tasks(result)}
Tokens are characters divided by four. The answer's time is that of the calls; formatting is what the caller then
needs to cut the answer out of what it has read.

{calls}
{verdict}
"""
