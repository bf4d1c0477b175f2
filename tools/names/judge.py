"""Compiles snippets with a header, all at once, and says which of them fail."""

import typing

import declarations


class Failure(typing.NamedTuple):
    message: str
    in_header: bool  # In a template that the snippet instantiates; later snippets that do so compile.


START = """namespace names {
template <typename T> using id = T;
template <typename T> T &&declared();
"""
AT_ONCE = 1500  # Snippets of one translation unit; more take more memory, fewer read the header more often.


def place_of(diagnostic, first):
    """The line of the text that an error, or what it says of the place of instantiation, is in."""
    for one in (diagnostic, *diagnostic.children):
        location = one.location
        if location.file is not None and location.file.name == "snippets.cpp" and location.line >= first:
            return location.line
    return None


def failures(header, includes, prelude, snippets):
    """What is wrong with each snippet that does not compile: {number: Failure}; and errors outside of all of them."""
    failed, outside = {}, []
    for start in range(0, len(snippets), AT_ONCE):
        some, around = failures_at_once(header, includes, prelude, snippets[start:start + AT_ONCE])
        failed |= {start + number: failure for number, failure in some.items()}
        outside += [line for line in around if line not in outside]
    return failed, outside


def failures_at_once(header, includes, prelude, snippets):
    start = f'#include "{header}"\n{START}' + "".join(line + "\n" for line in prelude)
    first = start.count("\n") + 1
    owner = []
    for number, snippet in enumerate(snippets):
        owner += [number] * (snippet.count("\n") + 1)
    unit = declarations.parse(start + "\n".join(snippets) + "\n} // namespace names\n", includes)
    failed, outside = {}, []
    for diagnostic in unit.diagnostics:
        if diagnostic.severity < declarations.cindex.Diagnostic.Error:
            continue
        if diagnostic.severity == declarations.cindex.Diagnostic.Fatal:  # Nothing behind it is compiled.
            return {number: Failure(diagnostic.spelling, False) for number in range(len(snippets))}, [str(diagnostic)]
        line = place_of(diagnostic, first)
        if line is None or line - first >= len(owner):
            outside.append(str(diagnostic))
        else:
            in_header = diagnostic.location.file is None or diagnostic.location.file.name != "snippets.cpp"
            failed.setdefault(owner[line - first], Failure(diagnostic.spelling, in_header))
    return failed, outside
