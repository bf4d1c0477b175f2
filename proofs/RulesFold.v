(** * Rules of folds, of data-dependent names and of ordered updates *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesGuard.
Import ListNotations.
Open Scope Z_scope.

Section Facts.
Variable S : algebra.
Variable o : id.
Notation unit := (lit S (UnitOf o)).
Notation op := (op2 S o).
Notation foldn := (foldn S o).

Lemma foldn_null n : lit S (UnitOf o) = null S -> op (null S) (null S) = null S -> foldn n (fun _ => null S) = null S.
Proof. intros U N. induction n; simpl; auto. rewrite IHn. auto. Qed.
Lemma foldn_unit n : (forall a, op unit a = a) -> foldn n (fun _ => unit) = unit.
Proof. intros U. induction n; simpl; auto. rewrite IHn. auto. Qed.
Lemma foldn_app n m f : (forall a b c, op a (op b c) = op (op a b) c) -> (forall a, op unit a = a) ->
  (forall a b, op a b = op b a) ->
  foldn (n + m) f = op (foldn n f) (foldn m (fun i => f (Z.of_nat n + i))).
Proof.
  intros A U C. induction m; simpl.
  - rewrite Nat.add_0_r, C, U. auto.
  - rewrite Nat.add_succ_r. simpl. rewrite IHm, <- A. do 2 f_equal. f_equal. lia.
Qed.
Lemma foldn_op n f g : (forall a b c, op a (op b c) = op (op a b) c) -> (forall a b, op a b = op b a) ->
  (forall a, op unit a = a) -> foldn n (fun i => op (f i) (g i)) = op (foldn n f) (foldn n g).
Proof.
  intros A C U. induction n; simpl; [rewrite U; auto|]. rewrite IHn, !A. f_equal. rewrite <- !A. f_equal. apply C.
Qed.
Lemma foldn_swap n m f : (forall a b c, op a (op b c) = op (op a b) c) -> (forall a b, op a b = op b a) ->
  (forall a, op unit a = a) ->
  foldn n (fun i => foldn m (fun j => f i j)) = foldn m (fun j => foldn n (fun i => f i j)).
Proof.
  intros A C U. induction n; simpl; [symmetry; apply foldn_unit; auto|]. rewrite IHn, foldn_op; auto.
Qed.
Lemma foldn_at n a v : (forall a, op unit a = a) -> (forall a b, op a b = op b a) ->
  foldn n (fun i => if i =? a then v else unit) = if within a (Z.of_nat n) then v else unit.
Proof.
  intros U C. induction n.
  - destruct (within_spec a (Z.of_nat 0)); auto. lia.
  - simpl foldn. rewrite IHn. destruct (Z.eqb_spec (Z.of_nat n) a); within_cases; auto; rewrite C; auto.
Qed.
End Facts.

(** fold x < n. fold y < m. b  =  fold y < m. fold x < n. b *)
Definition fold_swap : rewrite := fun F e => match e with
  | Fold o x n (Fold p y m b) =>
      only (Pos.eqb o p && negb (Pos.eqb x y) && negb (iin y n) && negb (iin x m))
        (Some ([Assoc o; Comm o; UnitL o], Fold o y m (Fold o x n b)))
  | _ => None end.
Theorem fold_swap_sound : sound fold_swap.
Proof.
  rule fold_swap.
  erewrite foldz_ext by (intros; rewrite iev_fresh by auto; reflexivity). unfold foldz at 1 2. rewrite foldn_swap by auto.
  apply foldz_ext. intros j _. rewrite iev_fresh by auto. apply foldz_ext. intros i _.
  apply den_ext; auto. intros. apply upd_comm; auto.
Qed.

(** fold x < n. gen y < m. b  =  gen y < m. fold x < n. b, where the unit is null and null + null = null *)
Definition fold_gen : rewrite := fun F e => match e with
  | Fold o x n (Gen y m b) =>
      only (negb (Pos.eqb x y) && negb (iin y n) && negb (iin x m))
        (Some ([UnitNull o; NullNull o], Gen y m (Fold o x n b)))
  | _ => None end.
Theorem fold_gen_sound : sound fold_gen.
Proof.
  rule fold_gen. destruct idx as [|j is]; [apply foldn_null; auto|].
  erewrite foldz_ext by (intros; rewrite iev_fresh by auto; reflexivity).
  rewrite iev_fresh by auto. destruct within; [|apply foldn_null; auto].
  apply foldz_ext. intros i _. apply den_ext; auto. intros. apply upd_comm; auto.
Qed.

(** fold x < n. if x = a then b else unit  =  if 0 <= a < n then b with a for x else unit *)
Definition fold_indicator : rewrite := fun F e => match e with
  | Fold o x n (If (BEq (IV y) a) b (Lit (UnitOf p))) =>
      only (Pos.eqb o p && Pos.eqb x y && negb (iin x a))
        (do b' <- esub x a b; Some ([UnitL o; Comm o], If (in_range a n) b' (Lit (UnitOf o))))
  | _ => None end.
Theorem fold_indicator_sound : sound fold_indicator.
Proof.
  rule fold_indicator. use_subst S.
  change (bev r (in_range b n)) with (within (iev r b) (iev r n)).
  transitivity (foldz S o0 (iev r n) (fun i => if i =? iev r b then den S (upd r x0 (iev r b)) s e1 idx else lit S (UnitOf o0))).
  - apply foldz_ext. intros i _. cbn [bev iev]. rewrite upd_eq, iev_fresh by auto.
    destruct (Z.eqb_spec i (iev r b)); subst; auto.
  - unfold foldz. rewrite foldn_at by auto. unfold within. destruct (Z.leb_spec 0 (iev r b)); auto. cbn [andb].
    destruct (Z.ltb_spec (iev r b) (iev r n)), (Z.ltb_spec (iev r b) (Z.of_nat (Z.to_nat (iev r n)))); auto; lia.
Qed.

(** fold x < n. b  =  (fold x < k. b) + (fold x < n - k. b with x + k for x), where 0 <= k <= n *)
Definition fold_cat (k : iexp) (w : wit) : rewrite := fun F e => match e with
  | Fold o x n b => only (negb (iin x k)) (provided F (BAnd (BLe (IC 0) k) (BLe k n)) w
      (do b' <- esub x (IAdd (IV x) k) b;
       Some ([Assoc o; UnitL o; Comm o], Op2 o (Fold o x k b) (Fold o x (ISub n k) b'))))
  | _ => None end.
Theorem fold_cat_sound k w : sound (fold_cat k w).
Proof.
  rule fold_cat. cbn [iev]. unfold foldz.
  replace (Z.to_nat (iev r n)) with (Z.to_nat (iev r k) + Z.to_nat (iev r n - iev r k))%nat by lia.
  rewrite foldn_app by auto. f_equal. apply foldn_ext. intros i Hi. use_subst S. apply den_ext; auto. intros y _.
  cbn [iev]. rewrite upd_eq, iev_fresh, upd_shadow by auto. unfold upd. destruct Pos.eqb; auto. lia.
Qed.

(** fold x < n. b  =  (fold x < n - 1. b) + b with n - 1 for x, where 0 < n: the order stays *)
Definition fold_last (w : wit) : rewrite := fun F e => match e with
  | Fold o x n b => provided F (pos n) w
      (do b' <- esub x (ISub n (IC 1)) b; gives (Op2 o (Fold o x (ISub n (IC 1)) b) b'))
  | _ => None end.
Theorem fold_last_sound w : sound (fold_last w).
Proof.
  rule fold_last. use_subst S. cbn [iev]. unfold foldz.
  replace (Z.to_nat (iev r n)) with (Datatypes.S (Z.to_nat (iev r n - 1))) by lia. cbn [foldn]. f_equal.
  apply den_ext; auto. intros. unfold upd. destruct Pos.eqb; auto. lia.
Qed.

(** fold x < n. b  =  unit, where n <= 0 *)
Definition fold_empty (w : wit) : rewrite := fun F e => match e with
  | Fold o x n b => provided F (BLe n (IC 0)) w (gives (Lit (UnitOf o)))
  | _ => None end.
Theorem fold_empty_sound w : sound (fold_empty w).
Proof. rule fold_empty. unfold foldz. replace (Z.to_nat (iev r n)) with 0%nat by lia. auto. Qed.

(** unit + e  =  e *)
Definition unit_left : rewrite := fun F e => match e with
  | Op2 o (Lit (UnitOf p)) a => only (Pos.eqb o p) (Some ([UnitL o], a))
  | _ => None end.
Theorem unit_left_sound : sound unit_left.
Proof. rule unit_left. apply Law. Qed.

(** The unit of an operator whose unit is null is null. *)
Definition unit_null : rewrite := fun F e => match e with
  | Lit (UnitOf o) => Some ([UnitNull o], Null)
  | _ => None end.
Theorem unit_null_sound : sound unit_null.
Proof. rule unit_null. apply Law. Qed.

(** fold x < n. (a + b)  =  (fold x < n. a) + (fold x < n. b) *)
Definition fold_op : rewrite := fun F e => match e with
  | Fold o x n (Op2 p a b) => only (Pos.eqb o p)
      (Some ([Assoc o; Comm o; UnitL o], Op2 o (Fold o x n a) (Fold o x n b)))
  | _ => None end.
Theorem fold_op_sound : sound fold_op.
Proof. rule fold_op. unfold foldz. apply foldn_op; auto. Qed.

(** fold x < n. c * b  =  c * (fold x < n. b), where x is not in c, * distributes over +, and c * null = null = unit *)
Definition fold_factor : rewrite := fun F e => match e with
  | Fold o x n (Op2 m c b) => only (negb (ein x c))
      (Some ([DistrL m o; AnnihR m; UnitNull o], Op2 m c (Fold o x n b)))
  | _ => None end.
Theorem fold_factor_sound : sound fold_factor.
Proof.
  rule fold_factor. unfold foldz. induction (Z.to_nat (iev r n)) as [|k IH]; cbn [foldn].
  - rewrite Law1. symmetry. apply Law0.
  - rewrite IH, Law, den_fresh by auto. auto.
Qed.

(** fold x < n. b  =  fold xo < q. fold xi < k. b with xo*k + xi for x, where n = q*k *)
Definition fold_tile (q k : iexp) (xo xi : id) (w : wit) : rewrite := fun F e => match e with
  | Fold o x n b => only (negb (Pos.eqb xo xi) && negb (ein xo b) && negb (ein xi b) && negb (iin xo k) && negb (iin xi k))
      (provided F (BAnd (BAnd (BLe (IC 0) q) (BLe (IC 0) k)) (BEq n (IMul q k))) w
        (do b' <- esub x (IAdd (IMul (IV xo) k) (IV xi)) b;
         Some ([Assoc o; UnitL o; Comm o], Fold o xo q (Fold o xi k b'))))
  | _ => None end.
Lemma foldn_tiles S o q k f : holds S (Assoc o) -> holds S (UnitL o) -> holds S (Comm o) ->
  foldn S o (q * k) f = foldn S o q (fun i => foldn S o k (fun j => f (i * Z.of_nat k + j))).
Proof.
  simpl. intros A U C. induction q; simpl; auto. rewrite Nat.add_comm, foldn_app, IHq by auto. f_equal.
  apply foldn_ext. intros. f_equal. lia.
Qed.
Theorem fold_tile_sound q k xo xi w : sound (fold_tile q k xo xi w).
Proof.
  rule fold_tile. unfold foldz.
  match goal with H : iev r n = _ |- _ => rewrite H | H : (iev r n =? _) = true |- _ => apply Z.eqb_eq in H; rewrite H end.
  rewrite Z2Nat.inj_mul by lia. rewrite foldn_tiles by auto.
  apply foldn_ext. intros i _. rewrite iev_fresh by auto. apply foldn_ext. intros j _. use_subst S.
  apply den_ext; auto. intros y Hy. cbn [iev]. rewrite !iev_fresh by auto.
  rewrite (upd_ne _ xi xo), !upd_eq by auto. unfold upd.
  
  destruct (Pos.eqb_spec x y); [rewrite Z2Nat.id by lia; auto|]. destruct (Pos.eqb_spec xi y); [congruence|]. destruct (Pos.eqb_spec xo y); [congruence|]. auto.
Qed.

(** fold x < n. b  =  fold xo < q. fold xi < k. (if xo*k + xi < n then b with xo*k + xi for x else unit), where n <= q*k *)
Definition fold_tile_guarded (q k : iexp) (xo xi : id) (w : wit) : rewrite := fun F e => match e with
  | Fold o x n b => only (negb (Pos.eqb xo xi) && negb (ein xo b) && negb (ein xi b) && negb (iin xo k) && negb (iin xi k)
                          && negb (iin xo n) && negb (iin xi n))
      (provided F (BAnd (BAnd (BLe (IC 0) q) (BLe (IC 0) k)) (BLe n (IMul q k))) w
        (do b' <- esub x (IAdd (IMul (IV xo) k) (IV xi)) b;
         Some ([Assoc o; UnitL o; Comm o],
           Fold o xo q (Fold o xi k (If (BLt (IAdd (IMul (IV xo) k) (IV xi)) n) b' (Lit (UnitOf o)))))))
  | _ => None end.
Lemma foldn_padded S o n m f : holds S (UnitL o) -> holds S (Comm o) -> (n <= m)%nat ->
  foldn S o n f = foldn S o m (fun i => if i <? Z.of_nat n then f i else lit S (UnitOf o)).
Proof.
  simpl. intros U C. revert n. induction m; intros n L.
  - replace n with 0%nat by lia. auto.
  - destruct (Nat.eq_dec n (Datatypes.S m)) as [->|N]; cbn [foldn]; lt_cases.
    + f_equal. apply foldn_ext. intros i I. lt_cases. auto.
    + rewrite C, U. apply IHm. lia.
Qed.
Theorem fold_tile_guarded_sound q k xo xi w : sound (fold_tile_guarded q k xo xi w).
Proof.
  rule fold_tile_guarded. unfold foldz.
  assert (M : (Z.to_nat (iev r n) <= Z.to_nat (iev r q) * Z.to_nat (iev r k))%nat)
    by (rewrite <- Z2Nat.inj_mul by lia; lia).
  rewrite (foldn_padded S o _ _ _ Law0 Law1 M).
  rewrite foldn_tiles by auto. apply foldn_ext. intros i I. rewrite iev_fresh by auto. apply foldn_ext. intros j J.
  cbn [bev iev]. rewrite !iev_fresh by auto. rewrite (upd_ne _ xi xo), !upd_eq by auto. rewrite Z2Nat.id by lia.
  assert (P : 0 <= i * iev r k + j) by nia. set (z := i * iev r k + j) in *.
  replace (z <? Z.of_nat (Z.to_nat (iev r n))) with (z <? iev r n) by (lt_cases; auto). destruct Z.ltb; auto. use_subst S.
  apply den_ext; auto. intros y Hy. cbn [iev]. rewrite !iev_fresh by auto. rewrite (upd_ne _ xi xo), !upd_eq by auto.
  fold z. unfold upd. destruct (Pos.eqb x y); auto.
  destruct (Pos.eqb_spec xi y); [congruence|]. destruct (Pos.eqb_spec xo y); [congruence|]. auto.
Qed.

(** ** Tuples *)
Definition tuple_first : rewrite := fun F e => match e with
  | Op1 f (Op2 p a b) => Some ([FirstOf f p], a)
  | _ => None end.
Theorem tuple_first_sound : sound tuple_first.
Proof. rule tuple_first. apply Law. Qed.
Definition tuple_second : rewrite := fun F e => match e with
  | Op1 f (Op2 p a b) => Some ([SecondOf f p], b)
  | _ => None end.
Theorem tuple_second_sound : sound tuple_second.
Proof. rule tuple_second. apply Law. Qed.

(** a + b  =  b + a, and a + (b + c)  =  (a + b) + c *)
Definition op_comm : rewrite := fun F e => match e with
  | Op2 o a b => Some ([Comm o], Op2 o b a)
  | _ => None end.
Theorem op_comm_sound : sound op_comm.
Proof. rule op_comm. apply Law. Qed.
Definition op_assoc : rewrite := fun F e => match e with
  | Op2 o a (Op2 p b c) => only (Pos.eqb o p) (Some ([Assoc o], Op2 o (Op2 o a b) c))
  | _ => None end.
Theorem op_assoc_sound : sound op_assoc.
Proof. rule op_assoc. apply Law. Qed.

(** ** Data-dependent names and ordered updates *)
(** bind x = a in b  =  b, where x is not in b *)
Definition bind_dead : rewrite := fun F e => match e with
  | Bind x a b => only (negb (ein x b)) (gives b)
  | _ => None end.
Theorem bind_dead_sound : sound bind_dead.
Proof. rule bind_dead. apply den_fresh; auto. Qed.

(** bind x = a in let t = b in c  =  let t = b in bind x = a in c, where x is not in b and t is not in a *)
Definition bind_let : rewrite := fun F e => match e with
  | Bind x a (Let t b c) => only (negb (ein x b) && negb (tin t a)) (gives (Let t b (Bind x a c)))
  | _ => None end.
Theorem bind_let_sound : sound bind_let.
Proof.
  rule bind_let.
  match goal with N : tin ?t ?b = false |- context [den S ?r (upd ?s ?t ?v) ?b ?i] => rewrite (den_tfresh S b r s t v i N) end.
  apply den_let. intros. apply den_fresh; auto.
Qed.

(** for x < n do t := b from a  =  a, where n <= 0 *)
Definition iter_empty (w : wit) : rewrite := fun F e => match e with
  | Iter t x n a b => provided F (BLe n (IC 0)) w (gives a)
  | _ => None end.
Theorem iter_empty_sound w : sound (iter_empty w).
Proof. rule iter_empty. replace (Z.to_nat (iev r n)) with 0%nat by lia. auto. Qed.

(** for x < n do t := b from a  =  let t = (for x < n - 1 do t := b from a) in b with n - 1 for x, where 0 < n *)
Definition iter_last (w : wit) : rewrite := fun F e => match e with
  | Iter t x n a b => provided F (pos n) w
      (do b' <- esub x (ISub n (IC 1)) b; gives (Let t (Iter t x (ISub n (IC 1)) a b) b'))
  | _ => None end.
Theorem iter_last_sound w : sound (iter_last w).
Proof.
  rule iter_last. use_subst S. cbn [iev].
  replace (Z.to_nat (iev r n)) with (Datatypes.S (Z.to_nat (iev r n - 1))) by lia. cbn [itern].
  apply den_ext; auto. intros. unfold upd. destruct Pos.eqb; auto. lia.
Qed.

(** gen x < m. (for y < n do t := b from a)  =  for y < n do t := (gen x < m. b with t[x] for t) from gen x < m. a *)
Definition iter_gen : rewrite := fun F e => match e with
  | Gen x m (Iter t y n a b) => only (negb (Pos.eqb x y) && negb (iin y m) && negb (iin x n))
      (do b' <- tsub t (Get (Var t) (IV x)) b; gives (Iter t y n (Gen x m a) (Gen x m b')))
  | _ => None end.
Theorem iter_gen_sound : sound iter_gen.
Proof.
  rule iter_gen. destruct idx as [|i is]; [destruct (Z.to_nat _); auto|].
  destruct (within i (iev r n)) eqn:W.
  2: { destruct (Z.to_nat (iev r n0)); cbn [itern]; rewrite ?iev_fresh, W by auto; auto. }
  rewrite iev_fresh by auto. revert is. induction (Z.to_nat (iev r n0)) as [|k IH]; intros is; cbn [itern].
  - rewrite W. auto.
  - rewrite iev_fresh, W by auto. use_subst S.
    apply den_ext; [intros z _; apply upd_comm; auto|].
    intros u _ j. destruct (Pos.eqb_spec t u) as [->|N]; [|rewrite !(upd_ne _ _ _ _ N); auto].
    rewrite !upd_eq. cbn [den iev]. rewrite !upd_eq. apply IH.
Qed.
