"""Texts of certificates as Coq files: whether Coq itself accepts what the native checker does.

A text is read by the native checker's reader, and what that gives is printed as terms of Coq, by functions that are made
here from the types of checker.mli. The file asks of it what fluorite_check does, and coqc computes the answers in its
kernel. So the reader is looked at, too: Coq prints with its own names what it has read.
"""
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOTS = ("bexp", "shapes", "exp", "step", "wit", "store", "sliding", "joined", "beside", "scan")
NUMBERS = {"positive": "positive", "z": "Z", "nat": "nat"}
SECTIONS = (("target_stores", "store", "check_stores {facts} {target} {name}"),
            ("target_slides", "sliding", "forallb (check_sliding {facts} {target}) {name}"),
            ("target_joined", "joined", "forallb (check_joined {facts} {target}) {name}"),
            ("target_scans", "scan", "forallb (check_scan {facts} {target}) {name}"))
HEADER = """From Coq Require Import ZArith List Bool.
From Coq.micromega Require Import ZMicromega RingMicromega EnvRing.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite Derivation Safety Stores Slides Joined Beside Scans.
Import ListNotations.
"""


def declared():
    """The types of checker.mli: name -> its parameter and what stands behind the equality sign."""
    text = (HERE / "checker.mli").read_text()
    found = {}
    for match in re.finditer(r"^type (?:('\w) )?(\w+) =(.*?)(?=^\s*$)", text, re.M | re.S):
        found.setdefault(match.group(2), (match.group(1), " ".join(match.group(3).split())))
    return found


def parse(text):
    """A type as a tree: a word, ("list", t), ("option", t), or ("*", t...); parameters other than z do not occur."""
    tokens = re.findall(r"'?\w+|[()*]", text)

    def product():
        items = [applied()]
        while tokens and tokens[0] == "*":
            tokens.pop(0)
            items.append(applied())
        return items[0] if len(items) == 1 else ("*", *items)

    def applied():
        token = tokens.pop(0)
        if token == "(":
            tree = product()
            assert tokens.pop(0) == ")"
        else:
            tree = token
        while tokens and re.match(r"\w", tokens[0]):
            word = tokens.pop(0)
            tree = (word, tree) if word in ("list", "option") else word
        return tree

    tree = product()
    assert not tokens, text
    return tree


class Printers:
    """OCaml functions from values of the checker to terms of Coq, for the types that are reached."""

    def __init__(self):
        self.types, self.made = declared(), {}

    def of(self, tree):
        """An OCaml expression for the printer of a type."""
        if isinstance(tree, str):
            self.need(tree)
            return f"c_{tree}"
        head, *items = tree
        if head == "*":
            names = [f"v{i}" for i in range(len(items))]
            parts = " ^ \", \" ^ ".join(f"{self.of(t)} {n}" for t, n in zip(items, names))
            return f"(fun ({', '.join(names)}) -> \"(\" ^ {parts} ^ \")\")"
        return f"(c_{head} {self.of(items[0])})"

    def need(self, name):
        if name in self.made or name in NUMBERS or name == "bool":
            return
        parameter, text = self.types[name]
        text = re.sub(r"'\w+", "z", text) if parameter else text
        self.made[name] = ""
        if text.startswith("{"):
            fields = [part.split(":") for part in text.strip("{} ").split(";")]
            rows = " ^ \"; \" ^ ".join(f"\"{f.strip()} := \" ^ {self.of(parse(t))} x.{f.strip()}" for f, t in fields)
            body = f"fun x -> \"{{| \" ^ {rows} ^ \" |}}\""
        elif text.startswith("|"):
            body = "function\n" + "\n".join(self.row(case, parameter) for case in text.split("|")[1:])
        else:
            body = f"fun x -> {self.of(parse(text))} x"
        self.made[name] = body

    def row(self, case, parameter):
        constructor, _, operands = case.strip().partition(" of ")
        trees = parse(operands) if operands else ("*",)
        trees = trees[1:] if isinstance(trees, tuple) and trees[0] == "*" else (trees,)
        names = [f"v{i}" for i in range(len(trees))]
        pattern = f"{constructor} ({', '.join(names)})" if names else constructor
        coq = f"@{constructor} Z" if parameter else constructor
        shown = "".join(f" ^ \" \" ^ {self.of(t)} {n}" for t, n in zip(trees, names))
        return f"  | {pattern} -> \"({coq}\"{shown} ^ \")\""

    def text(self):
        for root in ROOTS:
            self.need(root)
        lines = ["open Checker", 'let c_list f l = "[" ^ String.concat "; " (List.map f l) ^ "]"',
                 'let c_option f = function None -> "None" | Some v -> "(Some " ^ f v ^ ")"',
                 'let c_bool b = if b then "true" else "false"']
        shown = {"positive": "positive_to_text", "z": "z_to_text", "nat": "nat_to_text"}
        lines.append("let nat_to_text n = string_of_int (Numbers.int_of_nat n)")
        for kind, scope in NUMBERS.items():
            source = shown[kind] if kind == "nat" else f"Numbers.{shown[kind]}"
            lines.append(f"let c_{kind} x = \"(\" ^ {source} x ^ \")%{scope}\"")
        lines += [f"{'and' if i else 'let rec'} c_{name} = {body if body.startswith('fun') else ''}"
                  for i, (name, body) in enumerate(self.made.items())]
        return "\n".join(lines) + "\n"


def main_program():
    rows = []
    for section, kind, asked in SECTIONS:
        condition = asked.format(facts="facts", target="target", name=section)
        rows.append(f"""  Option.iter (fun items ->
    define "{section}" "list {kind}" (c_list c_{kind} items);
    ask "{condition}") t.Certificate_text.{section};""")
    return """open Checker
let () =
  let channel = open_in_bin Sys.argv.(1) in
  let text = really_input_string channel (in_channel_length channel) in
  let _, t = Certificate_text.read text in
  let c = t.Certificate_text.certificate in
  let define name kind value = Printf.printf "Definition %s : %s := %s.\\n" name kind value in
  let ask condition = Printf.printf "Goal (%s) = true. Proof. vm_compute. reflexivity. Qed.\\n" condition in
  define "facts" "list bexp" (c_list c_bexp c.c_facts);
  define "inputs" "shapes" (c_shapes t.Certificate_text.inputs);
  define "source" "exp" (c_exp c.c_source);
  define "target" "exp" (c_exp c.c_target);
  let steps name list =
    List.iteri (fun i step -> define (Printf.sprintf "%s%d" name i) "step" (c_step step)) list;
    define name "list step" (c_list (fun x -> x) (List.mapi (fun i _ -> Printf.sprintf "%s%d" name i) list)) in
  steps "forth" c.c_forth;
  steps "back" c.c_back;
  ask "accepted (Certificate facts source target forth back)";
  let reads program name witnesses =
    Option.iter (fun items ->
      define name "list wit" (c_list c_wit items);
      ask (Printf.sprintf "match check_safe inputs facts %s [] %s with Some [] => true | _ => false end" program name)) witnesses in
  reads "source" "source_reads" t.Certificate_text.source_reads;
  reads "target" "target_reads" t.Certificate_text.target_reads;
""" + "\n".join(rows) + """
  Option.iter (fun items ->
    let slidings = Array.of_list (Option.value t.Certificate_text.target_slides ~default:[]) in
    let both (k, b) = "(" ^ c_sliding slidings.(k) ^ ", " ^ c_beside b ^ ")" in
    define "target_beside" "list (sliding * beside)" (c_list both items);
    ask "forallb (fun p => check_beside facts target (fst p) (snd p)) target_beside") t.Certificate_text.target_beside;
""" + "\n  ()\n"


def build(folder):
    """The program that prints a text as a Coq file."""
    sources = ("checker.mli", "checker.ml", "sexp.ml", "numbers.ml", "rule_text.ml", "certificate_text.ml")
    for name in sources:
        (folder / name).write_text((HERE / name).read_text())
    (folder / "print_coq.ml").write_text(Printers().text() + main_program())
    subprocess.run(["ocamlopt", "-w", "-a", *sources, "print_coq.ml", "-o", "print_coq"], cwd=folder, check=True)
    return folder / "print_coq"


def rejected(proofs, texts):
    """Those of the (name, text) that Coq does not accept, each with what was printed. One after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = build(folder)
        for path, text in texts:
            (folder / "certificate.cert").write_text(text)
            printed = run([program, "certificate.cert"], folder)
            if printed.returncode == 0:
                (folder / "certificate.v").write_text(HEADER + printed.stdout)
                printed = run(["coqc", "-q", "-R", str(proofs.resolve()), "Fluorite", "certificate.v"], folder)
            if printed.returncode != 0:
                yield path, printed.stdout


def run(command, folder):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
