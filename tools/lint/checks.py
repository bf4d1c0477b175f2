"""The checks of ./dev lint. Each is a function that yields complaints: `file:line: what is wrong; what to do`."""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess

import assertions
import docs
import documented
import switches as kinds
import tree


def layering():
    """Modules include from earlier rows only; runtime/ includes nothing of the compiler; LLVM stays in its place."""
    layers = tree.Layers()
    for path in tree.sources():
        module = layers.module_of(path)
        if module is None:
            what = "public_headers" if path.parts[0] == "include" else "rows"
            yield f"{path}:1: no module owns this file; name it under `{what}` in layers.toml"
            continue
        for line, system, text, target in tree.includes(path):
            if text.startswith("llvm") and module != "backends/llvm":
                yield from llvm_include(path, line, text)
            if system or target is None:
                if not system:
                    yield (f'{path}:{line}: "{text}" is not in the repository; includes are written from include/ or '
                           "src/, in tools/<name>/ also from there")
                continue
            yield from wrong_layer(layers, path, line, module, target)


def llvm_include(path, line, text):
    if path.parts[0] == "src":
        yield f"{path}:{line}: includes {text}; LLVM's headers belong to src/backends/llvm"


def wrong_layer(layers, path, line, module, target):
    owner = layers.module_of(target)
    if owner is None or owner == module:
        return
    if path.parts[0] in ("tutorials", "apps") and target.parts[0] == "src":
        yield f"{path}:{line}: includes {target}; tutorials and apps see the public headers only"
    if module == tree.OUTSIDE:
        return
    if module == tree.RUNTIME:
        yield f"{path}:{line}: includes {target} of {owner}; runtime/ depends on its ABI header alone"
    elif layers.row[owner] >= layers.row[module]:
        yield f"{path}:{line}: {module} includes {target} of {owner}, which is not in an earlier row of layers.toml"


def include_cycles():
    """No file reaches itself through includes."""
    edges = {path: [t for *_, t in tree.includes(path) if t is not None] for path in tree.sources()}
    state, stack = {}, []

    def visit(path):
        state[path] = "open"
        stack.append(path)
        for target in edges.get(path, []):
            if state.get(target) == "open":
                circle = stack[stack.index(target):] + [target]
                yield f"{path}:1: include cycle: {' -> '.join(map(str, circle))}"
            elif target not in state:
                yield from visit(target)
        stack.pop()
        state[path] = "done"

    for path in edges:
        if path not in state:
            yield from visit(path)


def format_files(paths, options):
    tool = shutil.which("clang-format-19")
    if tool is None:
        return "clang-format-19 is not installed; ./dev setup installs it"
    run = subprocess.run([tool, *options, *map(str, paths)], cwd=tree.ROOT, capture_output=True, text=True)
    return run.stderr


def run_clang_format(options):
    """Runs clang-format over all sources, one process per chunk of files; returns its output."""
    paths, workers = tree.sources(), os.cpu_count() or 2
    chunks = [chunk for chunk in (paths[i::workers] for i in range(workers)) if chunk]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return "".join(pool.map(lambda chunk: format_files(chunk, options), chunks))


def layout():
    """clang-format agrees with every source."""
    places = {}
    for line in run_clang_format(["--dry-run", "-Werror"]).splitlines():
        match = re.match(r"(\S+?):(\d+):\d+: error: ", line)
        if match:
            places.setdefault(match[1], match[2])
        elif "not installed" in line:
            yield line
    for path, line in sorted(places.items()):
        yield f"{path}:{line}: not laid out as clang-format does; `./dev lint --fix` formats it"


WORDS = [
    (r"(?<![\w./~$}-])/(?:home|root|work|mnt|Users)/", "a path of one machine", ""),
    (r"https?://(?!www\.w3\.org|doi\.org|llvm\.org|localhost)", "an address on the network", ""),
    (r"\b(?:TODO|FIXME|XXX|HACK)\b", "an open end", ""),
    (r"\b(?:std::)?(?:cout|cerr|printf|puts)\b\s*(?:<<|\()", "printing from the library", "src"),
    (r"\bgetenv\s*\(", "reading the environment outside driver/ and runtime/", "src"),
]


def words():
    """No machine's paths, no network addresses, no open ends; the library neither prints nor reads the environment."""
    for path in tree.files():
        if path.suffix in (".png", ".jpg", ".tif", ".tiff", ".npy") or path.parts[:2] == ("tools", "lint"):
            continue
        text = tree.read(path)
        for pattern, what, only in WORDS:
            of_tests = tree.is_test(path) or path.name.startswith("test_")  # headers that tests share
            if only and (path.parts[0] != only or of_tests or path.parts[1] == "driver"):
                continue
            for match in re.finditer(pattern, text):
                yield f"{path}:{tree.line_of(text, match.start())}: {what}: {match[0].strip()}"


COLUMNS = 120


def columns():
    """Lines of prose in comments have at most 120 columns; examples and tables, which are indented, may have more."""
    for path in tree.sources():
        for number, line in enumerate(tree.read(path).splitlines(), 1):
            if len(line) > COLUMNS and re.match(r"\s*//[/!]? [^\s]", line):
                yield f"{path}:{number}: {len(line)} columns of prose; break the line at {COLUMNS}"


PROSE = ("src/lowering/", "src/loopnest/", "src/analysis/", "runtime/")


def prose():
    """Passes, analyses and the runtime open with 5 to 40 lines of prose."""
    for path in tree.sources():
        if path.suffix != ".cpp" or tree.is_test(path) or not str(path).startswith(PROSE):
            continue
        lines = tree.read(path).splitlines()
        count = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
        if not 5 <= count <= 40:
            yield f"{path}:1: opens with {count} lines of prose; say in 5 to 40 what it does, how, and at what cost"


def error_slugs():
    """Every slug is tested and explained; every slug that the code raises is listed."""
    tests = tree.test_text()
    sections = docs.sections("docs/errors.md")
    listed = {slug for slug, _ in tree.slugs()}
    for slug in sorted(listed):
        if not re.search(rf"(?<![\w-]){re.escape(slug)}(?![\w-])", tests):
            yield f"src/support/error_slugs.def:1: no test names [{slug}]; test its exact text"
        if not docs.explanation(sections.get(slug, "")):
            yield f"docs/errors.md:1: [{slug}] has no paragraph; `./dev docs` adds its heading, then explain it"
    for path in tree.sources():
        if path.parts[0] in ("src", "include") and not tree.is_test(path):
            text = tree.read(path)
            for match in re.finditer(r'\b(?:CompileError|RuntimeError|Refusal)\s*[({]\s*"([^"]*)"', text):
                if match[1] not in listed:
                    line = tree.line_of(text, match.start())
                    yield f"{path}:{line}: slug [{match[1]}] is not in src/support/error_slugs.def"


def directives():
    """Every scheduling directive has a page and a test."""
    tests = tree.test_text()
    for name, _ in tree.directives():
        if not (tree.ROOT / "docs" / "directives" / f"{name}.md").is_file():
            yield f"src/schedule/directives/directives.def:1: docs/directives/{name}.md is missing; show the loops before and after"
        if not re.search(rf"\b{name}\s*\(", tests):
            yield f"src/schedule/directives/directives.def:1: no test calls {name}()"


def assertions_in_tests():
    """Every test asserts something, itself or through what it calls."""
    for path in tree.sources():
        if tree.is_test(path):
            for line, name in assertions.silent_tests(path):
                yield f"{path}:{line}: {name} asserts nothing, so it cannot fail; say what must hold"


def test_namespaces():
    """Each test file has a namespace with its name, as several are compiled together."""
    for path in tree.sources():
        apart = re.match(r"tests/(bench|buffer|compat)/", str(path))
        if path.stem.endswith("_test") and path.suffix == ".cpp" and not apart and "TEST" in tree.read(path):
            if not re.search(rf"^namespace (?:\w+::)*{path.stem} \{{$", tree.read(path), re.MULTILINE):
                yield f"{path}:1: no namespace ends in {path.stem}; files that are compiled together must not share names"


def switches():
    """A switch over the kinds of the IR or of schedules has no default, or one that says why no other kind matters."""
    for path in tree.sources():
        if path.parts[0] in ("src", "tools") and not tree.is_test(path) and not path.stem.startswith("test_"):
            text = tree.read(path)
            for default in kinds.silent_defaults(text):
                yield (f"{path}:{tree.line_of(text, default)}: the default hides kinds that are added; name every kind "
                       "(ir/expr_cases.h has those of a class), or say why no other kind matters")


def public_functions():
    """Every function that an installed header declares has a comment in its block."""
    headers = [path for path in tree.sources() if path.parts[:2] == ("include", "fluorite") and path.parts[2] != "runtime"]
    bases = documented.bases(map(tree.read, headers))
    for path in headers:
        text = tree.read(path)
        for position, name in documented.undocumented(text, bases):
            yield (f"{path}:{tree.line_of(text, position)}: nothing documents {name}; say what it gives, units, shapes and "
                   "errors, for it or for the functions of its block")


def documentation():
    """Generated parts are current; links between pages lead somewhere."""
    for path in docs.stale():
        yield f"{path}:1: is not what the code says; run `./dev docs`"
    for path in tree.files():
        if path.suffix != ".md":
            continue
        text = tree.read(path)
        for match in re.finditer(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if "://" not in match[1] and not (tree.ROOT / path.parent / match[1]).exists():
                yield f"{path}:{tree.line_of(text, match.start())}: the link to {match[1]} leads nowhere"


def environment():
    """Every environment variable that the sources read is on docs/environment.md, and every one of the page is read."""
    page = pathlib.PurePosixPath("docs/environment.md")
    text = tree.read(page) if (tree.ROOT / page).is_file() else ""
    told = set(re.findall(r"^\|([^|]*)\|", text, re.MULTILINE))
    told = {name for cell in told for name in re.findall(r"`([A-Z]\w*)`", cell)}
    found = {}
    for path in tree.files():
        if path.suffix not in (".h", ".cpp", ".py") or path.parts[:2] == ("tools", "lint"):
            continue
        source = tree.read(path)
        names = re.findall(r'getenv\(\s*"(\w+)"', source)
        if re.search(r"\bgetenv\s*\(|os\.environ", source):
            names += re.findall(r'"((?:FLUORITE|HL)_[A-Z_]+)"', source)
        for name in names:
            found.setdefault(name, path)
    for name in sorted(found.keys() - told):
        yield f"{found[name]}:1: reads the environment variable {name}; say in {page} what it means"
    for name in sorted(told - found.keys()):
        yield f"{page}:1: has {name}, which no source reads; remove its row"
    table = pathlib.PurePosixPath("runtime/environment.cpp")  # of the names that programs are not warned of
    if (tree.ROOT / table).is_file():
        known = set(re.findall(r'"(FLUORITE_[A-Z_]+)"', tree.read(table)))
        known.discard("FLUORITE_")
        for name in sorted(known ^ {name for name in told if name.startswith("FLUORITE_")}):
            yield f"{table}:1: its table and {page} differ in {name}; both list all variables"


NO_COSTS = {  # numbers of src/autoschedule and src/machine that are units, sizes of bit sets, sentinels, or published
    "capacity", "words", "none", "whole", "tie_of_a_group", "tie_hash_mask", "cycles_per_cost", "mebibyte", "gibibyte",
    "cost_unit", "greatest_group_cost", "parts", "bytes_of_a_load", "unit"}


def costs():
    """Numbers that the automatic scheduler assumes are rows of a costs.def, with unit and source."""
    for path in tree.files():
        if path.parts[:2] not in (("src", "autoschedule"), ("src", "machine")) or tree.is_test(path):
            continue
        text = tree.read(path)
        if path.name == "costs.def":
            rows = len(re.findall(r"^[A-Z_]+\(", text, re.MULTILINE))
            read = list(tree.costs(path))
            if len(read) != rows:
                yield f"{path}:1: {rows - len(read)} rows have no unit, basis or source; its first lines show the form"
            for _, name, _, _, basis, source in read:
                if not source.strip() or basis not in docs.BASES:
                    yield f"{path}:1: the row of {name} has no source, or a basis that docs.py does not explain"
        if path.suffix not in (".h", ".cpp"):
            continue
        for match in re.finditer(r"^[^\n/]*\bconstexpr (?:u?int\w*|size_t|double|float|Cost)\s([^;{}]*);", text, re.MULTILINE):
            for name, value in re.findall(r"(\w+) = ([^,;]+)", match[1]):
                if re.search(r"(?<![\w:])\d", value) and name not in NO_COSTS:
                    yield f"{path}:{tree.line_of(text, match.start())}: {name} is a number; make it a row of costs.def"


ALL = [environment, costs, layering, include_cycles, layout, words, columns, prose, switches, error_slugs, directives,
       assertions_in_tests, test_namespaces, public_functions, documentation]


def long_files():
    """Files over the usual size: legal, but worth checking for a seam."""
    for path in tree.sources():
        count, most = tree.read(path).count("\n"), 500 if path.suffix == ".h" else 800
        if count > most:
            yield f"{path}: {count} lines (usual limit {most})"
