(** * Windows that slide beside nests that share their loops

    In an iteration of the loop along which windows slide, their rows may be computed in the loops of other Funcs: of other
    windows that slide along it, and of nests that are bound inside of the loop. A [beside] names the windows, which are
    among those of a [sliding], the bindings inside of the loop, which stand one inside of the other, and where their nests
    store. [check_beside] asks that no body of one of them reads another; [check_beside_sound] is the theorem. What computes
    a row finds the rows that it reads, whatever the memories of the group hold meanwhile; after any order of iterations
    that leaves none out, the memory of each nest holds its tensor, whatever the windows hold meanwhile. That windows hold
    the rows that [Slides.v] says needs only the order of the rows of each ([add_events_one]). *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Stores Slides Joined.
Import ListNotations.
Open Scope Z_scope.

(** ** Rows of several windows, one after the other *)
Definition add_row (m : Z) (mem : rows) (i : Z) : rows := fun p => if p =? i mod m then Some i else mem p.
Definition in_turn (lo : Z) (count : nat) : list Z := map (fun c => lo + Z.of_nat c) (seq 0 count).

Lemma fill_in_turn m lo count mem : fill m lo count mem = fold_left (add_row m) (in_turn lo count) mem.
Proof.
  unfold in_turn. induction count as [|c IH]; auto. rewrite seq_S, map_app, fold_left_app. cbn [fill map fold_left].
  rewrite IH. reflexivity.
Qed.
(** An event is a window, by its number, and a row that is computed. *)
Definition add_event (size : nat -> Z) (mems : nat -> rows) (e : nat * Z) : nat -> rows :=
  put mems (fst e) (add_row (size (fst e)) (mems (fst e)) (snd e)).
Definition rows_of (k : nat) (events : list (nat * Z)) : list Z := map snd (filter (fun e => Nat.eqb (fst e) k) events).

Theorem add_events_one size k lo count : forall events mems, rows_of k events = in_turn lo count ->
  fold_left (add_event size) events mems k = fill (size k) lo count (mems k).
Proof.
  intros events mems H. rewrite fill_in_turn, <- H. clear H. revert mems. unfold rows_of.
  induction events as [|[j i] events IH]; intros mems; auto. cbn [fold_left filter fst]. rewrite IH. unfold add_event, put.
  cbn [fst snd]. destruct (Nat.eqb_spec j k) as [->|N]; auto.
Qed.

(** ** Windows whose rows are computed while the memories of the group [G] change *)
Definition among (t : id) (G : list id) : bool := existsb (Pos.eqb t) G.
Definition apart_from (G : list id) (a : exp) : bool := forallb (fun u => negb (tin u a)) G.

Fixpoint undisturbed (G : list id) (x : id) (n : Z) (ss : list (option slide)) (A : windows) (r : id -> Z) (e : exp) : Prop :=
  match ss, e with
  | [], _ => True
  | None :: ss, Let t a b => undisturbed G x n ss (fun k => upd (A k) t None) r b
  | Some s :: ss, Let t a b =>
      match a with
      | View (Reindex xs ts) nest =>
          (among t G = true ->
           exists Ls body row, loops nest (length ts) = Some (Ls, body) /\
             nth_error (st_at (sl_store s)) (sl_dim s) = Some row /\
             forall k idx q, 0 <= k < n -> enter (upd r x k) Ls idx = Some (q, []) ->
               iev q row < w_up (window_of r x s k) k -> k = 0 \/ w_up (window_of r x s k) (k - 1) <= iev q row ->
               forall A', (forall u, among u G = false -> A' u = A k u) -> finds A' q body []) /\
          undisturbed G x n ss (fun k => upd (A k) t (Some (window_of r x s k))) r b
      | _ => False
      end
  | _ :: _, _ => False
  end.

Fixpoint windows_apart (G : list id) (ss : list (option slide)) (e : exp) : bool :=
  match ss, e with
  | [], _ => true
  | None :: ss, Let _ _ b => windows_apart G ss b
  | Some _ :: ss, Let t (View (Reindex xs ts) nest) b =>
      match loops nest (length ts) with
      | Some (_, body) => (negb (among t G) || apart_from G body) && windows_apart G ss b
      | None => false
      end
  | _, _ => false
  end.
(** The names of the bindings that slide. *)
Fixpoint sliding_names (ss : list (option slide)) (e : exp) : list id :=
  match ss, e with
  | None :: ss, Let _ _ b => sliding_names ss b
  | Some _ :: ss, Let t _ b => t :: sliding_names ss b
  | _, _ => []
  end.

Lemma apart_from_ok G a t : apart_from G a = true -> tin t a = true -> among t G = false.
Proof.
  unfold apart_from, among. intros H T. destruct (existsb (Pos.eqb t) G) eqn:E; auto. apply existsb_exists in E.
  destruct E as [u [U E]]. apply Pos.eqb_eq in E. subst. rewrite forallb_forall in H. specialize (H u U). cbn beta in H.
  rewrite T in H. discriminate.
Qed.

Lemma finds_ext e : forall A A' r idx, (forall t, tin t e = true -> A t = A' t) -> finds A r e idx -> finds A' r e idx.
Proof.
  assert (U : forall (A A' : id -> option window) t b, (forall u, negb (Pos.eqb u t) && tin u b = true -> A u = A' u) ->
    forall u, tin u b = true -> upd A t None u = upd A' t None u).
  { intros A A' t b H u T. unfold upd. destruct (Pos.eqb_spec t u); auto. apply H. rewrite T.
    destruct (Pos.eqb_spec u t); [congruence|auto]. }
  induction e; cbn [finds tin]; intros A A' r' idx H F; auto;
  repeat match goal with K : _ /\ _ |- _ => destruct K end;
  repeat match goal with |- _ /\ _ => split end; intros;
  try match goal with
  | IH : forall A A' r idx, _ -> finds A r ?a idx -> _ |- finds _ _ ?a _ =>
      eapply IH; [|eauto]; first [eapply U | idtac]; intros; apply H;
      repeat match goal with K : tin _ _ = true |- _ => rewrite K end;
      repeat match goal with K : negb _ && _ = true |- _ => rewrite K end; rewrite ?orb_true_r; auto
  end.
  rewrite <- H by apply Pos.eqb_refl. auto.
Qed.

Lemma slides_undisturbed G x n ss : forall A r e, slides x n ss A r e -> windows_apart G ss e = true ->
  undisturbed G x n ss A r e.
Proof.
  induction ss as [|[s|] ss IH]; cbn [slides windows_apart undisturbed]; intros A r e H W; auto.
  - destruct e; try discriminate. destruct e1; try discriminate. destruct v; try discriminate.
    destruct H as [_ [[Ls [body [row [L [N K]]]]] H]]. rewrite L in W. bools. split; [|apply IH; auto].
    intros T. exists Ls, body, row. split; auto. split; auto. intros k idx q K0 E U V A' HA.
    eapply finds_ext; [|eapply K; eauto]. intros u TU. symmetry. apply HA.
    match goal with X : negb _ || _ = true |- _ => rewrite T in X; cbn [negb orb] in X; eapply apart_from_ok; eauto end.
  - destruct e; try discriminate. apply IH; [apply H | auto].
Qed.

(** ** The nests inside of the loop *)
Definition agree_but {S} (G : list id) (s s' : id -> ten S) : Prop :=
  forall t, among t G = false -> forall idx, s t idx = s' t idx.
Definition shared_beside (r : id -> Z) (G : list id) (ms : list member) : Prop :=
  forall S s (events : list (event S)) mems k m,
    Forall (fun e => agree_but G (snd e) s) events -> nth_error ms k = Some m ->
    (forall j u, stores r (mb_loops m) (st_guard (mb_store m)) j u -> In j (of_member k events)) ->
    forall s', agree_but G s' s -> forall idx,
    run_events S r ms events mems k idx =
      match enter r (mb_xs m) idx with
      | Some (_, []) => Some (den S r s' (View (Reindex (mb_xs m) (mb_ts m)) (mb_nest m)) idx)
      | _ => mems k idx
      end.

Record beside := Beside {
  bs_path : path;          (* of the bindings inside of the loop *)
  bs_windows : list id;    (* windows of a [sliding] *)
  bs_stores : list store }.

Definition group (b : beside) (ms : list member) : list id := bs_windows b ++ map mb_name ms.
Definition check_beside (F : facts) (e : exp) (g : sliding) (b : beside) : bool :=
  match descend (bs_path b) F e, descend (sg_path g) F e with
  | Some (F1, e1), Some (F2, e2) =>
      match members (bs_stores b) e1 with
      | Some ms =>
          forallb (fun m => apart_from (group b ms) (mb_body m)) ms &&
          forallb (fun m => check_store F1 (mb_xs m) (mb_loops m) (mb_ts m) (mb_store m)) ms &&
          forallb (fun t => among t (sliding_names (sg_slides g) e2)) (bs_windows b) &&
          windows_apart (group b ms) (sg_slides g) e2
      | None => false
      end
  | _, _ => false
  end.

Lemma run_events_but S r G ms m k s : apart_from G (mb_body m) = true -> nth_error ms k = Some m ->
  forall events mems, Forall (fun e => agree_but G (snd e) s) events ->
  run_events S r ms events mems k =
    execute S r s (mb_loops m) (mb_body m) (st_at (mb_store m)) (st_guard (mb_store m)) (of_member k events) (mems k).
Proof.
  intros I M. induction events as [|[[k' j] w] events IH]; intros mems A; auto.
  inversion A as [|? ? A1 A2]; subst. cbn [snd] in A1. cbn [run_events of_member flat_map fst snd].
  rewrite IH by auto. fold (@of_member S k events). destruct (Nat.eqb_spec k' k) as [->|N].
  - rewrite M. cbn [app execute]. f_equal. unfold put. rewrite Nat.eqb_refl.
    destruct (enter r (mb_loops m) j) as [[q [|? ?]]|]; auto. destruct (bev q _); auto.
    rewrite (den_ext S (mb_body m) q q w s); auto. intros t T. apply A1. eapply apart_from_ok; eauto.
  - cbn [app]. f_equal. destruct (nth_error ms k'); auto. unfold put. destruct (Nat.eqb_spec k' k); congruence.
Qed.

Theorem check_beside_sound F e g b r : check_sliding F e g = true -> check_beside F e g b = true -> sat r F ->
  exists G, (forall t, In t (bs_windows b) -> among t G = true) /\
  arrives (sg_path g) (fun r e => undisturbed G (sg_loop g) (iev r (sg_extent g)) (sg_slides g) (fun _ _ => None) r e) r e /\
  arrives (bs_path b) (fun r e => exists ms, members (bs_stores b) e = Some ms /\
    (forall m, In m ms -> among (mb_name m) G = true) /\ shared_beside r G ms) r e.
Proof.
  unfold check_beside, check_sliding. intros C H HF.
  destruct (descend (bs_path b) F e) as [[F1 e1]|] eqn:D1; try discriminate.
  destruct (descend (sg_path g) F e) as [[F2 e2]|] eqn:D2; try discriminate.
  destruct (members (bs_stores b) e1) as [ms|] eqn:E; try discriminate. bools.
  destruct (check_slides _ _ _ [] F2 e2 _) as [ws|] eqn:CS; try discriminate.
  assert (IN : forall t l, In t l -> among t l = true).
  { intros t l I. apply existsb_exists. exists t. split; auto. apply Pos.eqb_refl. }
  exists (group b ms). split; [|split].
  - intros t T. apply IN, in_or_app. auto.
  - eapply descend_ok; eauto. intros q Q. apply slides_undisturbed; auto. eapply check_slides_sound; eauto.
    split; auto. intros k _ t w W. discriminate.
  - eapply descend_ok; eauto. intros q Q. exists ms. split; auto. split.
    { intros m M. apply IN, in_or_app. right. apply in_map. auto. }
    intros S s events mems k m A N O s' A' idx. assert (M := nth_error_In _ _ N).
    match goal with K : forallb _ ms = true, K' : forallb _ ms = true |- _ =>
      rewrite forallb_forall in K, K'; assert (C1 := K m M); assert (C2 := K' m M); cbn beta in C1, C2 end.
    match goal with X : apart_from _ (mb_body m) = true, Y : check_store _ _ _ _ _ = true |- _ => rename X into AP, Y into ST end.
    assert (L := members_ok _ _ _ E m M).
    destruct (check_store_ok _ _ _ _ _ _ _ q ST L Q) as [Ls [body [L2 [_ W]]]].
    rewrite L in L2. inversion L2; subst Ls body. rewrite (run_events_but S q (group b ms) ms m k s) by auto.
    rewrite (W S s (of_member k events) (mems k) idx O). destruct enter as [[v [|? ?]]|]; auto. f_equal.
    cbn [den]. destruct seen; auto. destruct (loops_ok S _ _ _ _ L) as [_ EQ]. rewrite !EQ, !gens_ok.
    destruct enter as [[u is]|]; auto. apply den_ext; auto. intros t T i. symmetry. apply A'. eapply apart_from_ok; eauto.
Qed.
