(** * Rules of bindings: inlining, staging, lifting *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

(** let t = a in b  =  b with a for t. Read backwards it introduces a stage. *)
Definition let_inline : rewrite := fun F e => match e with
  | Let t a b => do b' <- tsub t a b; gives b'
  | _ => None end.
Theorem let_inline_sound : sound let_inline.
Proof. rule let_inline. symmetry. apply tsub_ok; auto. Qed.

(** let t = a in b  =  b, where t is not in b *)
Definition let_dead : rewrite := fun F e => match e with
  | Let t a b => only (negb (tin t b)) (gives b)
  | _ => None end.
Theorem let_dead_sound : sound let_dead.
Proof. rule let_dead. apply den_tfresh; auto. Qed.

(** let t = a in b  =  let u = a in b with u for t, where u is not in b *)
Definition let_rename (u : id) : rewrite := fun F e => match e with
  | Let t a b => only (negb (tin u b)) (do b' <- tsub t (Var u) b; gives (Let u a b'))
  | _ => None end.
Theorem let_rename_sound u : sound (let_rename u).
Proof.
  rule let_rename. use_subst S. cbn [den]. rewrite upd_eq. symmetry.
  apply den_ext; auto. intros v Hv j. destruct (Pos.eqb_spec t v) as [->|N]; [rewrite !upd_eq; auto|].
  rewrite !(upd_ne _ t) by auto. apply (f_equal (fun f => f j)). apply upd_ne. congruence.
Qed.

(** let t = (let u = a in b) in c  =  let u = a in let t = b in c, where u is not in c *)
Definition let_flatten : rewrite := fun F e => match e with
  | Let t (Let u a b) c => only (negb (tin u c)) (gives (Let u a (Let t b c)))
  | _ => None end.
Theorem let_flatten_sound : sound let_flatten.
Proof.
  rule let_flatten. apply den_ext; auto. intros v Hv j. unfold upd. destruct (Pos.eqb t v); auto.
  destruct (Pos.eqb_spec t0 v); auto. congruence.
Qed.

(** let t = a in let u = b in c  =  let u = b in let t = a in c, where neither is in the other *)
Definition let_swap : rewrite := fun F e => match e with
  | Let t a (Let u b c) => only (negb (Pos.eqb t u) && negb (tin t b) && negb (tin u a)) (gives (Let u b (Let t a c)))
  | _ => None end.
Theorem let_swap_sound : sound let_swap.
Proof.
  rule let_swap. apply den_ext; auto. intros v _ j. unfold upd.
  destruct (Pos.eqb_spec t0 v), (Pos.eqb_spec t v); subst; try congruence; [|symmetry]; apply den_tfresh; auto.
Qed.

(** let t = a in let u = a in b  =  let t = a in b with t for u *)
Definition let_merge : rewrite := fun F e => match e with
  | Let t a (Let u a' b) => only (xeq a a' && negb (tin t a'))
      (do b' <- tsub u (Var t) b; gives (Let t a b'))
  | _ => None end.
Theorem let_merge_sound : sound let_merge.
Proof.
  rule let_merge. use_subst S. cbn [den]. apply den_let. intros j. rewrite upd_eq, den_tfresh by auto.
  symmetry. apply xeq_ok; auto.
Qed.

(** gen x < n. let t = a in b  =  let t = (gen x < n. a) in gen x < n. b with t[x] for t: storage outside of the loop *)
Definition let_lift_gen : rewrite := fun F e => match e with
  | Gen x n (Let t a b) => do b' <- tsub t (Get (Var t) (IV x)) b; gives (Let t (Gen x n a) (Gen x n b'))
  | _ => None end.
Theorem let_lift_gen_sound : sound let_lift_gen.
Proof.
  rule let_lift_gen. destruct idx as [|i is]; auto. destruct (within i (iev r n)) eqn:E; auto.
  use_subst S. apply den_ext; auto. intros u _ j. rewrite upd_shadow.
  destruct (Pos.eqb_spec t u) as [->|N]; [|rewrite !(upd_ne _ _ _ _ N); auto].
  rewrite !upd_eq. cbn [den iev]. rewrite !upd_eq, E. auto.
Qed.

(** fold x < n. let t = a in b  =  let t = (gen x < n. a) in fold x < n. b with t[x] for t *)
Definition let_lift_fold : rewrite := fun F e => match e with
  | Fold o x n (Let t a b) => do b' <- tsub t (Get (Var t) (IV x)) b; gives (Let t (Gen x n a) (Fold o x n b'))
  | _ => None end.
Theorem let_lift_fold_sound : sound let_lift_fold.
Proof.
  rule let_lift_fold. apply foldz_ext. intros i Hi. use_subst S. apply den_ext; auto.
  intros u _ j. rewrite upd_shadow. destruct (Pos.eqb_spec t u) as [->|N]; [|rewrite !(upd_ne _ _ _ _ N); auto].
  rewrite !upd_eq. cbn [den iev]. rewrite !upd_eq. within_cases. auto.
Qed.

(** A binding that does not depend on the loop leaves it. *)
Definition let_lift_invariant : rewrite := fun F e => match e with
  | Gen x n (Let t a b) => only (negb (ein x a)) (gives (Let t a (Gen x n b)))
  | Fold o x n (Let t a b) => only (negb (ein x a)) (gives (Let t a (Fold o x n b)))
  | _ => None end.
Theorem let_lift_invariant_sound : sound let_lift_invariant.
Proof.
  rule let_lift_invariant.
  - destruct idx; auto. destruct within; auto. apply den_let. intros. apply den_fresh; auto.
  - apply foldz_ext. intros. apply den_let. intros. apply den_fresh; auto.
Qed.

(** A binding leaves the operand [k] of its parent, where the other operands do not have the name. *)
Definition let_lift (k : nat) : rewrite := fun F e => do (h, a) <- operand k e; match a with
  | Let t b c => only (negb (tin t (h Null))) (gives (Let t b (h c)))
  | _ => None end.
Theorem let_lift_sound k : sound (let_lift k).
Proof.
  unfold let_lift, gives. intros F e L e' H. destruct (operand k e) as [[h a]|] eqn:E; simpl in H; try discriminate.
  take_apart H. intros S HL r s idx HF. rewrite (operand_eq _ _ _ _ E). eapply operand_let; eauto.
Qed.
