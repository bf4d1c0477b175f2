(** The checker as an OCaml program, and the meaning, by which the mutation tests judge what it accepts. Numbers stay the binary
    numbers of the development: nothing is replaced but booleans, options, pairs and lists, by OCaml's own. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Fluorite Require Import Syntax Meaning Solver Equal Rewrite Derivation Safety Stores Slides Joined Beside Scans.

Extraction "checker.ml" check run reassociates check_safe check_stores check_sliding check_joined check_beside check_scan den bev.
