#!/usr/bin/env python3
"""Keeps the native checker and the texts of certificates what the development of proofs/ says.

usage: native.py --proofs FOLDER [--update]

FOLDER is where check.py compiled the development. Compares with what is committed here: the checker that Coq extracts
(checker.ml, checker.mli), the readers and printers of rules that follow from Derivation.v (rule_text.ml), and the
texts of the examples' certificates; --update rewrites them. Exits with 77, which ctest takes for "skipped", where
there is no coqc or no compiled development.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TYPES = ("wit", "iexp", "id", "nat", "mark", "bexp", "exp", "rule", "path", "nest", "iexps")


def rules():
    """Each rule of Derivation.v with the types of its arguments."""
    text = (HERE.parent / "Derivation.v").read_text()
    inductive = re.search(r"Inductive rule :=(.*?)\.\n\n", text, re.S).group(1)
    inductive = re.sub(r"\(\*.*?\*\)", "", inductive, flags=re.S)
    for row in inductive.split("|")[1:]:
        name = re.match(r"\s*R_(\w+)", row).group(1)
        types = []
        for group in re.findall(r"\(([^)]*)\)", row):
            names, kind = (part.strip() for part in group.split(":"))
            assert kind in TYPES, f"{name} has an argument of the type {kind}, which certificates do not have"
            types += [kind] * len(names.split())
        yield name, types


def rules_without_theorem():
    """Names of rules in src/verify that Derivation.v does not have."""
    folder = HERE.parent.parent / "src" / "verify" / "rewrite"
    prefixes = "let_|get_|if_|fold_|guard_|gen_|unit_|iter_|rename_|mark_|unmark|reindex|reversed|seq|at"
    used = set(re.findall(rf'"\(?((?:{prefixes})\w*)[ ")]', (folder / "rewriter.cpp").read_text()))
    used |= set(re.findall(r'\{"(\w+)", \w+\}', (folder / "script.cpp").read_text().split("marks")[0]))
    assert len(used) > 15, "src/verify/rewrite/rewriter.cpp is written otherwise than this expects"
    return sorted(used - {name for name, _ in rules()})


def rule_text():
    lines = ["(* Made from proofs/Derivation.v by native.py --update: the rules with their operands. *)", "open Checker", ""]
    for kind, item in (("readers", "Sexp.t -> {}"), ("printers", "{} -> Sexp.t")):
        fields = "; ".join(f"{t} : {item.format(t)}" for t in TYPES)
        lines.append(f"type {kind} = {{ {fields} }}")
    table = list(rules())
    lines += ["", "let rules = ["]
    lines += [f'  "{name}", {len(types)};' for name, types in table]
    lines += ["]", "", "let read (k : readers) head operands =", "  match head, operands with"]
    for name, types in table:
        variables = [f"a{i}" for i in range(len(types))]
        made = "".join(f"let {v} = k.{t} {v} in " for v, t in zip(variables, types))
        result = f"R_{name}" + (f" ({', '.join(variables)})" if types else "")
        lines.append(f'  | "{name}", [ {"; ".join(variables)} ] -> {made}Some ({result})')
    lines += ["  | _ -> None", "", "let write (k : printers) rule =", "  match rule with"]
    for name, types in table:
        variables = [f"a{i}" for i in range(len(types))]
        pattern = f"R_{name}" + (f" ({', '.join(variables)})" if types else "")
        printed = "; ".join(f"k.{t} {v}" for v, t in zip(variables, types))
        lines.append(f'  | {pattern} -> "{name}", [ {printed} ]')
    return "\n".join(lines) + "\n"


def extracted(proofs):
    """The files that Coq writes now."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / "Extract.v", folder)
        run(["coqc", "-q", "-R", str(proofs), "Fluorite", "Extract.v"], folder)
        return {name: (pathlib.Path(folder) / name).read_text() for name in ("checker.ml", "checker.mli")}


def examples(proofs):
    """The texts of the certificates among the examples: print_examples.ml, linked with what Coq extracts of them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in ("sexp.ml", "numbers.ml", "certificate_text.ml", "ExtractExamples.v", "print_examples.ml"):
            shutil.copy(HERE / source, folder)
        (folder / "rule_text.ml").write_text(rule_text())
        run(["coqc", "-q", "-R", str(proofs), "Fluorite", "ExtractExamples.v"], folder)
        run(["ocamlopt", "-w", "-a", "checker.mli", "checker.ml", "sexp.ml", "numbers.ml", "rule_text.ml",
             "certificate_text.ml", "print_examples.ml", "-o", "print_examples"], folder)
        (folder / "out").mkdir()
        run(["./print_examples", "out"], folder)
        return {path.name: path.read_text() for path in (folder / "out").iterdir()}


def run(command, folder):
    done = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} fails:\n{done.stdout}")


def compare(folder, texts, update):
    """The names of files that are not what they should be."""
    for name, text in texts.items():
        path = folder / name
        if path.exists() and path.read_text() == text:
            continue
        if update:
            path.write_text(text)
        else:
            yield str(path.relative_to(HERE.parent))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proofs", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if unproved := rules_without_theorem():
        sys.exit(f"src/verify has rules without a theorem in proofs/Derivation.v: {', '.join(unproved)}")
    stale = list(compare(HERE, {"rule_text.ml": rule_text()}, options.update))
    compiled = (options.proofs / "Safety.vo").exists()
    if compiled and shutil.which("coqc"):
        proofs = options.proofs.resolve()
        stale += compare(HERE, extracted(proofs), options.update)
        if shutil.which("ocamlopt"):
            stale += compare(HERE.parent / "examples", examples(proofs), options.update)
    if stale:
        sys.exit(f"not what the development gives now: {', '.join(stale)}; `./dev prove --coq --update` rewrites them")
    if not compiled:
        print("skipped: the development is not compiled here")
        sys.exit(77)
    print(f"{len(list(rules()))} rules, the extracted checker and the examples' certificates are current")


if __name__ == "__main__":
    main()
