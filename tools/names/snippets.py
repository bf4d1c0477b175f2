"""From a declaration to small programs that use it.

A snippet is one line of C++ (three for a macro), so that the line of an error says which snippet it is in. Functions
are called with each number of arguments that default arguments allow; besides with arguments of the declared types,
with what programs write instead of them: a number or a Var for an Expr, a literal for a string, a braced list for a
vector. Results must convert to the declared ones. Which snippets are good C++ is decided by compiling them with the
header that the declarations come from.
"""

import re
import typing

# What programs write for an argument of a type; `{}` stands for the argument of the declared type.
WRITTEN = {
    "Halide::Expr": ["1", "Halide::Var()", "Halide::Param<int>()", "(uint8_t)1", "1.5f"],
    "Halide::VarOrRVar": ["Halide::Var()", "Halide::RVar()"],
    "Halide::LoopLevel": ["Halide::LoopLevel(Halide::Func(), Halide::Var())"],
    "Halide::Target": ["Halide::get_host_target()"],
    "std::basic_string<char>": ['"text"'],
    "std::__cxx11::basic_string<char>": ['"text"'],
    "std::vector<": ["{}, {}", "{}"],
}
OPERATOR = re.compile(r"operator\s*([^\w\s].*)$")


def written(parameter):
    """Alternatives to an argument of the declared type."""
    plain = re.sub(r"^const | ?&&?$", "", parameter).strip()
    vector = re.match(r"std::vector<(.*)>$", plain)
    if vector and not parameter.endswith(" &") or vector and parameter.startswith("const "):
        item = vector[1].strip()
        return [f"{{declared<{item}>(), declared<{item}>()}}", f"{{declared<{item}>()}}"]
    return WRITTEN.get(plain, [])


def declared(number, parameter):
    """The parameter of the snippet's own function, and the argument that it makes."""
    name = f"p{number}"
    if parameter.endswith("&&"):
        return f"id<{parameter}> {name}", f"static_cast<{parameter}>({name})"
    if parameter.endswith("&"):
        return f"id<{parameter}> {name}", name
    return f"id<{parameter}> &&{name}", f"static_cast<id<{parameter}> &&>({name})"


def argument_lists(declaration):
    """Lists of arguments, as pairs of parameters of the snippet and texts of arguments."""
    pairs = [declared(i, p) for i, p in enumerate(declaration.parameters)]
    for count in range(declaration.required, len(pairs) + 1):
        yield pairs[:count]
    others = [written(p) for p in declaration.parameters]
    for choice in range(max(map(len, others), default=0)):
        yield [("", o[choice]) if choice < len(o) else pair for pair, o in zip(pairs, others)]
    # One at a time, since two arguments that are no Exprs may leave nothing that finds the function.
    for i, alternatives in enumerate(others):
        for text in alternatives if len(pairs) > 1 else []:
            yield [("", text) if j == i else pair for j, pair in enumerate(pairs)]


def infix(symbol, operands):
    """The expression that calls an operator; none for what cannot be written so."""
    if symbol == "()":
        return f"{operands[0]}({', '.join(operands[1:])})"
    if symbol == "[]":
        return f"{operands[0]}[{operands[1]}]" if len(operands) == 2 else None
    if symbol == "->":
        return f"{operands[0]}.operator->()"
    if symbol in ("++", "--"):
        return f"{symbol}{operands[0]}" if len(operands) == 1 else f"{operands[0]}{symbol}"
    if len(operands) == 1:
        return f"{symbol}{operands[0]}"
    return f"{operands[0]} {symbol} {operands[1]}" if len(operands) == 2 else None


def call(declaration, arguments):
    """The expression that calls the function, and one with template arguments for those that are not deduced."""
    is_member = declaration.kind == "method"
    operator = OPERATOR.match(declaration.name)
    if operator and declaration.kind in ("method", "function"):
        return infix(operator[1].strip(), (["self"] if is_member else []) + arguments), None
    start = "self." if is_member else f"{declaration.scope}::" if declaration.scope else "::"
    listed = ", ".join(arguments)
    mark = "template " if is_member else ""
    explicit = f"{start}{mark}{declaration.name}<{', '.join(declaration.template)}>({listed})"
    return f"{start}{declaration.name}({listed})", explicit if declaration.template else None


def statement(result, expression):
    """Uses the result as the declared type; types that are deduced are not looked at."""
    if result == "void":
        return f"{expression};"
    if re.search(r"\bauto\b|decltype|lambda at|unnamed|typename", result):
        return f"(void)({expression});"
    return f"id<{result}> r = {expression}; (void)r;"


class Snippet(typing.NamedTuple):
    text: str
    otherwise: str | None = None  # Takes its place where it is no C++ on the side that declares.
    is_use: bool = True  # As opposed to the name alone.


class Writer:
    """Numbers the snippets of one header."""

    def __init__(self):
        self.count = 0

    def function(self, parameters, body, base=""):
        self.count += 1
        listed = ", ".join(filter(None, parameters))
        if base:
            return f"struct s{self.count} : {base} {{ template <class> void use({listed}) {{ {body} }} }};" \
                .replace("template <class> ", "")
        return f"void s{self.count}({listed}) {{ {body} }}"

    def name(self, body):
        self.count += 1
        return body.replace("NAME", f"s{self.count}")

    def self_of(self, declaration):
        """The object that a member is called on, as a parameter; in a derived class it is declared in the body."""
        const = "const " if declaration.is_const else ""
        reference = "&&" if declaration.is_rvalue else "&"
        return f"{const}{declaration.scope} {reference}"

    def member(self, declaration, parameters, body):
        if declaration.is_protected:
            body = f"auto &self = *this; (void)self; {body}"
            return self.function(parameters, body, declaration.scope)
        kind = self.self_of(declaration)
        if declaration.is_rvalue:
            return self.function([f"{kind}object", *parameters],
                                 body.replace("self", f"static_cast<{kind}>(object)"))
        return self.function([f"{kind}self", *parameters], body)

    def snippets(self, declaration):
        lines = getattr(self, "of_" + declaration.kind)(declaration)
        return [line if isinstance(line, Snippet) else Snippet(line) for line in lines]

    def of_macro(self, declaration):
        return [f"#ifndef {declaration.name}\n#error {declaration.name} is not defined\n#endif"]

    def of_class(self, declaration):
        return [self.name(f"using NAME = {declaration.full_name};")]

    def of_base(self, declaration):
        return [self.function([f"{declaration.scope} *p"], f"{declaration.name} *base = p; (void)base;")]

    def of_type(self, declaration):
        arguments = f"<{', '.join(declaration.template)}>" if declaration.template else ""
        if declaration.is_protected:
            body = f"struct NAME : {declaration.scope} {{ using T = {declaration.full_name}{arguments}; }};"
            return [self.name(body)]
        return [self.name(f"using NAME = {declaration.full_name}{arguments};")]

    def of_enumerator(self, declaration):
        value = f"::{declaration.full_name}" if not declaration.scope else declaration.full_name
        if declaration.name.startswith("halide_"):
            equal = f"(long long)({value}) == {declaration.value}"
            return [self.function([], f'static_assert({equal}, "another value");')]
        return [self.function([], f"(void)({value});")]

    def of_variable(self, declaration):
        if declaration.is_protected:
            return [self.name(f"struct NAME : {declaration.scope} {{ using {declaration.full_name}; }};")]
        return [self.function([], f"(void)({declaration.full_name});")]

    def of_field(self, declaration):
        self_type = f"{declaration.scope} &self"
        if declaration.is_protected:
            return [self.function([], f"(void)this->{declaration.name};", declaration.scope)]
        return [self.function([self_type], f"id<{declaration.result}> const &r = self.{declaration.name}; (void)r;")]

    def of_constructor(self, declaration):
        if declaration.is_protected:
            return []
        lines, kind = [], declaration.scope
        for pairs in argument_lists(declaration):
            parameters, arguments = [p for p, _ in pairs], [a for _, a in pairs]
            made = f"{kind} r({', '.join(arguments)});" if pairs else f"{kind} r;"
            lines.append(self.function(parameters, f"{made} (void)r;"))
            if pairs and not declaration.is_explicit:
                value = arguments[0] if len(pairs) == 1 else f"{{{', '.join(arguments)}}}"
                lines.append(self.function(parameters, f"{kind} r = {value}; (void)r;"))
        return lines

    def of_conversion(self, declaration):
        value = f"static_cast<{declaration.result}>(self)" if declaration.is_explicit else "self"
        return [self.member(declaration, [], f"id<{declaration.result}> r = {value}; (void)r;")]

    def of_static(self, declaration):
        return self.of_function(declaration)

    def of_function(self, declaration):
        base = declaration.scope if declaration.is_protected else ""
        return self.calls(declaration, lambda parameters, body: self.function(parameters, body, base))

    def of_method(self, declaration):
        return self.calls(declaration, lambda parameters, body: self.member(declaration, parameters, body))

    def calls(self, declaration, line):
        lines = []
        for pairs in argument_lists(declaration):
            parameters = [p for p, _ in pairs]
            written_call, explicit = call(declaration, [a for _, a in pairs])
            if written_call:
                lines.append(Snippet(*(e and line(parameters, statement(declaration.result, e))
                                       for e in (written_call, explicit))))
        return lines + self.by_name(declaration)

    def by_name(self, declaration):
        """The name alone; not that of an operator, which may be a member on one side and a function on the other."""
        if OPERATOR.match(declaration.name):
            return []
        if declaration.kind == "function":
            return [Snippet(self.function([], f"using {declaration.full_name};"), is_use=False)]
        return [Snippet(self.name(f"struct NAME : {declaration.scope} {{ using {declaration.full_name}; }};"),
                        is_use=False)]
