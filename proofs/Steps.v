(** * Steps of scans: which elements a step reads, and what it asks before it changes its own

    [touches] says that each read of a tensor in a program is of certain indices; [check_touches] decides it by witnesses,
    asked for at each read. [asked] are the conditions under which a step changes the element at hand, and [respell] gives
    the names of a second event, about which the same facts hold in another spelling ([joint_second]). *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Stores.
Import ListNotations.
Open Scope Z_scope.

(** ** What an element depends on *)
(** Each read of [t] in [e] is of an index of [P]. What is not an access of a name is looked at element by element. *)
Fixpoint touches (t : id) (P : list Z -> Prop) (r : id -> Z) (e : exp) (idx : list Z) : Prop :=
  match e with
  | Lit _ => True
  | Var u => u = t -> P idx
  | Get e i => touches t P r e (iev r i :: idx)
  | Gen x n e | Fold _ x n e => forall i, 0 <= i < iev r n -> touches t P (upd r x i) e []
  | If p a b => (bev r p = true -> touches t P r a []) /\ (bev r p = false -> touches t P r b [])
  | Let u a b => u <> t /\ touches t P r a [] /\ touches t P r b []
  | Op1 _ a | View _ a | Mark _ a => touches t P r a []
  | Op2 _ a b | Cat _ a b => touches t P r a [] /\ touches t P r b []
  | Op3 _ a b c => touches t P r a [] /\ touches t P r b [] /\ touches t P r c []
  | Bind x a b => touches t P r a [] /\ forall i, touches t P (upd r x i) b []
  | Iter u x n a b => u <> t /\ touches t P r a [] /\ forall i, 0 <= i < iev r n -> touches t P (upd r x i) b []
  end.

Section Agree.
Variable S : algebra.
Variable t : id.
Variable P : list Z -> Prop.
Definition like (s s' : id -> ten S) : Prop :=
  (forall u, u <> t -> forall i, s u i = s' u i) /\ (forall i rest, P i -> s t (i ++ rest) = s' t (i ++ rest)).
Lemma like_upd s s' u v w : like s s' -> u <> t -> (forall i, v i = w i) -> like (upd s u v) (upd s' u w).
Proof.
  intros [A B] N E. split.
  - intros z Z i. unfold upd. destruct (Pos.eqb u z); auto.
  - intros i rest I. rewrite !upd_ne by auto. auto.
Qed.
Lemma touches_agree e : forall r s s' idx, touches t P r e idx -> like s s' ->
  forall rest, den S r s e (idx ++ rest) = den S r s' e (idx ++ rest).
Proof.
  assert (ONE : forall e, (forall r s s' idx, touches t P r e idx -> like s s' -> forall rest,
    den S r s e (idx ++ rest) = den S r s' e (idx ++ rest)) -> forall r s s' j, touches t P r e [] -> like s s' ->
    den S r s e j = den S r s' e j) by (intros f H r s s' j T L; apply (H r s s' [] T L j)).
  induction e; cbn [touches den]; intros r s s' idx T L rest.
  - auto.
  - destruct (Pos.eq_dec t0 t) as [->|N]; [apply L; auto | apply (proj1 L); auto].
  - destruct (idx ++ rest) as [|i is]; auto. destruct (within_spec i (iev r n)); eauto.
  - apply foldz_ext. intros i I. eapply ONE; eauto.
  - destruct T as [T1 T2]. destruct (bev r p); eapply ONE; eauto.
  - destruct T as [N [T1 T2]]. eapply ONE; eauto. apply like_upd; eauto.
  - apply (IHe r s s' (iev r i :: idx) T L rest).
  - f_equal. eapply ONE; eauto.
  - destruct T. f_equal; eapply ONE; eauto.
  - destruct T as [? [? ?]]. f_equal; eapply ONE; eauto.
  - destruct T. destruct (idx ++ rest); auto. destruct Z.ltb; eauto.
  - destruct seen; eauto.
  - eauto.
  - destruct T as [T1 T2]. rewrite (ONE e1 IHe1 r s s' []) by auto. eapply ONE; eauto.
  - destruct T as [N [T1 T2]]. apply itern_ext; [intros; eapply ONE; eauto|].
    intros i v w I E j. eapply ONE; [exact IHe2 | apply T2; lia | apply like_upd; auto].
Qed.
End Agree.

(** Witnesses for what is asked of each read. *)
Definition question : Type := facts * bexp.
Definition answered (r : id -> Z) (g : question) : Prop := sat r (fst g) -> bev r (snd g) = true.
Fixpoint prove_each (F : facts) (gs : list question) (ws : list wit) : option (list wit) :=
  match gs, ws with
  | [], _ => Some ws
  | g :: gs, w :: ws => only (prove (fst g ++ F) (snd g) w) (prove_each F gs ws)
  | _ :: _, [] => None
  end.
Lemma prove_each_ok F gs : forall ws ws' r, prove_each F gs ws = Some ws' -> sat r F -> Forall (answered r) gs.
Proof.
  induction gs as [|g gs IH]; cbn [prove_each]; intros ws ws' r H HF; auto. destruct ws as [|w ws]; try discriminate.
  results. constructor; [|eapply IH; eauto]. intros Q. eapply prove_ok; [eassumption|]. apply Forall_app. split; auto.
Qed.

Section Check.
Variable t : id.
Variable k : nat.                          (* how many indices an access of [t] has *)
Variable keep : id -> bool.                (* names that no loop in the step takes *)
Variable asks : list iexp -> list question.
Fixpoint check_touches (F : facts) (e : exp) (idx : list iexp) (ws : list wit) : option (list wit) :=
  match e with
  | Lit _ => Some ws
  | Var u => if Pos.eqb u t then only (Nat.eqb (length idx) k) (prove_each F (asks idx) ws) else Some ws
  | Get e i => check_touches F e (i :: idx) ws
  | Gen x n e | Fold _ x n e => only (negb (keep x)) (check_touches (inside x n F) e [] ws)
  | If p a b => do ws <- check_touches (p :: F) a [] ws; check_touches (BNot p :: F) b [] ws
  | Let u a b => only (negb (Pos.eqb u t)) (do ws <- check_touches F a [] ws; check_touches F b [] ws)
  | Op1 _ a | View _ a | Mark _ a => check_touches F a [] ws
  | Op2 _ a b | Cat _ a b => do ws <- check_touches F a [] ws; check_touches F b [] ws
  | Op3 _ a b c => do ws <- check_touches F a [] ws; do ws <- check_touches F b [] ws; check_touches F c [] ws
  | Bind x a b => only (negb (keep x)) (do ws <- check_touches F a [] ws; check_touches (without x F) b [] ws)
  | Iter u x n a b => only (negb (Pos.eqb u t) && negb (keep x))
      (do ws <- check_touches F a [] ws; check_touches (inside x n F) b [] ws)
  end.

Variable r0 : id -> Z.
Variable P : list Z -> Prop.
Definition keeps (r : id -> Z) : Prop := forall y, keep y = true -> r y = r0 y.
Hypothesis ASKS : forall r idx, keeps r -> length idx = k -> Forall (answered r) (asks idx) -> P (map (iev r) idx).

Lemma keeps_upd r x i : keep x = false -> keeps r -> keeps (upd r x i).
Proof. intros K H y Y. rewrite upd_ne by congruence. auto. Qed.
#[local] Hint Resolve sat_inside sat_without keeps_upd : core.
Ltac child IH := eapply (IH _ []); [eassumption | ..].
Theorem check_touches_ok e : forall F idx ws ws' r, check_touches F e idx ws = Some ws' -> sat r F -> keeps r ->
  touches t P r e (map (iev r) idx).
Proof.
  induction e; intros F idx ws ws' r' H HF R; cbn [check_touches touches] in *; auto; results.
  - intros ->. rewrite Pos.eqb_refl in H. results. apply ASKS; auto; [apply Nat.eqb_eq; auto|].
    eapply prove_each_ok; eauto.
  - intros j J. child IHe; auto.
  - intros j J. child IHe; auto.
  - split; intros K; [child IHe1 | child IHe2]; auto; constructor; auto. simpl. rewrite K. auto.
  - split; [congruence|]. split; [child IHe1 | child IHe2]; auto.
  - apply (IHe _ (_ :: _) _ _ _ H); auto.
  - child IHe; auto.
  - split; [child IHe1 | child IHe2]; auto.
  - split; [child IHe1 | split; [child IHe2 | child IHe3]]; auto.
  - split; [child IHe1 | child IHe2]; auto.
  - child IHe; auto.
  - child IHe; auto.
  - split; [child IHe1 | intros j; child IHe2]; auto.
  - split; [congruence|]. split; [child IHe1 | intros j J; child IHe2]; auto.
Qed.
End Check.

(** ** The step of a scan: what it asks before it changes its element *)
Definition is_old (t : id) (xs : nest) (e : exp) : bool := xeq e (gets (Var t) xs).
(** What holds where it does. *)
Fixpoint asked (t : id) (xs : nest) (F : facts) (e : exp) : facts :=
  match e with
  | If p a b => if is_old t xs b then asked t xs (p :: F) a else F
  | Bind x a b => if tin t a then F else asked t xs (without x F) b
  | _ => F
  end.
Fixpoint binders (t : id) (xs : nest) (e : exp) : list id :=
  match e with
  | If p a b => if is_old t xs b then binders t xs a else []
  | Bind x a b => if tin t a then [] else x :: binders t xs b
  | _ => []
  end.
Definition place (q : id -> Z) (xs : nest) : list Z := map (fun x => q (fst x)) xs.

Section Step.
Variable S : algebra.
Variable t : id.
Variable xs : nest.
Variable s : id -> ten S.
Fixpoint changes (r : id -> Z) (e : exp) : bool :=
  match e with
  | If p a b => if is_old t xs b then (if bev r p then changes r a else false) else true
  | Bind x a b => if tin t a then true else changes (upd r x (to_index S (den S r s a []))) b
  | _ => true
  end.
Fixpoint settled (r : id -> Z) (e : exp) : id -> Z :=
  match e with
  | If p a b => if is_old t xs b then settled r a else r
  | Bind x a b => if tin t a then r else settled (upd r x (to_index S (den S r s a []))) b
  | _ => r
  end.
Lemma asked_ok e : forall r F, changes r e = true -> sat r F -> sat (settled r e) (asked t xs F e).
Proof.
  induction e; cbn [changes settled asked]; intros r F H HF; auto.
  - destruct (is_old t xs e2); auto. destruct (bev r p) eqn:B; try discriminate. apply IHe1; auto. constructor; auto.
  - destruct (tin t e1); auto. apply IHe2; auto. apply sat_without; auto.
Qed.
Lemma settled_other y e : forall r, ~ In y (binders t xs e) -> settled r e y = r y.
Proof.
  induction e; cbn [settled binders]; intros r H; auto.
  - destruct (is_old t xs e2); auto.
  - destruct (tin t e1); auto. cbn [In] in H. rewrite IHe2 by tauto. apply upd_ne. tauto.
Qed.
(** A step that changes nothing gives what is there. *)
Lemma idle_ok e : forall r, changes r e = false -> (forall y, In y (binders t xs e) -> bound y xs = false) ->
  forall m rest, den S r (upd s t m) e rest = m (place r xs ++ rest).
Proof.
  induction e; cbn [changes binders]; intros r H N mem rest; try discriminate.
  - destruct (is_old t xs e2) eqn:O; try discriminate. cbn [den]. destruct (bev r p); auto.
    rewrite (xeq_ok S _ _ _ _ rest O), gets_ok. cbn [den]. rewrite upd_eq. auto.
  - destruct (tin t e1) eqn:T; try discriminate. cbn [den]. rewrite (den_tfresh S e1 r s t mem [] T).
    rewrite IHe2 by (auto; intros; apply N; simpl; auto). do 2 f_equal. apply map_ext_in. intros [y n] Y. cbn [fst].
    apply upd_ne. intros <-. specialize (N x (or_introl eq_refl)). assert (B : bound x xs = true); [|congruence].
    apply existsb_exists. exists (x, n). split; auto. apply Pos.eqb_refl.
Qed.

Variable k : nat.
Variable keep : id -> bool.
Variable asks : list iexp -> list question.
Fixpoint check_step (F : facts) (e : exp) (ws : list wit) : option (list wit) :=
  match e with
  | If p a b => if is_old t xs b then check_step (p :: F) a ws else check_touches t k keep asks F e [] ws
  | Bind x a b => if tin t a then check_touches t k keep asks F e [] ws
                  else only (negb (keep x)) (check_step (without x F) b ws)
  | _ => check_touches t k keep asks F e [] ws
  end.
Lemma check_step_binders e : forall F ws ws', check_step F e ws = Some ws' ->
  forall x, In x (binders t xs e) -> keep x = false.
Proof.
  induction e; cbn [check_step binders]; intros F ws ws' H y Y; try contradiction.
  - destruct (is_old t xs e2); [eauto|contradiction].
  - destruct (tin t e1); [contradiction|]. results. destruct Y as [<-|Y]; eauto.
Qed.
Variable r0 : id -> Z.
Variable P : list Z -> Prop.
Hypothesis ASKS : forall r idx, keeps keep r0 r -> length idx = k -> Forall (answered r) (asks idx) -> P (map (iev r) idx).
Lemma check_step_ok e : forall F ws ws' r, check_step F e ws = Some ws' -> changes r e = true -> sat r F -> keeps keep r0 r ->
  forall m m', (forall i rest, P i -> m (i ++ rest) = m' (i ++ rest)) ->
  forall rest, den S r (upd s t m) e rest = den S r (upd s t m') e rest.
Proof.
  assert (LEAF : forall e F ws ws' r, check_touches t k keep asks F e [] ws = Some ws' -> sat r F -> keeps keep r0 r ->
    forall m m', (forall i rest, P i -> m (i ++ rest) = m' (i ++ rest)) ->
    forall rest, den S r (upd s t m) e rest = den S r (upd s t m') e rest).
  { intros f F ws ws' r H HF K m m' A rest. apply (touches_agree S t P f r _ _ [] (check_touches_ok _ _ _ _ _ _ ASKS _ _ [] _ _ _ H HF K)).
    split; [intros u U i; rewrite !upd_ne by auto; auto | intros i rest' I; rewrite !upd_eq; auto]. }
  induction e; cbn [check_step changes]; intros F ws ws' r H C HF K mem mem' A rest; try (eapply LEAF; eauto; fail).
  - destruct (is_old t xs e2); [|eapply LEAF; eauto]. cbn [den]. destruct (bev r p) eqn:B; try discriminate.
    eapply IHe1; eauto. constructor; auto.
  - destruct (tin t e1) eqn:T; [eapply LEAF; eauto|]. results. cbn [den]. rewrite !(den_tfresh S e1 r s t _ [] T).
    eapply IHe2; eauto using sat_without, keeps_upd.
Qed.
End Step.

(** ** Two events: the names of the second one in another spelling *)
Fixpoint isubs (u : substitution) (a : iexp) : iexp := match u with [] => a | (x, v) :: u => isub x v (isubs u a) end.
Lemma isubs_ok u a : forall r, iev r (isubs u a) = iev (assign r u) a.
Proof. induction u as [|[x v] u IH]; intros; cbn [isubs assign]; auto. rewrite isub_ok. auto. Qed.

Definition spelling := list (id * id).
Definition spelled (u : spelling) : nest := map (fun p => (fst p, IC 0)) u.
Definition respell (u : spelling) : substitution := to (spelled u) (map (fun p => IV (snd p)) u).
Definition no_primes (u : spelling) (F : facts) : facts :=
  filter (fun p => forallb (fun y => negb (bin (snd y) p)) u) F.
Definition tidy (u : spelling) : bool :=
  distinct_names (spelled u) && distinct_names (map (fun p => (snd p, IC 0)) u)
  && forallb (fun p => negb (bound (snd p) (spelled u))) u.
(** The names of both. *)
Definition joint (u : spelling) (q w : id -> Z) : id -> Z :=
  fun y => match find (fun p => Pos.eqb (snd p) y) u with Some p => w (fst p) | None => q y end.

Lemma joint_other u q w y : forallb (fun p => negb (Pos.eqb (snd p) y)) u = true -> joint u q w y = q y.
Proof.
  unfold joint. induction u as [|p u IH]; cbn [forallb find]; intros H; auto. bools.
  destruct (Pos.eqb_spec (snd p) y); [congruence|auto].
Qed.
Lemma joint_prime u q w x x' : tidy u = true -> In (x, x') u -> joint u q w x' = w x.
Proof.
  unfold tidy, joint. intros H. bools. match goal with K : distinct_names (map _ u) = true |- _ => revert K end.
  clear. induction u as [|[y y'] u IH]; cbn [map distinct_names find fst snd In]; intros D I; [contradiction|]. bools.
  destruct I as [I|I].
  - inversion I; subst. rewrite Pos.eqb_refl. auto.
  - destruct (Pos.eqb_spec y' x'); auto. subst. exfalso.
    match goal with K : bound x' _ = false |- _ => assert (B : bound x' (map (fun p => (snd p, IC 0)) u) = true) end.
    { apply existsb_exists. exists (x', IC 0). split; [|apply Pos.eqb_refl]. apply in_map_iff. exists (x, x'). auto. }
    congruence.
Qed.
Lemma primes_free u F p : In p (no_primes u F) -> forall y, bin y p = true ->
  forallb (fun q => negb (Pos.eqb (snd q) y)) u = true.
Proof.
  unfold no_primes. intros H y Y. apply filter_In in H. destruct H as [_ H]. rewrite forallb_forall in *.
  intros q Q. specialize (H q Q). destruct (Pos.eqb_spec (snd q) y); auto. subst. cbn beta in H. clash Y H.
Qed.
Lemma joint_first u q w F : sat q F -> sat (joint u q w) (no_primes u F).
Proof.
  intros H. apply Forall_forall. intros p I. rewrite (bev_ext p _ q).
  - apply filter_In in I. destruct I as [I _]. unfold sat in H. rewrite Forall_forall in H. auto.
  - intros y Y. apply joint_other. eapply primes_free; eauto.
Qed.
Lemma respelled u r w y : tidy u = true -> (forall x x', In (x, x') u -> r x' = w x) -> bound y (spelled u) = true ->
  assign r (respell u) y = w y.
Proof.
  intros T H B. unfold respell. apply existsb_exists in B. destruct B as [[x n] [X E]]. cbn [fst] in E. bools. subst y.
  unfold spelled in X. apply in_map_iff in X. destruct X as [[z x'] [X I]]. inversion X; subst. cbn [fst] in *.
  unfold tidy in T. bools.
  rewrite (assign_hit (spelled u) _ _ r) with (v := IV x') (n := IC 0); auto.
  - cbn [iev]. auto.
  - intros v y V Y. split; auto. apply in_map_iff in V. destruct V as [[a b] [<- V]]. cbn [snd iin] in Y. bools. subst.
    match goal with K : forallb _ u = true |- _ => rewrite forallb_forall in K; specialize (K _ V) end. cbn [snd] in *. bools. auto.
  - clear - I. unfold spelled. induction u as [|[a b] u IH]; cbn [map combine In fst snd] in *; [contradiction|].
    destruct I as [I|I]; [left; inversion I; auto | right; auto].
Qed.
(** The second one's facts, of which each name is either spelled differently or equal for both. *)
Lemma joint_second u q w F : tidy u = true -> (forall y, bound y (spelled u) = false -> w y = q y) -> sat w F ->
  sat (joint u q w) (map (bsubs (respell u)) (no_primes u F)).
Proof.
  intros T E H. apply Forall_forall. intros p' I. apply in_map_iff in I. destruct I as [p [<- I]]. rewrite bsubs_ok.
  rewrite (bev_ext p _ w).
  - apply filter_In in I. destruct I as [I _]. unfold sat in H. rewrite Forall_forall in H. auto.
  - intros y Y. destruct (bound y (spelled u)) eqn:B; [apply respelled; auto; intros; apply joint_prime; auto|].
    unfold respell. rewrite assign_other by (apply to_bound; auto).
    rewrite joint_other by (eapply primes_free; eauto). symmetry. auto.
Qed.
