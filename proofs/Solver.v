(** * Side conditions: guards that follow from facts, by witness

    The checker searches for nothing. A witness is a tree; its leaves are certificates of linear (or, with products,
    polynomial) integer arithmetic that Coq's own proved [ZChecker] accepts, each a combination of the facts that
    contradicts the negated goal. Quotients, remainders, minima and maxima are opaque to it: a leaf lists those that it
    talks about, and their defining inequalities join the facts. What does not follow from those inequalities linearly
    comes from [lemma]s. *)
From Coq Require Import ZArith List Lia Bool.
From Coq.micromega Require Import ZMicromega RingMicromega EnvRing Env OrderedRing Refl.
From Fluorite Require Import Syntax Meaning Subst.
Import ListNotations.
Open Scope Z_scope.

(** ** From index expressions to polynomials over names and opaque terms *)
Definition opaque := list iexp.
Fixpoint find_opaque (a : iexp) (T : opaque) (k : positive) : option positive :=
  match T with
  | [] => None
  | b :: T => if ieqb a b then Some k else find_opaque a T (Pos.succ k)
  end.
Fixpoint opaque_value (T : opaque) (k j : positive) (r : id -> Z) : Z :=
  match T with
  | [] => 0
  | b :: T => if Pos.eqb k j then iev r b else opaque_value T k (Pos.succ j) r
  end.
Definition env_of (T : opaque) (r : id -> Z) : PolEnv Z :=
  fun p => match p with xO x => r x | xI k => opaque_value T k 1 r | xH => 0 end.

Fixpoint poly (T : opaque) (a : iexp) : option (PExpr Z) :=
  match a with
  | IC z => Some (PEc z)
  | IV x => Some (PEX (xO x))
  | IAdd a b => do p <- poly T a; do q <- poly T b; Some (PEadd p q)
  | ISub a b => do p <- poly T a; do q <- poly T b; Some (PEsub p q)
  | IMul a b => do p <- poly T a; do q <- poly T b; Some (PEmul p q)
  | IMod a b => do p <- poly T a; do q <- poly T b; do k <- find_opaque (IDiv a b) T 1;
                Some (PEsub p (PEmul q (PEX (xI k))))
  | IDiv _ _ | IMin _ _ | IMax _ _ => do k <- find_opaque a T 1; Some (PEX (xI k))
  end.

Lemma find_opaque_ge a T : forall j k, find_opaque a T j = Some k -> (j <= k)%positive.
Proof.
  induction T as [|b T]; simpl; intros; try discriminate.
  destruct (ieqb a b); [inversion H; lia|]. apply IHT in H. lia.
Qed.
Lemma find_opaque_ok a T r : forall j k, find_opaque a T j = Some k -> opaque_value T k j r = iev r a.
Proof.
  induction T as [|b T]; simpl; intros; try discriminate. destruct (ieqb a b) eqn:E.
  - inversion H; subst. rewrite Pos.eqb_refl. apply ieqb_eq in E. congruence.
  - destruct (Pos.eqb_spec k j); auto. apply find_opaque_ge in H. lia.
Qed.
Lemma poly_ok T a : forall p r, poly T a = Some p -> Zeval_expr (env_of T r) p = iev r a.
Proof.
  induction a; cbn [poly]; intros p r H; results; cbn [Zeval_expr env_of iev]; auto;
  try (erewrite ?IHa1, ?IHa2 by eauto; auto; fail);
  try (erewrite find_opaque_ok by eauto; auto; fail).
  erewrite IHa1, IHa2, find_opaque_ok by eauto. cbn [iev].
  destruct (Z.eq_dec (iev r a2) 0) as [E|E]. rewrite E, Zmod_0_r. lia. rewrite (Z.mod_eq _ _ E). lia.
Qed.

Notation true_in := ZMicromega.eval_nformula.
Definition nonneg (p : PExpr Z) : NFormula Z := (normZ p, NonStrict).
Lemma nonneg_ok env p : 0 <= Zeval_expr env p -> true_in env (nonneg p).
Proof.
  unfold nonneg, ZMicromega.eval_nformula, RingMicromega.eval_nformula. simpl. intros.
  rewrite Zeval_expr_compat, ZMicromega.eval_pol_norm in H. exact H.
Qed.

(** [a <= b] as a hypothesis, if both are polynomials over the opaque terms at hand. *)
Definition le_hyp (T : opaque) (a b : iexp) : list (NFormula Z) :=
  match poly T a, poly T b with Some p, Some q => [nonneg (PEsub q p)] | _, _ => [] end.
Lemma le_hyp_ok T r a b : iev r a <= iev r b -> Forall (true_in (env_of T r)) (le_hyp T a b).
Proof.
  unfold le_hyp. intros. destruct (poly T a) eqn:A, (poly T b) eqn:B; auto. constructor; auto.
  apply nonneg_ok. simpl. rewrite (poly_ok _ _ _ _ A), (poly_ok _ _ _ _ B). lia.
Qed.

Fixpoint fact (T : opaque) (p : bexp) : list (NFormula Z) :=
  match p with
  | BLe a b => le_hyp T a b
  | BLt a b => le_hyp T (IAdd a (IC 1)) b
  | BEq a b => le_hyp T a b ++ le_hyp T b a
  | BAnd p q => fact T p ++ fact T q
  | BNot (BLe a b) => le_hyp T (IAdd b (IC 1)) a
  | BNot (BLt a b) => le_hyp T b a
  | _ => []
  end.
Lemma fact_ok T r p : bev r p = true -> Forall (true_in (env_of T r)) (fact T p).
Proof.
  induction p; simpl; intros; auto; try (apply le_hyp_ok; simpl; lia).
  - apply Forall_app; split; apply le_hyp_ok; lia.
  - bools. apply Forall_app; auto.
  - destruct p; auto; simpl in H; apply le_hyp_ok; simpl; lia.
Qed.

(** A divisor that is a positive constant or positive by a fact [0 < b]. *)
Definition positive_by (b : iexp) (f : bexp) : bool := match f with BLt (IC 0) c => ieqb c b | _ => false end.
Definition is_positive (F : facts) (b : iexp) : bool :=
  match b with IC z => 0 <? z | _ => existsb (positive_by b) F end.
Lemma is_positive_ok r F b : sat r F -> is_positive F b = true -> 0 < iev r b.
Proof.
  intros HF H. assert (E : existsb (positive_by b) F = true -> 0 < iev r b).
  { intros X. apply existsb_exists in X. destruct X as [f [I P]]. pose proof (proj1 (Forall_forall _ _) HF f I) as B.
    destruct f; try discriminate. destruct a; try discriminate. destruct z; try discriminate.
    apply ieqb_eq in P. subst. simpl in B. lia. }
  destruct b; auto. simpl in *. lia.
Qed.

(** What is known of an opaque term. *)
Definition about (F : facts) (T : opaque) (a : iexp) : list (NFormula Z) :=
  match a with
  | IDiv p q => if is_positive F q then le_hyp T (IMul q a) p ++ le_hyp T p (ISub (IAdd (IMul q a) q) (IC 1)) else []
  | IMin p q => le_hyp T a p ++ le_hyp T a q
  | IMax p q => le_hyp T p a ++ le_hyp T q a
  | _ => []
  end.
Lemma about_ok F T r a : sat r F -> Forall (true_in (env_of T r)) (about F T a).
Proof.
  intros HF. destruct a; simpl; auto.
  - destruct is_positive eqn:E; auto. apply (is_positive_ok r) in E; auto.
    pose proof (Z.div_mod (iev r a1) (iev r a2)). pose proof (Z.mod_pos_bound (iev r a1) (iev r a2)).
    apply Forall_app; split; apply le_hyp_ok; simpl; lia.
  - apply Forall_app; split; apply le_hyp_ok; simpl; lia.
  - apply Forall_app; split; apply le_hyp_ok; simpl; lia.
Qed.

Definition hyps (F : facts) (T : opaque) : list (NFormula Z) := flat_map (about F T) T ++ flat_map (fact T) F.
Lemma hyps_ok F T r : sat r F -> Forall (true_in (env_of T r)) (hyps F T).
Proof.
  intros. apply Forall_app. split; apply Forall_flat_map; apply Forall_forall; intros.
  apply about_ok; auto. apply fact_ok. eapply Forall_forall in H; eauto.
Qed.

(** ** Leaves *)
Definition negated (T : opaque) (p : bexp) : option (NFormula Z) :=
  match p with
  | BLe a b => do p <- poly T a; do q <- poly T b; Some (nonneg (PEsub (PEsub p q) (PEc 1)))
  | BLt a b => do p <- poly T a; do q <- poly T b; Some (nonneg (PEsub p q))
  | _ => None
  end.
Definition linear (F : facts) (p : bexp) (T : opaque) (pf : ZArithProof) : bool :=
  match negated T p with Some f => ZChecker (f :: hyps F T) pf | None => false end.

Lemma impl_false env l : make_impl (true_in env) l False -> Forall (true_in env) l -> False.
Proof. induction l; simpl; intros; auto. inversion H0; subst. auto. Qed.
Lemma linear_ok F p T pf r : linear F p T pf = true -> sat r F -> bev r p = true.
Proof.
  unfold linear. intros H HF. destruct (negated T p) as [f|] eqn:E; try discriminate.
  destruct (bev r p) eqn:B; auto. exfalso.
  apply (impl_false (env_of T r) (f :: hyps F T)). apply ZChecker_sound with (w := pf); auto.
  constructor; [|apply hyps_ok; auto].
  destruct p; try discriminate; cbn [negated] in E; results; apply nonneg_ok; simpl in *;
  erewrite !poly_ok by eauto; lia.
Qed.

(** ** Lemmas of division, remainder, minimum and maximum that leaves cannot find *)
Inductive lemma :=
| DivOfSum (i m j : iexp)       (* 0 <= j < m  ->  (i*m + j) / m = i *)
| ModOfSum (i m j : iexp)       (* 0 <= j < m  ->  (i*m + j) mod m = j *)
| DivDiv (a b c : iexp)         (* 0 < b, 0 < c  ->  a/b/c = a/(b*c) *)
| DivMod (a b : iexp)           (* 0 < b  ->  b*(a/b) + a mod b = a *)
| ModBound (a b : iexp)         (* 0 < b  ->  0 <= a mod b < b *)
| DivMono (a b c : iexp)        (* 0 < c, a <= b  ->  a/c <= b/c *)
| DivBound (a b c : iexp)       (* 0 < c, 0 <= a < b*c  ->  0 <= a/c < b *)
| CeilCover (n k : iexp)        (* 0 < k  ->  n <= (n + k - 1)/k * k *)
| MulMono (a b c : iexp)        (* 0 <= c, a <= b  ->  a*c <= b*c *)
| MinLeft (a b : iexp) | MinRight (a b : iexp) | MaxLeft (a b : iexp) | MaxRight (a b : iexp).

Definition in_range (i n : iexp) := BAnd (BLe (IC 0) i) (BLt i n).
Definition pos (a : iexp) := BLt (IC 0) a.
Definition premise (l : lemma) : bexp :=
  match l with
  | DivOfSum i m j | ModOfSum i m j => in_range j m
  | DivDiv a b c => BAnd (pos b) (pos c)
  | DivMod a b | ModBound a b => pos b
  | DivMono a b c => BAnd (pos c) (BLe a b)
  | DivBound a b c => BAnd (pos c) (in_range a (IMul b c))
  | CeilCover n k => pos k
  | MulMono a b c => BAnd (BLe (IC 0) c) (BLe a b)
  | MinLeft a b | MaxRight a b => BLe a b
  | MinRight a b | MaxLeft a b => BLe b a
  end.
Definition conclusion (l : lemma) : bexp :=
  match l with
  | DivOfSum i m j => BEq (IDiv (IAdd (IMul i m) j) m) i
  | ModOfSum i m j => BEq (IMod (IAdd (IMul i m) j) m) j
  | DivDiv a b c => BEq (IDiv (IDiv a b) c) (IDiv a (IMul b c))
  | DivMod a b => BEq (IAdd (IMul b (IDiv a b)) (IMod a b)) a
  | ModBound a b => in_range (IMod a b) b
  | DivMono a b c => BLe (IDiv a c) (IDiv b c)
  | DivBound a b c => in_range (IDiv a c) b
  | CeilCover n k => BLe n (IMul (IDiv (ISub (IAdd n k) (IC 1)) k) k)
  | MulMono a b c => BLe (IMul a c) (IMul b c)
  | MinLeft a b => BEq (IMin a b) a
  | MinRight a b => BEq (IMin a b) b
  | MaxLeft a b => BEq (IMax a b) a
  | MaxRight a b => BEq (IMax a b) b
  end.
Lemma lemma_ok l r : bev r (premise l) = true -> bev r (conclusion l) = true.
Proof.
  destruct l; simpl; intros; bools; rewrite ?andb_true_iff, ?Z.eqb_eq, ?Z.leb_le, ?Z.ltb_lt in *; try lia.
  - rewrite Z.div_add_l, Z.div_small by lia. lia.
  - rewrite Z.add_comm, Z_mod_plus_full, Z.mod_small by lia. lia.
  - apply Z.div_div; lia.
  - symmetry. apply Z.div_mod; lia.
  - apply Z.mod_pos_bound; lia.
  - apply Z.div_le_mono; lia.
  - split. apply Z.div_pos; lia. apply Z.div_lt_upper_bound; lia.
  - pose proof (Z.div_mod (iev r n + iev r k - 1) (iev r k)).
    pose proof (Z.mod_pos_bound (iev r n + iev r k - 1) (iev r k)). lia.
  - apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(** ** Witnesses *)
Inductive wit :=
| WTrue                                         (* the goal is [BTrue] *)
| WFact                                         (* the goal is one of the facts *)
| WLinear (T : opaque) (pf : ZArithProof)
| WSearch                                       (* a leaf whose certificate is searched; for derivations by hand *)
| WAnd (a b : wit)                              (* both halves of a conjunction or an equation *)
| WOr (a : wit)                                 (* the right half, if the left one is false *)
| WNot (a : wit)                                (* the fact contradicts the others *)
| WCase (q : bexp) (a b : wit)                  (* whether q or not *)
| WHave (q : bexp) (a b : wit)                  (* q, then the goal *)
| WLemma (l : lemma) (a b : wit).               (* the lemma's premise, then the goal *)

Definition absurd := BLt (IC 0) (IC 0).

Fixpoint opaque_of (a : iexp) : opaque :=
  match a with
  | IC _ | IV _ => []
  | IAdd a b | ISub a b | IMul a b => opaque_of a ++ opaque_of b
  | IMod a b => IDiv a b :: opaque_of a ++ opaque_of b
  | IDiv p q | IMin p q | IMax p q => a :: opaque_of p ++ opaque_of q
  end.
Fixpoint opaque_in (p : bexp) : opaque :=
  match p with
  | BTrue => []
  | BLe a b | BLt a b | BEq a b => opaque_of a ++ opaque_of b
  | BAnd p q | BOr p q => opaque_in p ++ opaque_in q
  | BNot p => opaque_in p
  end.
Fixpoint distinct (T : opaque) : opaque :=
  match T with [] => [] | a :: T => let T := distinct T in if existsb (ieqb a) T then T else a :: T end.

(** The negated goal plus at most three hypotheses, each taken once. Nothing depends on this being complete. *)
Definition hyp (i : nat) := PsatzIn Z i.
Definition attempt (l : list (NFormula Z)) (p : Psatz Z) := ZChecker l (RatProof p DoneProof).
Definition search (F : facts) (p : bexp) : bool :=
  let T := distinct (opaque_in p ++ flat_map opaque_in F) in
  match negated T p with
  | None => false
  | Some f =>
      let l := f :: hyps F T in
      let ns := seq 1 (length l - 1) in
      attempt l (hyp 0) || existsb (fun i => attempt l (PsatzAdd (hyp 0) (hyp i))) ns
      || existsb (fun i => existsb (fun j => attempt l (PsatzAdd (hyp 0) (PsatzAdd (hyp i) (hyp j)))) (seq 1 i)) ns
      || existsb (fun i => existsb (fun j => existsb (fun k =>
           attempt l (PsatzAdd (hyp 0) (PsatzAdd (hyp i) (PsatzAdd (hyp j) (hyp k))))) (seq 1 j)) (seq 1 i)) ns
  end.
Lemma search_ok F p r : search F p = true -> sat r F -> bev r p = true.
Proof.
  unfold search. set (T := distinct _). clearbody T. intros H HF.
  destruct (negated T p) as [f|] eqn:E; try discriminate.
  assert (A : forall q, attempt (f :: hyps F T) q = true -> bev r p = true).
  { intros q Q. apply (linear_ok F p T (RatProof q DoneProof)); auto. unfold linear. rewrite E. exact Q. }
  cbv zeta in H. rewrite !orb_true_iff in H. destruct H as [[[H|H]|H]|H]; eauto;
  repeat (apply existsb_exists in H; destruct H as [? [_ H]]); eauto.
Qed.

Fixpoint prove (F : facts) (p : bexp) (w : wit) : bool :=
  match w with
  | WTrue => match p with BTrue => true | _ => false end
  | WFact => existsb (beqb p) F
  | WLinear T pf => linear F p T pf
  | WSearch => search F p
  | WAnd a b => match p with
      | BAnd p q => prove F p a && prove F q b
      | BEq x y => prove F (BLe x y) a && prove F (BLe y x) b
      | _ => false end
  | WOr a => match p with BOr p q => prove (BNot p :: F) q a | _ => false end
  | WNot a => match p with BNot p => prove (p :: F) absurd a | _ => false end
  | WCase q a b => prove (q :: F) p a && prove (BNot q :: F) p b
  | WHave q a b => prove F q a && prove (q :: F) p b
  | WLemma l a b => prove F (premise l) a && prove (conclusion l :: F) p b
  end.

Theorem prove_ok w : forall F p r, prove F p w = true -> sat r F -> bev r p = true.
Proof.
  induction w; cbn [prove]; intros F p r H HF; bools.
  - destruct p; try discriminate; auto.
  - apply existsb_exists in H. destruct H as [q [I E]]. apply beqb_eq in E. subst. eapply Forall_forall in HF; eauto.
  - eapply linear_ok; eauto.
  - eapply search_ok; eauto.
  - destruct p; try discriminate; bools; simpl.
    + pose proof (IHw1 _ _ r H HF). pose proof (IHw2 _ _ r H0 HF). simpl in *. lia.
    + erewrite IHw1, IHw2 by eauto. auto.
  - destruct p; try discriminate. simpl. destruct (bev r p1) eqn:E; auto. simpl. eapply IHw; eauto.
    constructor; auto. simpl. rewrite E. auto.
  - destruct p; try discriminate. simpl. destruct (bev r p) eqn:E; auto.
    apply (fun h => IHw _ _ r h (Forall_cons _ E HF)) in H. discriminate.
  - destruct (bev r q) eqn:E; [eapply IHw1 | eapply IHw2]; eauto; constructor; auto. simpl. rewrite E. auto.
  - eapply IHw2; eauto. constructor; eauto.
  - eapply IHw2; eauto. constructor; auto. apply lemma_ok. eauto.
Qed.

(** Equality of index expressions by ring normal form, opaque terms compared as they are. *)
Definition cancel := RatProof (PsatzIn Z 0) DoneProof.
Definition ieqm (a b : iexp) : bool :=
  ieqb a b || (let T := opaque_of a ++ opaque_of b in linear [] (BLe a b) T cancel && linear [] (BLe b a) T cancel).
Lemma ieqm_ok a b r : ieqm a b = true -> iev r a = iev r b.
Proof.
  unfold ieqm. intros. apply orb_prop in H. destruct H. apply ieqb_eq in H; congruence. bools.
  apply (linear_ok _ _ _ _ r) in H; [|constructor]. apply (linear_ok _ _ _ _ r) in H0; [|constructor].
  simpl in *. lia.
Qed.
