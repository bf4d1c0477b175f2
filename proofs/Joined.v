(** * Bindings that share their loops

    Two bindings of which neither reads the other may be computed at once: their iterations run in one order, whatever it
    is, each storing into the memory of its own tensor. A [joined] names bindings that stand one inside of the other, and
    where their nests store. [check_joined] asks that the stores are right ([check_store]) and that no body of a nest reads
    one of the tensors; [check_joined_sound] is the theorem: after any order of iterations that leaves none out, the memory
    of each holds its tensor. What else the memories hold while an iteration runs does not matter, hence loops may be shared
    as far as one likes: iteration by iteration, row by row, or not at all. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Stores Slides.
Import ListNotations.
Open Scope Z_scope.

Record member := Member {
  mb_name : id; mb_xs : nest; mb_ts : list iexp; mb_nest : exp; mb_store : store;
  mb_loops : nest; mb_body : exp }.   (* of [mb_nest] *)

Fixpoint members (qs : list store) (e : exp) : option (list member) :=
  match qs with
  | [] => Some []
  | q :: qs =>
    match e with
    | Let t (View (Reindex xs ts) a) b =>
        do (Ls, body) <- loops a (length ts); do ms <- members qs b; Some (Member t xs ts a q Ls body :: ms)
    | _ => None
    end
  end.

(** Tensors that agree but for those of the members, which hold whatever has been stored so far. *)
Definition agree {S} (ms : list member) (s s' : id -> ten S) : Prop :=
  forall t, existsb (fun m => Pos.eqb (mb_name m) t) ms = false -> forall idx, s t idx = s' t idx.

(** No body reads a member, itself included. *)
Definition independent (ms : list member) : bool :=
  forallb (fun m => forallb (fun k => negb (tin (mb_name k) (mb_body m))) ms) ms.

(** An iteration: of which member, which, and what its reads find. *)
Definition event (S : algebra) : Type := (nat * list Z * (id -> ten S))%type.
Definition put {A} (f : nat -> A) (k : nat) (v : A) : nat -> A := fun i => if Nat.eqb k i then v else f i.

Fixpoint run_events (S : algebra) (r : id -> Z) (ms : list member) (events : list (event S)) (mems : nat -> memory S)
    : nat -> memory S :=
  match events with
  | [] => mems
  | (k, j, s) :: events =>
      run_events S r ms events
        (match nth_error ms k with
         | Some m =>
             put mems k
               (match enter r (mb_loops m) j with
                | Some (q, []) =>
                    if bev q (st_guard (mb_store m))
                    then write S (mems k) (map (iev q) (st_at (mb_store m))) (den S q s (mb_body m) [])
                    else mems k
                | _ => mems k
                end)
         | None => mems
         end)
  end.

Definition of_member {S} (k : nat) (events : list (event S)) : list (list Z) :=
  flat_map (fun e => if Nat.eqb (fst (fst e)) k then [snd (fst e)] else []) events.

(** What holds of the members in one environment: in every algebra, for all tensors. *)
Definition shared (r : id -> Z) (ms : list member) : Prop :=
  forall S s (events : list (event S)) mems k m,
    Forall (fun e => agree ms (snd e) s) events -> nth_error ms k = Some m ->
    (forall j u, stores r (mb_loops m) (st_guard (mb_store m)) j u -> In j (of_member k events)) ->
    forall s', agree ms s' s -> forall idx,
    run_events S r ms events mems k idx =
      match enter r (mb_xs m) idx with
      | Some (_, []) => Some (den S r s' (View (Reindex (mb_xs m) (mb_ts m)) (mb_nest m)) idx)
      | _ => mems k idx
      end.

Record joined := Joined { jn_path : path; jn_stores : list store }.

Definition check_joined (F : facts) (e : exp) (g : joined) : bool :=
  match descend (jn_path g) F e with
  | Some (F, e) =>
      match members (jn_stores g) e with
      | Some ms => independent ms &&
          forallb (fun m => check_store F (mb_xs m) (mb_loops m) (mb_ts m) (mb_store m)) ms
      | None => false
      end
  | None => false
  end.

Lemma body_agrees S ms m (s s' : id -> ten S) : independent ms = true -> In m ms -> agree ms s s' ->
  forall r idx, den S r s (mb_body m) idx = den S r s' (mb_body m) idx.
Proof.
  unfold independent. intros I M A r idx. apply den_ext; auto. intros t T. apply A.
  rewrite forallb_forall in I. specialize (I m M). rewrite forallb_forall in I.
  destruct (existsb _ ms) eqn:E; auto. apply existsb_exists in E. destruct E as [k [K E]]. apply Pos.eqb_eq in E. subst.
  specialize (I k K). cbn beta in I. rewrite T in I. discriminate.
Qed.

Lemma run_events_one S r ms m k s : independent ms = true -> nth_error ms k = Some m ->
  forall events mems, Forall (fun e => agree ms (snd e) s) events ->
  run_events S r ms events mems k =
    execute S r s (mb_loops m) (mb_body m) (st_at (mb_store m)) (st_guard (mb_store m)) (of_member k events) (mems k).
Proof.
  intros I M. assert (IN := nth_error_In _ _ M). induction events as [|[[k' j] w] events IH]; intros mems A; auto.
  inversion A as [|? ? A1 A2]; subst. cbn [snd] in A1. cbn [run_events of_member flat_map fst snd].
  rewrite IH by auto. fold (@of_member S k events). destruct (Nat.eqb_spec k' k) as [->|N].
  - rewrite M. cbn [app execute]. f_equal. unfold put. rewrite Nat.eqb_refl.
    destruct (enter r (mb_loops m) j) as [[q [|? ?]]|]; auto. destruct (bev q _); auto.
    rewrite (body_agrees S ms m w s) by auto. auto.
  - cbn [app]. f_equal. destruct (nth_error ms k'); auto. unfold put. destruct (Nat.eqb_spec k' k); congruence.
Qed.

Lemma members_ok qs : forall e ms, members qs e = Some ms ->
  forall m, In m ms -> loops (mb_nest m) (length (mb_ts m)) = Some (mb_loops m, mb_body m).
Proof.
  induction qs as [|q qs IH]; cbn [members]; intros e ms H m M; [inversion H; subst; contradiction|].
  destruct e; try discriminate. destruct e1; try discriminate. destruct v; try discriminate. results.
  destruct M as [<-|M]; [cbn [mb_nest mb_ts mb_loops mb_body]; auto | eapply IH; eauto].
Qed.

Lemma view_agrees S ms m (s s' : id -> ten S) r idx : independent ms = true -> In m ms -> agree ms s s' ->
  loops (mb_nest m) (length (mb_ts m)) = Some (mb_loops m, mb_body m) ->
  den S r s (View (Reindex (mb_xs m) (mb_ts m)) (mb_nest m)) idx =
  den S r s' (View (Reindex (mb_xs m) (mb_ts m)) (mb_nest m)) idx.
Proof.
  intros I M A L. cbn [den]. destruct seen; auto. destruct (loops_ok S _ _ _ _ L) as [_ E]. rewrite !E, !gens_ok.
  destruct enter as [[q is]|]; auto. apply (body_agrees S ms); auto.
Qed.

Theorem check_joined_sound F e g r : check_joined F e g = true -> sat r F ->
  arrives (jn_path g) (fun r e => exists ms, members (jn_stores g) e = Some ms /\ shared r ms) r e.
Proof.
  unfold check_joined. intros H HF. destruct (descend (jn_path g) F e) as [[F' e']|] eqn:D; try discriminate.
  destruct (members (jn_stores g) e') as [ms|] eqn:E; try discriminate. bools.
  eapply descend_ok; eauto. intros q Q. exists ms. split; auto.
  intros S s events mems k m A N O s' A' idx. assert (M := nth_error_In _ _ N).
  match goal with K : forallb _ ms = true |- _ => rewrite forallb_forall in K; specialize (K m M); cbn beta in K; rename K into C end.
  assert (L := members_ok _ _ _ E m M).
  destruct (check_store_ok _ _ _ _ _ _ _ q C L Q) as [Ls [b [L2 [_ W]]]].
  rewrite L in L2. inversion L2; subst Ls b. rewrite (run_events_one S q ms m k s) by auto.
  rewrite (W S s (of_member k events) (mems k) idx O). destruct enter as [[v [|? ?]]|]; auto. f_equal. symmetry.
  apply (view_agrees S ms m); auto.
Qed.
