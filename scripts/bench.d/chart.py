"""The comparisons as a chart: how far each is from its target."""
from xml.sax.saxutils import escape

ROW, LEFT, WIDTH, TOP = 22, 400, 360, 46
FULL = 2.0  # a bar this many times as good as its target fills the chart


def goodness(row):
    """1 at the target, more is better."""
    if not row["value"] or not row["limit"]:
        return 0.0
    ratio = row["value"] / row["limit"]
    return ratio if row["target"].startswith(">=") else 1 / ratio


def svg(rows, caption):
    """An SVG document. Green bars meet their target, red ones do not."""
    rows = [r for r in rows if r["target"]]
    height = TOP + ROW * len(rows) + 12
    mark = LEFT + WIDTH / FULL
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 130}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="8" y="16" fill="#555">{escape(caption)}</text>',
             f'<text x="{mark:.0f}" y="36" text-anchor="middle" fill="#333">target</text>']
    for i, r in enumerate(rows):
        y = TOP + ROW * i
        bar = WIDTH * min(goodness(r), FULL) / FULL
        colour = "#2a9d5c" if r["met"] else "#c0392b"
        label = f"{r['value']:g} {r['unit']} ({r['target']})"
        parts += [f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(r["title"])}</text>',
                  f'<rect x="{LEFT}" y="{y + 3}" width="{bar:.1f}" height="{ROW - 7}" fill="{colour}"/>',
                  f'<text x="{LEFT + bar + 4:.1f}" y="{y + 14}">{escape(label)}</text>']
    parts += [f'<line x1="{mark:.0f}" y1="{TOP - 4}" x2="{mark:.0f}" y2="{height - 8}" stroke="#333" '
              'stroke-dasharray="3 3"/>', "</svg>"]
    return "\n".join(parts) + "\n"
