(** * Rewrites: what a rule is, and that it may be applied anywhere

    A rule is a function from facts and a program to the laws that it uses and the new program; it fails where it does
    not apply. [sound] is the one property that a rule has to have. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal.
Import ListNotations.
Open Scope Z_scope.

Definition rewrite := facts -> exp -> option (laws * exp).
Definition sound (f : rewrite) : Prop := forall F e L e', f F e = Some (L, e') -> same L F e e'.

(** The result of a rule that uses no law, after a side condition. *)
Definition gives (e : exp) : option (laws * exp) := Some ([], e).
Definition provided (F : facts) (p : bexp) (w : wit) {A} (o : option A) : option A := only (prove F p w) o.

(** ** Combinators *)
(** The rule read from right to left: the engine says what the program should become. *)
Definition reversed (f : rewrite) (e' : exp) : rewrite := fun F e =>
  do (L, e1) <- f F e'; only (xeq e1 e) (Some (L, e')).
Theorem reversed_sound f e' : sound f -> sound (reversed f e').
Proof.
  unfold reversed. intros H F e L e1 E S HL r s idx HF. destruct (f F e') as [[L1 e2]|] eqn:E1; simpl in E; results.
  rewrite (H _ _ _ _ E1 S HL r s idx HF). symmetry. apply xeq_ok; auto.
Qed.

Definition sequence (f g : rewrite) : rewrite := fun F e =>
  do (L, e1) <- f F e; do (M, e2) <- g F e1; Some (L ++ M, e2).
Theorem sequence_sound f g : sound f -> sound g -> sound (sequence f g).
Proof.
  unfold sequence. intros Hf Hg F e L e' E S HL r s idx HF. destruct (f F e) as [[L1 e1]|] eqn:E1;
    simpl in E; [|discriminate]. destruct (g F e1) as [[M e2]|] eqn:E2; simpl in E; inversion E; subst.
  apply Forall_app in HL. destruct HL as [HL HM].
  rewrite (Hf _ _ _ _ E1 S HL r s idx HF). exact (Hg _ _ _ _ E2 S HM r s idx HF).
Qed.

(** ** Operands below which no name is bound *)
Definition operand (k : nat) (e : exp) : option ((exp -> exp) * exp) :=
  match e, k with
  | Op1 o a, 0%nat => Some (Op1 o, a)
  | Op2 o a b, 0%nat => Some (fun h => Op2 o h b, a)
  | Op2 o a b, 1%nat => Some (fun h => Op2 o a h, b)
  | Op3 o a b c, 0%nat => Some (fun h => Op3 o h b c, a)
  | Op3 o a b c, 1%nat => Some (fun h => Op3 o a h c, b)
  | Op3 o a b c, 2%nat => Some (fun h => Op3 o a b h, c)
  | If p a b, 0%nat => Some (fun h => If p h b, a)
  | If p a b, 1%nat => Some (fun h => If p a h, b)
  | Cat n a b, 0%nat => Some (fun h => Cat n h b, a)
  | Cat n a b, 1%nat => Some (fun h => Cat n a h, b)
  | View v a, 0%nat => Some (View v, a)
  | Mark m a, 0%nat => Some (Mark m, a)
  | Get a i, 0%nat => Some (fun h => Get h i, a)
  | _, _ => None
  end.
Ltac operands H := unfold operand in H;
  repeat match type of H with (match ?x with _ => _ end) = _ => destruct x; try discriminate end;
  inversion H; subst; clear H.

Lemma operand_eq k e h a : operand k e = Some (h, a) -> e = h a.
Proof. intros H. operands H; auto. Qed.
Lemma operand_ext S k e h a : operand k e = Some (h, a) -> forall r s b c idx,
  (forall idx, den S r s b idx = den S r s c idx) -> den S r s (h b) idx = den S r s (h c) idx.
Proof. intros H. operands H; intros r s b c idx E; cbn [den]; rewrite ?E; auto;
  try (destruct idx; auto; rewrite E; auto; fail). destruct seen; auto. Qed.
Lemma operand_if S k e h a : operand k e = Some (h, a) -> forall r s p b c idx,
  den S r s (h (If p b c)) idx = den S r s (If p (h b) (h c)) idx.
Proof. intros H. operands H; intros r s q b c idx; cbn [den]; destruct (bev r q); auto. Qed.
Lemma operand_let S k e h a : operand k e = Some (h, a) -> forall r s t b c idx, tin t (h Null) = false ->
  den S r s (h (Let t b c)) idx = den S r s (Let t b (h c)) idx.
Proof.
  intros H. operands H; intros r s u x y idx F; cbn [tin Null] in F; bools; cbn [den]; auto; try (destruct idx; auto);
  repeat match goal with
    | N : tin ?t ?b = false |- context [den S ?r (upd ?s ?t ?v) ?b ?i] => rewrite (den_tfresh S b r s t v i N)
    end; auto.
Qed.

(** ** Facts below a node *)
Definition without (x : id) (F : facts) : facts := filter (fun p => negb (bin x p)) F.
Definition inside (x : id) (n : iexp) (F : facts) : facts :=
  (if iin x n then [] else [BLe (IC 0) (IV x); BLt (IV x) n]) ++ without x F.
Lemma sat_without r F x i : sat r F -> sat (upd r x i) (without x F).
Proof.
  unfold sat, without. rewrite !Forall_forall. intros H p I. apply filter_In in I. destruct I. bools.
  rewrite bev_fresh; auto.
Qed.
Lemma sat_inside r F x n i : sat r F -> 0 <= i < iev r n -> sat (upd r x i) (inside x n F).
Proof.
  intros. apply Forall_app. split; [|apply sat_without; auto]. destruct (iin x n) eqn:E; auto.
  repeat constructor; simpl; rewrite upd_eq, ?iev_fresh by auto; lia.
Qed.

(** ** A rule at a path *)
Definition path := list nat.
Definition under_fst (o : option (laws * exp)) (f : exp -> exp) : option (laws * exp) := do (L, e) <- o; Some (L, f e).

Fixpoint at_path (p : path) (f : rewrite) (F : facts) (e : exp) : option (laws * exp) :=
  match p with
  | [] => f F e
  | c :: p =>
    match e, c with
    | Gen x n b, O => under_fst (at_path p f (inside x n F) b) (Gen x n)
    | Fold o x n b, O => under_fst (at_path p f (inside x n F) b) (Fold o x n)
    | If q a b, O => under_fst (at_path p f (q :: F) a) (fun a' => If q a' b)
    | If q a b, 1%nat => under_fst (at_path p f (BNot q :: F) b) (fun b' => If q a b')
    | Let t a b, O => under_fst (at_path p f F a) (fun a' => Let t a' b)
    | Let t a b, 1%nat => under_fst (at_path p f F b) (fun b' => Let t a b')
    | Get a i, O => under_fst (at_path p f F a) (fun a' => Get a' i)
    | Op1 o a, O => under_fst (at_path p f F a) (Op1 o)
    | Op2 o a b, O => under_fst (at_path p f F a) (fun a' => Op2 o a' b)
    | Op2 o a b, 1%nat => under_fst (at_path p f F b) (fun b' => Op2 o a b')
    | Op3 o a b c, O => under_fst (at_path p f F a) (fun a' => Op3 o a' b c)
    | Op3 o a b c, 1%nat => under_fst (at_path p f F b) (fun b' => Op3 o a b' c)
    | Op3 o a b c, 2%nat => under_fst (at_path p f F c) (fun c' => Op3 o a b c')
    | Cat n a b, O => under_fst (at_path p f F a) (fun a' => Cat n a' b)
    | Cat n a b, 1%nat => under_fst (at_path p f F b) (fun b' => Cat n a b')
    | View v a, O => under_fst (at_path p f F a) (View v)
    | Mark m a, O => under_fst (at_path p f F a) (Mark m)
    | Bind x a b, O => under_fst (at_path p f F a) (fun a' => Bind x a' b)
    | Bind x a b, 1%nat => under_fst (at_path p f (without x F) b) (fun b' => Bind x a b')
    | Iter t x n a b, O => under_fst (at_path p f F a) (fun a' => Iter t x n a' b)
    | Iter t x n a b, 1%nat => under_fst (at_path p f (inside x n F) b) (fun b' => Iter t x n a b')
    | _, _ => None
    end
  end.

Theorem at_path_sound p : forall f, sound f -> sound (at_path p f).
Proof.
  induction p as [|c p IH]; intros f H F e L e' E; cbn [at_path] in E; [eapply H; eauto|].
  specialize (IH f H).
  destruct e; try discriminate; destruct c as [|[|[|c]]]; try discriminate; unfold under_fst in E;
  match type of E with bind ?o _ = _ => destruct o as [[L1 e1']|] eqn:E1; simpl in E; results end;
  intros S HL r s idx HF; pose proof (IH _ _ _ _ E1 S HL) as I; clear IH H E1; simpl; auto.
  - destruct idx as [|i is]; auto. destruct (within_spec i (iev r n)); auto. apply I. apply sat_inside; auto.
  - apply foldz_ext. intros. apply I. apply sat_inside; auto.
  - destruct (bev r p0) eqn:B; auto. apply I. constructor; auto.
  - destruct (bev r p0) eqn:B; auto. apply I. constructor; auto. simpl. rewrite B. auto.
  - apply den_let. intros. apply I; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - f_equal; auto.
  - destruct idx; auto. destruct Z.ltb; auto.
  - destruct idx; auto. destruct Z.ltb; auto.
  - destruct seen; auto.
  - rewrite (I r s [] HF). auto.
  - apply I. apply sat_without; auto.
  - apply itern_ext; auto. intros. apply den_let; auto.
  - apply itern_ext; auto. intros. rewrite (den_let S _ _ _ _ _ _ _ H0). apply I. apply sat_inside; auto. lia.
Qed.

(** ** Tactics of the proofs of rules *)
(** From [sound (f args)] to the equation, the program taken apart as the rule's patterns say. *)
Ltac take_apart H := repeat match type of H with
  | (match ?x with _ => _ end) = Some _ => first [is_var x; destruct x | destruct x eqn:?]; try discriminate
  | bind _ _ = Some _ => results
  | only _ _ = Some _ => results
  end; results; subst.
Ltac laws_of HL := repeat match type of HL with
  | obeys _ (_ :: _) => let h := fresh "Law" in inversion HL as [|? ? h ?]; subst; clear HL;
      match goal with HT : Forall _ _ |- _ => rename HT into HL end; simpl in h
  | Forall _ (_ :: _) => let h := fresh "Law" in inversion HL as [|? ? h ?]; subst; clear HL;
      match goal with HT : Forall _ _ |- _ => rename HT into HL end; simpl in h
  end.
Ltac sides r HF := repeat match goal with
  | H : prove ?F _ _ = true |- _ => apply (fun h => prove_ok _ F _ r h HF) in H; cbn [bev iev in_range pos] in H; bools
  end.
Ltac rule f :=
  unfold f, provided, gives; intros F e L e' H; take_apart H; intros S HL r s idx HF; try laws_of HL; sides r HF;
  cbn [den Guard Null].
Ltac lt_cases := repeat match goal with
  | |- context [?i <? ?n] => destruct (Z.ltb_spec i n); try lia
  | |- context [?i <=? ?n] => destruct (Z.leb_spec i n); try lia
  end.
Ltac within_cases := repeat match goal with |- context [within ?i ?n] => destruct (within_spec i n); try lia end.
(** Replaces the result of a substitution by what it was made of. *)
Ltac use_subst S := repeat match goal with
  | H : tsub _ _ _ = Some ?e |- context [den _ _ _ ?e _] => rewrite (tsub_ok S _ _ _ _ H); clear H
  | H : esub _ _ _ = Some ?e |- context [den _ _ _ ?e _] => rewrite (esub_ok S _ _ _ _ H); clear H
  end.
