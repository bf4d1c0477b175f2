(** * A 3x3 blur in tiles of 32x64, its first stage computed for each tile

    From the definition everything is inlined and the loops are tiled; from the schedule the buffer of the tile is
    inlined and its guards, which every read satisfies, are removed. Both derivations arrive at the same program. *)
From Coq Require Import ZArith List.
From Fluorite Require Import Syntax Meaning Solver Rewrite Derivation Safety.
Import ListNotations.
Open Scope Z_scope.

Definition input := 1%positive. Definition blur_x := 2%positive. Definition tile_x := 3%positive.
Definition h := 4%positive. Definition w := 5%positive.
Definition y := 6%positive. Definition x := 7%positive.
Definition yo := 8%positive. Definition yi := 9%positive. Definition xo := 10%positive. Definition xi := 11%positive.
Definition j := 12%positive. Definition i := 13%positive.
Definition add := 1%positive.

Definition plus a k := IAdd a (IC k).
Definition at2 t a b := Get (Get (Var t) a) b.
Definition three (f : Z -> exp) := Op2 add (Op2 add (f 0) (f 1)) (f 2).
Definition across t a b := three (fun k => at2 t a (plus b k)).
Definition down t a b := three (fun k => at2 t (plus a k) b).

Definition source :=
  Let blur_x (Gen y (plus (IV h) 2) (Gen x (IV w) (across input (IV y) (IV x))))
    (Gen y (IV h) (Gen x (IV w) (down blur_x (IV y) (IV x)))).

Definition ty := IC 32. Definition tx := IC 64.
Definition ceil a k := IDiv (ISub (IAdd a k) (IC 1)) k.
Definition row a := IAdd (IMul (IV yo) ty) a.
Definition column a := IAdd (IMul (IV xo) tx) a.

Definition tiles (body : exp) :=
  View (TruncR (IV h)) (View (Flatten (ceil (IV h) ty) ty) (Gen yo (ceil (IV h) ty)
    (View Transpose (View (TruncR (IV w)) (View (Flatten (ceil (IV w) tx) tx) (Gen xo (ceil (IV w) tx) body)))))).
Definition inside_picture e :=
  Guard (in_range (column (IV xi)) (IV w)) (Guard (in_range (row (IV yi)) (IV h)) e).
Definition target := tiles
  (Let tile_x
    (Gen j (plus ty 2) (Gen i tx
      (Guard (BAnd (BLt (row (IV j)) (plus (IV h) 2)) (BLt (column (IV i)) (IV w)))
        (across input (row (IV j)) (column (IV i))))))
    (Gen xi tx (Gen yi ty (inside_picture (down tile_x (IV yi) (IV xi)))))).

(** ** The derivation from the definition *)
Definition range := WAnd WSearch WSearch.
Definition zeros k : path := repeat 0%nat k.
Definition taps : list path := [[0; 0]; [0; 1]; [1]]%nat.
(** The two accesses of each tap, outer one first. *)
Definition inline_taps (p : path) (first second : rule) :=
  flat_map (fun q => [Step (p ++ q ++ [0%nat]) first; Step (p ++ q) second]) taps.
Definition cover := WAnd WSearch (WLemma (CeilCover (IV h) ty) WSearch WSearch).
Definition cover_x := WAnd WSearch (WLemma (CeilCover (IV w) tx) WSearch WSearch).

Definition forth :=
  [Step [] R_let_inline] ++ inline_taps (zeros 2) (R_get_gen range) (R_get_gen range) ++
  [Step [] (R_tile (ceil (IV h) ty) ty cover);
   Step (zeros 2) (R_split_unfold yo yi);
   Step (zeros 4) R_get_gen_guard;
   Step (zeros 4) R_guard_gen;
   Step (zeros 3) R_transpose_twice;
   Step (zeros 4) R_transpose_gen;
   Step (zeros 4) (R_tile (ceil (IV w) tx) tx cover_x);
   Step (zeros 6) (R_split_unfold xo xi);
   Step (zeros 8) R_get_gen_guard;
   Step (zeros 8) R_guard_gen].

(** ** The derivation from the schedule *)
Definition body : path := zeros 11.
Definition back :=
  [Step (zeros 7) R_let_inline] ++ inline_taps body (R_get_gen range) (R_get_gen range) ++
  map (fun q => Step (body ++ q) (R_if_true range)) taps.

Definition blur := Certificate [] source target forth back.

Example blur_accepted : bit_exact blur = true.
Proof. vm_compute. reflexivity. Qed.

Theorem blur_means_the_same : forall S r s idx, den S r s source idx = den S r s target idx.
Proof. intros. apply (bit_exact_sound blur blur_accepted). constructor. Qed.

(** ** Every read is in bounds, of the input and of the tile's buffer *)
Definition extents : shapes := [(input, [plus (IV h) 2; plus (IV w) 2])].
Definition from_zero o k := WAnd (WLemma (MulMono (IC 0) (IV o) k) (WAnd WSearch WSearch) WSearch) WSearch.
Definition reads := concat (repeat [from_zero yo ty; from_zero xo tx] 3) ++ repeat range 6.
Example target_safe : check_safe extents [] target [] reads = Some [].
Proof. vm_compute. reflexivity. Qed.

(** A buffer that is one row too small, a guard that lets one row too many pass. *)
Definition with_tile rows guard := tiles
  (Let tile_x
    (Gen j rows (Gen i tx (Guard guard (across input (row (IV j)) (column (IV i))))))
    (Gen xi tx (Gen yi ty (inside_picture (down tile_x (IV yi) (IV xi)))))).
Example small_rejected : accepted (Certificate [] source
  (with_tile (plus ty 1) (BAnd (BLt (row (IV j)) (plus (IV h) 2)) (BLt (column (IV i)) (IV w)))) forth back) = false.
Proof. vm_compute. reflexivity. Qed.
Definition weak := with_tile (plus ty 2) (BAnd (BLt (row (IV j)) (plus (IV h) 3)) (BLt (column (IV i)) (IV w))).
Example weak_is_equal : bit_exact (Certificate [] source weak forth back) = true.
Proof. vm_compute. reflexivity. Qed.
Example weak_is_unsafe : check_safe extents [] weak [] reads = None.
Proof. vm_compute. reflexivity. Qed.
