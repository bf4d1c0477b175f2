#!/usr/bin/env python3
"""./dev docs: updates the parts of docs/ that are generated from the code.

docs/errors.md          an index, then a section for each slug of error_slugs.def, both in alphabetical order: the slug's
                        line from there, then the paragraphs that people wrote, which are kept.
docs/costs.md           the numbers that the compiler assumes, from the tables of costs.
docs/directives/README.md   the list of the directives' pages, with the line of directives.def for each, and their
                        arguments in texts.
README.md               numbers of things that the code lists, between `<!-- number WHAT -->` and `<!-- end -->`.

`--check` changes nothing and exits with 1 if a page is not current.
"""

import pathlib
import re
import sys

import tree

DIRECTIVES_ARGUMENTS = """
## Arguments in texts of schedules

A trailing TailStrategy is optional.

| directives | arguments |
|---|---|
"""

ERRORS_INTRO = """# Errors

Every message that a program can cause ends with a slug in brackets. This page explains each: when it is raised, why
the rule exists, and how to repair the program. The sections are in alphabetical order. Index, headings and their first
lines come from `src/support/error_slugs.def` through `./dev docs`; the paragraphs below them are written by hand.
"""

DIRECTIVES_INTRO = """# Scheduling directives

One page a directive: what it does to the loops, what it requires, what it refuses. The list and its lines come from
`src/schedule/directives/directives.def` through `./dev docs`.
"""

COSTS_INTRO = """# Costs and thresholds

The numbers that automatic schedules rest on, each with its unit and where it comes from. The page is drawn from the
tables in the code by `./dev docs`. How far to trust a number, its basis says:

| basis | meaning |
|---|---|
| probe | `./dev probe` measures it |
| measured | follows from a run that the source names; no command repeats the run |
| published | the manuals, or the published tables of instructions (uops.info) |
| derived | follows from other rows, or from what the compiler's passes do |
| fitted | chosen so that predictions or schedules of some programs agree with measured times |
| guess | nobody has measured it |
| limit | bounds the time of a search or of compilation; any value is correct |
"""

BASES = {basis.capitalize() for basis in re.findall(r"^\| (\w+) \| ", COSTS_INTRO, re.MULTILINE)[1:]}

COST_TABLES = [("src/machine/costs.def", "Processors"),
               ("src/autoschedule/costs.def", "The automatic scheduler, on any processor")]


def sections(path):
    """The `## heading` sections of a page, heading to text."""
    file = tree.ROOT / path
    if not file.is_file():
        return {}
    parts = re.split(r"^## (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(map(str.strip, parts[1::2]), map(str.strip, parts[2::2])))


def explanation(section):
    """A section without its generated first line."""
    return re.sub(r"\A\*[^\n]*\*\n*", "", section).strip()


def errors_page():
    known = sections("docs/errors.md")
    slugs = sorted(tree.slugs())
    page = ERRORS_INTRO + "\n" + "".join(f"- [{slug}](#{slug}): {line}\n" for slug, line in slugs)
    for slug, line in slugs:
        page += f"\n## {slug}\n\n*{line}*\n"
        text = explanation(known.get(slug, ""))
        page += f"\n{text}\n" if text else ""
    return page


def title_of(path):
    match = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) if path.is_file() else None
    return match[1].strip("`") if match else path.stem


def directives_page():
    folder = tree.ROOT / "docs" / "directives"
    directives = sorted((name, line) for name, line in tree.directives() if (folder / f"{name}.md").is_file())
    rows = [f"- [{title_of(folder / f'{name}.md')}]({name}.md): {line}\n" for name, line in directives]
    return DIRECTIVES_INTRO + "\n" + "".join(rows) + directive_arguments_table() if rows else DIRECTIVES_INTRO


def directive_arguments_table():
    """Directives with the same arguments share a row."""
    together = {}
    for name, arguments in sorted(tree.directive_arguments().items()):
        together.setdefault(arguments, []).append(f"`{name}`")
    rows = "".join(f"| {', '.join(names)} | {arguments} |\n" for arguments, names in together.items())
    return DIRECTIVES_ARGUMENTS + rows if rows else ""


def number_of(what):
    if what == "rules":
        rules = [path for path in tree.files() if path.parent.name == "rules" and path.suffix == ".def"]
        return sum(len(re.findall(r"^RULE\(", tree.read(path), re.MULTILINE)) for path in rules)
    return {"errors": len(tree.slugs()), "directives": len(tree.directives())}[what]


def front_page():
    file = tree.ROOT / "README.md"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return re.sub(r"(<!-- number (\w+) -->)[^<]*(<!-- end -->)", lambda found: f"{found[1]}{number_of(found[2])}{found[3]}", text)


def costs_page():
    page = COSTS_INTRO
    for path, title in COST_TABLES:
        rows = list(tree.costs(path))
        counts = ", ".join(f"{sum(row[4] == basis for row in rows)} {basis.lower()}"
                           for basis in dict.fromkeys(row[4] for row in rows))
        page += f"\n## {title}\n\n`{path}`: {len(rows)} numbers ({counts}).\n" if rows else ""
        last = None
        for section, name, value, unit, basis, source in rows:
            if section != last:
                page += f"\n**{section}**\n\n| name | value | unit | basis | source |\n|---|---|---|---|---|\n"
                last = section
            page += f"| `{name}` | {value} | {unit} | {basis.lower()} | {source} |\n"
    return page


PAGES = {"docs/costs.md": costs_page, "docs/errors.md": errors_page, "docs/directives/README.md": directives_page,
         "README.md": front_page}


def stale():
    """The generated pages whose text differs from what the code generates."""
    for path, make in PAGES.items():
        file = tree.ROOT / path
        if not file.is_file() or file.read_text(encoding="utf-8") != make():
            yield path


def main(arguments):
    changed = list(stale())
    for path in changed:
        print(f"docs: {path} {'is not current' if '--check' in arguments else 'brought up to date'}")
        if "--check" not in arguments:
            file = tree.ROOT / pathlib.Path(path)
            text = PAGES[path]()
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return 1 if changed and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
