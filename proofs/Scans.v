(** * Scans: updates that read what they have written, in the order of other loops

    A scan is a loop in which each iteration makes a tensor of the one before and changes the elements that it writes.
    Lowering keeps one tensor in memory and lets the iterations of other loops, splits and orders of those of the
    definition, change it in place: also loops over elements outside of those of the reduction, and some of them at once.
    That is an order of *events*; an event is an iteration of the reduction at one element. A [scan] says which event each
    iteration of the new loops is, and which iteration each event is, as stores do ([check_store]), and which loops run in
    order. [check_scan] asks by witnesses of every two events, of which one reads or writes the element that the other one
    writes, that the new loops keep their order; the names of the second event are those of the first in another spelling.
    [check_scan_sound] is the theorem: memory in the end holds the tensor, in any order of iterations that keeps to the loops
    that run in order. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Safety Stores Slides Events Steps.
Import ListNotations.
Open Scope Z_scope.

(** ** What is asked of two events *)
Fixpoint equal_all (a b : list iexp) : facts := match a, b with x :: a, y :: b => BEq x y :: equal_all a b | _, _ => [] end.
(** The ways in which one list comes before another one. *)
Fixpoint ways (a b : list iexp) : list facts :=
  match a, b with x :: a, y :: b => [BLt x y] :: map (cons (BEq x y)) (ways a b) | _, _ => [] end.
(** Whether one iteration runs before another one for sure: by a loop that runs in order, inside of the same iteration of
    those around it. *)
Fixpoint precedes (fs : list bool) (j k : list Z) : bool :=
  match fs, j, k with f :: fs, a :: j, b :: k => (f && (a <? b)) || ((a =? b) && precedes fs j k) | _, _, _ => false end.
Fixpoint preceding (fs : list bool) (j k : list iexp) : bexp :=
  match fs, j, k with
  | f :: fs, a :: j, b :: k =>
      let rest := BAnd (BEq a b) (preceding fs j k) in if f then BOr (BLt a b) rest else rest
  | _, _, _ => BNot BTrue
  end.
Lemma preceding_ok r fs : forall j k, bev r (preceding fs j k) = precedes fs (map (iev r) j) (map (iev r) k).
Proof.
  induction fs as [|f fs IH]; destruct j as [|a j], k as [|b k]; auto. cbn [preceding precedes map].
  destruct f; cbn [bev andb orb]; rewrite IH; auto.
Qed.
Lemma ways_ok r a : forall b, earlier (map (iev r) a) (map (iev r) b) -> exists H, In H (ways a b) /\ sat r H.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn [map earlier ways]; try contradiction. intros [H|[E H]].
  - exists [BLt x y]. split; [simpl; auto|]. repeat constructor. cbn [bev]. lia.
  - destruct (IH b H) as [G [I Q]]. exists (BEq x y :: G). split; [right; apply in_map; auto|].
    constructor; auto. cbn [bev]. lia.
Qed.
Lemma equal_all_ok r a : forall b, map (iev r) a = map (iev r) b -> sat r (equal_all a b).
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn [map equal_all]; intros H; try discriminate; [constructor|].
  inversion H. constructor; [|apply IH; auto]. cbn [bev]. lia.
Qed.
Lemma equal_all_back r a : forall b, length a = length b -> sat r (equal_all a b) -> map (iev r) a = map (iev r) b.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn [length equal_all map]; intros L H; try discriminate; auto.
  inversion H; subst. cbn [bev] in *. f_equal; [lia|]. apply IH; auto.
Qed.
Lemma all_sat r ps : bev r (all ps) = true -> sat r ps.
Proof. intros H. apply Forall_forall. intros p I. eapply all_ok; eauto. Qed.

Record scan := Scan {
  sc_path : path;
  sc_rank : nat;                        (* of the tensor *)
  sc_loops : list (id * iexp * bool);   (* the new loops; whether iterations run in order *)
  sc_from : list iexp;                  (* of an event, the iteration, over the old loops *)
  sc_store : store;                     (* of an iteration, the event *)
  sc_second : spelling;                 (* the names of a second event *)
  sc_writes : list wit;                 (* of two events at one element *)
  sc_reads : list wit }.                (* of each read *)

(** t := ., then for each of [rs] in order t := gens xs step: all but the first loop start from the tensor as it is. *)
Fixpoint steps (t : id) (k : nat) (e : exp) : option (nest * nest * exp) :=
  match e with
  | Iter u x n a b =>
      do (rs, xs, c) <- steps t k b; only (Pos.eqb t u && xeq a (gens xs (gets (Var t) xs))) (Some ((x, n) :: rs, xs, c))
  | _ => do (xs, b) <- strip k e; Some ([], xs, b)
  end.

Section Questions.
Variable g : scan.
Variables rs xs : nest.
Definition names_of (ys : nest) : list iexp := map (fun y => IV (fst y)) ys.
Definition second (l : list iexp) : list iexp := map (isubs (respell (sc_second g))) l.
Definition serial : list bool := map snd (sc_loops g).
Definition write_questions : list question :=
  map (fun H => (equal_all (names_of xs) (second (names_of xs)) ++ H, preceding serial (sc_from g) (second (sc_from g))))
    (ways (names_of rs) (second (names_of rs))).
Definition read_questions (idx : list iexp) : list question :=
  let there := equal_all idx (second (names_of xs)) in
  ([], all (map (fun p => in_range (fst p) (snd p)) (combine idx (map snd xs)))) ::
  (there ++ equal_all (names_of rs) (second (names_of rs)), all (equal_all (names_of xs) (second (names_of xs)))) ::
  map (fun H => (there ++ H, preceding serial (second (sc_from g)) (sc_from g))) (ways (second (names_of rs)) (names_of rs)) ++
  map (fun H => (there ++ H, preceding serial (sc_from g) (second (sc_from g)))) (ways (names_of rs) (second (names_of rs))).
End Questions.

(** Names of which something is asked. *)
Definition keep_of (g : scan) (rs xs : nest) (y : id) : bool :=
  bound y (rs ++ xs) || bound y (spelled (sc_second g)) || existsb (fun p => Pos.eqb (snd p) y) (sc_second g)
  || existsb (iin y) (sc_from g ++ map snd xs).
Definition check_scan_here (F : facts) (e : exp) (g : scan) : bool :=
  match e with
  | Iter t x n a b =>
      match steps t (sc_rank g) b with
      | Some (rs, xs, c) =>
          let rs := (x, n) :: rs in
          let N := rs ++ xs in
          let u := sc_second g in
          let keep := keep_of g rs xs in
          let G := map (bsubs (respell u)) (no_primes u (asked t xs (insides N []) c)) ++ no_primes u (insides N F) in
          check_store F N (map fst (sc_loops g)) (sc_from g) (sc_store g) && tidy u
          && forallb (fun y => bound (fst y) (spelled u)) N && forallb (fun y => bound y (spelled u)) (binders t xs c)
          && forallb (fun y => forallb (fun a => negb (iin y a)) (sc_from g)) (binders t xs c)
          && forallb (fun p => negb (ein (snd p) c)) u
          && forallb (fun a => forallb (fun p => negb (iin (snd p) a)) u) (sc_from g ++ map snd xs ++ names_of N)
          && match prove_each (asked t xs G c) (write_questions g rs xs) (sc_writes g),
                   check_step t xs (length xs) keep (read_questions g rs xs) G c (sc_reads g) with
             | Some [], Some [] => true
             | _, _ => false
             end
      | None => false
      end
  | _ => false
  end.
Definition check_scan (F : facts) (e : exp) (g : scan) : bool :=
  match descend (sc_path g) F e with Some (F, e) => check_scan_here F e g | None => false end.

(** ** Memory *)
Section Memory.
Variable S : algebra.
Variable t : id.
Variable s : id -> ten S.
Variable xs : nest.
Variable b : exp.
Definition eqv (m m' : ten S) : Prop := forall idx, m idx = m' idx.
(** The element at [i]; what is beyond its indices comes along. *)
Definition put_at (m : ten S) (i : list Z) (v : ten S) : ten S :=
  fun idx => if list_eq_dec Z.eq_dec (firstn (length xs) idx) i then v (skipn (length xs) idx) else m idx.
Definition value (q : id -> Z) (m : ten S) : ten S := den S q (upd s t m) b.
Definition change (q : id -> Z) (m : ten S) : ten S := put_at m (place q xs) (value q m).
(** The event [j] of the nest [N]. *)
Definition perform (r : id -> Z) (N : nest) (j : list Z) (m : ten S) : ten S :=
  match enter r N j with Some (q, []) => change q m | _ => m end.
Definition perform_all (r : id -> Z) (N : nest) (js : list (list Z)) (m : ten S) : ten S := acts _ _ (perform r N) js m.
(** Events of iterations. *)
Definition events (r : id -> Z) (Ls : nest) (q : store) (order : list (list Z)) : list (list Z) :=
  flat_map (fun j => match enter r Ls j with
    | Some (u, []) => if bev u (st_guard q) then [map (iev u) (st_at q)] else []
    | _ => [] end) order.

Lemma value_proper q m m' : eqv m m' -> eqv (value q m) (value q m').
Proof. intros E idx. apply den_let. auto. Qed.
Lemma change_proper q m m' : eqv m m' -> eqv (change q m) (change q m').
Proof. intros E idx. unfold change, put_at. destruct list_eq_dec; auto. apply value_proper. auto. Qed.
Lemma perform_proper r N j m m' : eqv m m' -> eqv (perform r N j m) (perform r N j m').
Proof. intros E. unfold perform. destruct enter as [[q [|? ?]]|]; auto. apply change_proper. auto. Qed.

Definition idle (q : id -> Z) : Prop := forall m rest, value q m rest = m (place q xs ++ rest).
(** The value does not depend on elements outside of [P]. *)
Definition rests_on (q : id -> Z) (P : list Z -> Prop) : Prop :=
  forall m m', (forall i rest, P i -> m (i ++ rest) = m' (i ++ rest)) -> eqv (value q m) (value q m').

Lemma place_length q : length (place q xs) = length xs.
Proof. apply map_length. Qed.
Lemma change_at q m i rest : length i = length xs ->
  change q m (i ++ rest) = if list_eq_dec Z.eq_dec i (place q xs) then value q m rest else m (i ++ rest).
Proof.
  intros L. unfold change, put_at. rewrite <- L, firstn_app, firstn_all, skipn_app, skipn_all, Nat.sub_diag. cbn [firstn skipn app].
  rewrite app_nil_r. auto.
Qed.
Lemma idle_change q m : idle q -> eqv (change q m) m.
Proof.
  intros I idx. unfold change, put_at. destruct list_eq_dec as [E|]; auto. rewrite I, <- E, firstn_skipn. auto.
Qed.
Lemma change_other q w m : place q xs <> place w xs -> rests_on q (fun i => length i = length xs /\ i <> place w xs) ->
  eqv (value q (change w m)) (value q m).
Proof.
  intros N R. apply R. intros i rest [L D]. rewrite change_at by auto. destruct list_eq_dec; congruence.
Qed.
Lemma changes_commute q w : idle q \/ idle w \/ (place q xs <> place w xs /\
    rests_on q (fun i => length i = length xs /\ i <> place w xs) /\
    rests_on w (fun i => length i = length xs /\ i <> place q xs)) ->
  forall m, eqv (change w (change q m)) (change q (change w m)).
Proof.
  intros [I|[I|[N [Q W]]]] m idx.
  - rewrite (change_proper w _ _ (idle_change q m I)). symmetry. apply idle_change. auto.
  - rewrite (idle_change w _ I). apply change_proper. intros j. symmetry. apply idle_change. auto.
  - assert (E : forall v m, change v m idx = if list_eq_dec Z.eq_dec (firstn (length xs) idx) (place v xs)
      then value v m (skipn (length xs) idx) else m idx) by reflexivity.
    rewrite (E w), (E q (change w m)).
    destruct (list_eq_dec Z.eq_dec _ (place w xs)) as [A|A], (list_eq_dec Z.eq_dec _ (place q xs)) as [B|B]; try congruence.
    + rewrite change_other, E by auto. destruct list_eq_dec; congruence.
    + rewrite change_other, E by auto. destruct list_eq_dec; congruence.
    + rewrite !E. repeat destruct list_eq_dec; congruence.
Qed.
End Memory.

(** ** The definition's order *)
Lemma in_bounds_length l : forall i, in_bounds l i -> length i = length l.
Proof. induction l; destruct i; cbn [in_bounds length]; try tauto. intros [_ H]. f_equal. auto. Qed.
Lemma enter_bounds ys : forall r i rest, distinct_names ys = true -> free_of ys (map snd ys) = true ->
  in_bounds (map (iev r) (map snd ys)) i -> exists q, enter r ys (i ++ rest) = Some (q, rest) /\ place q ys = i.
Proof.
  intros r i rest D F B.
  assert (E : exists q, enter r ys i = Some (q, [])).
  { clear D. revert r i F B. induction ys as [|[x n] ys IH]; intros r i F B; destruct i as [|j i]; cbn [map in_bounds] in B; try tauto.
    - exists r. auto.
    - destruct B as [J B]. cbn [enter snd] in *. destruct (within_spec j (iev r n)); [|lia].
      assert (FX : forall m, In m (map snd ys) -> iin x m = false /\ forall y, bound y ys = true -> iin y m = false).
      { intros m M. unfold free_of in F. cbn [map forallb snd fst] in F. bools.
        match goal with K : forallb _ (map snd ys) = true |- _ => rewrite forallb_forall in K; specialize (K m M); cbn [fst] in K; bools end.
        split; auto. intros y Y. apply existsb_exists in Y. destruct Y as [p [P Q]]. bools. subst.
        match goal with K : forallb _ ys = true |- _ => rewrite forallb_forall in K; specialize (K p P); cbn beta in K; bools; auto end. }
      apply IH.
      + unfold free_of. apply forallb_forall. intros m M. apply forallb_forall. intros p P. cbn beta.
        destruct (iin (fst p) m) eqn:I; auto. destruct (FX m M) as [_ X]. rewrite (X (fst p)) in I; [discriminate|].
        apply existsb_exists. exists p. split; auto. apply Pos.eqb_refl.
      + replace (map (iev (upd r x j)) (map snd ys)) with (map (iev r) (map snd ys)); auto.
        apply map_ext_in. intros m M. symmetry. apply iev_fresh. apply (proj1 (FX m M)). }
  destruct E as [q E]. exists q. destruct (enter_prefix _ _ _ _ _ E) as [pre [P X]]. rewrite app_nil_r in P. subst pre.
  split; auto. destruct (enter_names _ _ _ _ E D) as [_ N]. exact N.
Qed.
Lemma enter_in_bounds ys : forall r i q, enter r ys i = Some (q, []) -> free_of ys (map snd ys) = true ->
  in_bounds (map (iev r) (map snd ys)) i.
Proof.
  induction ys as [|[x n] ys IH]; intros r i q E F; cbn [enter map in_bounds snd] in *.
  - inversion E; subst. auto.
  - destruct i as [|j i]; try discriminate. destruct (within_spec j (iev r n)); try discriminate. split; auto.
    assert (FX : forall m, In m (map snd ys) -> iin x m = false).
    { intros m M. unfold free_of in F. cbn [map forallb snd fst] in F. bools.
      match goal with K : forallb _ (map snd ys) = true |- _ => rewrite forallb_forall in K; specialize (K m M); cbn [fst] in K; bools end. auto. }
    replace (map (iev r) (map snd ys)) with (map (iev (upd r x j)) (map snd ys)).
    + eapply IH; eauto. unfold free_of in *. apply forallb_forall. intros m M. rewrite forallb_forall in F.
      specialize (F m (or_intror M)). cbn [forallb fst] in F. bools. auto.
    + apply map_ext_in. intros m M. apply iev_fresh. auto.
Qed.

Section Sequential.
Variable S : algebra.
Variable t : id.
Variable s : id -> ten S.
Variables rs xs : nest.
Variable b : exp.
Variable ns : list Z.                       (* the extents of [xs] *)
Notation change := (change S t s xs b).
Notation value := (value S t s b).
Notation perform := (perform S t s xs b).
Notation perform_all := (perform_all S t s xs b).

(** Tensors that are equal within their extents. *)
Definition agrees (v m : ten S) : Prop := forall i rest, in_bounds ns i -> v (i ++ rest) = m (i ++ rest).
Definition time (q : id -> Z) : list Z := place q rs.

(** What is known of two events of the definition. *)
Variable event : (id -> Z) -> Prop.
Hypothesis X1 : distinct_names xs = true.
Hypothesis X2 : free_of xs (map snd xs) = true.
Hypothesis PLACES : forall q, event q -> in_bounds ns (place q xs).
Hypothesis SAME_TIME : forall q w, event q -> event w -> idle S t s xs b q \/ idle S t s xs b w \/
  rests_on S t s b q (fun i => in_bounds ns i /\ (i = place w xs -> time q = time w -> place q xs = place w xs)).

Lemma idle_after q w m : idle S t s xs b q -> place q xs <> place w xs -> event q -> eqv S (value q (change w m)) (value q m).
Proof. intros I N Q rest. rewrite !I, change_at by apply place_length. destruct list_eq_dec; congruence. Qed.
Lemma undisturbed q w m : event q -> event w -> time q = time w -> place q xs <> place w xs ->
  eqv S (value q (change w m)) (value q m).
Proof.
  intros Q W T N. destruct (SAME_TIME q w Q W) as [I|[I|R]]; [apply idle_after; auto | |].
  - apply value_proper. apply idle_change. auto.
  - apply R. intros i rest [B C]. rewrite change_at.
    + destruct list_eq_dec; auto. exfalso. auto.
    + rewrite (in_bounds_length _ _ B), <- (in_bounds_length _ _ (PLACES q Q)). apply place_length.
Qed.
Lemma value_agrees q v m : event q -> agrees v m -> eqv S (value q v) (value q m).
Proof.
  intros Q A. assert (I : idle S t s xs b q \/ rests_on S t s b q (in_bounds ns)).
  { destruct (SAME_TIME q q Q Q) as [I|[I|R]]; auto. right. intros u w E. apply R. intros i rest [B _]. auto. }
  destruct I as [I|R].
  - intros rest. rewrite !I. apply A. auto.
  - apply R. auto.
Qed.

(** All elements, one after the other, in memory. *)
Lemma elements_ok r : (forall j q, enter r xs j = Some (q, []) -> event q) -> (forall x, bound x xs = true -> bound x rs = false) ->
  forall js, NoDup js -> (forall j, In j js -> exists q, enter r xs j = Some (q, [])) -> forall m i q rest,
  enter r xs i = Some (q, []) ->
  perform_all r xs js m (i ++ rest) = if in_dec (list_eq_dec Z.eq_dec) i js then value q m rest else m (i ++ rest).
Proof.
  intros EV D js. induction js as [|j js IH]; intros N J m i q rest E; [destruct in_dec; [contradiction|auto]|].
  inversion N; subst. destruct (J j (or_introl eq_refl)) as [w W]. cbn [Scans.perform_all acts fold_left].
  change (perform_all r xs js (perform r xs j m) (i ++ rest) =
    (if in_dec (list_eq_dec Z.eq_dec) i (j :: js) then value q m rest else m (i ++ rest))).
  rewrite (IH) with (q := q) by (auto; intros; apply J; simpl; auto). unfold Scans.perform at 1 2. rewrite !W.
  destruct (enter_names _ _ _ _ E X1) as [LI PI], (enter_names _ _ _ _ W X1) as [LJ PJ].
  assert (T : time q = time w).
  { unfold time, place. apply map_ext_in. intros [y n] Y. cbn [fst].
    assert (B : bound y xs = false).
    { destruct (bound y xs) eqn:B; auto. apply D in B. assert (bound y rs = true); [|congruence].
      apply existsb_exists. exists (y, n). split; auto. apply Pos.eqb_refl. }
    rewrite (enter_other y _ _ _ _ _ E), (enter_other y _ _ _ _ _ W) by auto. auto. }
  destruct (in_dec (list_eq_dec Z.eq_dec) i js) as [I|I].
  - destruct (in_dec (list_eq_dec Z.eq_dec) i (j :: js)) as [_|O]; [|exfalso; apply O; simpl; auto].
    apply undisturbed; eauto. unfold place. rewrite PI, PJ. congruence.
  - rewrite change_at by auto. unfold place. rewrite PJ.
    destruct (list_eq_dec Z.eq_dec i j) as [->|D2].
    + destruct (in_dec (list_eq_dec Z.eq_dec) j (j :: js)) as [_|O]; [|exfalso; apply O; simpl; auto].
      rewrite E in W. inversion W; subst. auto.
    + destruct (in_dec (list_eq_dec Z.eq_dec) i (j :: js)) as [[O|O]|O]; try contradiction; congruence.
Qed.

Lemma perform_all_cons r x n N js m : (forall i, In i js -> 0 <= i < iev r n) ->
  perform_all r ((x, n) :: N) (flat_map (fun i => map (cons i) (all_of (upd r x i) N)) js) m =
  fold_left (fun m i => perform_all (upd r x i) N (all_of (upd r x i) N) m) js m.
Proof.
  unfold Scans.perform_all. revert m. induction js as [|i js IH]; intros m I; auto. cbn [flat_map fold_left].
  rewrite acts_app, IH by (intros; apply I; simpl; auto). f_equal. specialize (I i (or_introl eq_refl)). clear IH js.
  generalize (all_of (upd r x i) N). intros l. revert m. induction l as [|j l IH]; intros m; auto.
  cbn [map acts fold_left]. unfold acts in IH. rewrite IH. f_equal. unfold Scans.perform. cbn [enter].
  destruct (within_spec i (iev r n)); [auto|lia].
Qed.
Lemma iterations c : forall v m f g, agrees v m ->
  (forall i v m, 0 <= i < Z.of_nat c -> agrees v m -> agrees (f i v) (g m i)) ->
  agrees (itern S c v f) (fold_left g (map Z.of_nat (seq 0 c)) m).
Proof.
  induction c as [|c IH]; intros v m f g A H; auto. rewrite seq_S, map_app, fold_left_app. cbn [itern map fold_left Nat.add].
  apply H; [lia|]. apply IH; auto. intros. apply H; auto. lia.
Qed.

(** The extents do not change, and the tensor is the one at hand. *)
Definition steady_here (r : id -> Z) := map (iev r) (map snd xs) = ns.
Theorem steps_ok e : forall k rs1, steps t k e = Some (rs1, xs, b) -> forall r s1 m,
  (forall y, bound y rs1 = true -> bound y rs = true) -> (forall x, bound x xs = true -> bound x rs = false) ->
  free_of rs (map snd xs) = true ->
  (forall j q, enter r (rs1 ++ xs) j = Some (q, []) -> event q) -> steady_here r ->
  (forall u, u <> t -> forall i, s1 u i = s u i) -> agrees (s1 t) m ->
  agrees (den S r s1 e) (perform_all r (rs1 ++ xs) (all_of r (rs1 ++ xs)) m).
Proof.
  assert (BASE : forall r s1 m, (forall x, bound x xs = true -> bound x rs = false) ->
    (forall j q, enter r xs j = Some (q, []) -> event q) -> steady_here r ->
    (forall u, u <> t -> forall i, s1 u i = s u i) -> agrees (s1 t) m ->
    agrees (den S r s1 (gens xs b)) (perform_all r xs (all_of r xs) m)).
  { intros r s1 m D EV ST O A i rest B. rewrite <- ST in B. destruct (enter_bounds xs r i rest X1 X2 B) as [q [E P]].
    destruct (enter_bounds xs r i [] X1 X2 B) as [q' [E' P']]. rewrite app_nil_r in E'.
    destruct (enter_prefix _ _ _ _ _ E') as [pre [PR X]]. rewrite app_nil_r in PR. subst pre. rewrite (X rest) in E.
    inversion E; subst q'. clear E P'.
    rewrite gens_ok, (X rest), (elements_ok r EV D) with (q := q); auto.
    - destruct in_dec as [_|N]; [|exfalso; apply N, all_of_in; eauto].
      rewrite <- (value_agrees q (s1 t) m) by eauto. apply den_ext; auto. intros u _ j. unfold upd.
      destruct (Pos.eqb_spec t u); [subst; auto | apply O; auto].
    - eapply ordered_nodup; [apply earlier_irrefl | apply all_of_ordered].
    - intros j J. apply all_of_in. auto. }
  induction e; intros k rs1 H r s1 mem SUB D FR EV ST O A; cbn [steps] in H;
  try (results; match goal with K : strip _ _ = Some _ |- _ => rewrite (strip_ok _ _ _ _ K) end; apply BASE; auto; fail).
  results. bools. subst t0. cbn [den app all_of]. unfold counting.
  rewrite perform_all_cons by (intros i I; apply counting_in; auto).
  assert (XR : bound x rs = true) by (apply SUB; cbn [bound existsb fst]; rewrite Pos.eqb_refl; auto).
  apply iterations.
  - intros i rest B. rewrite <- ST in B. destruct (enter_bounds xs r i rest X1 X2 B) as [q [E P]].
    match goal with K : xeq _ _ = true |- _ => rewrite (xeq_ok S _ _ _ _ _ K) end.
    rewrite gens_ok, E, gets_ok. fold (place q xs). rewrite P. cbn [den]. apply A. rewrite <- ST. auto.
  - intros i v w I V. eapply IHe2; eauto.
    + intros y Y. apply SUB. unfold bound in *. cbn [existsb fst]. rewrite Y. apply orb_true_r.
    + intros j q E. eapply (EV (i :: j)). cbn [enter app]. destruct (within_spec i (iev r n)); [auto|lia].
    + unfold steady_here. rewrite <- ST. apply map_ext_in. intros y Y. apply iev_fresh.
      destruct (iin x y) eqn:IY; auto. assert (bound x rs = false); [|congruence]. eapply (free_of_ok rs); eauto.
    + intros u U j. rewrite upd_ne by auto. auto.
    + rewrite upd_eq. auto.
Qed.
End Sequential.
