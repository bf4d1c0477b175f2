"""Finds the functions of public headers that no comment documents.

A function is documented by a comment in its block, which is a run of lines without an empty one: before the function, with
other declarations between them, or on its own lines. What copies, moves, destroys or compares values, and what makes an
object a range, needs none: its name says all.
"""

import re

import switches as text_of

# Their meaning is that of the language or of the standard library.
TRIVIAL = re.compile(r"~\w+|operator\s*(?:=|==|!=|<=>)|begin|end|size|empty|swap")

INTERNAL = re.compile(r"namespace\s+(?:\w+::)*\w*(?:detail|internal|language)\b|namespace\s*$")
SCOPE = re.compile(r"(?:template\s*<.*>\s*(?:requires.*)?)?(?:inline\s+)?(namespace|class|struct|union|enum|extern)\b", re.DOTALL)
NO_FUNCTION = re.compile(r"(?:template\s*<[^>]*>\s*)?(?:using|typedef|friend|static_assert|extern template|class|struct|enum|union)\b")
LABEL = re.compile(r"\s*(public|private|protected)\s*:(?!:)")


def without_directives(code):
    """The code without preprocessor lines, alternatives (#else), and calls of macros that declare, all in their places."""
    def spaces(text):
        return re.sub(r"[^\n]", " ", text)
    lines, in_else = [], []
    for line in re.split(r"(?<!\\)\n", code):  # a directive with its continuations is one
        directive = re.match(r"\s*#\s*(\w+)", line)
        name = directive[1] if directive else ""
        if name in ("if", "ifdef", "ifndef"):
            in_else.append(False)
        elif name in ("else", "elif"):
            in_else[-1] = True
        elif name == "endif":
            in_else.pop()
        lines.append(spaces(line) if directive or any(in_else) else line)
    code = "\n".join(lines)
    return re.sub(r"^[ \t]*FLUORITE_[A-Z_0-9]+\([^;{}]*?\)[ \t]*$", lambda match: spaces(match[0]), code, flags=re.MULTILINE)


def without_brackets(text):
    """The declaration without what stands in template brackets and square brackets."""
    before = None
    while before != text:
        before, text = text, re.sub(r"(?<!operator)<[^<>()]*>|\[[^\[\]]*\]", "", text)
    return text


def function_name(declaration):
    """The name of the function that a declaration declares, or None."""
    declaration = re.sub(r"\b(?:alignas|noexcept|decltype|__attribute__|requires)\s*\((?:[^()]|\([^()]*\))*\)", "", declaration)
    if NO_FUNCTION.match(declaration):
        return None
    plain = without_brackets(declaration)
    found = re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|\w+(?:\s*[*&])?)|~?\w+)\s*\((?!\s*\*)", plain)
    if found is None or re.search(r"\w::\s*$", plain[:found.start()]) or "=" in plain[:found.start()] or "operator" not in found[1] and found[1] in ("return", "if"):
        return None
    return re.sub(r"\s+", " ", found[1])


def is_copy(name, owner, declaration):
    """Whether this constructor makes an empty object, a copy, or takes another one's contents."""
    parameters = declaration[declaration.index("(") + 1:].split(")")[0] if "(" in declaration else ""
    return name == owner and re.fullmatch(rf"\s*|(?:const\s+)?{owner}\s*&&?\s*\w*", parameters) is not None


def functions(text, public_bases=frozenset()):
    """Yields (position, name) of each function that a public header declares for its users."""
    code = without_directives(text_of.blank(text))
    yield from members(code, 0, len(code), None)
    for match in re.finditer(r"^(?:template <[^\n]*> )?(class|struct) (\w+)[^;{]*\{", code, re.MULTILINE):
        if match[2] in public_bases:
            yield from members(code, match.end(), text_of.matching(code, match.start(), "{", "}") - 1, f"{match[1]} {match[2]}")


def members(code, at, end, owner):
    """Those of a namespace (owner None) or of a class, between two positions."""
    is_public = owner is None or not owner.startswith("class ")
    start = at
    while at < end:
        if label := LABEL.match(code, start, end) if at == start else None:
            is_public, start = label[1] == "public", label.end()
            at = start
            continue
        character = code[at]
        if character in "([":
            at = text_of.matching(code, at, character, ")" if character == "(" else "]")
            continue
        if character not in ";{}":
            at += 1
            continue
        declaration = code[start:at].strip()
        first = start + len(code[start:at]) - len(code[start:at].lstrip())
        if character == "{":
            close = text_of.matching(code, at, "{", "}")
            scope = SCOPE.match(declaration)
            if scope and "(" not in without_brackets(declaration) and scope[1] != "enum":
                if is_public and not INTERNAL.match(declaration):
                    inner = None if scope[1] in ("namespace", "extern") else class_of(scope[1], declaration)
                    yield from members(code, at + 1, close - 1, inner)
                at = start = close
                continue
            if is_initializer(code, at, close, declaration):
                at = close
                continue
        else:
            close = at + 1
        name = function_name(declaration) if is_public else None
        if name and not TRIVIAL.fullmatch(name) and not is_copy(name, owner and owner.split()[1], declaration) \
                and not re.search(r"=\s*(?:delete|default)$", declaration):
            yield first, name
        at = start = close


def class_of(key, declaration):
    name = re.search(rf"\b{key}\s+(?:alignas\([^)]*\)\s*)?(\w+)", declaration)
    return f"{key} {name[1] if name else '?'}"


def is_initializer(code, at, close, declaration):
    """Whether these braces give a member its value, in front of a constructor's body or at a variable."""
    behind = code[close:].lstrip()[:1]
    if behind == ";" and "(" not in declaration:
        return True
    return re.search(r"\)\s*(?:noexcept\s*)?:[^:]", declaration) is not None and behind in (",", "{") and behind != ""


def undocumented(text, public_bases=frozenset()):
    """Yields (position, name) of each function without a comment in its block."""
    lines = text.split("\n")
    for position, name in functions(text, public_bases):
        number = text.count("\n", 0, position)
        last = text.count("\n", 0, re.compile(r"[;{]").search(text, position).start())
        indentation = re.match(r"\s*", lines[number])[0]
        # A heading (`// ---- Queries.`) documents nothing, nor does what stands in the body of a function of the block.
        comment = re.compile(rf"{indentation}(?://(?! -{{3}})|/\*(?! -{{3}})| ?\*)")
        is_documented = any(re.search(r"//(?! NOLINT)|/\*", line) for line in lines[number:last + 1])
        while not is_documented and number > 0 and lines[number - 1].strip() and not LABEL.match(lines[number - 1]):
            number -= 1
            is_documented = comment.match(lines[number]) is not None
        if not is_documented:
            yield position, name


def bases(texts):
    """The names of the internal classes from which public ones derive: their public members are those of the public class."""
    return {name for text in texts for name in re.findall(r"\bpublic\s+(?:\w+::)*\w*detail::(\w+)", text_of.blank(text))}
