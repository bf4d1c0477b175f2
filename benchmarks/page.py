"""The HTML page of a run's results: a pair of bars for each value, scaled to the slower of the two."""

import html as escapes

import table

STYLE = """
body { font: 15px/1.4 sans-serif; max-width: 56em; margin: 2em auto; color: #222; }
h2 { font-size: 1em; margin: 1.4em 0 .3em; }
.line { display: flex; align-items: center; margin: 2px 0; }
.side { width: 3.5em; } .track { flex: 1; } .time { width: 15em; text-align: right; }
.bar { height: 1.1em; border-radius: 2px; }
.bar { background: #9aa5b1; } .ours { background: #2a9d6f; } .bad { color: #b00020; }
"""


def time_text(seconds):
    return f"{seconds:.3f} s" if seconds >= 1 else f"{seconds * 1e3:.2f} ms"


def bar(side, times, longest):
    width = 100 * times["min"] / longest
    text = f"{time_text(times['min'])} (median {time_text(times['median'])})"
    return (f'<div class="line"><span class="side">{side}</span><span class="track">'
            f'<div class="bar {side}" style="width:{width:.1f}%"></div></span><span class="time">{text}</span></div>')


def block(row):
    ratio = f", {row['best']:.2f} times the other's speed" if row.get("best") else ""
    wrong = table.complaints(row)
    mark = ' class="bad"' if wrong else ""
    lines = [f"<h2{mark}>{escapes.escape(row['name'])}{ratio}; output: {escapes.escape(table.show_output(row))}</h2>"]
    measured = {side: row[side] for side in row["memory"] if row[side]}
    longest = max((times["min"] for times in measured.values()), default=1)
    lines += [bar(side, times, longest) for side, times in measured.items()]
    lines += [f'<p class="bad">{escapes.escape(complaint)}</p>' for complaint in wrong]
    return "\n".join(lines)


def html(results):
    """The whole page as text; `results` is what results.json holds."""
    view = f" as {results['view']} ({results['target']})" if results["target"] else ""
    head = (f"Best time of each side{view}, shorter is better. {results['threads']} threads, load {results['load']:.1f}, "
            f"memory copy {results['copy_bytes_per_second'] / 1e9:.1f} GB/s, "
            f"peak {results['peak_flops'] / 1e9:.0f} GFlop/s.")
    return (f"<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Fluorite: speed</title><style>{STYLE}</style>"
            f"<h1>Fluorite beside the {results['against']}</h1><p>{head}</p>\n" + "\n".join(map(block, results["rows"])) + "</html>\n")
