(** * Two stages fused: the producer is inlined into its consumer *)
From Coq Require Import ZArith List.
From Fluorite Require Import Syntax Meaning Solver Rewrite Derivation Safety.
Import ListNotations.
Open Scope Z_scope.
Open Scope positive_scope.

Definition input := 1. Definition producer := 2. Definition x := 3. Definition y := 4. Definition n := 5.
Definition add := 1.
Definition next (a : iexp) := IAdd a (IC 1).
Definition pair_at t i := Op2 add (Get (Var t) i) (Get (Var t) (next i)).

Definition source :=
  Let producer (Gen x (next (IV n)) (pair_at input (IV x))) (Gen y (IV n) (pair_at producer (IV y))).
Definition target :=
  Gen y (IV n) (Op2 add (pair_at input (IV y)) (pair_at input (next (IV y)))).

Definition both := WAnd WSearch WSearch.
Definition steps := [Step [] R_let_inline; Step [0; 0]%nat (R_get_gen both); Step [0; 1]%nat (R_get_gen both)].
Definition fusion := Certificate [] source target steps [].

Example fusion_accepted : bit_exact fusion = true.
Proof. vm_compute. reflexivity. Qed.

Theorem fusion_means_the_same : forall S r s idx, den S r s source idx = den S r s target idx.
Proof. intros. apply (bit_exact_sound fusion fusion_accepted). constructor. Qed.

(** Both programs read the input within its n + 2 elements. *)
Definition extents : shapes := [(input, [IAdd (IV n) (IC 2)])].
Example target_safe : check_safe extents [] target [] [both; both; both; both] = Some [].
Proof. vm_compute. reflexivity. Qed.
Example source_safe : check_safe extents [] source [] [both; both; both; both] = Some [].
Proof. vm_compute. reflexivity. Qed.

(** What is wrong is refused: a producer that is one too short, an access beside, a step that does not apply. *)
Definition short := Let producer (Gen x (IV n) (pair_at input (IV x))) (Gen y (IV n) (pair_at producer (IV y))).
Example short_rejected : accepted (Certificate [] short target steps []) = false.
Proof. vm_compute. reflexivity. Qed.
Definition beside := Gen y (IV n) (Op2 add (pair_at input (IV y)) (pair_at input (IV y))).
Example beside_rejected : accepted (Certificate [] source beside steps []) = false.
Proof. vm_compute. reflexivity. Qed.
Example order_rejected : accepted (Certificate [] source target (rev steps) []) = false.
Proof. vm_compute. reflexivity. Qed.
Example unsafe_rejected : check_safe [(input, [next (IV n)])] [] target [] [both; both; both; both] = None.
Proof. vm_compute. reflexivity. Qed.
