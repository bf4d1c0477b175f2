"""Finds the switches over the kinds of the IR and of schedules whose default says nothing."""

import re

# Enumerations to which features add. A new enumerator has to be met wherever it matters.
KINDS = {"ExprKind", "StmtKind", "MathOp", "ReduceOp", "ExprClass", "ForKind", "ForType", "MemoryType", "TailStrategy",
         "Partition", "LoopAlignStrategy", "SymbolKind", "Field", "TreeOp"}


def blank(text):
    """The text without comments and strings, with every character at its place."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match[0])
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', spaces, text, flags=re.DOTALL)


def matching(text, at, opening, closing):
    """The position behind the bracket that closes the first one from `at` on."""
    at = text.index(opening, at)
    depth = 0
    while True:
        depth += (text[at] == opening) - (text[at] == closing)
        at += 1
        if depth == 0:
            return at


def switches(text):
    """Yields (position, enumerations of the cases, position of the default or None) of each switch."""
    code = blank(text)
    spans = []
    for match in re.finditer(r"\bswitch \(", code):
        body = matching(code, match.start(), "(", ")")
        spans.append((match.start(), code.index("{", body), matching(code, body, "{", "}")))
    for start, begin, end in spans:
        own = code[begin:end]
        for inner, inner_begin, inner_end in spans:
            if start < inner < end:
                own = own[:inner_begin - begin] + " " * (inner_end - inner_begin) + own[inner_end - begin:]
        enumerations = set(re.findall(r"\bcase (?:\w+::)*?(\w+)::\w+\s*:(?!:)", own))
        default = re.search(r"\bdefault:", own)
        yield start, enumerations, begin + default.start() if default else None


def silent_defaults(text):
    """The positions of defaults over kinds without a comment on their line or the next."""
    for _, enumerations, default in switches(text):
        if default is None or not enumerations & KINDS:
            continue
        lines = text[default:].split("\n", 2)
        if "//" not in lines[0] and not (len(lines) > 1 and lines[1].lstrip().startswith("//")):
            yield default
