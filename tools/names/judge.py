"""Compiles snippets with a header, all at once, and says which of them fail."""

import declarations

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
    """What is wrong with each snippet that does not compile: {number: message}; and errors outside of all of them."""
    failed, outside = {}, []
    for start in range(0, len(snippets), AT_ONCE):
        some, around = failures_at_once(header, includes, prelude, snippets[start:start + AT_ONCE])
        failed |= {start + number: message for number, message in some.items()}
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
        line = place_of(diagnostic, first)
        if line is None or line - first >= len(owner):
            outside.append(str(diagnostic))
        else:
            failed.setdefault(owner[line - first], diagnostic.spelling)
    return failed, outside
