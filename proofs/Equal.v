(** * Equality of programs up to ring normal forms of their index expressions *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver.
Import ListNotations.
Open Scope Z_scope.

Fixpoint beqm (p q : bexp) : bool :=
  match p, q with
  | BTrue, BTrue => true
  | BLe a b, BLe c d | BLt a b, BLt c d | BEq a b, BEq c d => ieqm a c && ieqm b d
  | BAnd a b, BAnd c d | BOr a b, BOr c d => beqm a c && beqm b d
  | BNot a, BNot b => beqm a b
  | _, _ => false
  end.
Lemma beqm_ok p : forall q r, beqm p q = true -> bev r p = bev r q.
Proof.
  induction p; destruct q; simpl; intros; try discriminate; auto; bools;
  try (apply (fun h => ieqm_ok _ _ r h) in H; apply (fun h => ieqm_ok _ _ r h) in H0; congruence);
  try (rewrite (IHp1 _ r H), (IHp2 _ r H0); auto; fail).
  rewrite (IHp _ r H). auto.
Qed.

Fixpoint ieqms (a b : list iexp) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => ieqm x y && ieqms a b
  | _, _ => false
  end.
Lemma ieqms_ok a : forall b r, ieqms a b = true -> map (iev r) a = map (iev r) b.
Proof.
  induction a; destruct b; cbn [ieqms map]; intros; try discriminate; auto. bools.
  f_equal; auto using ieqm_ok.
Qed.
Fixpoint loops_eqm (xs ys : list (id * iexp)) : bool :=
  match xs, ys with
  | [], [] => true
  | (x, n) :: xs, (y, m) :: ys => Pos.eqb x y && (ieqm n m && loops_eqm xs ys)
  | _, _ => false
  end.
Lemma loops_eqm_ok xs : forall ys r idx, loops_eqm xs ys = true -> enter r xs idx = enter r ys idx.
Proof.
  induction xs as [|[x n] xs IH]; destruct ys as [|[y m] ys]; cbn [loops_eqm enter]; intros r idx H; try discriminate; auto.
  bools. subst. destruct idx; auto. rewrite (ieqm_ok n m r) by auto. destruct within; auto.
Qed.

Definition veqm (v w : view) : bool :=
  match v, w with
  | Transpose, Transpose => true
  | Flatten a b, Flatten c d | Split a b, Split c d | PadR a b, PadR c d => ieqm a c && ieqm b d
  | TruncR a, TruncR b | TruncL a, TruncL b | PadL a, PadL b => ieqm a b
  | Reindex xs ts, Reindex ys us => loops_eqm xs ys && ieqms ts us
  | _, _ => false
  end.
Lemma veqm_ok v w r idx : veqm v w = true -> seen r v idx = seen r w idx.
Proof.
  destruct v, w; simpl; intros; try discriminate; auto; bools;
  repeat match goal with H : ieqm _ _ = true |- _ => apply (fun h => ieqm_ok _ _ r h) in H; rewrite H; clear H end; auto.
  rewrite (loops_eqm_ok xs xs0) by auto. destruct enter as [[q is]|]; auto. rewrite (ieqms_ok ts ts0) by auto. auto.
Qed.

Definition meqb (m n : mark) : bool :=
  match m, n with
  | Parallel, Parallel | Vector, Vector | Unroll, Unroll => true
  | Slide x, Slide y => Pos.eqb x y
  | FoldStorage a, FoldStorage b => ieqm a b
  | _, _ => false
  end.

Fixpoint xeq (e f : exp) : bool :=
  match e, f with
  | Lit a, Lit b => ceqb a b
  | Var t, Var u => Pos.eqb t u
  | Gen x n e, Gen y m f => Pos.eqb x y && (ieqm n m && xeq e f)
  | Fold o x n e, Fold p y m f => Pos.eqb o p && (Pos.eqb x y && (ieqm n m && xeq e f))
  | If p a b, If q c d => beqm p q && (xeq a c && xeq b d)
  | Let t a b, Let u c d => Pos.eqb t u && (xeq a c && xeq b d)
  | Get e i, Get f j => xeq e f && ieqm i j
  | Op1 o a, Op1 p c => Pos.eqb o p && xeq a c
  | Op2 o a b, Op2 p c d => Pos.eqb o p && (xeq a c && xeq b d)
  | Op3 o a b c, Op3 p a' b' c' => Pos.eqb o p && (xeq a a' && (xeq b b' && xeq c c'))
  | Cat n a b, Cat m c d => ieqm n m && (xeq a c && xeq b d)
  | View v e, View w f => veqm v w && xeq e f
  | Mark m e, Mark n f => meqb m n && xeq e f
  | Bind x a b, Bind y c d => Pos.eqb x y && (xeq a c && xeq b d)
  | Iter t x n a b, Iter u y m c d => Pos.eqb t u && (Pos.eqb x y && (ieqm n m && (xeq a c && xeq b d)))
  | _, _ => false
  end.

Theorem xeq_ok S e : forall f r s idx, xeq e f = true -> den S r s e idx = den S r s f idx.
Proof.
  induction e; destruct f; simpl; intros r s idx H; try discriminate; bools; subst;
  repeat match goal with
   | H : ceqb _ _ = true |- _ => apply ceqb_eq in H; subst
   | H : ieqm _ _ = true |- _ => apply (fun h => ieqm_ok _ _ r h) in H; rewrite H; clear H
   | H : beqm _ _ = true |- _ => apply (fun h => beqm_ok _ _ r h) in H; rewrite H; clear H
   | H : veqm _ _ = true |- _ => apply (fun h => veqm_ok _ _ r idx h) in H; rewrite H; clear H end; auto;
  try (f_equal; auto; fail).
  - destruct idx; auto. destruct within; auto.
  - apply foldz_ext; auto.
  - destruct bev; auto.
  - rewrite (IHe2 f2) by auto. apply den_let; auto.
  - destruct idx; auto. destruct Z.ltb; auto.
  - destruct seen; auto.
  - rewrite (IHe1 f1) by auto. auto.
  - apply itern_ext; auto. intros i v w _ E j. rewrite (IHe2 f2) by auto. apply den_let; auto.
Qed.
