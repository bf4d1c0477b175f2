(** * Rules of the loops of updates: pieces, and guards

    An update is [Iter]: each iteration makes a tensor of the one before. These rules keep the order of iterations, hence
    use no law. [iter_gen] (RulesFold.v) exchanges such a loop with one over elements. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

Section Facts.
Variable S : algebra.
Notation itern := (itern S).

(** Steps that make equal tensors of equal tensors, as those of programs do. *)
Definition proper (f : Z -> ten S -> ten S) :=
  forall i v w, (forall idx, v idx = w idx) -> forall idx, f i v idx = f i w idx.

Lemma itern_app n m a f : proper f -> forall idx,
  itern (n + m) a f idx = itern m (itern n a f) (fun i => f (Z.of_nat n + i)) idx.
Proof.
  intros P. induction m as [|m IH]; intros idx; [rewrite Nat.add_0_r; auto|]. rewrite Nat.add_succ_r. cbn [Meaning.itern].
  rewrite (P _ _ _ IH), Nat2Z.inj_add. auto.
Qed.
Lemma itern_tiles q k a f : proper f -> forall idx,
  itern (q * k) a f idx = itern q a (fun i v => itern k v (fun j => f (i * Z.of_nat k + j))) idx.
Proof.
  intros P. induction q as [|q IH]; intros idx; auto.
  replace (Datatypes.S q * k)%nat with (q * k + k)%nat by lia. rewrite itern_app by auto. cbn [Meaning.itern].
  apply itern_ext; auto. intros i v w _ E j. rewrite (P _ _ _ E), Nat2Z.inj_mul. auto.
Qed.
Lemma itern_same n a f : (forall i v idx, 0 <= i < Z.of_nat n -> f i v idx = v idx) -> forall idx, itern n a f idx = a idx.
Proof.
  induction n; intros E idx; cbn [Meaning.itern]; auto. rewrite E by lia. apply IHn. intros. apply E. lia.
Qed.
Lemma itern_padded n m a f : proper f -> (n <= m)%nat -> forall idx,
  itern n a f idx = itern m a (fun i v => if i <? Z.of_nat n then f i v else v) idx.
Proof.
  intros P L idx. assert (M : m = (n + (m - n))%nat) by lia. rewrite M.
  rewrite itern_app by (intros i v w E j; destruct Z.ltb; auto).
  rewrite (itern_same (m - n)).
  - apply itern_ext; auto. intros i v w I E j. destruct (Z.ltb_spec i (Z.of_nat n)); [apply P; auto | lia].
  - intros i v j I. destruct (Z.ltb_spec (Z.of_nat n + i) (Z.of_nat n)); auto. lia.
Qed.
Lemma step_proper r s t x b : proper (fun i v => den S (upd r x i) (upd s t v) b).
Proof. intros i v w E idx. apply den_let; auto. Qed.
End Facts.

(** What the extents and the body of pieces must not mention. *)
Definition piece_names (k : iexp) (xo xi : id) (b : exp) : bool :=
  negb (Pos.eqb xo xi) && negb (ein xo b) && negb (ein xi b) && negb (iin xo k) && negb (iin xi k).

(** for x < n do t := b from a  =
    for xo < q do t := (for xi < k do t := (b with xo*k + xi for x) from t) from a, where n = q*k *)
Definition iter_tile (q k : iexp) (xo xi : id) (w : wit) : rewrite := fun F e => match e with
  | Iter t x n a b => only (piece_names k xo xi b)
      (provided F (BAnd (BAnd (BLe (IC 0) q) (BLe (IC 0) k)) (BEq n (IMul q k))) w
        (do b' <- esub x (IAdd (IMul (IV xo) k) (IV xi)) b; gives (Iter t xo q a (Iter t xi k (Var t) b'))))
  | _ => None end.

(** The step of a piece, in the names of the loop before. *)
Lemma piece_step S r s t x xo xi k b b' i j v w idx :
  piece_names k xo xi b = true -> esub x (IAdd (IMul (IV xo) k) (IV xi)) b = Some b' ->
  den S (upd (upd r xo i) xi j) (upd (upd s t v) t w) b' idx = den S (upd r x (i * iev r k + j)) (upd s t w) b idx.
Proof.
  unfold piece_names. intros N E. bools. rewrite (esub_ok S _ _ _ _ E). cbn [iev].
  rewrite !iev_fresh by auto. rewrite (upd_ne _ xi xo), !upd_eq by auto.
  apply den_ext.
  - intros y Y. unfold upd. destruct (Pos.eqb x y); auto. destruct (Pos.eqb_spec xi y); [congruence|].
    destruct (Pos.eqb_spec xo y); [congruence|]. auto.
  - intros u _ z. rewrite upd_shadow. auto.
Qed.

Theorem iter_tile_sound q k xo xi w : sound (iter_tile q k xo xi w).
Proof.
  rule iter_tile.
  match goal with H : iev r n = _ |- _ => rewrite H | H : (iev r n =? _) = true |- _ => apply Z.eqb_eq in H; rewrite H end.
  rewrite Z2Nat.inj_mul by lia. rewrite itern_tiles by apply step_proper. rewrite Z2Nat.id by lia.
  apply itern_ext; auto. intros i v u _ E j. cbn [den].
  rewrite iev_fresh by (unfold piece_names in *; bools; auto).
  apply itern_ext; [intros; rewrite upd_eq; auto|]. intros l v1 u1 _ E1 z.
  erewrite piece_step by eauto. apply den_let; auto.
Qed.

(** The same with pieces that cover more: (if xo*k + xi < n then .. else t), where n <= q*k *)
Definition iter_tile_guarded (q k : iexp) (xo xi : id) (w : wit) : rewrite := fun F e => match e with
  | Iter t x n a b => only (piece_names k xo xi b && negb (iin xo n) && negb (iin xi n))
      (provided F (BAnd (BAnd (BLe (IC 0) q) (BLe (IC 0) k)) (BLe n (IMul q k))) w
        (do b' <- esub x (IAdd (IMul (IV xo) k) (IV xi)) b;
         gives (Iter t xo q a (Iter t xi k (Var t) (If (BLt (IAdd (IMul (IV xo) k) (IV xi)) n) b' (Var t))))))
  | _ => None end.
Theorem iter_tile_guarded_sound q k xo xi w : sound (iter_tile_guarded q k xo xi w).
Proof.
  rule iter_tile_guarded.
  assert (M : (Z.to_nat (iev r n) <= Z.to_nat (iev r q) * Z.to_nat (iev r k))%nat)
    by (rewrite <- Z2Nat.inj_mul by lia; lia).
  rewrite (itern_padded S _ _ _ _ (step_proper S r s t x e2) M).
  rewrite itern_tiles by (intros i v u E z; destruct Z.ltb; [apply den_let|]; auto). rewrite Z2Nat.id by lia.
  assert (N : piece_names k xo xi e2 = true) by auto. unfold piece_names in N. bools.
  apply itern_ext; auto. intros i v u I E j. cbn [den]. rewrite iev_fresh by auto.
  apply itern_ext; [intros; rewrite upd_eq; auto|]. intros l v1 u1 L E1 z. rewrite Z2Nat.id in I, L by lia.
  cbn [bev iev]. rewrite !iev_fresh by auto. rewrite (upd_ne _ xi xo), !upd_eq by auto.
  assert (P : 0 <= i * iev r k + l) by nia. set (p := i * iev r k + l) in *.
  replace (p <? Z.of_nat (Z.to_nat (iev r n))) with (p <? iev r n) by (lt_cases; auto). destruct Z.ltb; auto.
  erewrite piece_step by eauto. apply den_let; auto.
Qed.

(** if p then (for x < n do t := b from a) else c  =
    for x < n do t := (if p then b else t) from (if p then a else c), where x is not in p *)
Definition if_iter : rewrite := fun F e => match e with
  | If p (Iter t x n a b) c => only (negb (bin x p)) (gives (Iter t x n (If p a c) (If p b (Var t))))
  | _ => None end.
Theorem if_iter_sound : sound if_iter.
Proof.
  rule if_iter. destruct (bev r p) eqn:P.
  - apply itern_ext; auto. intros i v w _ E j. rewrite bev_fresh, P by auto. apply den_let; auto.
  - symmetry. apply itern_same. intros i v j _. rewrite bev_fresh, P by auto. now rewrite upd_eq.
Qed.

(** ** Iterations that add to one accumulator

    [gathers t e] finds the operator of a step that combines [t] with elements that do not depend on [t], one after the
    other, or leaves it as it is; [gathered] lists these elements. Where the operator is associative and commutative, their
    order does not matter ([any_order_ok]). *)
Fixpoint gathers (t : id) (e : exp) : option id :=
  match e with
  | Op2 o (Var u) b => only (Pos.eqb t u && negb (tin t b)) (Some o)
  | Op2 o b (Var u) => only (Pos.eqb t u && negb (tin t b)) (Some o)
  | If p a (Var u) => only (Pos.eqb t u) (gathers t a)
  | Iter u y n (Var w) b => only (Pos.eqb t u && Pos.eqb t w) (gathers t b)
  | Mark _ a => gathers t a
  | Bind y a b => only (negb (tin t a)) (gathers t b)
  | _ => None
  end.
Definition counted (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).
Fixpoint gathered (S : algebra) (t : id) (r : id -> Z) (s : id -> ten S) (e : exp) (idx : list Z) : list S :=
  match e with
  | Op2 o (Var u) b => [den S r s b idx]
  | Op2 o b (Var u) => [den S r s b idx]
  | If p a _ => if bev r p then gathered S t r s a idx else []
  | Iter u y n _ b => flat_map (fun i => gathered S t (upd r y i) s b idx) (counted (iev r n))
  | Mark _ a => gathered S t r s a idx
  | Bind y a b => gathered S t (upd r y (to_index S (den S r s a []))) s b idx
  | _ => []
  end.

Section Order.
Variable S : algebra.
Variable o : id.
Hypothesis A : holds S (Assoc o).
Hypothesis C : holds S (Comm o).
Notation all := (fold_left (op2 S o)).

Lemma act_swap (v a b : S) : op2 S o (op2 S o v a) b = op2 S o (op2 S o v b) a.
Proof. simpl in A, C. rewrite <- !A, (C a b). auto. Qed.
Lemma all_permuted (l m : list S) : Permutation l m -> forall v, all l v = all m v.
Proof.
  induction 1; intros v; cbn [fold_left]; auto.
  - rewrite act_swap. auto.
  - rewrite IHPermutation1. auto.
Qed.

Lemma counted_succ k : counted (Z.of_nat (Datatypes.S k)) = counted (Z.of_nat k) ++ [Z.of_nat k].
Proof. unfold counted. rewrite !Nat2Z.id, seq_S, map_app. auto. Qed.
Lemma counted_to_nat n : counted n = counted (Z.of_nat (Z.to_nat n)).
Proof. unfold counted. rewrite Nat2Z.id. auto. Qed.

Lemma itern_all (g : Z -> list S) (f : Z -> ten S -> ten S) idx : (forall i v, f i v idx = all (g i) (v idx)) ->
  forall n a, itern S n a f idx = all (flat_map g (counted (Z.of_nat n))) (a idx).
Proof.
  intros E. induction n as [|n IH]; intros a; auto. cbn [itern]. rewrite E, IH, counted_succ, flat_map_app, fold_left_app.
  cbn [flat_map]. rewrite app_nil_r. auto.
Qed.

Lemma gathers_ok t e : gathers t e = Some o -> forall r s v idx,
  den S r (upd s t v) e idx = all (gathered S t r s e idx) (v idx).
Proof.
  induction e; cbn [gathers]; try discriminate; intros H r s v idx.
  - destruct e2; try discriminate. results. bools. subst. cbn [den gathered]. destruct (bev r p); auto.
    cbn [fold_left]. now rewrite upd_eq.
  - assert (K : forall u b, tin u b = false -> den S r (upd s u v) b idx = den S r s b idx) by (intros; apply den_tfresh; auto).
    assert (D : forall p a b s, den S r s (Op2 p a b) idx = op2 S p (den S r s a idx) (den S r s b idx)) by auto.
    assert (E : forall u, den S r (upd s u v) (Var u) idx = v idx) by (intros; cbn [den]; now rewrite upd_eq).
    destruct e1; try (destruct e2; try discriminate; results; bools; subst; rewrite D; cbn [gathered fold_left];
      rewrite E, K by auto; simpl in C; apply C).
    results. bools. subst. rewrite D. cbn [gathered fold_left]. rewrite E, K by auto. auto.
  - cbn [den gathered]. auto.
  - results. bools. cbn [den gathered]. rewrite <- IHe2 by auto.
    match goal with N : tin t ?a = false |- _ => rewrite (den_tfresh S a r s t v [] N) end. auto.
  - destruct e1; try discriminate. results. bools. subst. cbn [den gathered].
    match goal with |- context [gathered S ?u _ s e2 idx] =>
      rewrite (itern_all (fun i => gathered S u (upd r x i) s e2 idx)) end.
    + rewrite <- counted_to_nat. cbn [den]. now rewrite upd_eq.
    + intros i w. rewrite <- IHe2 by auto. apply den_ext; auto. intros u _ j. now rewrite upd_shadow.
Qed.

Lemma flat_map_apart {B D} (f g : B -> list D) l :
  Permutation (flat_map (fun x => f x ++ g x) l) (flat_map f l ++ flat_map g l).
Proof.
  induction l as [|x l IH]; cbn [flat_map]; auto. rewrite IH, <- !app_assoc. apply Permutation_app_head.
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma flat_map_swap {B D E} (f : B -> D -> list E) l m :
  Permutation (flat_map (fun x => flat_map (f x) m) l) (flat_map (fun y => flat_map (fun x => f x y) l) m).
Proof.
  induction l as [|x l IH]; cbn [flat_map].
  - induction m; cbn [flat_map]; auto.
  - rewrite flat_map_apart. apply Permutation_app_head. auto.
Qed.
End Order.

(** Iterations in any order: for a step whose operator is associative and commutative. *)
Theorem any_order_ok S t x n a b o : gathers t b = Some o -> holds S (Assoc o) -> holds S (Comm o) ->
  forall r s idx order, Permutation order (counted (iev r n)) ->
  den S r s (Iter t x n a b) idx =
    fold_left (op2 S o) (flat_map (fun i => gathered S t (upd r x i) s b idx) order) (den S r s a idx).
Proof.
  intros G A C r s idx order P. cbn [den]. rewrite (itern_all S o (fun i => gathered S t (upd r x i) s b idx)).
  - rewrite <- counted_to_nat. apply (all_permuted S o A C). apply Permutation_flat_map. symmetry. auto.
  - intros i v. apply (gathers_ok S o C); auto.
Qed.

(** for x < n do t := (for y < m do t := b from t) from a  =  the same with the loops exchanged, where b adds to t *)
Definition iter_swap : rewrite := fun F e => match e with
  | Iter t x n a (Iter u y m (Var w) b) =>
      only (Pos.eqb t u && Pos.eqb t w && negb (Pos.eqb x y) && negb (iin y n) && negb (iin x m))
        (do o <- gathers t b; Some ([Assoc o; Comm o], Iter t y m a (Iter t x n (Var t) b)))
  | _ => None end.
Lemma gathered_ext S t e : forall r r' s idx, (forall z, r z = r' z) -> gathered S t r s e idx = gathered S t r' s e idx.
Proof.
  induction e; cbn [gathered]; intros r r' s idx E; auto.
  - rewrite (bev_ext p r r') by auto. destruct (bev r' p); auto.
  - assert (D : forall b, den S r s b idx = den S r' s b idx) by (intros; apply den_ext; auto).
    destruct e1; try (f_equal; apply D); destruct e2; auto; f_equal; apply D.
  - apply IHe2. intros z. rewrite (den_ext S e1 r r' s s) by auto. unfold upd. destruct (Pos.eqb x z); auto.
  - rewrite (iev_ext n r r') by auto. apply flat_map_ext. intros i. apply IHe2. intros z. unfold upd.
    destruct (Pos.eqb x z); auto.
Qed.
Theorem iter_swap_sound : sound iter_swap.
Proof.
  unfold iter_swap. intros F e L e' H. take_apart H. bools. subst. intros S HL r s idx HF.
  inversion HL as [|? ? HA HL2]; subst. inversion HL2 as [|? ? HC ?]; subst.
  match goal with |- den S r s (Iter ?t ?x ?n ?a (Iter ?t ?y ?m (Var ?t) ?b)) idx = _ =>
    assert (GI : forall z k, gathers t (Iter t z k (Var t) b) = gathers t b) by
      (intros; cbn [gathers]; rewrite Pos.eqb_refl; auto);
    rewrite (any_order_ok S t x n a _ i (eq_trans (GI y m) ltac:(eassumption)) HA HC r s idx _ (Permutation_refl _));
    rewrite (any_order_ok S t y m a _ i (eq_trans (GI x n) ltac:(eassumption)) HA HC r s idx _ (Permutation_refl _));
    cbn [gathered]; apply (all_permuted S i HA HC);
    rewrite (flat_map_ext _ (fun i => flat_map (fun j => gathered S t (upd (upd r x i) y j) s b idx) (counted (iev r m)))) by
      (intros; rewrite iev_fresh by auto; auto)
  end.
  rewrite flat_map_swap. erewrite flat_map_ext; [apply Permutation_refl|]. intros j. cbn beta.
  rewrite iev_fresh by auto. apply flat_map_ext. intros k. apply gathered_ext. intros z. apply upd_comm. auto.
Qed.

(** for x < n do t := b from a  =  the same, marked: where b adds to t, iterations may run in any order ([any_order_ok]) *)
Definition mark_reduction (m : mark) : rewrite := fun F e => match m, e with
  | Parallel, Iter t x n a b => do o <- gathers t b; Some ([Assoc o; Comm o], Mark m e)
  | Vector, Iter t x (IC k) a b => only (0 <? k) (do o <- gathers t b; Some ([Assoc o; Comm o], Mark m e))
  | _, _ => None end.
Theorem mark_reduction_sound m : sound (mark_reduction m).
Proof. rule mark_reduction; auto. Qed.

(** for x < n do t := b from a  =  a o (for x < n do t := b from unit), where b adds to t by o: partial results *)
Definition iter_factor : rewrite := fun F e => match e with
  | Iter t x n a b => do o <- gathers t b; Some ([Assoc o; Comm o; UnitL o], Op2 o a (Iter t x n (Lit (UnitOf o)) b))
  | _ => None end.
Lemma all_from_unit S o : holds S (Assoc o) -> holds S (Comm o) -> holds S (UnitL o) -> forall l v,
  fold_left (op2 S o) l v = op2 S o v (fold_left (op2 S o) l (lit S (UnitOf o))).
Proof.
  simpl. intros A C U. induction l as [|x l IH]; intros v; cbn [fold_left]; [rewrite C; auto|].
  rewrite IH, (IH (op2 S o (lit S (UnitOf o)) x)), U, A. auto.
Qed.
Theorem iter_factor_sound : sound iter_factor.
Proof.
  unfold iter_factor. intros F e L e' H. take_apart H. intros S HL r s idx HF.
  inversion HL as [|? ? HA HL2]; subst. inversion HL2 as [|? ? HC HL3]; subst. inversion HL3 as [|? ? HU ?]; subst.
  match goal with |- den S r s (Iter ?t ?x ?n ?a ?b) idx = den S r s (Op2 ?o _ _) idx =>
    change (den S r s (Iter t x n a b) idx =
      op2 S o (den S r s a idx) (den S r s (Iter t x n (Lit (UnitOf o)) b) idx));
    rewrite (any_order_ok S t x n a b o ltac:(eassumption) HA HC r s idx _ (Permutation_refl _));
    rewrite (any_order_ok S t x n _ b o ltac:(eassumption) HA HC r s idx _ (Permutation_refl _))
  end.
  rewrite (all_from_unit S _ HA HC HU). auto.
Qed.
