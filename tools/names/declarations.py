"""What a header declares for its users, read by libclang: classes with their members, functions, enumerators, macros.

`read(header)` gives one `Declaration` for each overload, member and enumerator that a program can name. Types are
written in full (libclang's canonical types), so that they mean the same wherever they are repeated. In templates they
contain parameters, as `type-parameter-0-0`; a class template is therefore read once for each of its instances of
instances.tsv, with their arguments in place of the parameters. Members that a class inherits count as its own where
the base lies in an internal namespace, as programs cannot name the base.
"""

import dataclasses
import pathlib
import re
import sys

sys.path.append("/usr/lib/python3/dist-packages")  # Where Debian keeps the module, for other Pythons too.
from clang import cindex  # noqa: E402

# The module of LLVM 19 lacks some kinds of types, such as _Float16, and would throw.
cindex.TypeKind.from_id = classmethod(lambda cls, number: cls._value2member_map_.get(number, cls.UNEXPOSED))
ARGUMENTS = ["-xc++", "-std=c++17", "-w", "-ferror-limit=0", "-ftemplate-backtrace-limit=0", "-fno-spell-checking",
             "-fshow-overloads=best"]
RECORD = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
SKIP_BODIES = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
Kind = cindex.CursorKind
CLASSES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.UNION_DECL, Kind.CLASS_TEMPLATE)
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION, Kind.FUNCTION_TEMPLATE)
TYPES = (Kind.TYPEDEF_DECL, Kind.TYPE_ALIAS_DECL)
TEMPLATE_PARAMETERS = (Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.TEMPLATE_TEMPLATE_PARAMETER)


@dataclasses.dataclass
class Declaration:
    """A name with what a program can do with it; `scope` is a namespace or a class, in the form `A::B<int>`."""

    kind: str  # A member of snippets.Writer makes the snippets of each: class, base, type, enumerator, variable...
    scope: str
    name: str
    parameters: list = dataclasses.field(default_factory=list)
    result: str = ""
    required: int = 0  # Parameters without default arguments.
    template: list = dataclasses.field(default_factory=list)  # Arguments for its template parameters.
    is_const: bool = False
    is_explicit: bool = False
    is_protected: bool = False
    is_rvalue: bool = False
    value: int | None = None

    @property
    def full_name(self):
        return f"{self.scope}::{self.name}" if self.scope else self.name

    @property
    def text(self):
        """How it is listed, and what the patterns of names.tsv match."""
        if self.kind == "base":
            return f"{self.scope} : {self.name}"
        if self.kind in ("function", "method", "static", "constructor", "conversion"):
            optional = ["" if i < self.required else " = ..." for i in range(len(self.parameters))]
            listed = ", ".join(p + o for p, o in zip(self.parameters, optional))
            return f"{self.full_name}({listed})" + (" const" if self.is_const else "")
        return self.full_name


class Instances:
    """The arguments with which class and function templates are read (instances.tsv)."""

    def __init__(self, path=None):
        self.rows, self.preludes = {}, {}
        lines = pathlib.Path(path).read_text().splitlines() if path else []
        for line in lines:
            if line and not line.startswith("#"):
                name, *values = line.split("\t")
                if name == "prelude":
                    self.preludes.setdefault(values[0], []).append(values[1])
                else:
                    self.rows.setdefault(name, []).append(values)

    def of(self, name):
        """Lists of arguments; several for a template that is read several times."""
        return [split_arguments(row[0]) for row in self.rows.get(name, [])]

    def bases(self, instance):
        """Bases of an instance that are found by instantiating only."""
        name, _, arguments = instance.partition("<")
        return [base for row in self.rows.get(name, []) if split_arguments(row[0]) == split_arguments(arguments[:-1])
                for base in row[1:]]

    def prelude(self, header):
        """Lines that snippets of a header need."""
        return self.preludes.get(header, [])


def split_arguments(text):
    """`A<B, C>, D` -> [`A<B, C>`, `D`]."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


class Substitution:
    """Puts arguments in place of the template parameters around a declaration, outermost template first."""

    def __init__(self, levels=()):
        self.levels = list(levels)  # Of each template: [(name, argument), ...].

    def inside(self, parameters):
        return Substitution([*self.levels, parameters])

    def __call__(self, text):
        def argument(match):
            level, index = int(match[1]), int(match[2])
            known = level < len(self.levels) and index < len(self.levels[level])
            return self.levels[level][index][1] if known else "int"

        text = re.sub(r"type-parameter-(\d+)-(\d+)(?:\s*\.\.\.)?", argument, text)
        for level in self.levels:
            for name, value in level:
                if name:
                    text = re.sub(rf"(?<![\w:]){re.escape(name)}(?![\w:])(?:\.\.\.)?", value, text)
        return text.replace("...", "")


def default_argument(parameter):
    """What a template parameter without a row in instances.tsv becomes."""
    if parameter.kind == Kind.TEMPLATE_NON_TYPE_PARAMETER:
        return "false" if parameter.type.spelling == "bool" else "2"
    return "int"


def has_default(parameter):
    return any(token.spelling == "=" for token in parameter.get_tokens())


def is_optional(parameter):
    return has_default(parameter) or "..." in parameter.type.spelling


def template_parameters(cursor):
    return [child for child in cursor.get_children() if child.kind in TEMPLATE_PARAMETERS]


def bind(cursor, arguments):
    """Pairs of template parameters' names and arguments."""
    parameters = template_parameters(cursor)
    values = list(arguments) + [default_argument(p) for p in parameters[len(arguments):]]
    return [(p.spelling, v) for p, v in zip(parameters, values)]


class Reader:
    """Collects the declarations of one header."""

    def __init__(self, selects, instances, internal):
        self.selects, self.instances, self.internal = selects, instances, internal
        self.found, self.seen, self.classes = [], set(), {}

    def add(self, declaration):
        key = (declaration.kind, declaration.text)
        if key not in self.seen:
            self.seen.add(key)
            self.found.append(declaration)

    def index(self, cursor, scope=""):
        """Notes where classes are defined, for bases that are named by text."""
        for child in cursor.get_children():
            if child.kind == Kind.NAMESPACE:
                self.index(child, joined(scope, child.spelling))
            elif child.kind == Kind.LINKAGE_SPEC:
                self.index(child, scope)
            elif child.kind in CLASSES and child.is_definition():
                self.classes[joined(scope, child.spelling)] = child

    def namespace(self, cursor, scope=""):
        for child in cursor.get_children():
            if child.kind == Kind.NAMESPACE:
                if child.spelling and not self.internal(joined(scope, child.spelling)):
                    self.namespace(child, joined(scope, child.spelling))
            elif child.kind in (Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL):
                self.namespace(child, scope)
            elif child.spelling and self.selects(scope, child):
                self.declaration(child, scope, Substitution())

    def declaration(self, cursor, scope, replace, is_protected=False):
        if cursor.kind in CLASSES:
            if cursor.is_definition() and not cursor.is_anonymous():
                self.record(cursor, scope, replace)
        elif cursor.kind in FUNCTIONS:
            self.function(cursor, scope, replace, is_protected)
        elif cursor.kind == Kind.ENUM_DECL:
            self.enumeration(cursor, scope)
        elif cursor.kind in TYPES or cursor.kind == Kind.TYPE_ALIAS_TEMPLATE_DECL:
            arguments = [v for _, v in bind(cursor, [])] if cursor.kind not in TYPES else []
            self.add(Declaration("type", scope, cursor.spelling, template=arguments, is_protected=is_protected))
        elif cursor.kind == Kind.VAR_DECL:
            self.add(Declaration("variable", scope, cursor.spelling, is_protected=is_protected))
        elif cursor.kind == Kind.FIELD_DECL and cursor.spelling:
            self.add(Declaration("field", scope, cursor.spelling, result=replace(cursor.type.get_canonical().spelling),
                                 is_protected=is_protected))

    def enumeration(self, cursor, scope):
        name = joined(scope, cursor.spelling) if cursor.spelling and not cursor.is_anonymous() else scope
        if name != scope:
            self.add(Declaration("type", scope, cursor.spelling))
        for child in cursor.get_children():
            if child.kind == Kind.ENUM_CONSTANT_DECL:
                self.add(Declaration("enumerator", name, child.spelling, value=child.enum_value))
                if name != scope and not cursor.is_scoped_enum():
                    self.add(Declaration("enumerator", scope, child.spelling, value=child.enum_value))

    def record(self, cursor, scope, replace):
        name = joined(scope, cursor.spelling)
        if cursor.kind != Kind.CLASS_TEMPLATE:
            self.add(Declaration("class", scope, cursor.spelling))
            self.members(cursor, name, replace)
            return
        for arguments in self.instances.of(name) or [[]]:
            bound = bind(cursor, arguments)
            written = arguments or [value for _, value in bound]
            instance = f"{cursor.spelling}<{', '.join(written)}>"
            self.add(Declaration("class", scope, instance))
            self.members(cursor, joined(scope, instance), replace.inside(bound))

    def members(self, cursor, scope, replace, of_base=False):
        """Public members, and protected ones, which derived classes may name."""
        for child in cursor.get_children():
            if child.kind == Kind.CXX_BASE_SPECIFIER:
                self.base(child.type.get_canonical().spelling, child.access_specifier.name, scope, replace)
            elif child.access_specifier.name in ("PUBLIC", "PROTECTED"):
                if of_base and child.kind in (Kind.CONSTRUCTOR, *CLASSES):
                    continue
                self.declaration(child, scope, replace, child.access_specifier.name == "PROTECTED")
        if not of_base:
            for base in self.instances.bases(scope):
                self.base(base, "PUBLIC", scope, replace)

    def base(self, base, access, scope, replace):
        base = replace(base)
        plain = re.sub(r"<.*", "", base).replace("typename ", "")
        if access != "PUBLIC" or plain not in self.classes:
            return
        if not self.internal(plain.rpartition("::")[0]):
            self.add(Declaration("base", scope, base))
            return
        cursor, inside = self.classes[plain], Substitution()
        if cursor.kind == Kind.CLASS_TEMPLATE:
            arguments = base[len(plain) + 1:-1] if "<" in base else ""
            inside = inside.inside(bind(cursor, split_arguments(arguments)))
        self.members(cursor, scope, inside, of_base=True)

    def qualified(self, text, scope):
        """Clang leaves out the namespaces of class templates in types that depend on template parameters."""
        def full(match):
            around = re.sub(r"<.*>", "", scope)
            while around and joined(around, match[0]) not in self.classes:
                around = around.rpartition("::")[0]
            return joined(around, match[0])

        return re.sub(r"(?<![\w:])[A-Za-z_]\w*(?=<)", full, text)

    def function(self, cursor, scope, replace, is_protected):
        if cursor.is_deleted_method() or cursor.spelling.startswith(("~", "operator new", "operator delete")):
            return
        if cursor.kind == Kind.FUNCTION_TEMPLATE:
            rows = self.instances.of(joined(re.sub(r"<.*>", "", scope), cursor.spelling)) or [[]]
            bound = [bind(cursor, row) for row in rows]
            for row in bound:
                values = [v for p, (_, v) in zip(template_parameters(cursor), row) if not has_default(p)]
                self.overload(cursor, scope, replace.inside(row), is_protected, values)
        else:
            self.overload(cursor, scope, replace, is_protected, [])

    def overload(self, cursor, scope, replace, is_protected, arguments):
        def written(kind):
            return self.qualified(replace(kind.get_canonical().spelling), scope)

        declared = [child for child in cursor.get_children() if child.kind == Kind.PARM_DECL]
        parameters = []
        for kind in cursor.type.argument_types():
            is_pack = "..." in kind.spelling
            # The arguments of a pack are mostly more of what comes before it.
            guessed = is_pack and parameters and not parameters[-1].endswith("*")
            parameters.append(re.sub(r"^const | ?&+$", "", parameters[-1]) if guessed else written(kind))
        kind, result = function_kind(cursor, scope), written(cursor.result_type)
        self.add(Declaration(
            kind, scope, plain_name(cursor, kind, scope, result), parameters, result,
            required=next((i for i, p in enumerate(declared) if is_optional(p)), len(declared)), template=arguments,
            is_const=cursor.is_const_method() or False, is_explicit=cursor.is_explicit_method(),
            is_protected=is_protected, is_rvalue=cursor.type.get_ref_qualifier().name == "RVALUE"))


def function_kind(cursor, scope):
    if cursor.kind == Kind.CONVERSION_FUNCTION or cursor.spelling.startswith("operator type-parameter"):
        return "conversion"
    parent = cursor.semantic_parent
    if scope == "" or parent is None or parent.kind not in CLASSES + (Kind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,):
        return "function"
    if cursor.kind == Kind.CONSTRUCTOR or re.sub(r"<.*", "", cursor.spelling) == parent.spelling:
        return "constructor"
    return "static" if cursor.is_static_method() else "method"


def plain_name(cursor, kind, scope, result):
    if kind == "conversion":
        return f"operator {result}"
    if kind == "constructor":
        return re.sub(r"<.*", "", scope).rpartition("::")[2]
    return cursor.spelling


def joined(scope, name):
    return f"{scope}::{name}" if scope else name


def parse(text, includes, options=0):
    """The translation unit of a text, in which headers are found in the folders `includes`."""
    index = cindex.Index.create()
    arguments = ARGUMENTS + [f"-I{folder}" for folder in includes]
    return index.parse("snippets.cpp", args=arguments, unsaved_files=[("snippets.cpp", text)], options=options)


def macros(unit, is_ours, prefixes):
    """Macros with a prefix that users write; include guards, whose definitions are empty, are left out."""
    for cursor in unit.cursor.get_children():
        if cursor.kind == Kind.MACRO_DEFINITION and cursor.spelling.startswith(prefixes) and is_ours(cursor):
            tokens = [token.spelling for token in cursor.get_tokens()]
            if len(tokens) > 1:
                yield Declaration("macro", "", cursor.spelling)


def read(header, includes, selects, instances, internal, prefixes):
    """The declarations of a header, in its order."""
    unit = parse(f'#include "{header}"\n', includes, RECORD | SKIP_BODIES)
    wrong = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if wrong:
        raise RuntimeError(f"{header} cannot be read: {wrong[0]}")

    def is_ours(cursor):
        return cursor.location.file is not None and pathlib.Path(cursor.location.file.name).name == header

    reader = Reader(lambda scope, cursor: is_ours(cursor) and selects(scope, cursor), instances, internal)
    reader.index(unit.cursor)
    reader.namespace(unit.cursor)
    for declaration in macros(unit, is_ours, prefixes):
        reader.add(declaration)
    return reader.found
