#!/usr/bin/env python3
"""./dev names: which names of the peer's headers our headers lack, and which cannot be used as there.

The peer's headers are read (declarations.py), and each public name, member, overload, default argument, enumerator and
conversion becomes one or several snippets that use it (snippets.py). Those that compile with the peer's header are
compiled with ours (judge.py): it has a name if all of its snippets compile. So it does not matter how a header is
written: a member may be inherited, a function a template, a result another type that converts. What is deliberately
not there has a row with a reason in names.tsv.
"""

import argparse
import collections
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
import declarations  # noqa: E402
import judge  # noqa: E402
import snippets  # noqa: E402

# Headers of the peer: what of each is counted, so that nothing is counted twice.
HEADERS = {
    "Halide.h": lambda scope: scope.startswith("Halide"),
    "HalideBuffer.h": lambda scope: scope.startswith("Halide::Runtime"),
    "HalideRuntime.h": lambda scope: not scope,
    "HalideRuntimeCuda.h": lambda scope: not scope,
    "HalideRuntimeOpenCL.h": lambda scope: not scope,
    "halide_benchmark.h": lambda scope: scope.startswith("Halide::Tools"),
    "halide_image_io.h": lambda scope: scope.startswith("Halide::Tools"),
    "halide_image_info.h": lambda scope: scope.startswith("Halide::Tools"),
    "halide_thread_pool.h": lambda scope: scope.startswith("Halide::Tools"),
}
PREFIXES = ("Halide", "HALIDE_", "halide_")


def is_internal(header):
    """Namespaces that are no interface; those of another header are counted there."""
    def internal(scope):
        return "Internal" in scope or scope == "Halide::Runtime" and header == "Halide.h" or scope.startswith("Elf")
    return internal


def row_pattern(text):
    return re.compile(".*".join(re.escape(part) for part in text.split("*")) + "$")


class Reasons:
    """The rows of names.tsv: a pattern, in which * is anything, and why what it matches is not there."""

    def __init__(self, path):
        self.rows, self.used = [], set()
        for line in pathlib.Path(path).read_text().splitlines():
            if line and not line.startswith("#"):
                pattern, reason = line.split("\t")
                self.rows.append((pattern, row_pattern(pattern), reason))

    def of(self, text):
        """The reason for what is missing, or none."""
        for pattern, compiled, reason in self.rows:
            if compiled.match(text):
                self.used.add(pattern)
                return reason
        return None

    def unused(self):
        return [pattern for pattern, *_ in self.rows if pattern not in self.used]


class Comparison:
    """One header of both sides."""

    def __init__(self, header, peer, ours, instances, select):
        self.header = header
        found = declarations.read(header, peer, lambda scope, _: select(scope), instances, is_internal(header),
                                  PREFIXES)
        self.declared = found
        writer = snippets.Writer()
        pairs = [(declaration, snippet) for declaration in found for snippet in writer.snippets(declaration)]
        kept, tried = [], set()
        for choice in ("text", "otherwise"):
            # Errors outside of them come from templates of the header that a snippet instantiates.
            bad, _ = judge.failures(header, peer, instances.prelude(header), [getattr(s, choice) for _, s in pairs])
            broken = {id(pairs[i][0]) for i, failure in bad.items() if failure.in_header}
            good = [pair for i, pair in enumerate(pairs)
                    if i not in bad and not (id(pair[0]) in broken and pair[1].is_use)]
            kept += [(declaration, getattr(snippet, choice)) for declaration, snippet in good]
            tried |= {id(declaration) for declaration, snippet in good if snippet.is_use}
            pairs = [pair for i, pair in enumerate(pairs) if i in bad and pair[1].otherwise]
        self.untried = [declaration for declaration in found if id(declaration) not in tried]
        failed, self.outside = judge.failures(header, ours, instances.prelude(header), [snippet for _, snippet in kept])
        self.failed = {}
        for number, failure in sorted(failed.items()):
            declaration, snippet = kept[number]
            self.failed.setdefault(id(declaration), []).append((snippet, failure.message))

    def missing(self):
        """Pairs of declarations and what failed."""
        return [(d, self.failed[id(d)]) for d in self.declared if id(d) in self.failed]


def scope_of(declaration):
    """The class or namespace under which it is listed; a class that is missing is listed with its members."""
    return declaration.full_name if declaration.kind == "class" else declaration.scope or "::"


def print_missing(missing, details):
    groups = collections.defaultdict(list)
    for declaration, failures in missing:
        groups[scope_of(declaration)].append((declaration, failures))
    for scope, rows in groups.items():
        lacks_class = [d for d, _ in rows if d.kind == "class"]
        print(f"{scope}{': the class and its members' if lacks_class else ''}")
        for declaration, failures in rows:
            print(f"    {declaration.text}")
            for snippet, message in failures if details else failures[:1]:
                if not lacks_class or details:
                    print(f"        {message}")
                if details:
                    print(f"        {snippet}")


def totals(comparison, with_reason):
    """Rows of the summary: by class or namespace, how many are there, missing and missing with a reason."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for declaration in comparison.declared:
        state = 0 if id(declaration) not in comparison.failed else 2 if id(declaration) in with_reason else 1
        rows[re.sub(r"<.*>", "<>", scope_of(declaration))][state] += 1
    return rows


def print_totals(header, rows, classes):
    if classes:
        for scope, (have, missing, reason) in sorted(rows.items()):
            print(f"    {scope:48} {have:5} there {missing:5} missing {reason:5} with a reason")
    have, missing, reason = (sum(column) for column in zip(*rows.values())) if rows else (0, 0, 0)
    print(f"{header:24} {have:5} there {missing:5} missing {reason:5} with a reason")


def compare(header, select, options, instances, reasons):
    """Prints what is missing of a header; the rows of its summary."""
    comparison = Comparison(header, options.peer, options.ours, instances, select)
    for line in comparison.outside:
        print(f"{header}: does not compile: {line}")
    if options.untried:
        for declaration in comparison.untried:
            print(f"not tried: {declaration.kind} {declaration.text}")
    missing, with_reason = [], set()
    for declaration, failures in comparison.missing():
        reason = reasons.of(declaration.text)
        if reason:
            with_reason.add(id(declaration))
        elif options.only in declaration.text:
            missing.append((declaration, failures))
    print_missing(missing, options.details)
    return totals(comparison, with_reason), len(comparison.untried)


def arguments():
    parser = argparse.ArgumentParser(prog="./dev names", description=__doc__.split("\n\n")[0])
    parser.add_argument("--peer", action="append", help="a folder of the peer's headers; all that it includes")
    parser.add_argument("--ours", action="append", help="a folder of our headers, such as PREFIX/include; the tree's")
    parser.add_argument("--only", default="", help="print what contains this text only")
    parser.add_argument("--details", action="store_true", help="print each snippet that fails")
    parser.add_argument("--classes", action="store_true", help="sum up each class, too")
    parser.add_argument("--untried", action="store_true", help="print of what only the name is looked for")
    parser.add_argument("--reasons", default=HERE / "names.tsv", help="the table of reasons")
    parser.add_argument("--instances", default=HERE / "instances.tsv", help="the table of template arguments")
    parser.add_argument("headers", nargs="*", help=f"default: {' '.join(HEADERS)}")
    options = parser.parse_args()
    if not options.peer:
        found = sorted((ROOT / "build/peer").glob("lib/python*/site-packages/halide"))
        if not found:
            sys.exit("./dev names: the peer's headers are not in build/peer")
        options.peer = [found[0] / "include", found[0] / "share/tools"]
    options.ours = options.ours or [ROOT / "include/fluorite/compat", ROOT / "include"]
    return options


def main():
    options = arguments()
    chosen = options.headers or list(HEADERS)
    instances, reasons = declarations.Instances(options.instances), Reasons(options.reasons)
    results = {}
    for header in chosen:
        select = HEADERS.get(header, lambda scope: True)
        results[header] = compare(header, select, options, instances, reasons)
    for header, (rows, untried) in results.items():
        print_totals(header, rows, options.classes)
        if untried:
            print(f"{'':24} {untried:5} only looked for by name (--untried)")
    stale = [] if options.headers else reasons.unused()
    for pattern in stale:
        print(f"names.tsv: nothing that is missing matches {pattern}")
    wrong = any(sum(row[1] for row in rows.values()) for rows, _ in results.values())
    return 1 if wrong or stale else 0


if __name__ == "__main__":
    sys.exit(main())
