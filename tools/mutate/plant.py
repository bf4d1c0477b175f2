#!/usr/bin/env python3
"""Plants faults into copies of sources: plant.py LIST FOLDER applies the changes of a list (tests/planted/faults.txt, which states
its form) to copies of the sources, each asleep until a test plants its fault (tests/planted/plant.h).

They are mutants as those of ./dev mutate, but chosen: the classic mistakes of scheduling compilers. A change whose lines do not
stand in its source exactly once is an error, which names it: the list follows the sources.
"""

import pathlib
import re
import sys

import places
import scratch

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "tests/planted/plant.h"


class Change:
    """A change of a list: the fault, the file, and the signed lines."""

    def __init__(self, fault, file):
        self.fault, self.file, self.lines = fault, file, []

    def side(self, sign):
        return [line[1:] for line in self.lines if line[0] in (" ", sign)]


def changes_of(text):
    """The changes of a list, in its order."""
    changes = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line[0] in " -+" and changes:
            changes[-1].lines.append(line)
        elif (head := re.fullmatch(r"([A-Z]\w*) (\S+)", line)):
            changes.append(Change(head[1], head[2]))
        else:
            raise SystemExit(f"line {number} of the list of faults: neither a fault with its file nor a line of one: {line}")
    return changes


def mutant_of(change, text):
    """The change as a mutant of the text of its file."""
    wanted, lines = [line.strip() for line in change.side("-")], text.splitlines(keepends=True)
    stripped = [line.strip() for line in lines]
    found = [i for i in range(len(lines)) if stripped[i:i + len(wanted)] == wanted]
    if len(found) != 1:
        raise SystemExit(f"fault {change.fault}: its lines stand {len(found)} times in {change.file}, not once; change tests/planted/faults.txt "
                         "as the source has changed:\n" + "\n".join(change.side("-")))
    begin = sum(map(len, lines[:found[0]]))
    end = begin + sum(map(len, lines[found[0]:found[0] + len(wanted)]))
    condition = f"fluorite::planted::is_planted(fluorite::planted::Fault::{change.fault})"
    code = re.sub(r"\bFAULT\b", condition, "\n".join(change.side("+")) + "\n")
    return places.Mutant(change.file, begin, end, "planted", text[begin:end], code, code, text.count("\n", 0, begin) + 1)


def planted(changes, source_of=lambda file: (ROOT / file).read_text()):
    """The texts of the files with all changes, by file."""
    texts = {}
    for file in sorted({change.file for change in changes}):
        text = source_of(file)
        texts[file], _ = scratch.with_mutants(text, [mutant_of(c, text) for c in changes if c.file == file], HEADER)
    return texts


def main():
    listed, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for file, text in planted(changes_of(listed.read_text())).items():
        scratch.write(folder / file, text)


if __name__ == "__main__":
    main()
