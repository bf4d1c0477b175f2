(** * A matrix product whose reduction is tiled and moved outward, and what the checker says of its laws *)
From Coq Require Import ZArith List.
From Fluorite Require Import Syntax Meaning Solver Rewrite Derivation Safety.
Import ListNotations.
Open Scope Z_scope.

Definition a := 1%positive. Definition b := 2%positive. Definition n := 3%positive. Definition tiles := 4%positive.
Definition y := 5%positive. Definition x := 6%positive. Definition k := 7%positive.
Definition ko := 8%positive. Definition ki := 9%positive.
Definition add := 1%positive. Definition mul := 2%positive.

Definition eight := IC 8.
Definition product k := Op2 mul (Get (Get (Var a) (IV y)) k) (Get (Get (Var b) k) (IV x)).
Definition source :=
  Gen y (IV n) (Gen x (IV n) (Fold add k (IMul (IV tiles) eight) (product (IV k)))).
Definition target :=
  Fold add ko (IV tiles) (Gen y (IV n) (Gen x (IV n)
    (Fold add ki eight (product (IAdd (IMul (IV ko) eight) (IV ki)))))).

Definition known := [BLe (IC 0) (IV tiles)].
Definition sizes := WAnd (WAnd WFact WSearch) (WAnd WSearch WSearch).
Definition forth := [Step [0; 0]%nat (R_fold_tile (IV tiles) eight ko ki sizes)].
Definition back := [Step [] R_fold_gen; Step [0]%nat R_fold_gen].
Definition matmul := Certificate known source target forth back.

Example matmul_laws :
  check matmul = Some [Assoc add; UnitL add; Comm add; UnitNull add; NullNull add; UnitNull add; NullNull add].
Proof. vm_compute. reflexivity. Qed.
Example matmul_reassociates : option_map reassociates (check matmul) = Some true.
Proof. vm_compute. reflexivity. Qed.
(** Moving the whole reduction outward keeps the order of the additions. *)
Definition outward := Certificate []
  source (Fold add k (IMul (IV tiles) eight) (Gen y (IV n) (Gen x (IV n) (product (IV k)))))
  [] back.
Example outward_keeps_the_order : option_map reassociates (check outward) = Some false.
Proof. vm_compute. reflexivity. Qed.

(** ** Every read is in bounds *)
Definition range := WAnd WSearch WSearch.
Definition extents : shapes := [(a, [IV n; IMul (IV tiles) eight]); (b, [IMul (IV tiles) eight; IV n])].
Definition by_eight a b := WLemma (MulMono a b eight) (WAnd WSearch WSearch) WSearch.
Definition within_tiles := WAnd (by_eight (IC 0) (IV ko)) (by_eight (IAdd (IV ko) (IC 1)) (IV tiles)).
Definition product_reads := [range; within_tiles; within_tiles; range].
Example target_safe : check_safe extents known target [] product_reads = Some [].
Proof. vm_compute. reflexivity. Qed.
