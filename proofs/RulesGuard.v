(** * Rules of guards and selects *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

Definition is_null (e : exp) : bool := match e with Lit (Num 0) => true | _ => false end.
Lemma is_null_eq e : is_null e = true -> e = Null.
Proof. destruct e; try discriminate. destruct c; try discriminate. destruct z; try discriminate. auto. Qed.

(** if p then a else b  =  a, where p *)
Definition if_true (w : wit) : rewrite := fun F e => match e with
  | If p a b => provided F p w (gives a)
  | _ => None end.
Theorem if_true_sound w : sound (if_true w).
Proof. rule if_true. rewrite Heqb. auto. Qed.

(** if p then a else b  =  b, where not p *)
Definition if_false (w : wit) : rewrite := fun F e => match e with
  | If p a b => provided F (BNot p) w (gives b)
  | _ => None end.
Theorem if_false_sound w : sound (if_false w).
Proof. rule if_false. rewrite Heqb. auto. Qed.

(** if p then a else b  =  if q then a else b, where p and q follow from each other *)
Definition if_equiv (q : bexp) (w v : wit) : rewrite := fun F e => match e with
  | If p a b => only (prove (p :: F) q w && prove (q :: F) p v) (gives (If q a b))
  | _ => None end.
Theorem if_equiv_sound q w v : sound (if_equiv q w v).
Proof.
  unfold if_equiv, gives. intros F e L e' H. take_apart H. intros S HL r s idx HF. cbn [den].
  assert (E : bev r p = bev r q); [|rewrite E; auto].
  destruct (bev r p) eqn:A; [symmetry; eapply prove_ok; [exact H|]; constructor; auto|].
  destruct (bev r q) eqn:B; auto. rewrite <- A. eapply prove_ok; [exact H0|]. constructor; auto.
Qed.

(** e  =  if p then e else e: read forwards it specializes, read backwards it joins equal branches *)
Definition if_introduce (p : bexp) : rewrite := fun F e => gives (If p e e).
Theorem if_introduce_sound p : sound (if_introduce p).
Proof. rule if_introduce. destruct bev; auto. Qed.

(** if p then e else e  =  e *)
Definition if_same : rewrite := fun F e => match e with
  | If p a b => only (xeq a b) (gives b)
  | _ => None end.
Theorem if_same_sound : sound if_same.
Proof. rule if_same. destruct bev; auto. apply xeq_ok; auto. Qed.

(** if p then (if q then a else b) else b  =  if p and q then a else b *)
Definition if_merge : rewrite := fun F e => match e with
  | If p (If q a b) c => only (xeq b c) (gives (If (BAnd p q) a c))
  | _ => None end.
Theorem if_merge_sound : sound if_merge.
Proof. rule if_merge. cbn [bev]. destruct (bev r p), (bev r p0); cbn [andb]; auto; apply xeq_ok; auto. Qed.

(** if p and q then a else b  =  if p then (if q then a else b) else b *)
Definition if_nest : rewrite := fun F e => match e with
  | If (BAnd p q) a b => gives (If p (If q a b) b)
  | _ => None end.
Theorem if_nest_sound : sound if_nest.
Proof. rule if_nest. cbn [bev]. destruct (bev r p1), (bev r p2); auto. Qed.

(** if not p then a else b  =  if p then b else a *)
Definition if_not : rewrite := fun F e => match e with
  | If (BNot p) a b => gives (If p b a)
  | _ => None end.
Theorem if_not_sound : sound if_not.
Proof. rule if_not. cbn [bev]. destruct (bev r p); auto. Qed.

(** if p or q then a else b  =  if p then a else (if q then a else b) *)
Definition if_or : rewrite := fun F e => match e with
  | If (BOr p q) a b => gives (If p a (If q a b))
  | _ => None end.
Theorem if_or_sound : sound if_or.
Proof. rule if_or. cbn [bev]. destruct (bev r p1), (bev r p2); auto. Qed.

(** if p then (if q then a else b) else (if q then c else d)  =  if q then (if p then a else c) else (if p then b else d) *)
Definition if_exchange : rewrite := fun F e => match e with
  | If p (If q a b) (If q' c d) => only (beqm q q') (gives (If q (If p a c) (If p b d)))
  | _ => None end.
Theorem if_exchange_sound : sound if_exchange.
Proof.
  rule if_exchange. pose proof (beqm_ok _ _ r Heqb) as E. rewrite <- E. destruct (bev r p), (bev r p0); auto.
Qed.

(** if p then (gen x < n. a) else (gen x < n. b)  =  gen x < n. if p then a else b, where x is not in p *)
Definition if_gen : rewrite := fun F e => match e with
  | If p (Gen x n a) (Gen y m b) =>
      only (Pos.eqb x y && ieqm n m && negb (bin x p)) (gives (Gen x n (If p a b)))
  | _ => None end.
Theorem if_gen_sound : sound if_gen.
Proof.
  rule if_gen. destruct idx as [|i is]; [destruct bev; auto|]. rewrite bev_fresh by auto.
  match goal with H : ieqm _ _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end. destruct (bev r p), within; auto.
Qed.

(** if p then (gen x < n. a) else null  =  gen x < n. if p then a else null, where x is not in p *)
Definition guard_gen : rewrite := fun F e => match e with
  | If p (Gen x n a) z => only (is_null z && negb (bin x p)) (gives (Gen x n (Guard p a)))
  | _ => None end.
Theorem guard_gen_sound : sound guard_gen.
Proof.
  rule guard_gen. rewrite (is_null_eq _ H). destruct idx as [|i is]; [destruct bev; auto|].
  rewrite bev_fresh by auto. destruct (bev r p), within; auto.
Qed.

(** gen x < n. if p then a else b  =  if p then (gen x < n. a) else (gen x < n. b), where x is not in p *)
Definition gen_if : rewrite := fun F e => match e with
  | Gen x n (If p a b) => only (negb (bin x p)) (gives (If p (Gen x n a) (Gen x n b)))
  | _ => None end.
Theorem gen_if_sound : sound gen_if.
Proof. rule gen_if. destruct idx; [destruct bev; auto|]. rewrite bev_fresh by auto. destruct bev, within; auto. Qed.

(** fold x < n. if p then a else b  =  if p then (fold x < n. a) else (fold x < n. b), where x is not in p *)
Definition fold_if : rewrite := fun F e => match e with
  | Fold o x n (If p a b) => only (negb (bin x p)) (gives (If p (Fold o x n a) (Fold o x n b)))
  | _ => None end.
Theorem fold_if_sound : sound fold_if.
Proof.
  rule fold_if. destruct (bev r p) eqn:E; apply foldz_ext; intros; rewrite bev_fresh, E by auto; auto.
Qed.

(** The parent goes into both branches of its operand [k]. *)
Definition if_lift (k : nat) : rewrite := fun F e => do (h, a) <- operand k e; match a with
  | If p b c => gives (If p (h b) (h c))
  | _ => None end.
Theorem if_lift_sound k : sound (if_lift k).
Proof.
  unfold if_lift, gives. intros F e L e' H. destruct (operand k e) as [[h a]|] eqn:E; simpl in H; try discriminate.
  take_apart H. intros S HL r s idx HF. rewrite (operand_eq _ _ _ _ E). eapply operand_if; eauto.
Qed.

(** (if p then a else null) * b  =  if p then a * b else null, where null * b = null *)
Definition guard_annihilates : rewrite := fun F e => match e with
  | Op2 o (If p a z) b => only (is_null z) (Some ([AnnihL o], Guard p (Op2 o a b)))
  | _ => None end.
Theorem guard_annihilates_sound : sound guard_annihilates.
Proof. rule guard_annihilates. apply is_null_eq in Heqb. subst. destruct bev; auto; apply Law. Qed.

(** a * (if p then b else null)  =  if p then a * b else null, where a * null = null *)
Definition guard_annihilates_right : rewrite := fun F e => match e with
  | Op2 o a (If p b z) => only (is_null z) (Some ([AnnihR o], Guard p (Op2 o a b)))
  | _ => None end.
Theorem guard_annihilates_right_sound : sound guard_annihilates_right.
Proof. rule guard_annihilates_right. apply is_null_eq in Heqb. subst. destruct bev; auto; apply Law. Qed.

(** (if p then a else null) + (if p then b else null)  =  if p then a + b else null, where null + null = null *)
Definition guard_op : rewrite := fun F e => match e with
  | Op2 o (If p a y) (If q b z) => only (beqm p q && is_null y && is_null z) (Some ([NullNull o], Guard p (Op2 o a b)))
  | _ => None end.
Theorem guard_op_sound : sound guard_op.
Proof.
  rule guard_op. pose proof (beqm_ok _ _ r H) as E. rewrite <- E. apply is_null_eq in H0, H1. subst.
  destruct bev; auto.
Qed.

(** (if p then e else unit) + (if p then unit else e)  =  e, where unit + a = a and the operator commutes *)
Definition guard_cover : rewrite := fun F e => match e with
  | Op2 o (If p a (Lit (UnitOf o1))) (If q (Lit (UnitOf o2)) b) =>
      only (Pos.eqb o o1 && Pos.eqb o o2 && beqm p q && xeq a b) (Some ([UnitL o; Comm o], b))
  | _ => None end.
Theorem guard_cover_sound : sound guard_cover.
Proof.
  rule guard_cover. pose proof (beqm_ok _ _ r H1) as E. rewrite <- E. destruct bev.
  - rewrite Law0, Law. apply xeq_ok; auto.
  - apply Law.
Qed.
