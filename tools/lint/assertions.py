"""Finds tests that cannot fail: TEST bodies that assert nothing, directly or through a function that they call.

A function counts as asserting if its body contains an assertion or calls an asserting function of the same file or of a
header that the file includes. Assertions in `catch` do not count: they are not reached if nothing is thrown. The check is
textual: comments and literals are blanked; a function is a name, a list in parentheses and a body in braces. Where two
functions share a name, it prefers silence to a false alarm.
"""

import re

import tree

ASSERTION = re.compile(r"\b(?:EXPECT_\w+|ASSERT_\w+|FAIL|ADD_FAILURE|ADD_FAILURE_AT|GTEST_FAIL)\s*\(")
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'', re.DOTALL)
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{", re.MULTILINE)
CATCH = re.compile(r"\bcatch\s*\([^)]*\)\s*\{")
FUNCTION = re.compile(r"\b(\w+)\s*(?:=\s*\[[^\]\n]*\]\s*)?\(")
MACRO = re.compile(r"^#define\s+(\w+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
KEYWORDS = {"if", "for", "while", "switch", "catch", "return", "sizeof", "TEST", "TEST_F", "TEST_P", "TYPED_TEST"}


def blanked(text):
    """The text without comments and literals; line numbers are kept."""
    return BLANK.sub(lambda match: "\n" * match[0].count("\n") or " ", text)


def closing(code, start, pair):
    """The offset after the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(code)):
        if code[place] == pair[0]:
            depth += 1
        elif code[place] == pair[1]:
            depth -= 1
            if depth == 0:
                return place + 1
    return len(code)


def functions(code):
    """Yields (name, body) of every definition with a body, including named lambdas and macros."""
    for match in FUNCTION.finditer(code):
        if match[1] in KEYWORDS:
            continue
        end = closing(code, match.end() - 1, "()")
        head = re.compile(r"\s*(?:const|noexcept|override|mutable|->\s*[\w:<>,*&\s]+?|:[^{};]*)*\s*\{").match(code, end)
        if head:
            yield match[1], code[head.end():closing(code, head.end() - 1, "{}")]
    for match in re.finditer(r"\b(\w+)\s*=\s*\[[^\]\n]*\]\s*\{", code):
        yield match[1], code[match.end():closing(code, match.end() - 1, "{}")]
    for match in MACRO.finditer(code):
        yield match[1], match[2]


def without_catches(body):
    """The body without the contents of its `catch` blocks."""
    parts, at = [], 0
    for match in CATCH.finditer(body):
        if match.start() >= at:
            parts.append(body[at:match.end()])
            at = closing(body, match.end() - 1, "{}")
    return "".join(parts) + body[at:]


def asserts(body):
    return ASSERTION.search(without_catches(body)) is not None


def calls(body, names):
    body = without_catches(body)
    return any(name in names for name in re.findall(r"\b(\w+)\s*(?:<[\w:, *]*>)?\s*\(", body))


def visible(path, seen):
    """Adds the file and all test headers of the repository that it includes, transitively, to `seen`."""
    if path in seen:
        return
    seen.add(path)
    for *_, target in tree.includes(path):
        if target is not None and (tree.is_test(target) or "test" in target.stem or target.parent == path.parent):
            visible(target, seen)


def asserting_names(path):
    """Names of the asserting functions that are visible in a file."""
    files = set()
    visible(path, files)
    bodies = [pair for file in sorted(files) for pair in functions(blanked(tree.read(file)))]
    names = {name for name, body in bodies if asserts(body)}
    while True:
        more = {name for name, body in bodies if name not in names and calls(body, names)}
        if not more:
            return names
        names |= more


def silent_tests(path):
    """Yields (line, name) of every test of a file that asserts nothing."""
    code, names = blanked(tree.read(path)), None
    for match in TEST.finditer(code):
        body = code[match.end():closing(code, match.end() - 1, "{}")]
        if asserts(body):
            continue
        names = asserting_names(path) if names is None else names
        if not calls(body, names):
            yield tree.line_of(code, match.start()), f"{match[1]}.{match[2]}"
