(** * Scans: the checker is right

    [pair_ok] is what its answers say of any two events; [check_scan_sound] follows, as the new loops carry out the events
    of the definition in another order, in which those that change places commute. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Safety Stores Slides Events Steps Scans.
Import ListNotations.
Open Scope Z_scope.

(** ** What the checker's answers say of two events *)
Section Pairs.
Variable S : algebra.
Variable t : id.
Variable s : id -> ten S.
Variables rs xs : nest.
Variable c : exp.
Variable g : scan.
Variable F : facts.
Variable r : id -> Z.
Let N := rs ++ xs.
Let u := sc_second g.
Let keep := keep_of g rs xs.
Let G := map (bsubs (respell u)) (no_primes u (asked t xs (insides N []) c)) ++ no_primes u (insides N F).
Let ns := map (iev r) (map snd xs).
Hypothesis HF : sat r F.
Hypothesis TIDY : tidy u = true.
Hypothesis OLD : forallb (fun y => bound (fst y) (spelled u)) N = true.
Hypothesis BOUND : forallb (fun y => bound y (spelled u)) (binders t xs c) = true.
Hypothesis FROM : forallb (fun y => forallb (fun a => negb (iin y a)) (sc_from g)) (binders t xs c) = true.
Hypothesis APART : forallb (fun p => negb (ein (snd p) c)) u = true.
Hypothesis PLAIN : forallb (fun a => forallb (fun p => negb (iin (snd p) a)) u) (sc_from g ++ map snd xs ++ names_of N) = true.
Hypothesis FREE : free_of N (map snd N) = true.
Hypothesis WRITES : prove_each (asked t xs G c) (write_questions g rs xs) (sc_writes g) = Some [].
Hypothesis READS : check_step t xs (length xs) keep (read_questions g rs xs) G c (sc_reads g) = Some [].

Definition at_ (q : id -> Z) : list Z := map (iev q) (sc_from g).
Notation idle := (idle S t s xs c).
Notation rests_on := (rests_on S t s c).
Notation time := (time rs).

Lemma in_bound p (ys : nest) : In p ys -> bound (fst p) ys = true.
Proof. intros P. apply existsb_exists. exists p. split; auto. apply Pos.eqb_refl. Qed.
Lemma bound_in y (ys : nest) : bound y ys = true -> exists p, In p ys /\ fst p = y.
Proof. intros B. apply existsb_exists in B. destruct B as [p [P E]]. bools. eauto. Qed.
Lemma plain_ok a : In a (sc_from g ++ map snd xs ++ names_of N) -> forall y, iin y a = true ->
  forallb (fun p => negb (Pos.eqb (snd p) y)) u = true.
Proof.
  intros A y Y. rewrite forallb_forall in PLAIN. specialize (PLAIN a A). cbn beta in PLAIN. rewrite forallb_forall in *.
  intros p P. specialize (PLAIN p P). destruct (Pos.eqb_spec (snd p) y); auto. subst. cbn beta in PLAIN. clash Y PLAIN.
Qed.
Lemma name_in y : bound y N = true -> In (IV y) (sc_from g ++ map snd xs ++ names_of N).
Proof.
  intros B. destruct (bound_in _ _ B) as [p [P <-]]. apply in_or_app. right. apply in_or_app. right. apply in_map_iff. exists p. auto.
Qed.
Lemma old_ok y : bound y N = true -> bound y (spelled u) = true.
Proof. intros B. destruct (bound_in _ _ B) as [p [P <-]]. rewrite forallb_forall in OLD. apply (OLD p P). Qed.

Lemma ranges_ok r' es : forall idx, length idx = length es ->
  sat r' (map (fun p => in_range (fst p) (snd p)) (combine idx es)) -> in_bounds (map (iev r') es) (map (iev r') idx).
Proof.
  induction es as [|e es IH]; destruct idx as [|i idx]; cbn [length combine map in_bounds]; intros L H; try discriminate; auto.
  inversion H; subst. cbn [fst snd in_range bev iev] in *. bools. split; [lia|]. apply IH; auto.
Qed.

Section Two.
Variables q w w' : id -> Z.
Variables jq jw : list Z.
Hypothesis Q : enter r N jq = Some (q, []).
Hypothesis W : enter r N jw = Some (w, []).
(** [w'] is [w] with the names that the step binds. *)
Hypothesis W' : forall y, ~ In y (binders t xs c) -> w' y = w y.
Let cc := joint u q w'.

Lemma same_outside y : bound y (spelled u) = false -> w' y = q y.
Proof.
  intros B. assert (BN : bound y N = false).
  { destruct (bound y N) eqn:E; auto. apply old_ok in E. exfalso. exact (eq_true_false_abs _ E B). }
  rewrite W'.
  - rewrite (enter_other y _ _ _ _ _ Q), (enter_other y _ _ _ _ _ W) by auto. auto.
  - intros I. rewrite forallb_forall in BOUND. specialize (BOUND y I). exfalso. exact (eq_true_false_abs _ BOUND B).
Qed.
Lemma base_facts : sat w' (asked t xs (insides N []) c) -> sat cc G.
Proof.
  intros H. apply Forall_app. split.
  - apply joint_second; auto. apply same_outside.
  - apply joint_first. eapply enter_sat; eauto.
Qed.

(** Where the names keep their values: those of both events. *)
Variable r' : id -> Z.
Hypothesis K : keeps keep cc r'.
Lemma keep_from a y : In a (sc_from g ++ map snd xs) -> iin y a = true -> keep y = true.
Proof.
  intros A Y. unfold keep, keep_of. apply orb_true_iff. right. apply existsb_exists. exists a. auto.
Qed.
Lemma first_name y : bound y N = true -> r' y = q y.
Proof.
  intros B. rewrite K; [|unfold keep, keep_of; fold N; rewrite B; auto].
  apply joint_other. apply (plain_ok (IV y)); [apply name_in; auto | cbn [iin]; apply Pos.eqb_refl].
Qed.
Lemma first_names ys : (forall p, In p ys -> bound (fst p) N = true) -> map (iev r') (names_of ys) = place q ys.
Proof. intros H. unfold names_of, place. rewrite map_map. apply map_ext_in. intros p P. apply first_name. auto. Qed.
Lemma first_from : map (iev r') (sc_from g) = at_ q.
Proof.
  apply map_ext_in. intros a A. apply iev_ext. intros y Y.
  assert (KY : keep y = true) by (eapply keep_from; [apply in_or_app; left; exact A | auto]).
  rewrite K by auto. apply joint_other. apply (plain_ok a); auto. apply in_or_app. auto.
Qed.
Lemma primes_here x x' : In (x, x') u -> r' x' = w' x.
Proof.
  intros I. rewrite K; [apply (joint_prime u q w' x x'); auto|]. unfold keep, keep_of. fold u.
  rewrite !orb_true_iff. left. right. apply existsb_exists. exists (x, x'). split; auto. apply Pos.eqb_refl.
Qed.
Lemma second_name y : ~ In y (binders t xs c) -> keep y = true -> forallb (fun p => negb (Pos.eqb (snd p) y)) u = true ->
  assign r' (respell u) y = w y.
Proof.
  intros I KY FY. destruct (bound y (spelled u)) eqn:B.
  - rewrite (respelled u r' w' y); auto. apply primes_here.
  - unfold respell. rewrite assign_other by (apply to_bound; auto). rewrite K by auto.
    unfold cc. rewrite joint_other by auto. rewrite <- (same_outside y B). auto.
Qed.
Hypothesis XS_KEPT : forall y, In y (binders t xs c) -> keep y = false.
Lemma second_names ys : (forall p, In p ys -> bound (fst p) N = true) -> map (iev r') (second g (names_of ys)) = place w ys.
Proof.
  intros H. unfold second, names_of, place. rewrite !map_map. apply map_ext_in. intros p P. rewrite isubs_ok. cbn [iev].
  assert (B := H p P). assert (KP : keep (fst p) = true) by (unfold keep, keep_of; fold N; rewrite B; auto).
  apply second_name; auto.
  - intros I. rewrite (XS_KEPT _ I) in KP. discriminate.
  - apply (plain_ok (IV (fst p))); [apply name_in; auto | cbn [iin]; apply Pos.eqb_refl].
Qed.
Lemma second_from : map (iev r') (second g (sc_from g)) = at_ w.
Proof.
  unfold second. rewrite map_map. apply map_ext_in. intros a A. rewrite isubs_ok. apply iev_ext. intros y Y.
  apply second_name.
  - intros I. rewrite forallb_forall in FROM. specialize (FROM y I). rewrite forallb_forall in FROM. specialize (FROM a A).
    cbn beta in FROM. clash Y FROM.
  - eapply keep_from; [apply in_or_app; left; exact A | auto].
  - apply (plain_ok a); auto. apply in_or_app. auto.
Qed.
End Two.

Lemma rs_in p : In p rs -> bound (fst p) N = true.
Proof. intros P. apply in_bound. apply in_or_app. auto. Qed.
Lemma xs_in p : In p xs -> bound (fst p) N = true.
Proof. intros P. apply in_bound. apply in_or_app. auto. Qed.
Lemma binders_kept y : In y (binders t xs c) -> keep y = false.
Proof. eapply check_step_binders; eauto. Qed.
Lemma binders_outside y : In y (binders t xs c) -> bound y xs = false.
Proof.
  intros I. apply binders_kept in I. destruct (bound y xs) eqn:B; auto. destruct (bound_in _ _ B) as [p [P <-]].
  unfold keep, keep_of in I. fold N in I. rewrite (xs_in p P) in I. discriminate.
Qed.

Theorem pair_ok q w jq jw : enter r N jq = Some (q, []) -> enter r N jw = Some (w, []) ->
  idle q \/ idle w \/
  ((place q xs = place w xs -> earlier (time q) (time w) -> precedes (serial g) (at_ q) (at_ w) = true) /\
   rests_on q (fun i => in_bounds ns i /\ (i = place w xs ->
     (time q = time w -> place q xs = place w xs) /\
     (earlier (time w) (time q) -> precedes (serial g) (at_ w) (at_ q) = true) /\
     (earlier (time q) (time w) -> precedes (serial g) (at_ q) (at_ w) = true)))).
Proof.
  intros Q W. destruct (changes S t xs s w c) eqn:CW.
  2: { right. left. intros m rest. apply idle_ok; auto. apply binders_outside. }
  set (w' := settled S t xs s w c).
  assert (W' : forall y, ~ In y (binders t xs c) -> w' y = w y) by (intros; apply settled_other; auto).
  set (cc := joint u q w').
  assert (CC : forall m rest, den S cc (upd s t m) c rest = value S t s c q m rest).
  { intros m rest. apply den_ext; auto. intros y Y. apply joint_other. rewrite forallb_forall in *. intros p P.
    specialize (APART p P). destruct (Pos.eqb_spec (snd p) y); auto. subst. cbn beta in APART. clash Y APART. }
  assert (PL : place cc xs = place q xs).
  { apply map_ext_in. intros p P. apply joint_other. apply (plain_ok (IV (fst p))); [apply name_in; apply xs_in; auto|].
    cbn [iin]. apply Pos.eqb_refl. }
  assert (SG : sat cc G).
  { eapply base_facts; eauto. apply asked_ok; auto. eapply enter_sat; eauto. constructor. }
  destruct (changes S t xs s cc c) eqn:CQ.
  2: { left. intros m rest. rewrite <- CC, <- PL. apply idle_ok; auto. apply binders_outside. }
  right. right. assert (KC : keeps keep cc cc) by (intros y _; auto). split.
  - intros E T. set (cq := settled S t xs s cc c).
    assert (KQ : keeps keep cc cq).
    { intros y Y. apply settled_other. intros I. rewrite (binders_kept y I) in Y. discriminate. }
    assert (A := prove_each_ok _ _ _ _ cq WRITES (asked_ok _ _ _ _ _ _ _ CQ SG)).
    destruct (ways_ok cq (names_of rs) (second g (names_of rs))) as [H [I SH]].
    { rewrite (first_names q w' cq KQ) by apply rs_in.
      rewrite (second_names q w w' jq jw Q W W' cq KQ binders_kept) by apply rs_in. auto. }
    rewrite Forall_forall in A. specialize (A _ (in_map _ _ _ I)). unfold answered in A. cbn [fst snd] in A.
    rewrite preceding_ok, (first_from q w' cq KQ), (second_from q w w' jq jw Q W W' cq KQ) in A. apply A.
    apply Forall_app. split; auto. apply equal_all_ok.
    rewrite (first_names q w' cq KQ) by apply xs_in.
    rewrite (second_names q w w' jq jw Q W W' cq KQ binders_kept) by apply xs_in. auto.
  - intros m m' AG rest. rewrite <- !CC. revert m m' AG rest.
    apply (fun H => check_step_ok S t xs s (length xs) keep (read_questions g rs xs) cc _ H c _ _ _ cc READS CQ SG KC).
    intros r' idx K L A. unfold read_questions in A. inversion A as [|? ? AB A1]; subst. inversion A1 as [|? ? AS A2]; subst.
    apply Forall_app in A2. destruct A2 as [AF AA]. clear A A1.
    assert (FR := first_names q w' r' K rs rs_in). assert (FX := first_names q w' r' K xs xs_in).
    assert (SR := second_names q w w' jq jw Q W W' r' K binders_kept rs rs_in).
    assert (SX := second_names q w w' jq jw Q W W' r' K binders_kept xs xs_in).
    assert (FF := first_from q w' r' K). assert (SF := second_from q w w' jq jw Q W W' r' K).
    assert (LS : length (second g (names_of xs)) = length xs) by (unfold second, names_of; rewrite !map_length; auto).
    split.
    + specialize (AB ltac:(constructor)). cbn [snd] in AB. apply all_sat in AB.
      assert (NX : forall a, In a (map snd xs) -> iev r' a = iev r a).
      { intros a M. apply iev_ext. intros y Y. assert (KY : keep y = true).
        { eapply keep_from; [apply in_or_app; right; exact M | exact Y]. }
        rewrite (K y KY). assert (BN : bound y N = false).
        { eapply (free_of_ok N); eauto. unfold N. rewrite map_app. apply in_or_app. auto. }
        unfold cc. rewrite joint_other; [apply (enter_other y _ _ _ _ _ Q); auto|].
        apply (plain_ok a); auto. apply in_or_app. right. apply in_or_app. auto. }
      replace ns with (map (iev r') (map snd xs)) by (apply map_ext_in; auto).
      apply ranges_ok; auto. rewrite map_length. auto.
    + intros E. assert (THERE : sat r' (equal_all idx (second g (names_of xs)))) by (apply equal_all_ok; congruence).
      split; [|split].
      * intros T. cbn [answered fst snd] in AS. unfold answered in AS. cbn [fst snd] in AS.
        rewrite <- FX, <- SX. apply equal_all_back; [unfold second; rewrite map_length; auto|]. apply all_sat, AS.
        apply Forall_app. split; auto. apply equal_all_ok. rewrite FR, SR. exact T.
      * intros T. destruct (ways_ok r' (second g (names_of rs)) (names_of rs)) as [H [I SH]]; [rewrite SR, FR; exact T|].
        rewrite Forall_forall in AF. specialize (AF _ (in_map _ _ _ I)). unfold answered in AF. cbn [fst snd] in AF.
        rewrite preceding_ok, FF, SF in AF. apply AF. apply Forall_app. auto.
      * intros T. destruct (ways_ok r' (names_of rs) (second g (names_of rs))) as [H [I SH]]; [rewrite SR, FR; exact T|].
        rewrite Forall_forall in AA. specialize (AA _ (in_map _ _ _ I)). unfold answered in AA. cbn [fst snd] in AA.
        rewrite preceding_ok, FF, SF in AA. apply AA. apply Forall_app. auto.
Qed.
End Pairs.

(** ** Scans *)
Lemma nodup_ordered {A} (l : list A) : NoDup l -> ordered (fun a b => a <> b) l.
Proof. induction 1 as [|a l N D IH]; constructor; auto. apply Forall_forall. intros b B E. subst. auto. Qed.
Lemma ordered_both {A} (R Q : A -> A -> Prop) l : ordered R l -> ordered Q l -> ordered (fun a b => R a b /\ Q a b) l.
Proof.
  induction 1 as [|a l F O IH]; intros H; inversion H; subst; constructor; auto.
  match goal with K : Forall (Q a) l |- _ => rewrite Forall_forall in *; intros b B; split; auto end.
Qed.
Lemma ordered_flat_map {A B} (f : A -> list B) (R : A -> A -> Prop) (Q : B -> B -> Prop) l :
  (forall a, ordered Q (f a)) -> (forall a b x y, R a b -> In x (f a) -> In y (f b) -> Q x y) -> ordered R l ->
  ordered Q (flat_map f l).
Proof.
  intros O X H. induction H as [|a l F H IH]; cbn [flat_map]; [constructor|]. apply ordered_app; auto.
  intros x y I J. apply in_flat_map in J. destruct J as [b [J K]]. rewrite Forall_forall in F. eapply X; eauto.
Qed.
Lemma earlier_app a b : forall c d, length a = length c -> earlier (a ++ b) (c ++ d) -> earlier a c \/ (a = c /\ earlier b d).
Proof.
  induction a as [|x a IH]; destruct c as [|y c]; cbn [length app earlier]; intros d L H; try discriminate; auto.
  destruct H as [H|[-> H]]; auto. destruct (IH c d) as [K|[-> K]]; auto.
Qed.

(** The tensor of a scan in memory: where memory holds what it starts from, it holds the scan in the end, in whatever order
    the iterations of the new loops run that keeps to those that run in order. *)
Definition scanned (r : id -> Z) (e : exp) (g : scan) : Prop :=
  match e with
  | Iter t x n a b => exists rs xs c, steps t (sc_rank g) b = Some (rs, xs, c) /\
      forall S s m order, NoDup order ->
        (forall j u, stores r (map fst (sc_loops g)) (st_guard (sc_store g)) j u -> In j order) ->
        ordered (fun j k => precedes (serial g) k j = false) order ->
        agrees S (map (iev r) (map snd xs)) (den S r s a) m ->
        agrees S (map (iev r) (map snd xs)) (den S r s e)
          (perform_all S t s xs c r ((x, n) :: rs ++ xs) (events r (map fst (sc_loops g)) (sc_store g) order) m)
  | _ => False
  end.

Theorem check_scan_here_ok F e g r : check_scan_here F e g = true -> sat r F -> scanned r e g.
Proof.
  unfold check_scan_here, scanned. intros H HF. destruct e; try discriminate.
  destruct (steps t (sc_rank g) e2) as [[[rs xs] c]|] eqn:ST; try discriminate. exists rs, xs, c. split; auto.
  cbv zeta in H. set (rs1 := (x, n) :: rs) in *. bools.
  destruct (prove_each _ _ (sc_writes g)) as [[|]|] eqn:WR; try discriminate.
  destruct (check_step _ _ _ _ _ _ _ (sc_reads g)) as [[|]|] eqn:RD; try discriminate.
  match goal with K : check_store _ _ _ _ _ = true |- _ => rename K into CS end.
  assert (BACK := store_back _ _ _ _ _ _ CS HF). assert (THERE := store_there _ _ _ _ _ _ CS HF).
  assert (SEP : distinct_names (rs1 ++ xs) = true /\ free_of (rs1 ++ xs) (map snd (rs1 ++ xs)) = true).
  { unfold check_store, separate in CS. bools. auto. }
  clear CS. destruct SEP as [DN FN]. intros S s m order ND ALL ORD START.
  change ((x, n) :: rs ++ xs) with (rs1 ++ xs). set (N := rs1 ++ xs) in *. set (ns := map (iev r) (map snd xs)) in *.
  assert (PAIR := pair_ok S t s rs1 xs c g F r HF ltac:(assumption) ltac:(assumption) ltac:(assumption) ltac:(assumption)
    ltac:(assumption) ltac:(assumption) FN WR RD).
  fold N ns in PAIR.
  assert (NAMES : forall j q, enter r N j = Some (q, []) -> j = place q rs1 ++ place q xs).
  { intros j q E. destruct (enter_names _ _ _ _ E DN) as [_ <-]. unfold place, N. apply map_app. }
  assert (DX : forall y, bound y xs = true -> bound y rs1 = false).
  { intros y Y. destruct (bound y rs1) eqn:B; auto. exfalso. revert DN. unfold N. revert B. generalize rs1. intros l.
    induction l as [|[z k] l IH]; cbn [bound existsb app distinct_names fst]; intros B D; try discriminate. bools.
    apply orb_prop in B. destruct B as [B|B]; [|apply IH; auto]. bools. subst.
    destruct (bound_in _ _ Y) as [p [P <-]]. pose proof (in_bound p (l ++ xs) ltac:(apply in_or_app; auto)). congruence. }
  assert (X1 : distinct_names xs = true).
  { revert DN. unfold N. generalize rs1. intros l. induction l as [|[z k] l IH]; cbn [app distinct_names]; intros D; auto. bools. auto. }
  assert (FX : forall l, (forall p, In p l -> In p N) -> free_of l (map snd xs) = true).
  { intros l L. unfold free_of in *. apply forallb_forall. intros a A. apply forallb_forall. intros p P.
    rewrite forallb_forall in FN. specialize (FN a). rewrite forallb_forall in FN. apply FN; auto.
    unfold N. rewrite map_app. apply in_or_app. auto. }
  assert (X2 : free_of xs (map snd xs) = true) by (apply FX; intros; apply in_or_app; auto).
  assert (X3 : free_of rs1 (map snd xs) = true) by (apply FX; intros; apply in_or_app; auto).
  set (event := fun q => exists j, enter r N j = Some (q, [])).
  assert (PLACES : forall q, event q -> in_bounds ns (place q xs)).
  { intros q [j E]. destruct (enter_prefix (rs1 ++ xs) _ _ _ _ E) as [pre [P X]]. rewrite app_nil_r in P. subst pre.
    assert (G : forall l r0 j, enter r0 (l ++ xs) j = Some (q, []) -> exists r1 i, enter r1 xs i = Some (q, []) /\
      forall y, bound y l = false -> r1 y = r0 y).
    { induction l as [|[z k] l IH]; cbn [app enter]; intros r0 i E0; [exists r0, i; auto|].
      destruct i as [|i is]; try discriminate. destruct within; try discriminate.
      destruct (IH _ _ E0) as [r1 [i1 [E1 O1]]]. exists r1, i1. split; auto. intros y Y. cbn [bound existsb fst] in Y. bools.
      rewrite O1 by auto. apply upd_ne. auto. }
    destruct (G rs1 r j E) as [r1 [i [E1 O1]]]. destruct (enter_names _ _ _ _ E1 X1) as [_ PI]. fold (place q xs) in PI.
    rewrite PI. replace ns with (map (iev r1) (map snd xs)); [eapply enter_in_bounds; eauto|].
    apply map_ext_in. intros a A. apply iev_ext. intros y Y. apply O1. eapply (free_of_ok rs1); eauto. }
  assert (SEQ : agrees S ns (den S r s (Iter t x n e1 e2)) (perform_all S t s xs c r N (all_of r N) m)).
  { unfold N, rs1. cbn [app den all_of]. rewrite perform_all_cons by (intros i I; apply counting_in; auto).
    apply iterations; auto. intros i v w I V.
    eapply (steps_ok S t s rs1 xs c ns event X1 X2 PLACES) with (k := sc_rank g); eauto.
    - intros q w0 [jq EQ] [jw EW]. destruct (PAIR q w0 jq jw EQ EW) as [A|[A|[_ A]]]; auto. right. right.
      intros u v0 U. apply A. intros i0 rest [B C]. apply U. split; auto. intros E T. destruct (C E) as [C1 _]. auto.
    - intros y Y. unfold rs1, bound in *. cbn [existsb fst]. rewrite Y. apply orb_true_r.
    - intros j q E. exists (i :: j). unfold N, rs1. cbn [app enter]. destruct (within_spec i (iev r n)); [auto|lia].
    - unfold steady_here, ns. apply map_ext_in. intros a A. apply iev_fresh.
      destruct (iin x a) eqn:IX; auto. assert (B : bound x rs1 = false) by (eapply (free_of_ok rs1); eauto).
      unfold rs1, bound in B. cbn [existsb fst] in B. rewrite Pos.eqb_refl in B. discriminate.
    - intros u U j. rewrite upd_ne by auto. auto.
    - rewrite upd_eq. auto. }
  (* The same events in another order. *)
  set (Ls := map fst (sc_loops g)) in *. set (evs := events r Ls (sc_store g) order).
  assert (IN : forall j, In j evs <-> exists q, enter r N j = Some (q, [])).
  { intros j. unfold evs, events. rewrite in_flat_map. split.
    - intros [i [I J]]. destruct (enter r Ls i) as [[v [|? ?]]|] eqn:E; try contradiction.
      destruct (bev v (st_guard (sc_store g))) eqn:B; [|contradiction]. destruct J as [<-|[]].
      destruct (BACK i v) as [q [Q _]]; [split; auto|]. eauto.
    - intros [q Q]. destruct (THERE _ _ Q) as [v [[E B] A]]. exists (map (iev q) (sc_from g)). split; [eapply ALL; split; eauto|].
      rewrite E, B. simpl. auto. }
  assert (KEEPS : ordered (fun a b => a <> b /\ (earlier a b \/ commute _ _ (eqv S) (perform S t s xs c r N) a b)) evs).
  { unfold evs, events. eapply ordered_flat_map; [| |exact (ordered_both _ _ _ (nodup_ordered _ ND) ORD)].
    - intros a. destruct enter as [[v [|? ?]]|]; try constructor. destruct bev; repeat constructor.
    - intros j k a b [NE PR] A B.
      destruct (enter r Ls j) as [[u1 [|? ?]]|] eqn:EJ; try contradiction.
      destruct (bev u1 _) eqn:BJ; [|contradiction]. destruct A as [<-|[]].
      destruct (enter r Ls k) as [[u2 [|? ?]]|] eqn:EK; try contradiction.
      destruct (bev u2 _) eqn:BK; [|contradiction]. destruct B as [<-|[]].
      destruct (BACK j u1) as [q [Q FQ]]; [split; auto|]. destruct (BACK k u2) as [w [W FW]]; [split; auto|].
      set (a := map (iev u1) (st_at (sc_store g))) in *. set (b := map (iev u2) (st_at (sc_store g))) in *.
      assert (AB : a <> b) by (intros E; rewrite E, W in Q; inversion Q; subst; auto). split; auto.
      destruct (earlier_total a b) as [L|[L|L]]; auto; [|contradiction|].
      { destruct (enter_names _ _ _ _ Q DN), (enter_names _ _ _ _ W DN). congruence. }
      right. rewrite (NAMES _ _ Q), (NAMES _ _ W) in L. apply earlier_app in L; [|unfold place; rewrite !map_length; auto].
      assert (SPLIT : place q xs = place w xs -> earlier (place w rs1) (place q rs1)).
      { intros E. destruct L as [L|[_ L]]; auto. exfalso. rewrite E in L. exact (earlier_irrefl _ L). }
      assert (NOT : earlier (place w rs1) (place q rs1) -> precedes (serial g) (at_ g w) (at_ g q) = true -> False).
      { intros _ P. unfold at_ in P. rewrite FQ, FW in P. congruence. }
      assert (TIMES : place w rs1 = place q rs1 -> place q xs = place w xs -> False).
      { intros T E. apply SPLIT in E. rewrite T in E. exact (earlier_irrefl _ E). }
      assert (CASES : earlier (place w rs1) (place q rs1) \/ place w rs1 = place q rs1) by (destruct L as [L|[L _]]; auto).
      intros v. unfold perform. rewrite Q, W. apply changes_commute.
      destruct (PAIR w q b a W Q) as [I|[I|[WW WR2]]]; auto. destruct (PAIR q w a b Q W) as [I|[I|[_ QR]]]; auto.
      right. right. split; [|split].
      + intros E. exact (NOT (SPLIT E) (WW (eq_sym E) (SPLIT E))).
      + intros v1 v2 U. apply QR. intros i rest [B C]. apply U. split.
        { rewrite (in_bounds_length _ _ B). unfold ns. rewrite !map_length. auto. }
        intros E. destruct (C E) as [C1 [C2 _]]. destruct CASES as [T|T]; [exact (NOT T (C2 T))|].
        exact (TIMES T (C1 (eq_sym T))).
      + intros v1 v2 U. apply WR2. intros i rest [B C]. apply U. split.
        { rewrite (in_bounds_length _ _ B). unfold ns. rewrite !map_length. auto. }
        intros E. destruct (C E) as [C1 [_ C3]]. destruct CASES as [T|T]; [exact (NOT T (C3 T))|].
        exact (TIMES T (eq_sym (C1 T))). }
  intros i rest B. rewrite (SEQ i rest B). unfold perform_all. symmetry.
  apply (acts_reordered _ _ (eqv S) (perform S t s xs c r N)) with (lt := earlier).
  - intros v j. auto.
  - intros v1 v2 v3 A C j. rewrite A. auto.
  - intros j v1 v2. apply perform_proper.
  - apply earlier_asym.
  - apply all_of_ordered.
  - apply NoDup_Permutation.
    + eapply ordered_nodup; [apply earlier_irrefl | apply all_of_ordered].
    + eapply (ordered_nodup (fun a b => a <> b)); [intros a A; apply A; auto|].
      eapply ordered_impl; [|exact KEEPS]. intros a b _ _ [K _]. exact K.
    + intros j. rewrite IN. apply all_of_in.
  - eapply ordered_impl; [|exact KEEPS]. intros a b _ _ [_ K]. exact K.
Qed.

Theorem check_scan_sound F e g r : check_scan F e g = true -> sat r F ->
  arrives (sc_path g) (fun r e => scanned r e g) r e.
Proof.
  unfold check_scan. intros H HF. destruct (descend (sc_path g) F e) as [[F' e']|] eqn:D; try discriminate.
  eapply descend_ok; eauto. intros q Q. eapply check_scan_here_ok; eauto.
Qed.
