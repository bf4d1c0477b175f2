"""Shared by the checks: the repository's files, their includes, and the module that owns each file."""

import functools
import pathlib
import re
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = "runtime"  # below every row of layers.toml
OUTSIDE = "outside"  # programs and tests: above every row

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)[">]', re.MULTILINE)


@functools.cache
def files():
    """Every file that is tracked, or untracked and not ignored, relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    paths = [pathlib.PurePosixPath(name) for name in listed.split("\0") if name]
    return sorted(path for path in paths if (ROOT / path).is_file())


def sources():
    """The C++ files."""
    return [path for path in files() if path.suffix in (".h", ".cpp")]


@functools.cache
def read(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def is_test(path):
    return path.parts[0] == "tests" or path.stem.endswith("_test")


def test_text():
    """The text of all tests, to find out whether any of them mentions something."""
    texts = (read(path) for path in files() if is_test(path) and path.suffix in (".cpp", ".h", ".py", ".txt", ".ir"))
    return "\n".join(texts)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


class Layers:
    """layers.toml: the rows of modules and the owners of the public headers."""

    def __init__(self):
        table = tomllib.loads(read(pathlib.PurePosixPath("layers.toml")))
        self.row = {RUNTIME: -1}
        for number, modules in enumerate(table["rows"]):
            self.row.update({module: number for module in modules})
        self.row[OUTSIDE] = len(table["rows"])
        self.owner = table.get("public_headers", {})

    def module_of(self, path):
        """The owner of a file, or None for a file under src/ or include/ that nobody owns."""
        top = path.parts[0]
        if top == "src":
            folders = "/".join(path.parts[1:-1])
            owners = [m for m in self.row if folders == m or folders.startswith(m + "/")]
            return max(owners, key=len, default=None)  # backends/llvm/x.h is not of the module backends
        if top == "include":
            name = "/".join(path.parts[2:])
            if name.startswith("compat/"):
                return self.owner.get(name, OUTSIDE)
            folder = path.parts[2] + "/"  # "folder/" in layers.toml denotes all headers in it
            return self.owner.get(name) or self.owner.get(folder) or self.owner.get("*")
        return RUNTIME if top == "runtime" else OUTSIDE


def resolve(path, included):
    """The repository's file behind #include "included" in path, or None."""
    candidates = [pathlib.PurePosixPath(base) / included for base in ("include", "src", ".")]
    candidates += [path.parent / included, pathlib.PurePosixPath("include/fluorite/compat") / included]
    if path.parts[0] == "tools":  # cmake/FluoritePrograms.cmake
        candidates.append(pathlib.PurePosixPath(*path.parts[:2]) / included)
    known = set(files())
    return next((c for c in candidates if c in known), None)


def includes(path):
    """Yields (line, is_system, text, resolved file or None) for every #include of a file."""
    text = read(path)
    for match in INCLUDE.finditer(text):
        yield line_of(text, match.start()), match[1] == "<", match[2], resolve(path, match[2])


def definitions(path):
    """The rows of a .def file as (name, first text): MACRO(name, "text" ...)."""
    path = pathlib.PurePosixPath(path)
    if not (ROOT / path).is_file():
        return []
    code = re.sub(r"//[^\n]*", "", read(path))
    rows = re.findall(r'^[A-Z][A-Z_]*\(\s*"?([\w-]+)"?\s*(?:,\s*((?:"(?:[^"\\]|\\.)*"\s*)+))?', code, re.MULTILINE)
    return [(name, "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))) for name, text in rows]


def slugs():
    return [(name.replace("_", "-"), text) for name, text in definitions("src/support/error_slugs.def")]


DIRECTIVES = "src/schedule/directives/directives.def"


def directives():
    return definitions(DIRECTIVES)


def directive_arguments():
    """The arguments of each directive in a line of a text, the third column of the table."""
    rows = re.findall(r'^FLUORITE_DIRECTIVE\((\w+),\s*"[^"]*",\s*"([^"]*)"\)', read(DIRECTIVES), re.MULTILINE)
    return dict(rows)


def costs(path):
    """The rows of a table of costs as (section, name, value, unit, basis, source); see autoschedule/costs.def."""
    path = pathlib.PurePosixPath(path)
    if not (ROOT / path).is_file():
        return
    text, section = read(path), ""
    row = re.compile(r'^(?:// ---- (?P<section>.+)\.\n|[A-Z_]+\((?P<name>\w+), (?P<value>\([^)]*\)|[^,]+), "(?P<unit>[^"]*)", '
                     r'(?P<basis>\w+),\s*(?P<source>(?:"(?:[^"\\]|\\.)*"\s*)+)[,)])', re.MULTILINE)
    for match in row.finditer(text):
        if match["section"]:
            section = match["section"]
            continue
        source = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match["source"]))
        yield section, match["name"], match["value"].strip("()").replace("'", ""), match["unit"], match["basis"], source
