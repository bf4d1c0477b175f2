(** * Windows that slide: bound outside of a loop, computed inside of it, row by row

    A tensor that is bound outside of a loop [x] may be computed in the iterations of [x], each of which computes the rows
    that none before it has computed, into memory for a few rows only, in which row [i] lies at [i mod m]. A [slide] says
    so of a binding: which of its dimensions are rows; up to which row, exclusively, memory is computed when iteration [x]
    reads it ([sl_upto]); and for how many rows there is memory. [check_slides] decides by witnesses whether each row that an
    iteration reads is computed by then and not yet overwritten: in the loop itself, and in the definitions of other
    windows that slide along the same loop, where the rows that are computed in iteration [x] may read only what is there
    in iteration [x]. [check_slides_sound] is the theorem. Values need no proof here: rows are those of the binding. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest Stores.
Import ListNotations.
Open Scope Z_scope.

(** ** Memory: which row each place holds *)
Definition rows := Z -> option Z.
Fixpoint fill (m lo : Z) (count : nat) (mem : rows) : rows :=
  match count with
  | O => mem
  | Datatypes.S c => fun p => if p =? (lo + Z.of_nat c) mod m then Some (lo + Z.of_nat c) else fill m lo c mem p
  end.
(** After the iterations up to [k], where [up k] rows are wanted in iteration [k]. *)
Fixpoint held (m : Z) (up : Z -> Z) (k : nat) : rows :=
  match k with
  | O => fill m 0 (Z.to_nat (up 0)) (fun _ => None)
  | Datatypes.S j => fill m (up (Z.of_nat j)) (Z.to_nat (up (Z.of_nat j + 1) - up (Z.of_nat j))) (held m up j)
  end.

Lemma fill_ok m lo i mem : 0 < m -> forall c, lo + Z.of_nat c <= i + m ->
  i < lo + Z.of_nat c -> (i < lo -> mem (i mod m) = Some i) -> fill m lo c mem (i mod m) = Some i.
Proof.
  intros M. induction c as [|c IH]; cbn [fill]; intros H B E; [apply E; lia|]. rewrite Nat2Z.inj_succ in *.
  destruct (Z.eqb_spec (i mod m) ((lo + Z.of_nat c) mod m)) as [Q|Q].
  - assert (X : (lo + Z.of_nat c - i) mod m = 0) by (rewrite Zminus_mod, <- Q, Z.sub_diag; apply Z.mod_0_l; lia).
    destruct (Z.le_gt_cases i (lo + Z.of_nat c)); [|lia].
    rewrite Z.mod_small in X by lia. f_equal. lia.
  - apply IH; auto; try lia. destruct (Z.eq_dec i (lo + Z.of_nat c)); [congruence|lia].
Qed.
Lemma held_ok m up : 0 < m -> forall k, (forall j, 0 <= j < Z.of_nat k -> up j <= up (j + 1)) ->
  forall i, 0 <= i < up (Z.of_nat k) -> up (Z.of_nat k) <= i + m -> held m up k (i mod m) = Some i.
Proof.
  intros M. induction k as [|k IH]; intros H i I B; cbn [held].
  - change (Z.of_nat 0) with 0 in *. apply fill_ok; auto; lia.
  - rewrite Nat2Z.inj_succ in *. unfold Z.succ in *. specialize (H (Z.of_nat k)) as K.
    apply fill_ok; auto; try lia. intros J. apply IH; try lia. intros j L. apply H. lia.
Qed.

(** ** Reads of rows *)
Record window := Window { w_dim : nat; w_rows : Z; w_up : Z -> Z; w_now : Z }.
Definition there (w : window) (idx : list Z) : Prop :=
  exists i, nth_error idx (w_dim w) = Some i /\
    held (w_rows w) (w_up w) (Z.to_nat (w_now w)) (i mod w_rows w) = Some i.

(** Each read of a tensor of [A] finds its row. A name that is bound again is another tensor. *)
Fixpoint finds (A : id -> option window) (r : id -> Z) (e : exp) (idx : list Z) : Prop :=
  match e with
  | Lit _ => True
  | Var t => match A t with Some w => there w idx | None => True end
  | Get e i => finds A r e (iev r i :: idx)
  | Gen x n e | Fold _ x n e => forall i, 0 <= i < iev r n -> finds A (upd r x i) e []
  | If p a b => (bev r p = true -> finds A r a []) /\ (bev r p = false -> finds A r b [])
  | Let t a b => finds A r a [] /\ finds (upd A t None) r b []
  | Op1 _ a | View _ a | Mark _ a => finds A r a []
  | Op2 _ a b | Cat _ a b => finds A r a [] /\ finds A r b []
  | Op3 _ a b c => finds A r a [] /\ finds A r b [] /\ finds A r c []
  | Bind x a b => finds A r a [] /\ forall i, finds A (upd r x i) b []
  | Iter t x n a b => finds A r a [] /\ forall i, 0 <= i < iev r n -> finds (upd A t None) (upd r x i) b []
  end.

Record pane := Pane { p_dim : nat; p_rows : iexp; p_upto : iexp }.
Definition panes := list (id * pane).
Fixpoint pane_of (B : panes) (t : id) : option pane :=
  match B with [] => None | (u, p) :: B => if Pos.eqb u t then Some p else pane_of B t end.
Definition others (t : id) (B : panes) : panes := filter (fun q => negb (Pos.eqb (fst q) t)) B.
Definition steady (x : id) (B : panes) : bool :=
  forallb (fun q => negb (iin x (p_rows (snd q))) && negb (iin x (p_upto (snd q)))) B.

Definition in_time (p : pane) (i : iexp) : bexp :=
  BAnd (BAnd (BLe (IC 0) i) (BLt i (p_upto p))) (BLe (p_upto p) (IAdd i (p_rows p))).

Fixpoint check_finds (B : panes) (F : facts) (e : exp) (idx : list iexp) (ws : list wit) : option (list wit) :=
  match e with
  | Lit _ => Some ws
  | Var t => match pane_of B t with
      | None => Some ws
      | Some p => match nth_error idx (p_dim p), ws with
          | Some i, w :: ws => only (prove F (in_time p i) w) (Some ws)
          | _, _ => None
          end
      end
  | Get e i => check_finds B F e (i :: idx) ws
  | Gen x n e | Fold _ x n e => only (steady x B) (check_finds B (inside x n F) e [] ws)
  | If p a b => do ws <- check_finds B (p :: F) a [] ws; check_finds B (BNot p :: F) b [] ws
  | Let t a b => do ws <- check_finds B F a [] ws; check_finds (others t B) F b [] ws
  | Op1 _ a | View _ a | Mark _ a => check_finds B F a [] ws
  | Op2 _ a b | Cat _ a b => do ws <- check_finds B F a [] ws; check_finds B F b [] ws
  | Op3 _ a b c => do ws <- check_finds B F a [] ws; do ws <- check_finds B F b [] ws; check_finds B F c [] ws
  | Bind x a b => only (steady x B) (do ws <- check_finds B F a [] ws; check_finds B (without x F) b [] ws)
  | Iter t x n a b => only (steady x B)
      (do ws <- check_finds B F a [] ws; check_finds (others t B) (inside x n F) b [] ws)
  end.

(** A pane says of a window what is known of it where it is read. *)
Definition shows (r : id -> Z) (p : pane) (w : window) : Prop :=
  w_dim w = p_dim p /\ w_rows w = iev r (p_rows p) /\
  forall i, 0 <= i < iev r (p_upto p) -> iev r (p_upto p) <= i + w_rows w ->
    held (w_rows w) (w_up w) (Z.to_nat (w_now w)) (i mod w_rows w) = Some i.
Definition fits (B : panes) (r : id -> Z) (A : id -> option window) : Prop :=
  forall t w, A t = Some w -> exists p, pane_of B t = Some p /\ shows r p w.

Lemma fits_steady B r A x i : steady x B = true -> fits B r A -> fits B (upd r x i) A.
Proof.
  intros Q H t w E. destruct (H t w E) as [p [P [D [R U]]]]. exists p. split; auto. clear H E.
  assert (N : iin x (p_rows p) = false /\ iin x (p_upto p) = false).
  { induction B as [|[u q] B IH]; simpl in *; try discriminate. bools. destruct (Pos.eqb u t); auto.
    inversion P; subst. auto. }
  destruct N as [N M]. unfold shows. rewrite !iev_fresh by auto. auto.
Qed.
Lemma fits_others B r A t : fits B r A -> fits (others t B) r (upd A t None).
Proof.
  intros H u w E. unfold upd in E. destruct (Pos.eqb_spec t u) as [|N]; [discriminate|].
  destruct (H u w E) as [p [P Q]]. exists p. split; auto. clear - P N.
  induction B as [|[v q] B IH]; simpl in *; auto. destruct (Pos.eqb_spec v u) as [->|V].
  - destruct (Pos.eqb_spec u t); [congruence|]. simpl. rewrite Pos.eqb_refl. auto.
  - destruct (Pos.eqb v t); simpl; auto. destruct (Pos.eqb_spec v u); [congruence|auto].
Qed.
#[local] Hint Resolve sat_inside sat_without fits_steady fits_others : core.

Ltac child IH := eapply (IH _ _ []); [eassumption | ..].
Theorem check_finds_ok e : forall B F idx ws ws' r A, check_finds B F e idx ws = Some ws' -> sat r F -> fits B r A ->
  finds A r e (map (iev r) idx).
Proof.
  induction e; intros B F idx ws ws' r' A H HF R; cbn [check_finds finds] in *; auto; results.
  - destruct (A t) as [w|] eqn:E; auto. destruct (R _ _ E) as [q [P [D [M U]]]]. rewrite P in H.
    destruct (nth_error idx (p_dim q)) as [i|] eqn:N; try discriminate. destruct ws as [|w1 ws]; try discriminate. results.
    match goal with K : prove _ _ _ = true |- _ => apply (fun h => prove_ok _ _ _ r' h HF) in K; cbn [in_time bev iev] in K end.
    bools. exists (iev r' i). split; [rewrite D; apply map_nth_error; auto|]. apply U; lia.
  - intros j J. child IHe; auto.
  - intros j J. child IHe; auto.
  - split; intros K; [child IHe1 | child IHe2]; auto; constructor; auto. simpl. rewrite K. auto.
  - split; [child IHe1 | child IHe2]; auto.
  - apply (IHe _ _ (_ :: _) _ _ _ _ H); auto.
  - child IHe; auto.
  - split; [child IHe1 | child IHe2]; auto.
  - split; [child IHe1 | split; [child IHe2 | child IHe3]]; auto.
  - split; [child IHe1 | child IHe2]; auto.
  - child IHe; auto.
  - child IHe; auto.
  - split; [child IHe1 | intros j; child IHe2]; auto.
  - split; [child IHe1 | intros j J; child IHe2]; auto.
Qed.

(** ** The loop along which windows slide

    [n] is its extent. Windows are read in it, nowhere else; it runs in order. *)
Fixpoint has_loop (x : id) (e : exp) : bool :=
  match e with
  | Lit _ | Var _ => false
  | Gen y _ a | Fold _ y _ a => Pos.eqb y x || has_loop x a
  | Get a _ | Op1 _ a | View _ a | Mark _ a => has_loop x a
  | If _ a b | Let _ a b | Op2 _ a b | Cat _ a b | Bind _ a b => has_loop x a || has_loop x b
  | Iter _ y _ a b => Pos.eqb y x || (has_loop x a || has_loop x b)
  | Op3 _ a b c => has_loop x a || (has_loop x b || has_loop x c)
  end.
Definition in_order (m : mark) : bool := match m with Parallel | Vector => false | _ => true end.

(** [A k] are the windows as iteration [k] finds them. *)
Definition windows := Z -> id -> option window.
Fixpoint looped (x : id) (n : Z) (A : windows) (r : id -> Z) (e : exp) : Prop :=
  match e with
  | Lit _ => True
  | Var t => A 0 t = None
  | Get a _ | Op1 _ a | View _ a => looped x n A r a
  | Gen y m a => if Pos.eqb y x then iev r m = n /\ forall k, 0 <= k < n -> finds (A k) (upd r x k) a []
                 else forall i, 0 <= i < iev r m -> looped x n A (upd r y i) a
  | Fold _ y m a => y <> x /\ forall i, 0 <= i < iev r m -> looped x n A (upd r y i) a
  | If p a b => (bev r p = true -> looped x n A r a) /\ (bev r p = false -> looped x n A r b)
  | Let t a b => looped x n A r a /\ looped x n (fun k => upd (A k) t None) r b
  | Op2 _ a b | Cat _ a b => looped x n A r a /\ looped x n A r b
  | Op3 _ a b c => looped x n A r a /\ looped x n A r b /\ looped x n A r c
  | Mark m a => (has_loop x a = true -> in_order m = true) /\ looped x n A r a
  | Bind y a b => y <> x /\ looped x n A r a /\ forall i, looped x n A (upd r y i) b
  | Iter t y m a b => y <> x /\ looped x n A r a /\
      forall i, 0 <= i < iev r m -> looped x n (fun k => upd (A k) t None) (upd r y i) b
  end.

Definition unread (B : panes) (t : id) : bool := match pane_of B t with None => true | Some _ => false end.
Definition aside (x y : id) (B : panes) : bool := negb (Pos.eqb y x) && steady y B.
Fixpoint check_loop (x : id) (n : iexp) (B : panes) (F : facts) (e : exp) (ws : list wit) : option (list wit) :=
  match e with
  | Lit _ => Some ws
  | Var t => only (unread B t) (Some ws)
  | Get a _ | Op1 _ a | View _ a => check_loop x n B F a ws
  | Gen y m a => if Pos.eqb y x then only (ieqb m n) (check_finds B (inside x n F) a [] ws)
                 else only (aside x y B && negb (iin y n)) (check_loop x n B (inside y m F) a ws)
  | Fold _ y m a => only (aside x y B && negb (iin y n)) (check_loop x n B (inside y m F) a ws)
  | If p a b => do ws <- check_loop x n B (p :: F) a ws; check_loop x n B (BNot p :: F) b ws
  | Let t a b => do ws <- check_loop x n B F a ws; check_loop x n (others t B) F b ws
  | Op2 _ a b | Cat _ a b => do ws <- check_loop x n B F a ws; check_loop x n B F b ws
  | Op3 _ a b c => do ws <- check_loop x n B F a ws; do ws <- check_loop x n B F b ws; check_loop x n B F c ws
  | Mark m a => only (negb (has_loop x a) || in_order m) (check_loop x n B F a ws)
  | Bind y a b => only (aside x y B && negb (iin y n))
      (do ws <- check_loop x n B F a ws; check_loop x n B (without y F) b ws)
  | Iter t y m a b => only (aside x y B && negb (iin y n))
      (do ws <- check_loop x n B F a ws; check_loop x n (others t B) (inside y m F) b ws)
  end.

Lemma fits_ext B r r' A : (forall y, r y = r' y) -> fits B r A -> fits B r' A.
Proof.
  intros E H t w W. destruct (H t w W) as [p [P [D [R U]]]]. exists p. split; auto. unfold shows.
  rewrite <- (iev_ext (p_rows p) r r'), <- (iev_ext (p_upto p) r r') by auto. auto.
Qed.
Definition fitting (x : id) (n : Z) (B : panes) (r : id -> Z) (A : windows) : Prop :=
  (forall k, 0 <= k < n -> fits B (upd r x k) (A k)) /\ (forall t, pane_of B t = None -> A 0 t = None).
Lemma fitting_aside x n B r A y i : aside x y B = true -> fitting x n B r A -> fitting x n B (upd r y i) A.
Proof.
  unfold aside. intros H [K N]. bools. split; auto. intros k Hk.
  apply (fits_ext B (upd (upd r x k) y i)); [|apply fits_steady; auto]. intros z. apply upd_comm. congruence.
Qed.
Lemma fitting_others x n B r A t : fitting x n B r A -> fitting x n (others t B) r (fun k => upd (A k) t None).
Proof.
  intros [K N]. split; [intros; apply fits_others; auto|]. intros u U. unfold upd. destruct (Pos.eqb_spec t u); auto.
  apply N. rewrite <- U. clear - n0. induction B as [|[v q] B IH]; simpl; auto. destruct (Pos.eqb_spec v t); simpl.
  - subst. destruct (Pos.eqb_spec t u); [congruence|auto].
  - rewrite IH. auto.
Qed.
#[local] Hint Resolve fitting_aside fitting_others : core.

Ltac aside_of := repeat match goal with
  | H : aside ?x ?y _ = true |- ?y <> ?x => unfold aside in H; bools; congruence
  end.
Theorem check_loop_ok x n e : forall B F ws ws' r A, check_loop x n B F e ws = Some ws' -> sat r F ->
  fitting x (iev r n) B r A -> looped x (iev r n) A r e.
Proof.
  induction e; intros B F ws ws' r' A H HF R; cbn [check_loop looped] in *; auto; results.
  - apply R. unfold unread in *. destruct (pane_of B t); [discriminate|auto].
  - destruct (Pos.eqb_spec x0 x) as [->|N].
    + results. apply ieqb_eq in Heqb. subst. split; auto. intros k K.
      eapply (check_finds_ok _ _ _ []); [eassumption | apply sat_inside; auto | apply R; auto].
    + results. bools. intros i I. rewrite <- (iev_fresh r' x0 i n) by auto. eapply IHe; eauto.
      rewrite iev_fresh by auto. auto.
  - bools. split; [aside_of|]. intros i I. rewrite <- (iev_fresh r' x0 i n) by auto. eapply IHe; eauto.
    rewrite iev_fresh by auto. auto.
  - split; intros K; [eapply IHe1 | eapply IHe2]; eauto; constructor; auto. simpl. rewrite K. auto.
  - split; [eapply IHe1 | eapply IHe2]; eauto.
  - eapply IHe; eauto.
  - eapply IHe; eauto.
  - split; [eapply IHe1 | eapply IHe2]; eauto.
  - split; [eapply IHe1 | split; [eapply IHe2 | eapply IHe3]]; eauto.
  - split; [eapply IHe1 | eapply IHe2]; eauto.
  - eapply IHe; eauto.
  - split; [|eapply IHe; eauto]. intros L. apply orb_prop in Heqb. destruct Heqb; bools; congruence.
  - bools. split; [aside_of|]. split; [eapply IHe1; eauto|]. intros i. rewrite <- (iev_fresh r' x0 i n) by auto.
    eapply IHe2; eauto. rewrite iev_fresh by auto. auto.
  - bools. split; [aside_of|]. split; [eapply IHe1; eauto|]. intros i I. rewrite <- (iev_fresh r' x0 i n) by auto.
    eapply IHe2; eauto. rewrite iev_fresh by auto. auto.
Qed.

(** ** Bindings that slide, one after the other, around the loop *)
Record slide := Slide_ {
  sl_dim : nat; sl_rows : iexp; sl_upto : iexp;
  sl_store : store;           (* where the binding's nest stores: the row that an iteration computes *)
  sl_grows : wit }.

Definition before (x : id) (a : iexp) : iexp := isub x (ISub (IV x) (IC 1)) a.
(** There is memory, and a later iteration wants no fewer rows. *)
Definition grows (x : id) (s : slide) : bexp :=
  BAnd (BLe (IC 1) (sl_rows s)) (BOr (BLe (IV x) (IC 0)) (BLe (before x (sl_upto s)) (sl_upto s))).
(** The row is computed in this iteration, the first one or a later one: no iteration before has wanted it. *)
Definition new_at_first (x : id) (s : slide) (row : iexp) : facts := [BLe (IV x) (IC 0); BLt row (sl_upto s)].
Definition new_later (x : id) (s : slide) (row : iexp) : facts :=
  [BLe (IC 1) (IV x); BLe (before x (sl_upto s)) row; BLt row (sl_upto s)].

Definition window_of (r : id -> Z) (x : id) (s : slide) (k : Z) : window :=
  Window (sl_dim s) (iev r (sl_rows s)) (fun j => iev (upd r x j) (sl_upto s)) k.

(** [None] is a binding in between that does not slide, and reads none that does. *)
Fixpoint slides (x : id) (n : Z) (ss : list (option slide)) (A : windows) (r : id -> Z) (e : exp) : Prop :=
  match ss, e with
  | [], _ => looped x n A r e
  | None :: ss, Let t a b =>
      (forall u, A 0 u <> None -> tin u a = false) /\ slides x n ss (fun k => upd (A k) t None) r b
  | Some s :: ss, Let t a b =>
      match a with
      | View (Reindex xs ts) nest =>
          writes r xs ts nest (sl_store s) /\
          (exists Ls body row, loops nest (length ts) = Some (Ls, body) /\
             nth_error (st_at (sl_store s)) (sl_dim s) = Some row /\
             (* What computes a row in iteration [k] finds the rows of other windows that it reads. *)
             forall k idx q, 0 <= k < n -> enter (upd r x k) Ls idx = Some (q, []) ->
               iev q row < w_up (window_of r x s k) k -> k = 0 \/ w_up (window_of r x s k) (k - 1) <= iev q row ->
               finds (A k) q body []) /\
          slides x n ss (fun k => upd (A k) t (Some (window_of r x s k))) r b
      | _ => False
      end
  | _ :: _, _ => False
  end.

Definition apart (B : panes) (a : exp) : bool := forallb (fun q => negb (tin (fst q) a)) B.

Fixpoint check_slides (x : id) (n : iexp) (ss : list (option slide)) (B : panes) (F : facts) (e : exp) (ws : list wit)
    : option (list wit) :=
  match ss, e with
  | [], _ => check_loop x n B F e ws
  | None :: ss, Let t a b => only (apart B a) (check_slides x n ss (others t B) F b ws)
  | Some s :: ss, Let t (View (Reindex xs ts) nest) b =>
      let B' := (t, Pane (sl_dim s) (sl_rows s) (sl_upto s)) :: others t B in
      do (Ls, body) <- loops nest (length ts);
      do row <- nth_error (st_at (sl_store s)) (sl_dim s);
      only (check_store F xs Ls ts (sl_store s) && negb (iin x n) && negb (bound x Ls) && negb (iin x (sl_rows s))
            && forallb (fun l => steady (fst l) ((t, Pane (sl_dim s) (sl_rows s) (sl_upto s)) :: B)) Ls
            && prove (inside x n F) (grows x s) (sl_grows s))
        (do ws <- check_finds B (new_at_first x s row ++ insides Ls (inside x n F)) body [] ws;
         do ws <- check_finds B (new_later x s row ++ insides Ls (inside x n F)) body [] ws;
         check_slides x n ss B' F b ws)
  | _, _ => None
  end.

Lemma before_ok q x k a : q x = k -> iev q (before x a) = iev (upd q x (k - 1)) a.
Proof. intros <-. unfold before. rewrite isub_ok. auto. Qed.
Lemma enter_steady Ls B A : forallb (fun l => steady (fst l) B) Ls = true ->
  forall r idx q is, enter r Ls idx = Some (q, is) -> fits B r A -> fits B q A.
Proof.
  induction Ls as [|[y m] Ls IH]; cbn [forallb enter fst]; intros H r idx q is E R; [results; auto|]. bools.
  destruct idx; try discriminate. destruct within; try discriminate. eapply IH; eauto.
Qed.
Lemma enter_unused Ls a : forallb (fun l => negb (iin (fst l) a)) Ls = true ->
  forall r idx q is, enter r Ls idx = Some (q, is) -> iev q a = iev r a.
Proof.
  intros H r idx q is E. apply iev_ext. intros y Y. eapply enter_other; eauto.
  destruct (bound y Ls) eqn:B; auto. apply existsb_exists in B. destruct B as [l [L N]]. bools. subst.
  rewrite forallb_forall in H. specialize (H l L). cbn beta in H. clash Y H.
Qed.
Lemma apart_ok B a t p : apart B a = true -> pane_of B t = Some p -> tin t a = false.
Proof.
  induction B as [|[u q] B IH]; cbn [apart forallb pane_of fst]; intros; try discriminate. bools.
  destruct (Pos.eqb_spec u t); subst; auto.
Qed.

Lemma window_shows r x n F s k w : prove (inside x n F) (grows x s) w = true -> sat r F -> iin x n = false ->
  iin x (sl_rows s) = false -> 0 <= k < iev r n ->
  shows (upd r x k) (Pane (sl_dim s) (sl_rows s) (sl_upto s)) (window_of r x s k).
Proof.
  intros P HF X R K. assert (G : forall j, 0 <= j < iev r n -> 1 <= iev r (sl_rows s) /\
    (1 <= j -> iev (upd r x (j - 1)) (sl_upto s) <= iev (upd r x j) (sl_upto s))).
  { intros j J. assert (C := prove_ok _ _ _ (upd r x j) P (sat_inside _ _ _ _ _ HF J)). unfold grows in C.
    cbn [bev iev] in C. rewrite upd_eq, (before_ok _ _ j) in C by apply upd_eq. rewrite iev_fresh in C by auto.
    rewrite (iev_ext (sl_upto s) (upd (upd r x j) x (j - 1)) (upd r x (j - 1))) in C by (intros; apply upd_shadow).
    bools. split; [lia|]. intros L.
    match goal with U : _ || _ = true |- _ => apply orb_prop in U; destruct U; lia end. }
  split; [|split]; cbn [p_dim p_rows p_upto window_of w_dim w_rows w_up w_now]; auto.
  - rewrite iev_fresh; auto.
  - intros i I L. destruct (G k K) as [G1 _].
    apply (held_ok (iev r (sl_rows s)) (fun j => iev (upd r x j) (sl_upto s))); rewrite ?Z2Nat.id by lia; auto; try lia.
    intros j J. destruct (G (j + 1)) as [_ G2]; [lia|]. replace (j + 1 - 1) with j in G2 by lia. lia.
Qed.

Theorem check_slides_sound x n ss : forall B F e ws ws' r A, check_slides x n ss B F e ws = Some ws' -> sat r F ->
  fitting x (iev r n) B r A -> slides x (iev r n) ss A r e.
Proof.
  induction ss as [|[s|] ss IH]; intros B F e ws ws' r A H HF R; cbn [check_slides slides] in *.
  - eapply check_loop_ok; eauto.
  - destruct e; try discriminate. destruct e1; try discriminate. destruct v; try discriminate.
    destruct (loops e1 (length ts)) as [[Ls body]|] eqn:L; cbn [bind] in H; try discriminate.
    destruct (nth_error (st_at (sl_store s)) (sl_dim s)) as [row|] eqn:N; cbn [bind] in H; try discriminate. results.
    cbn [forallb] in *. bools.
    match goal with K : forallb _ Ls = true |- _ => rename K into ST end.
    match goal with K : prove _ (grows x s) _ = true |- _ => rename K into GR end.
    split; [eapply check_store_ok; eauto|]. split.
    + exists Ls, body, row. split; auto. split; auto. intros k idx q K E U V.
      assert (QX : q x = k). { rewrite (enter_other x _ _ _ _ _ E) by auto. apply upd_eq. }
      assert (SB : forallb (fun l => steady (fst l) B) Ls = true /\
                   forallb (fun l => negb (iin (fst l) (sl_upto s))) Ls = true).
      { rewrite !forallb_forall in *. split; intros z M; specialize (ST z M); cbn beta in ST; unfold steady in ST;
        cbn [forallb snd p_rows p_upto] in ST; bools; auto. match goal with K2 : iin _ (sl_upto s) = _ |- _ => rewrite K2 end. auto. }
      destruct SB as [SB SU].
      assert (ROW : (iev q row <? iev q (sl_upto s)) = true).
      { cbn [window_of w_up] in U. rewrite (enter_unused _ _ SU _ _ _ _ E). apply Z.ltb_lt. lia. }
      assert (EQ : iev (upd q x (k - 1)) (sl_upto s) = iev (upd r x (k - 1)) (sl_upto s)).
      { apply iev_ext. intros y Y. unfold upd. destruct (Pos.eqb_spec x y) as [|D]; auto.
        rewrite (enter_other y _ _ _ _ _ E); [unfold upd; destruct (Pos.eqb_spec x y); congruence|].
        destruct (bound y Ls) eqn:BY; auto. apply existsb_exists in BY. destruct BY as [z [M1 M2]]. bools. subst.
        rewrite forallb_forall in SU. specialize (SU z M1). cbn beta in SU. clash Y SU. }
      assert (SQ : sat q (insides Ls (inside x n F))) by (eapply enter_sat; eauto using sat_inside).
      destruct (Z.le_gt_cases k 0) as [K0|K0].
      * eapply (check_finds_ok _ _ _ [] _ _ _ _ Heqo); [|eapply enter_steady; eauto; apply R; auto].
        cbn [new_at_first app]. apply Forall_cons; [|apply Forall_cons; [exact ROW | exact SQ]].
        cbn [bev iev]. rewrite QX. apply Z.leb_le. auto.
      * eapply (check_finds_ok _ _ _ [] _ _ _ _ Heqo0); [|eapply enter_steady; eauto; apply R; auto].
        cbn [new_later app]. apply Forall_cons; [cbn [bev iev]; rewrite QX; apply Z.leb_le; lia|].
        apply Forall_cons; [|apply Forall_cons; [exact ROW | exact SQ]]. cbn [bev].
        rewrite (before_ok _ _ k) by auto. cbn [window_of w_up] in V. rewrite EQ. apply Z.leb_le. destruct V; lia.
    + eapply IH; eauto. destruct R as [RK RN]. split.
      * intros k K u w W. unfold upd in W. cbn [pane_of]. destruct (Pos.eqb_spec t u) as [->|D].
        -- inversion W; subst. eexists. split; [reflexivity|]. eapply window_shows; eauto.
        -- destruct (fits_others B (upd r x k) (A k) t (RK k K) u w) as [p [P Q]]; [|exists p; auto].
           unfold upd at 1. destruct (Pos.eqb_spec t u); congruence.
      * intros u U. cbn [pane_of] in U. unfold upd. destruct (Pos.eqb_spec t u) as [->|D]; [discriminate|].
        apply (proj2 (fitting_others x (iev r n) B r A t (conj RK RN))) in U. unfold upd in U.
        destruct (Pos.eqb_spec t u); congruence.
  - destruct e; try discriminate. results. split; [|eapply IH; eauto].
    intros u U. destruct (pane_of B u) eqn:P; [eapply apart_ok; eauto|]. exfalso. apply U, R. auto.
Qed.

(** ** In a program: at a path, below loops *)
Fixpoint descend (p : path) (F : facts) (e : exp) : option (facts * exp) :=
  match p with
  | [] => Some (F, e)
  | c :: p =>
    match e, c with
    | Gen x n a, O | Fold _ x n a, O => descend p (inside x n F) a
    | If q a _, O => descend p (q :: F) a
    | If q _ b, 1%nat => descend p (BNot q :: F) b
    | Let _ a _, O | View _ a, O | Mark _ a, O | Iter _ _ _ a _, O => descend p F a
    | Let _ _ b, 1%nat => descend p F b
    | Iter _ x n _ b, 1%nat => descend p (inside x n F) b
    | _, _ => None
    end
  end.
(** [Q] holds of the program at the path wherever evaluation comes to it. *)
Fixpoint arrives (p : path) (Q : (id -> Z) -> exp -> Prop) (r : id -> Z) (e : exp) : Prop :=
  match p with
  | [] => Q r e
  | c :: p =>
    match e, c with
    | Gen x n a, O | Fold _ x n a, O => forall i, 0 <= i < iev r n -> arrives p Q (upd r x i) a
    | If q a _, O => bev r q = true -> arrives p Q r a
    | If q _ b, 1%nat => bev r q = false -> arrives p Q r b
    | Let _ a _, O | View _ a, O | Mark _ a, O | Iter _ _ _ a _, O => arrives p Q r a
    | Let _ _ b, 1%nat => arrives p Q r b
    | Iter _ x n _ b, 1%nat => forall i, 0 <= i < iev r n -> arrives p Q (upd r x i) b
    | _, _ => False
    end
  end.
Lemma descend_ok p (Q : (id -> Z) -> exp -> Prop) : forall e F F' e' r, descend p F e = Some (F', e') -> sat r F ->
  (forall r, sat r F' -> Q r e') -> arrives p Q r e.
Proof.
  induction p as [|c p IH]; cbn [descend arrives]; intros e F F' e' r D HF H; [inversion D; subst; auto|].
  destruct e; try discriminate; destruct c as [|[|c]]; try discriminate; intros; eapply IH; eauto using sat_inside;
  constructor; auto; simpl; match goal with K : bev _ _ = _ |- _ => rewrite K; auto end.
Qed.

Record sliding := Sliding {
  sg_path : path; sg_loop : id; sg_extent : iexp;
  sg_slides : list (option slide);  (* of the bindings at the path, one inside of the other *)
  sg_finds : list wit }.            (* for each read of a window that slides, in the order of the program *)

Definition check_sliding (F : facts) (e : exp) (g : sliding) : bool :=
  match descend (sg_path g) F e with
  | Some (F, e) =>
      match check_slides (sg_loop g) (sg_extent g) (sg_slides g) [] F e (sg_finds g) with Some [] => true | _ => false end
  | None => false
  end.

(** Wherever evaluation comes to the bindings, their windows slide along the loop. *)
Definition slid (r : id -> Z) (e : exp) (g : sliding) : Prop :=
  arrives (sg_path g)
    (fun r e => slides (sg_loop g) (iev r (sg_extent g)) (sg_slides g) (fun _ _ => None) r e) r e.

Theorem check_sliding_sound F e g r : check_sliding F e g = true -> sat r F -> slid r e g.
Proof.
  unfold check_sliding, slid. intros H HF. destruct (descend (sg_path g) F e) as [[F' e']|] eqn:D; try discriminate.
  destruct (check_slides _ _ _ [] F' e' _) as [ws|] eqn:C; try discriminate.
  eapply descend_ok; eauto. intros q Q. eapply check_slides_sound; eauto. split; auto. intros k _ t w W. discriminate.
Qed.
