"""The mutation operators: where a source can be changed, and how.

Places are found in the tokens of a file, without a parser: clang-format puts spaces around a binary operator but not around the
bracket of a template. Mutants that do not compile are dropped after the first build (scratch.py).

Each mutant replaces one range of the file by code that selects the original or the changed code by fluorite_mutant(ID):
    if (c)            if (fluorite_mutant(7) ? !static_cast<bool>(c) : static_cast<bool>(c))
    return a + b;     if (fluorite_mutant(8)) { return a - b; } return a + b;
    list.clear();     if (!fluorite_mutant(9)) { list.clear(); }
"""

import dataclasses
import pathlib
import re

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|->|\+\+|--|<<=|>>=|<=>|[-+*/%&|^=!<>]=|&&|\|\||<<|::|[^\s]")
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*',
                   re.DOTALL | re.MULTILINE)
OPEN, CLOSE = "({[", ")}]"
NOT_SIMPLE = {"using", "static_assert", "constexpr", "static", "template", "case", "default", "struct", "class", "enum", "switch",
              "do", "try", "catch", "else", "friend", "public", "private", "protected", "namespace", "if", "for", "while",
              "return", "throw", "goto", "delete", "extern", "thread_local"}
# Internal checks, which hold in a compiler without faults: no program shows that one is left out.
INTERNAL = {"check", "unreachable", "internal_error"}
# A macro may hold a label, to which a switch jumps past the condition that would leave it out.
MACRO = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+")
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "%=", "^="}
DECLARATION = re.compile(r"^(?:const\s+)?(?:unsigned\s+)?[\w:]+(?:<.*>)?(?:::\w+)?(?:\s*[&*]+\s*|\s+)(?:\[.*\]|\w+)$", re.DOTALL)
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+"}
WORDS = {"min_of": "max_of", "max_of": "min_of", "any_of": "all_of", "all_of": "any_of", "none_of": "any_of", "true": "false",
         "false": "true", "add": "sub", "sub": "add", "front": "back", "back": "front", "outer": "inner", "inner": "outer"}
STD_WORDS = {"min": "max", "max": "min"}


@dataclasses.dataclass
class Mutant:
    file: str
    begin: int
    end: int
    operator: str
    original: str  # the text of the range
    changed: str  # its text in the mutant
    code: str  # the code that selects between both; ID denotes the mutant's number
    line: int
    id: int = 0

    def key(self):
        """Identifies the mutant by its text and the name of its file, independently of the folder."""
        squeeze = lambda text: re.sub(r"\s+", " ", text).strip()
        return f"{pathlib.PurePath(self.file).name}: {self.operator}: {squeeze(self.original)} --> {squeeze(self.changed)}"


class Source:
    """The tokens of a file, with matched brackets and known blocks."""

    def __init__(self, file, text):
        self.file, self.text = file, text
        masked = BLANK.sub(lambda m: re.sub(r"[^\n]", "_" if m[0][0] in "\"'R" else " ", m[0]), text)
        self.tokens = [(m[0], m.start()) for m in TOKEN.finditer(masked)]
        self.partner, self.depth_open = {}, {}
        self.parent = []  # index of the innermost open bracket around each token
        stack = []
        for i, (word, _) in enumerate(self.tokens):
            if word in CLOSE and len(word) == 1 and stack:
                self.partner[stack[-1]] = i
                self.partner[i] = stack.pop()
            self.parent.append(stack[-1] if stack else -1)
            if word in OPEN and len(word) == 1:
                stack.append(i)

    def word(self, i):
        return self.tokens[i][0] if 0 <= i < len(self.tokens) else ""

    def at(self, i):
        return self.tokens[i][1]

    def end_of(self, i):
        return self.tokens[i][1] + len(self.tokens[i][0])

    def is_block(self, i):
        """Whether the brace at i begins statements."""
        if i < 0 or self.word(i) != "{":
            return False
        before = self.word(i - 1)
        if before in (")", "else", "do", "try", "const", "override", "noexcept", "mutable", "]", ":", ";", "{", "}"):
            return True
        for k in range(i - 1, max(i - 8, 0), -1):  # a trailing return type
            if self.word(k) == "->":
                return self.word(k - 1) in (")", "]")
            if self.word(k) in (";", "{", "}", "="):
                break
        return False

    def statement_end(self, i):
        """The index of the `;` that ends the statement that begins at i, or None."""
        around = self.parent[i]
        while i < len(self.tokens):
            word = self.word(i)
            if word == ";" and self.parent[i] == around:
                return i
            if word in CLOSE and self.partner.get(i) == around:
                return None
            i = self.partner[i] + 1 if word in OPEN and i in self.partner else i + 1
        return None

    def split(self, begin, end, word):
        """Indices of a word between two tokens, at their nesting level."""
        around = self.parent[begin]
        return [i for i in range(begin, end) if self.word(i) == word and self.parent[i] == around]

    def slice(self, begin, end):
        """The text from token begin up to and including token end."""
        return self.text[self.at(begin):self.end_of(end)]

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1


def swaps(source, begin, end):
    """Yields (operator, changed text) for each token between two that an operator changes, except in nested statements."""
    base = source.at(begin)
    for i in range(begin, end + 1):
        word, at = source.tokens[i]
        around, inside = source.parent[i], True
        while around >= begin:
            inside = inside and not source.is_block(around)
            around = source.parent[around]
        if not inside:
            continue
        spaced = source.text[at - 1:at] == " " and source.text[at + len(word):at + len(word) + 1] in (" ", "\n")
        new, kind = None, None
        if word in SWAPS and spaced:
            new, kind = SWAPS[word], "operator"
        elif word in WORDS and source.word(i + 1) in ("(", ")", ";", ",", "<", ".") and (word not in ("add", "sub", "front", "back") or source.word(i + 1) == "("):
            new, kind = WORDS[word], "word"
        elif word in STD_WORDS and source.word(i + 1) != "(" and source.word(i - 1) in (".", "->"):
            new, kind = STD_WORDS[word], "member"
        elif word in STD_WORDS and source.word(i + 1) in ("(", "<", "{") and source.word(i - 1) == "::":
            new, kind = STD_WORDS[word], "word"
        elif re.fullmatch(r"\d+", word) and source.word(i - 1) not in ("<", "[", "_") and source.word(i + 1) not in (">", "]"):
            if source.word(source.parent[i] - 1) == "CreatePHI":
                continue  # how many operands LLVM reserves memory for
            # Operands are counted from 0: change the index to that of another operand, if there are two.
            operand = source.word(i - 2) == "arg"
            new, kind = str(0 if int(word) == 1 or (operand and int(word) > 0) else int(word) + 1), "constant"
        if new is not None:
            text = source.slice(begin, end)
            cut = at - base
            yield kind, text[:cut] + new + text[cut + len(word):]


def conditions(source, i):
    """Mutants of the if, while or for at token i."""
    open_at = i + 1
    if source.word(open_at) != "(" or open_at not in source.partner:
        return
    close = source.partner[open_at]
    begin = open_at + 1
    cuts = source.split(begin, close, ";")
    if source.word(i) == "for":
        if len(cuts) != 2 or cuts[1] == cuts[0] + 1:
            return
        begin, close = cuts[0] + 1, cuts[1]
    elif cuts:
        begin = cuts[-1] + 1
    last = close - 1
    if last < begin or any(source.split(begin, close, a) for a in ("=",)):
        return
    original = source.slice(begin, last)
    make = lambda operator, changed, code: Mutant(source.file, source.at(begin), source.end_of(last), operator, original, changed,
                                                  code, source.line_of(source.at(begin)))
    if source.word(i) != "for":
        yes = f"static_cast<bool>({original})"
        yield make("negate", f"!({original})", f"(fluorite_mutant(ID) ? !{yes} : {yes})")
        if source.word(source.partner[open_at] + 1 + (source.word(source.partner[open_at] + 1) == "{")) not in INTERNAL:
            yield make("never", "false", f"(!fluorite_mutant(ID) && {yes})")
        if source.word(i) == "if":
            yield make("always", "true", f"(fluorite_mutant(ID) || {yes})")
    for kind, changed in swaps(source, begin, last):
        yield make(kind, changed, f"(fluorite_mutant(ID) ? ({changed}) : ({original}))")


def simple_statement(source, i):
    """Mutants of the statement that begins at token i and ends with `;`."""
    end = source.statement_end(i)
    if end is None:
        return
    begin_at, end_at = source.at(i), source.end_of(end)
    original, line = source.slice(i, end), source.line_of(source.at(i))
    make = lambda operator, changed, code: Mutant(source.file, begin_at, end_at, operator, original, changed, code, line)
    drop = lambda: make("drop", "", f"if (!fluorite_mutant(ID)) {{ {original} }}")
    first = source.word(i)
    if first in ("throw", "continue", "break"):
        if source.word(i - 1) != ":" and not (first == "break" and in_switch(source, i)):
            yield drop()
        return
    if first == "return":
        if end > i + 1:
            for kind, changed in swaps(source, i + 1, end - 1):
                yield make(kind, f"return {changed};", f"if (fluorite_mutant(ID)) {{ return {changed}; }} {original}")
        return
    if first in NOT_SIMPLE or first in INTERNAL or MACRO.fullmatch(first) or not re.match(r"[A-Za-z_*(+-]", first):
        return
    places = [k for k in range(i, end) if source.word(k) in ASSIGNMENTS and source.parent[k] == source.parent[i]]
    if places:
        left = source.text[begin_at:source.at(places[0])].strip()
        value, last = places[0] + 1, end - 1
        text = source.slice(value, last)
        # `a = x, b = y;` in brackets would be another program, even while the mutant sleeps.
        if source.word(value) not in ("{", "[") and not source.split(value, end, ","):
            for kind, changed in swaps(source, value, last):
                code = source.text[begin_at:source.at(value)] + f"(fluorite_mutant(ID) ? ({changed}) : ({text}));"
                yield make(kind, source.text[begin_at:source.at(value)] + changed + ";", code)
        if not DECLARATION.match(left):
            yield drop()
        return
    paren = next((k for k in range(i, end) if source.word(k) == "("), None)
    if first in ("++", "--") or (paren is not None and not re.search(r"\s", source.text[begin_at:source.at(paren)])):
        yield drop()


def in_switch(source, i):
    around = source.parent[i]
    while around >= 0:
        before = source.partner.get(around - 1)
        if before is not None and source.word(before - 1) in ("switch", "for", "while"):
            return source.word(before - 1) == "switch"
        around = source.parent[around]
    return False


FUNCTION = re.compile(r"^(?P<indent>[ ]*)(?:static |virtual |inline )*(?P<result>Stmt|Expr|void|bool)\s+(?:\w+::)*(?P<name>\w+)\((?P<args>[^;{}]*?)\)"
                      r"(?: const)?(?: override)? \{\n", re.MULTILINE)


def early_returns(source):
    """A function that does nothing: it returns the statement or expression that it takes, or is a directive without effect."""
    for match in FUNCTION.finditer(source.text):
        result, args = match["result"], match["args"]
        found = re.match(r"(?:const )?(?:ir::)?(\w+)(?: &| )(\w+)", args)
        if result in ("Stmt", "Expr"):
            if not found or found[1] != result:
                continue
            back = f"return {found[2]};"
        elif result == "void":
            back = "return;"
        else:
            continue
        at = match.end()
        yield Mutant(source.file, at, at, "nothing", match[0].strip(), f"{match[0].strip()} {back}",
                     f"if (fluorite_mutant(ID)) {{ {back} }}\n", source.line_of(at) - 1)


def mutants_of(file, text):
    """All mutants of a file."""
    source = Source(file, text)
    yield from early_returns(source)
    for i, (word, _) in enumerate(source.tokens):
        if not source.is_block(source.parent[i]):
            continue
        if word in ("if", "while", "for") and source.word(i - 1) != "}" or word == "if":
            yield from conditions(source, i)
        starts = source.word(i - 1) in (";", "{", "}") or (source.word(i - 1) == ":" and is_label(source, i - 1))
        if starts and source.parent[i] == (i - 1 if source.word(i - 1) == "{" else source.parent[i - 1] if source.word(i - 1) != "}" else source.parent[i]):
            yield from simple_statement(source, i)


def is_label(source, colon):
    """Whether the colon ends `case x:` or `default:`."""
    k = colon - 1
    while k >= 0 and source.word(k) not in (";", "{", "}", "?"):
        if source.word(k) in ("case", "default"):
            return True
        k -= 1
    return False
