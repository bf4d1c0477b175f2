(** The certificates of the examples as values of an OCaml program that prints them. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Fluorite Require Import Syntax Meaning Solver Equal Rewrite Derivation Safety Stores Slides Joined Beside Scans.
From Fluorite Require Import examples.Fusion examples.TiledBlur examples.Reductions examples.Partition.

Extraction "checker.ml" check run reassociates check_safe check_stores check_sliding check_joined check_beside check_scan den bev
  fusion Fusion.extents Fusion.both
  blur TiledBlur.extents reads
  matmul Reductions.extents product_reads
  boundary boundary_reads moving moved_reads Partition.extents.
