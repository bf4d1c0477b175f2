#!/usr/bin/env python3
"""Compiles the Coq development of proofs/ and its examples, and checks what its theorems rest on.

usage: check.py --build FOLDER [--scratch] [--coqchk] [--update] [--certificates FILE...]

Files are compiled in the order of order.txt, by one process after the other, in FOLDER, where a file that has not
changed, nor any before it, is not compiled again; --scratch compiles everything. It fails if a file does not compile
(an example that its checker rejects does not), if a theorem of Audit.v rests on an axiom, or if a rule is not among
those that the checker knows. So it does if the
native checker is not what Coq extracts now, or a text of an example's certificate not what is printed (native/native.py);
--update rewrites them. --coqchk has Coq's independent checker look at the result, too (half a minute). --certificates
has Coq itself decide of texts of certificates what the native checker decides (native/in_coq.py).
Exits with 77, which ctest takes for "skipped", where there is no coqc.
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE / "native"))
import in_coq  # noqa: E402
CLOSED = "Closed under the global context"
ESCAPES = re.compile(r"^\s*(?:Axiom|Axioms|Parameter|Parameters|Conjecture|Admitted|Admit Obligations)\b|\badmit\b", re.M)
RULE = re.compile(r"^Definition (\w+)[^=]*?: rewrite :=", re.M)


def without_comments(text):
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)


def files_in_order():
    names = (SOURCE / "order.txt").read_text().split()
    there = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.v")
             if path.parent.name != "native"}
    if set(names) != there:
        sys.exit(f"order.txt and the folder differ in: {', '.join(sorted(set(names) ^ there))}")
    return names


def unknown_rules(names):
    """Rules that have no soundness theorem or that the checker does not know."""
    known = (SOURCE / "Derivation.v").read_text()
    for name in names:
        if not name.startswith("Rules"):
            continue
        text = without_comments((SOURCE / name).read_text())
        for rule in RULE.findall(text):
            if not re.search(rf"^Theorem {rule}_sound\b", text, re.M) or f"| R_{rule}" not in known:
                yield f"{name}: {rule}"


def rules(names):
    return [rule for name in names if name.startswith("Rules")
            for rule in RULE.findall(without_comments((SOURCE / name).read_text()))]


def compile_file(name, build):
    """Returns what coqc prints."""
    done = subprocess.run(["coqc", "-q", "-R", ".", "Fluorite", name], cwd=build, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{name} does not compile:\n{done.stdout}")
    return done.stdout


def check_audit(text, printed):
    asked = len(re.findall(r"^Print Assumptions", text, re.M))
    said = printed.splitlines()
    if asked == 0 or said != [CLOSED] * asked:
        sys.exit(f"a theorem of Audit.v rests on an axiom:\n{printed}")
    return asked


def check_in_coq(build, certificates):
    """Returns how many of the texts Coq accepts, which is all, and one that is wrong is not among them."""
    texts = [(path, path.read_text()) for path in [SOURCE / "examples" / "fusion.cert", *certificates]]
    text = texts[0][1]
    wrong = text.replace("(op2 add (get input y) (get input (+ y 1)))", "(op2 add (get input y) (get input y))", 1)
    assert wrong != text, "fusion.cert is written otherwise than this expects"
    refused = dict(in_coq.rejected(build, [*texts, ("wrong", wrong)]))
    if "wrong" not in refused:
        sys.exit("Coq accepts a certificate with a wrong target")
    del refused["wrong"]
    for path, printed in refused.items():
        print(f"{path}: Coq does not accept it:\n{printed[:2000]}", file=sys.stderr)
    if refused:
        sys.exit(1)
    return len(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--scratch", action="store_true")
    parser.add_argument("--coqchk", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--certificates", type=pathlib.Path, nargs="+", default=[])
    options = parser.parse_args()
    names = files_in_order()
    for name in names:
        escape = ESCAPES.search(without_comments((SOURCE / name).read_text()))
        if escape:
            sys.exit(f"{name}: '{escape.group().strip()}' assumes what it should prove")
    missing = list(unknown_rules(names))
    if missing:
        sys.exit(f"rules without a theorem or a place in Derivation.v: {', '.join(missing)}")
    if not shutil.which("coqc"):
        print("skipped: there is no coqc here; `./dev prove --coq` installs it")
        sys.exit(77)
    if options.scratch:
        shutil.rmtree(options.build, ignore_errors=True)
    begin = time.monotonic()
    state = hashlib.sha256(subprocess.check_output(["coqc", "--version"]))
    compiled, theorems = 0, 0
    for name in names:
        source = (SOURCE / name).read_bytes()
        state.update(name.encode() + b"\0" + source)
        target = options.build / name
        output = target.with_suffix(".out")
        stamp = target.with_suffix(".stamp")
        if not (stamp.exists() and stamp.read_text() == state.hexdigest()):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source)
            output.write_text(compile_file(name, options.build))
            stamp.write_text(state.hexdigest())
            compiled += 1
        if name == "Audit.v":
            theorems = check_audit(source.decode(), output.read_text())
    if options.coqchk:
        modules = ["Fluorite." + name[:-2].replace("/", ".") for name in names]
        subprocess.run(["coqchk", "-silent", "-R", ".", "Fluorite", *modules], cwd=options.build, check=True)
    native = [sys.executable, str(SOURCE / "native" / "native.py"), "--proofs", str(options.build)]
    if subprocess.run(native + ["--update"] * options.update).returncode != 0:
        sys.exit(1)
    in_coq_text = "no compiler of OCaml, hence no text"
    if shutil.which("ocamlopt"):
        in_coq_text = f"{check_in_coq(options.build, options.certificates)} certificates accepted as texts"
    print(f"{len(rules(names))} rules proved, {theorems} theorems without axioms, "
          f"{sum(name.startswith('examples/') for name in names)} examples accepted; "
          f"{in_coq_text}; {compiled} files compiled in {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main()
