(** * One-dimensional loops cut in two: at a boundary, and into full tiles of which the last one moves inwards *)
From Coq Require Import ZArith List.
From Fluorite Require Import Syntax Meaning Solver Rewrite Derivation Safety.
Import ListNotations.
Open Scope Z_scope.

Definition input := 1%positive. Definition n := 2%positive. Definition y := 3%positive.
Definition add := 1%positive.
Definition at1 a := Get (Var input) a.
Definition y_at k := IAdd (IV y) (IC k).
Definition extents : shapes := [(input, [IV n])].
Definition range := WAnd WSearch WSearch.

(** ** The boundary: only the first element lacks a left neighbour *)
Definition source := Gen y (IV n) (Op2 add (Guard (BLe (IC 1) (IV y)) (at1 (y_at (-1)))) (at1 (IV y))).
Definition target :=
  Cat (IC 1) (Gen y (IC 1) (Op2 add Null (at1 (IV y))))
             (Gen y (ISub (IV n) (IC 1)) (Op2 add (at1 (IV y)) (at1 (y_at 1)))).
Definition some := [BLe (IC 1) (IV n)].
Definition steps :=
  [Step [] (R_gen_cat (IC 1) range); Step [0; 0; 0]%nat (R_if_false (WNot WSearch));
   Step [1; 0; 0]%nat (R_if_true WSearch)].
Definition boundary := Certificate some source target steps [].
Definition boundary_reads := [range; range; range].
Example boundary_accepted : bit_exact boundary = true.
Proof. vm_compute. reflexivity. Qed.
Example boundary_safe : check_safe extents some target [] boundary_reads = Some [].
Proof. vm_compute. reflexivity. Qed.
(** Without an element there is nothing to cut off. *)
Example empty_rejected : accepted (Certificate [] source target steps []) = false.
Proof. vm_compute. reflexivity. Qed.

(** ** The last tile starts at n - 8 and computes again what overlaps *)
Definition copy := Gen y (IV n) (at1 (IV y)).
Definition full := IMul (IDiv (IV n) (IC 8)) (IC 8).
Definition moved start :=
  Cat full (Gen y full (at1 (IV y)))
    (View (TruncL (ISub full (ISub (IV n) (IC 8)))) (Gen y (IC 8) (at1 (IAdd (IV y) start)))).
Definition eight := [BLe (IC 8) (IV n)].
Definition move := [Step [] (R_shift_inwards full (IC 8) (WAnd range WSearch))].
Definition moving := Certificate eight copy (moved (ISub (IV n) (IC 8))) move [].
Definition moved_reads := [range; range].
Example moved_accepted : bit_exact moving = true.
Proof. vm_compute. reflexivity. Qed.
Example moved_safe : check_safe extents eight (moved (ISub (IV n) (IC 8))) [] moved_reads = Some [].
Proof. vm_compute. reflexivity. Qed.
Example too_few_rejected : accepted (Certificate [] copy (moved (ISub (IV n) (IC 8))) move []) = false.
Proof. vm_compute. reflexivity. Qed.
Example wrong_start_rejected : accepted (Certificate eight copy (moved (ISub (IV n) (IC 7))) move []) = false.
Proof. vm_compute. reflexivity. Qed.
