(** * Rules of the loops of updates: pieces, and guards

    An update is [Iter]: each iteration makes a tensor of the one before. These rules keep the order of iterations, hence
    use no law. [iter_gen] (RulesFold.v) exchanges such a loop with one over elements. *)
From Coq Require Import ZArith List Lia Bool.
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
