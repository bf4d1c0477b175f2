(** * Substitution that refuses capture *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning.
Import ListNotations.
Open Scope Z_scope.

Definition bind {A B} (o : option A) (f : A -> option B) := match o with Some a => f a | None => None end.
Notation "'do' x <- a ; b" := (bind a (fun x => b)) (at level 200, x pattern, a at level 100, b at level 200).
Definition only {A} (b : bool) (a : option A) := if b then a else None.

(** Takes apart the hypotheses that say that a function written with [do] and [only] succeeded. *)
Ltac results := repeat match goal with
  | H : only ?b _ = Some _ |- _ => unfold only in H; destruct b eqn:?; [|discriminate]
  | H : bind ?a _ = Some _ |- _ => destruct a eqn:?; simpl in H; [|discriminate]
  | H : (let (_, _) := ?p in _) = Some _ |- _ => destruct p
  | H : Some _ = Some _ |- _ => inversion H; subst; clear H
  | H : (_, _) = (_, _) |- _ => inversion H; subst; clear H
  | H : None = Some _ |- _ => discriminate
  end; bools.

(** ** An index expression for an index name *)
Fixpoint isub (x : id) (v : iexp) (a : iexp) : iexp :=
  match a with
  | IC z => IC z
  | IV y => if Pos.eqb x y then v else IV y
  | IAdd a b => IAdd (isub x v a) (isub x v b)
  | ISub a b => ISub (isub x v a) (isub x v b)
  | IMul a b => IMul (isub x v a) (isub x v b)
  | IDiv a b => IDiv (isub x v a) (isub x v b)
  | IMod a b => IMod (isub x v a) (isub x v b)
  | IMin a b => IMin (isub x v a) (isub x v b)
  | IMax a b => IMax (isub x v a) (isub x v b)
  end.

Fixpoint bsub (x : id) (v : iexp) (p : bexp) : bexp :=
  match p with
  | BTrue => BTrue
  | BLe a b => BLe (isub x v a) (isub x v b)
  | BLt a b => BLt (isub x v a) (isub x v b)
  | BEq a b => BEq (isub x v a) (isub x v b)
  | BAnd p q => BAnd (bsub x v p) (bsub x v q)
  | BOr p q => BOr (bsub x v p) (bsub x v q)
  | BNot p => BNot (bsub x v p)
  end.

(** Under a binder of the same name nothing is replaced; a binder whose name occurs in [v] refuses. *)
Definition under {A} (x y : id) (v : iexp) (same : A) (other : option A) : option A :=
  if Pos.eqb x y then Some same else only (negb (iin y v)) other.

Fixpoint rsub (x : id) (v : iexp) (xs : list (id * iexp)) (ts : list iexp) : option (list (id * iexp) * list iexp) :=
  match xs with
  | [] => Some ([], map (isub x v) ts)
  | (y, n) :: xs => do (ys, us) <- under x y v (xs, ts) (rsub x v xs ts); Some ((y, isub x v n) :: ys, us)
  end.

Definition vsub (x : id) (v : iexp) (w : view) : option view :=
  match w with
  | Transpose => Some Transpose
  | Flatten a b => Some (Flatten (isub x v a) (isub x v b))
  | Split a b => Some (Split (isub x v a) (isub x v b))
  | TruncR a => Some (TruncR (isub x v a))
  | TruncL a => Some (TruncL (isub x v a))
  | PadR a b => Some (PadR (isub x v a) (isub x v b))
  | PadL a => Some (PadL (isub x v a))
  | Reindex xs ts => do (ys, us) <- rsub x v xs ts; Some (Reindex ys us)
  end.

Fixpoint esub (x : id) (v : iexp) (e : exp) : option exp :=
  match e with
  | Lit c => Some (Lit c)
  | Var t => Some (Var t)
  | Gen y n e => do e' <- under x y v e (esub x v e); Some (Gen y (isub x v n) e')
  | Fold o y n e => do e' <- under x y v e (esub x v e); Some (Fold o y (isub x v n) e')
  | If p a b => do a' <- esub x v a; do b' <- esub x v b; Some (If (bsub x v p) a' b')
  | Let t a b => do a' <- esub x v a; do b' <- esub x v b; Some (Let t a' b')
  | Get e i => do e' <- esub x v e; Some (Get e' (isub x v i))
  | Op1 o a => do a' <- esub x v a; Some (Op1 o a')
  | Op2 o a b => do a' <- esub x v a; do b' <- esub x v b; Some (Op2 o a' b')
  | Op3 o a b c => do a' <- esub x v a; do b' <- esub x v b; do c' <- esub x v c; Some (Op3 o a' b' c')
  | Cat n a b => do a' <- esub x v a; do b' <- esub x v b; Some (Cat (isub x v n) a' b')
  | View w e => do w' <- vsub x v w; do e' <- esub x v e; Some (View w' e')
  | Mark m e => do e' <- esub x v e; Some (Mark m e')
  | Bind y a b => do a' <- esub x v a; do b' <- under x y v b (esub x v b); Some (Bind y a' b')
  | Iter t y n a b => do a' <- esub x v a; do b' <- under x y v b (esub x v b); Some (Iter t y (isub x v n) a' b')
  end.

Lemma isub_ok x v r a : iev r (isub x v a) = iev (upd r x (iev r v)) a.
Proof. induction a; simpl; try congruence. unfold upd. destruct (Pos.eqb x x0); auto. Qed.
Lemma bsub_ok x v r p : bev r (bsub x v p) = bev (upd r x (iev r v)) p.
Proof. induction p; simpl; rewrite ?isub_ok; congruence. Qed.
Lemma rsub_ok x v xs ts : forall ys us idx r, rsub x v xs ts = Some (ys, us) ->
  match enter r ys idx, enter (upd r x (iev r v)) xs idx with
  | Some (q, is), Some (q', is') => map (iev q) us = map (iev q') ts /\ is = is'
  | None, None => True
  | _, _ => False
  end.
Proof.
  induction xs as [|[y n] xs IH]; intros ys us idx r H; cbn [rsub] in H; results; cbn [enter].
  - split; auto. rewrite map_map. apply map_ext. intros. apply isub_ok.
  - destruct idx as [|i is]; auto. rewrite isub_ok. destruct within; auto.
    unfold under in Heqo. destruct (Pos.eqb_spec x y) as [->|N]; results.
    + apply enter_ext. intros z _. symmetry. apply upd_shadow.
    + specialize (IH _ _ is (upd r y i) Heqo). rewrite iev_fresh in IH by auto.
      pose proof (enter_ext ts xs is (upd (upd r y i) x (iev r v)) (upd (upd r x (iev r v)) y i)
        (fun z _ => upd_comm r y x i (iev r v) z (not_eq_sym N))) as E.
      destruct (enter (upd r y i) l is) as [[q1 i1]|], (enter (upd (upd r y i) x (iev r v)) xs is) as [[q2 i2]|],
        (enter (upd (upd r x (iev r v)) y i) xs is) as [[q3 i3]|]; try tauto.
      destruct IH, E. split; congruence.
Qed.
Lemma vsub_ok x v r w w' idx : vsub x v w = Some w' -> seen r w' idx = seen (upd r x (iev r v)) w idx.
Proof.
  destruct w as [| | | | | | |xs ts]; cbn [vsub]; intros H; results;
  [..|cbn [seen]; pose proof (rsub_ok x v xs ts _ _ idx r Heqo) as E;
      destruct (enter r _ idx) as [[q is]|], (enter _ xs idx) as [[q' is']|]; try tauto; destruct E as [E ->];
      rewrite E; auto]; simpl; rewrite ?isub_ok; auto.
Qed.

Section Sound.
Variable S : algebra.
Notation den := (den S).

Lemma under_ok x y v e e' :
  under x y v e (esub x v e) = Some e' ->
  (forall f, esub x v e = Some f -> forall r s idx, den r s f idx = den (upd r x (iev r v)) s e idx) ->
  forall r i s idx, den (upd r y i) s e' idx = den (upd (upd r x (iev r v)) y i) s e idx.
Proof.
  unfold under. intros H IH r i s idx. destruct (Pos.eqb_spec x y).
  - inversion H; subst. apply den_ext; auto. intros. now rewrite upd_shadow.
  - results. rewrite (IH _ H). apply den_ext; auto. intros. rewrite iev_fresh by auto. apply upd_comm; auto.
Qed.

Theorem esub_ok x v e : forall e', esub x v e = Some e' -> forall r s idx,
  den r s e' idx = den (upd r x (iev r v)) s e idx.
Proof.
  induction e; cbn [esub]; intros e' H r s idx; results; simpl; rewrite ?isub_ok, ?bsub_ok;
  try match goal with E : vsub _ _ _ = Some _ |- _ => rewrite (vsub_ok _ _ _ _ _ _ E) end; auto.
  - destruct idx; auto. destruct within; auto. eapply under_ok; eauto.
  - apply foldz_ext; intros. eapply under_ok; eauto.
  - destruct bev; auto.
  - rewrite (IHe2 _ eq_refl). apply den_let; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - destruct idx; auto. destruct Z.ltb; auto.
  - destruct seen; auto.
  - rewrite (IHe1 _ eq_refl). eapply under_ok; eauto.
  - apply itern_ext; auto. intros i u w _ Huw j. rewrite (den_let S _ _ _ _ _ _ _ Huw). eapply under_ok; eauto.
Qed.

(** ** A program for a tensor name *)
Fixpoint tsub (t : id) (a : exp) (e : exp) : option exp :=
  match e with
  | Lit c => Some (Lit c)
  | Var u => Some (if Pos.eqb t u then a else Var u)
  | Gen y n e => only (negb (ein y a)) (do e' <- tsub t a e; Some (Gen y n e'))
  | Fold o y n e => only (negb (ein y a)) (do e' <- tsub t a e; Some (Fold o y n e'))
  | If p b c => do b' <- tsub t a b; do c' <- tsub t a c; Some (If p b' c')
  | Let u b c => do b' <- tsub t a b;
      if Pos.eqb t u then Some (Let u b' c)
      else only (negb (tin u a)) (do c' <- tsub t a c; Some (Let u b' c'))
  | Get e i => do e' <- tsub t a e; Some (Get e' i)
  | Op1 o b => do b' <- tsub t a b; Some (Op1 o b')
  | Op2 o b c => do b' <- tsub t a b; do c' <- tsub t a c; Some (Op2 o b' c')
  | Op3 o b c d => do b' <- tsub t a b; do c' <- tsub t a c; do d' <- tsub t a d; Some (Op3 o b' c' d')
  | Cat n b c => do b' <- tsub t a b; do c' <- tsub t a c; Some (Cat n b' c')
  | View v e => do e' <- tsub t a e; Some (View v e')
  | Mark m e => do e' <- tsub t a e; Some (Mark m e')
  | Bind y b c => only (negb (ein y a)) (do b' <- tsub t a b; do c' <- tsub t a c; Some (Bind y b' c'))
  | Iter u y n b c => do b' <- tsub t a b;
      if Pos.eqb t u then Some (Iter u y n b' c)
      else only (negb (tin u a) && negb (ein y a)) (do c' <- tsub t a c; Some (Iter u y n b' c'))
  end.

Lemma swap_lets r s t u (a : exp) v w idx e : t <> u -> (forall j, v j = w j) -> tin u a = false ->
  den r (upd (upd s u v) t (den r (upd s u v) a)) e idx = den r (upd (upd s t (den r s a)) u w) e idx.
Proof.
  intros N E F. apply den_ext; auto. intros q _ i. unfold upd at 1 4.
  destruct (Pos.eqb_spec t q); [subst; destruct (Pos.eqb_spec u q); [congruence|]; rewrite upd_eq; apply den_tfresh; auto|].
  unfold upd. destruct (Pos.eqb u q); auto. destruct (Pos.eqb_spec t q); congruence.
Qed.

Theorem tsub_ok t a e : forall e', tsub t a e = Some e' -> forall r s idx,
  den r s e' idx = den r (upd s t (den r s a)) e idx.
Proof.
  assert (B : forall e r s y i idx, ein y a = false ->
    den (upd r y i) (upd s t (den (upd r y i) s a)) e idx = den (upd r y i) (upd s t (den r s a)) e idx).
  { intros. apply den_let. intros. apply den_fresh; auto. }
  induction e; cbn [tsub]; intros e' H r s idx; results; simpl; auto.
  - unfold upd. destruct (Pos.eqb t t0); auto.
  - destruct idx; auto. destruct within; auto. rewrite (IHe _ eq_refl). auto.
  - apply foldz_ext; intros. rewrite (IHe _ eq_refl). auto.
  - destruct bev; auto.
  - destruct (Pos.eqb_spec t t0); results; simpl.
    + apply den_ext; auto. intros u _ j. subst. rewrite upd_shadow. unfold upd at 1 2. destruct Pos.eqb; auto.
    + rewrite (IHe2 _ eq_refl). apply swap_lets; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - destruct idx; auto. destruct Z.ltb; auto.
  - destruct seen; auto.
  - rewrite (IHe1 _ eq_refl). rewrite (IHe2 _ eq_refl). auto.
  - destruct (Pos.eqb_spec t t0); results; simpl.
    + apply itern_ext; auto. intros i v w _ E j. apply den_ext; auto. intros u _ k. subst. rewrite upd_shadow.
      unfold upd. destruct Pos.eqb; auto.
    + apply itern_ext; auto. intros i v w _ E j. rewrite (IHe2 _ eq_refl), swap_lets with (w := w) by auto.
      apply den_ext; auto. intros u _ k. unfold upd. destruct (Pos.eqb t0 u); auto. destruct (Pos.eqb t u); auto.
      apply (den_fresh S a r s x i); auto.
Qed.
End Sound.
