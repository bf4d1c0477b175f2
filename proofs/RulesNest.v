(** * A nest of loops in another order, in tiles, fused: one rule for all of them

    The loops of a nest may be replaced by any others that compute every element at least once. The rule takes the new
    loops [Ls]; for each old index the expression over the new ones, [ss], at which an iteration computes and stores; and
    for each new loop, as an expression over the old indices, [ts], the iteration that computes the element there, which
    shows that nothing is left out. Iterations that [p] does not let pass compute nothing. Splitting with any treatment of
    the tail, fusing, reordering and tiling, and all of them one after the other, are instances. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

Definition nest := list (id * iexp).
Definition bound (y : id) (xs : nest) : bool := existsb (fun p => Pos.eqb (fst p) y) xs.

(** ** Nests of generations *)
Fixpoint gens (xs : nest) (e : exp) : exp := match xs with [] => e | (x, n) :: xs => Gen x n (gens xs e) end.
Fixpoint strip (k : nat) (e : exp) : option (nest * exp) :=
  match k, e with
  | O, _ => Some ([], e)
  | Datatypes.S k, Gen x n e => do (xs, b) <- strip k e; Some ((x, n) :: xs, b)
  | _, _ => None
  end.
Lemma strip_ok k : forall e xs b, strip k e = Some (xs, b) -> e = gens xs b.
Proof. induction k; destruct e; cbn [strip]; intros; results; auto. cbn [gens]. f_equal; auto. Qed.
Lemma strip_length k : forall e xs b, strip k e = Some (xs, b) -> length xs = k.
Proof. induction k; destruct e; cbn [strip]; intros; results; auto. cbn [length]. f_equal. eauto. Qed.
Lemma combine_in {A B} (l : list A) : forall (m : list B) a,
  In a l -> length l = length m -> exists b, In (a, b) (combine l m).
Proof.
  induction l as [|c l IH]; destruct m; intros a I N; try destruct I; try discriminate; subst; simpl.
  - eauto.
  - destruct (IH m a) as [d D]; eauto.
Qed.
Lemma gens_ok S xs b : forall r s idx, den S r s (gens xs b) idx =
  match enter r xs idx with Some (q, is) => den S q s b is | None => null S end.
Proof.
  induction xs as [|[x n] xs IH]; intros; cbn [gens den enter]; auto. destruct idx; auto. destruct within; auto.
Qed.

Fixpoint insides (xs : nest) (F : facts) : facts := match xs with [] => F | (x, n) :: xs => insides xs (inside x n F) end.
Lemma enter_sat xs : forall r F idx q is, enter r xs idx = Some (q, is) -> sat r F -> sat q (insides xs F).
Proof.
  induction xs as [|[x n] xs IH]; cbn [enter insides]; intros r F idx q is H HF; [results; auto|].
  destruct idx as [|i js]; try discriminate. destruct (within_spec i (iev r n)); try discriminate.
  eapply IH; eauto. apply sat_inside; auto.
Qed.
Lemma enter_other y xs : forall r idx q is, enter r xs idx = Some (q, is) -> bound y xs = false -> q y = r y.
Proof.
  induction xs as [|[x n] xs IH]; cbn [enter bound existsb fst]; intros r idx q is H B; [results; auto|].
  destruct idx as [|i js]; try discriminate. destruct within; try discriminate. bools.
  rewrite (IH _ _ _ _ H) by auto. apply upd_ne; auto.
Qed.

(** ** Substitution of several names, one after the other *)
Definition substitution := list (id * iexp).
Fixpoint assign (r : id -> Z) (u : substitution) : id -> Z :=
  match u with [] => r | (x, v) :: u => assign (upd r x (iev r v)) u end.
Fixpoint bsubs (u : substitution) (p : bexp) : bexp := match u with [] => p | (x, v) :: u => bsub x v (bsubs u p) end.
Fixpoint esubs (u : substitution) (e : exp) : option exp :=
  match u with [] => Some e | (x, v) :: u => do e' <- esubs u e; esub x v e' end.
Lemma bsubs_ok u p : forall r, bev r (bsubs u p) = bev (assign r u) p.
Proof. induction u as [|[x v] u IH]; intros; cbn [bsubs assign]; auto. rewrite bsub_ok. auto. Qed.
Lemma esubs_ok S u e : forall e' r s idx, esubs u e = Some e' -> den S r s e' idx = den S (assign r u) s e idx.
Proof.
  induction u as [|[x v] u IH]; intros e' r s idx H; cbn [esubs assign] in *; results; auto.
  rewrite (esub_ok S _ _ _ _ H). auto.
Qed.

(** The types of names are unfolded in one of the two, which [rewrite] does not see through. *)
Ltac clash Y N := exfalso; exact (eq_true_false_abs _ Y (proj1 (negb_true_iff _) N)).

(** No name of [xs] occurs in the expressions. *)
Definition free_of (xs : nest) (ts : list iexp) : bool :=
  forallb (fun t => forallb (fun p => negb (iin (fst p) t)) xs) ts.
Lemma free_of_ok xs ts : free_of xs ts = true -> forall t y, In t ts -> iin y t = true -> bound y xs = false.
Proof.
  unfold free_of. intros H t y T Y. rewrite forallb_forall in H. specialize (H t T). cbn beta in H.
  rewrite forallb_forall in H. destruct (bound y xs) eqn:B; auto. apply existsb_exists in B. destruct B as [p [P E]].
  bools. specialize (H p P). cbn beta in H. subst. clash Y H.
Qed.
Fixpoint distinct_names (xs : nest) : bool :=
  match xs with [] => true | (x, _) :: xs => negb (bound x xs) && distinct_names xs end.

Definition to (xs : nest) (vs : list iexp) : substitution := combine (map fst xs) vs.

Lemma assign_other y u : forall r, existsb (fun p => Pos.eqb (fst p) y) u = false -> assign r u y = r y.
Proof.
  induction u as [|[x v] u IH]; cbn [assign existsb fst]; intros r H; auto. bools. rewrite IH by auto. apply upd_ne; auto.
Qed.
Lemma to_bound y xs : forall vs, bound y xs = false -> existsb (fun p => Pos.eqb (fst p) y) (to xs vs) = false.
Proof.
  unfold to. induction xs as [|[x n] xs IH]; destruct vs; cbn [bound existsb map combine fst]; intros H; auto. bools.
  rewrite IH by auto. destruct (Pos.eqb_spec x y); auto. congruence.
Qed.
(** Where values do not mention the names, all are evaluated at the start. *)
Lemma assign_hit xs : forall vs r r0, distinct_names xs = true ->
  (forall v y, In v vs -> iin y v = true -> bound y xs = false /\ r y = r0 y) ->
  forall y v n, In ((y, n), v) (combine xs vs) -> assign r (to xs vs) y = iev r0 v.
Proof.
  unfold to. induction xs as [|[x m] xs IH]; destruct vs as [|w vs]; cbn [distinct_names map combine assign fst];
  intros r r0 D C y v n I; try (destruct I; fail). bools. destruct I as [I|I].
  - inversion I; subst. rewrite assign_other by (apply (to_bound y xs vs); auto). rewrite upd_eq.
    apply iev_ext. intros z Z. apply (C v z); simpl; auto.
  - eapply IH; eauto. intros u z U Z. specialize (C u z (or_intror U) Z). cbn [bound existsb fst] in C. destruct C as [C E].
    bools. split; auto. rewrite upd_ne; auto.
Qed.

(** New loops entered at the iteration that the values give. *)
Lemma enter_in (A : id -> bool) (Ls0 : nest) (q0 : id -> Z) is : forall Ls ts r q,
  length ts = length Ls ->
  (forall y, bound y Ls0 = true \/ bound y Ls = false) ->
  (forall y, bound y Ls0 = false -> q y = q0 y) ->
  (forall y, A y = false -> r y = q y) ->
  (forall t y, In t ts -> iin y t = true -> bound y Ls0 = false) ->
  (forall L e y, In (L, e) Ls -> iin y e = true -> bound y Ls0 = false /\ A y = false) ->
  (forall L e t, In ((L, e), t) (combine Ls ts) -> 0 <= iev q0 t < iev q0 e) ->
  exists q2, enter r Ls (map (iev q0) ts ++ is) = Some (q2, is) /\
    forall y, A y = false -> q2 y = assign q (to Ls ts) y.
Proof.
  unfold to. induction Ls as [|[L e] Ls IH]; destruct ts as [|t ts]; cbn [length map combine enter app assign fst];
  intros r q N B Q R T E I; try discriminate.
  - exists r. split; auto.
  - assert (X : iev r e = iev q0 e).
    { apply iev_ext. intros y Y. destruct (E L e y (or_introl eq_refl) Y). rewrite R, Q; auto. }
    specialize (I L e t (or_introl eq_refl)) as K. destruct (within_spec (iev q0 t) (iev r e)); [|lia].
    assert (V : iev q t = iev q0 t).
    { apply iev_ext. intros y Y. apply Q. eapply T; eauto. simpl. auto. }
    rewrite V.
    apply IH; auto.
    + intros y. destruct (B y) as [?|H]; auto. cbn [bound existsb fst] in H. bools. auto.
    + intros y Y. destruct (B y) as [?|H]; [congruence|]. cbn [bound existsb fst] in H. bools.
      rewrite upd_ne; auto.
    + intros y Y. unfold upd. destruct Pos.eqb; auto.
    + intros u y U. apply T. simpl. auto.
    + intros M f y M1. apply (E M). simpl. auto.
    + intros M f u M1. apply (I M). simpl. auto.
Qed.

(** ** The rule *)
Definition all (ps : list bexp) : bexp := fold_right BAnd BTrue ps.
Lemma all_ok r ps : bev r (all ps) = true -> forall p, In p ps -> bev r p = true.
Proof. induction ps; cbn [all fold_right bev]; intros H p []; bools; subst; auto. Qed.

(** Each iteration of the new loops at hand is one; it computes the old indices; the guard lets it pass. *)
Definition covered (xs Ls : nest) (ss ts : list iexp) (p : bexp) : bexp :=
  all (map (fun q => in_range (snd q) (snd (fst q))) (combine Ls ts) ++
       map (fun q => bsubs (to Ls ts) (BEq (snd q) (IV (fst (fst q))))) (combine xs ss) ++ [bsubs (to Ls ts) p]).

Definition guarded (p : bexp) (b : exp) : exp := match p with BTrue => b | _ => Guard p b end.

(** gen x1 < n1. .. b  =  reindex (gen L1 < e1. .. if p then b with ss for xs else null) *)
Definition reindex (Ls : nest) (ss ts : list iexp) (p : bexp) (w : wit) : rewrite := fun F e =>
  do (xs, b) <- strip (length ss) e;
  do b1 <- esubs (to xs ss) b;
  let body := guarded p b1 in
  only (Nat.eqb (length ts) (length Ls) && distinct_names xs && free_of xs ss && free_of xs (map snd Ls)
        && free_of Ls (map snd Ls) && free_of Ls ts && forallb (fun q => negb (ein (fst q) body)) xs && forallb (fun q => negb (ein (fst q) b)) Ls
        && forallb (fun q => negb (bound (fst q) Ls)) xs)
    (provided (insides xs F) (covered xs Ls ss ts p) w (gives (View (Reindex xs ts) (gens Ls body)))).

Theorem reindex_sound Ls ss ts p w : sound (reindex Ls ss ts p w).
Proof.
  unfold reindex, provided, gives. intros F e L e' H. results.
  destruct (prove _ _ w) eqn:PR; [|discriminate]. results.
  intros S HL r s idx HF. pose proof (strip_length _ _ _ _ Heqo) as LS. rewrite (strip_ok _ _ _ _ Heqo), gens_ok. clear Heqo HL. cbn [den seen].
  destruct (enter r n idx) as [[q is]|] eqn:EN; auto.
  assert (CV := all_ok _ _ (prove_ok _ _ _ q PR (enter_sat _ _ _ _ _ _ EN HF))). clear PR.
  match goal with K : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in K end.
  destruct (enter_in (fun y => bound y n) Ls q is Ls ts r q) as [q2 [E2 Q2]]; auto.
  - intros y. destruct (bound y Ls); auto.
  - intros y Y. symmetry. eapply enter_other; eauto.
  - apply free_of_ok; auto.
  - intros M f y M1 Y. apply (in_map snd) in M1.
    split; [apply (free_of_ok Ls (map snd Ls)) with f | apply (free_of_ok n (map snd Ls)) with f]; auto.
  - intros M f t M1.
    assert (X : bev q (in_range t f) = true).
    { apply CV. apply in_or_app. left. apply in_map_iff. exists ((M, f), t). auto. }
    cbn [in_range bev iev] in X. bools. lia.
  - rewrite gens_ok, E2.
    set (E := assign q (to Ls ts)) in *.
    transitivity (den S E s (guarded p e1) is).
    2: { apply den_ext; auto. intros y Y. symmetry. apply Q2. destruct (bound y n) eqn:B; auto.
         apply existsb_exists in B. destruct B as [x [X XE]]. bools. subst.
         match goal with K : forallb (fun q => negb (ein (fst q) (guarded _ _))) _ = true |- _ =>
           rewrite forallb_forall in K; specialize (K x X); cbn beta in K; clash Y K end. }
    assert (P : bev E p = true).
    { unfold E. rewrite <- bsubs_ok. apply CV. apply in_or_app. right. apply in_or_app. right. simpl. auto. }
    transitivity (den S E s e1 is).
    2: { unfold guarded. destruct p; auto; cbn [Guard den]; rewrite P; auto. }
    rewrite (esubs_ok S _ _ _ E s is Heqo0).
    apply den_ext; auto. intros y Y.
    assert (NL : bound y Ls = false).
    { destruct (bound y Ls) eqn:B; auto. apply existsb_exists in B. destruct B as [x [X XE]]. bools. subst.
      match goal with K : forallb (fun q => negb (ein (fst q) e0)) Ls = true |- _ =>
        rewrite forallb_forall in K; specialize (K x X); cbn beta in K; clash Y K end. }
    destruct (bound y n) eqn:B.
    2: { rewrite assign_other by (apply to_bound; auto). unfold E. rewrite assign_other by (apply to_bound; auto). auto. }
    apply existsb_exists in B. destruct B as [[x m] [X XE]]. bools. simpl in XE. subst.
    destruct (combine_in _ _ (y, m) X LS) as [v V].
    rewrite (assign_hit n ss E E) with (v := v) (n := m); auto.
    2: { intros u z U Z. split; auto. eapply (free_of_ok n ss); eauto. }
    assert (C : bev q (bsubs (to Ls ts) (BEq v (IV y))) = true).
    { apply CV. apply in_or_app. right. apply in_or_app. left. apply in_map_iff. exists ((y, m), v). auto. }
    rewrite bsubs_ok in C. cbn [bev iev] in C. apply Z.eqb_eq in C. fold E in C. rewrite C.
    symmetry. unfold E. apply assign_other. apply to_bound; auto.
Qed.
