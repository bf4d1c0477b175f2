(** * Stores: what lowering writes for a view of loops

    [View (Reindex xs ts) nest] shows at each index the element of one iteration of the nest. Lowering runs the iterations
    and has each store its element at an index of its own. A [store] says where ([ss], over the loops), and under which
    guard [p] a store happens. [check_store] asks for two witnesses: the iteration that the view shows stores at the index
    at which it is shown; and an iteration that stores does so within the extents, at the index that shows this
    iteration. Then ([execute_ok]), in whatever order the iterations run and however often, memory holds exactly what the
    view shows; and no two iterations store at one index ([distinct_ok]), so that they may run at once. A guard may be
    left out only if it was not needed for these. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite RulesNest.
Import ListNotations.
Open Scope Z_scope.

Record store := Store { st_at : list iexp; st_guard : bexp; st_shown : wit; st_stored : wit }.

(** *** The element of an accumulator

    Where the loops of an update run around those over elements, an iteration reads the tensor [t] that the one before
    made. At its own element, [gets (Var t) xs], that is a scalar. [local] says so of a program that reads [t] nowhere
    else; [unget] finds it, and nothing rests on how. *)
Fixpoint gets (e : exp) (xs : nest) : exp := match xs with [] => e | (x, _) :: xs => gets (Get e (IV x)) xs end.
Fixpoint unget (t : id) (g e : exp) : exp :=
  if xeq e g then Var t else
  let go := unget t g in
  match e with
  | Lit _ | Var _ => e
  | Gen y n a => Gen y n (go a)
  | Fold o y n a => Fold o y n (go a)
  | If p a b => If p (go a) (go b)
  | Let u a b => Let u (go a) (if Pos.eqb t u then b else go b)
  | Get a i => Get (go a) i
  | Op1 o a => Op1 o (go a)
  | Op2 o a b => Op2 o (go a) (go b)
  | Op3 o a b c => Op3 o (go a) (go b) (go c)
  | Cat n a b => Cat n (go a) (go b)
  | View v a => View v (go a)
  | Mark m a => Mark m (go a)
  | Bind y a b => Bind y (go a) (go b)
  | Iter u y n a b => Iter u y n (go a) (if Pos.eqb t u then b else go b)
  end.
Definition local (t : id) (xs : nest) (b : exp) : option exp :=
  let c := unget t (gets (Var t) xs) b in
  do d <- tsub t (gets (Var t) xs) c; only (xeq d b) (Some c).

Lemma gets_ok S xs : forall e r s idx, den S r s (gets e xs) idx = den S r s e (map (fun x => r (fst x)) xs ++ idx).
Proof. induction xs as [|[x n] xs IH]; intros; cbn [gets map app fst]; auto. rewrite IH. auto. Qed.
Lemma local_ok S t xs b c : local t xs b = Some c -> forall r s v idx,
  den S r (upd s t v) b idx = den S r (upd s t (fun is => v (map (fun x => r (fst x)) xs ++ is))) c idx.
Proof.
  unfold local. intros H r s v idx. results. rewrite <- (xeq_ok S _ _ _ _ idx Heqb0), (tsub_ok S _ _ _ _ Heqo).
  apply den_ext; auto. intros u _ j. rewrite upd_shadow. unfold upd at 1 3. destruct (Pos.eqb_spec t u) as [<-|]; auto.
  rewrite gets_ok. cbn [den]. rewrite upd_eq. auto.
Qed.

(** *** Entering a nest: by a prefix of the indices, and below another name *)
Lemma enter_prefix xs : forall r idx q is, enter r xs idx = Some (q, is) ->
  exists pre, idx = pre ++ is /\ forall js, enter r xs (pre ++ js) = Some (q, js).
Proof.
  induction xs as [|[x n] xs IH]; cbn [enter]; intros r idx q is H.
  - results. exists []. auto.
  - destruct idx as [|i js]; try discriminate. destruct (within i (iev r n)) eqn:W; try discriminate.
    destruct (IH _ _ _ _ H) as [pre [-> E]]. exists (i :: pre). split; auto. intros ks. cbn [app enter]. rewrite W. auto.
Qed.
Lemma enter_upd x i xs : forall r idx, bound x xs = false -> forallb (fun m => negb (iin x m)) (map snd xs) = true ->
  match enter r xs idx, enter (upd r x i) xs idx with
  | Some (q, is), Some (q', js) => is = js /\ forall y, q' y = upd q x i y
  | None, None => True
  | _, _ => False
  end.
Proof.
  assert (G : forall xs r r' idx, bound x xs = false -> forallb (fun m => negb (iin x m)) (map snd xs) = true ->
    (forall y, r' y = upd r x i y) ->
    match enter r xs idx, enter r' xs idx with
    | Some (q, is), Some (q', js) => is = js /\ forall y, q' y = upd q x i y
    | None, None => True
    | _, _ => False
    end); [|intros; apply G; auto].
  clear xs. induction xs as [|[z n] xs IH]; cbn [enter bound existsb fst map snd forallb]; intros r r' idx B N R; auto. bools.
  destruct idx as [|k is]; auto. rewrite (iev_ext n r' (upd r x i)), iev_fresh by auto. destruct within; auto.
  apply IH; auto. intros y. unfold upd in *. destruct (Pos.eqb_spec z y), (Pos.eqb_spec x y); auto; [congruence|..];
  rewrite R; destruct (Pos.eqb_spec x y); congruence.
Qed.

(** The loops of a nest, without their marks; a tensor that is bound between loops is bound further in, and so is the
    loop of an update, both of which mean the same. *)
Definition avoids (xs : nest) (a : exp) : bool := forallb (fun x => negb (ein (fst x) a)) xs.
Definition may_sink (x : id) (n : iexp) (xs ys : nest) : bool :=
  loops_eqm xs ys && negb (bound x xs) && distinct_names xs && forallb (fun m => negb (iin x m)) (map snd xs)
  && free_of xs [n].
Fixpoint loops (e : exp) (k : nat) {struct e} : option (nest * exp) :=
  match e, k with
  | Mark _ a, _ => loops a k
  | Let t a b, Datatypes.S _ => do (xs, c) <- loops b k; only (avoids xs a) (Some (xs, Let t a c))
  | Gen x n a, Datatypes.S k => do (xs, b) <- loops a k; Some ((x, n) :: xs, b)
  | Iter t x n a b, Datatypes.S _ =>
      do (xs, c) <- loops a k; do (ys, d) <- loops b k; do d' <- local t xs d;
      only (may_sink x n xs ys) (Some (xs, Iter t x n c d'))
  | _, O => Some ([], e)
  | _, _ => None
  end.

(** The value of each name that a nest binds is the index at which it was entered. *)
Lemma enter_names xs : forall r idx q, enter r xs idx = Some (q, []) -> distinct_names xs = true ->
  length idx = length xs /\ map (fun x => q (fst x)) xs = idx.
Proof.
  induction xs as [|[x n] xs IH]; cbn [enter distinct_names map length fst]; intros r idx q H D; results; auto.
  destruct idx as [|i is]; try discriminate. destruct within; try discriminate. bools.
  destruct (IH _ _ _ H) as [L E]; auto. split; [cbn [length]; congruence|]. f_equal; auto.
  rewrite (enter_other x _ _ _ _ _ H) by auto. apply upd_eq.
Qed.

Lemma sink_ok S t x n a b xs ys c d d' :
  may_sink x n xs ys = true -> local t xs d = Some d' ->
  (forall r s idx, den S r s a idx = den S r s (gens xs c) idx) ->
  (forall r s idx, den S r s b idx = den S r s (gens ys d) idx) ->
  forall r s idx, den S r s (Iter t x n a b) idx = den S r s (gens xs (Iter t x n c d')) idx.
Proof.
  unfold may_sink. intros M LO A B r s idx. bools.
  assert (ST : forall i v js, den S (upd r x i) (upd s t v) b js =
    match enter r xs js with Some (q, is) => den S (upd q x i) (upd s t v) d is | None => null S end).
  { intros i v js. rewrite B, gens_ok, <- (loops_eqm_ok xs ys) by auto. pose proof (enter_upd x i xs r js) as E.
    destruct (enter r xs js) as [[q is]|], (enter (upd r x i) xs js) as [[q' is']|]; try tauto.
    destruct E as [-> E]; auto. apply den_ext; auto. }
  rewrite gens_ok. destruct (enter r xs idx) as [[q is]|] eqn:EN.
  - destruct (enter_prefix _ _ _ _ _ EN) as [pre [-> E]]. cbn [den].
    assert (Q : iev q n = iev r n).
    { apply iev_ext. intros y Y. eapply enter_other; eauto. eapply (free_of_ok xs [n]); eauto. simpl. auto. }
    rewrite Q. clear EN. revert is. induction (Z.to_nat (iev r n)) as [|m IH]; intros is; cbn [itern].
    + rewrite A, gens_ok, E. auto.
    + rewrite ST, E. rewrite (local_ok S _ _ _ _ LO). apply den_ext; auto. intros u _ j.
      destruct (Pos.eqb_spec t u) as [<-|N]; [|rewrite !(upd_ne _ _ _ _ N); auto]. rewrite !upd_eq, <- IH. do 2 f_equal.
      assert (P : enter r xs pre = Some (q, [])) by (rewrite <- (app_nil_r pre); apply E).
      destruct (enter_names _ _ _ _ P) as [_ <-]; auto. apply map_ext_in. intros [y k] Y. cbn [fst]. apply upd_ne.
      intros <-. assert (bound x xs = true); [|congruence]. apply existsb_exists. exists (x, k). split; auto.
      apply Pos.eqb_refl.
  - cbn [den]. destruct (Z.to_nat (iev r n)); cbn [itern]; [rewrite A, gens_ok, EN | rewrite ST, EN]; auto.
Qed.

Lemma loops_ok S e : forall k xs b, loops e k = Some (xs, b) ->
  length xs = k /\ forall r s idx, den S r s e idx = den S r s (gens xs b) idx.
Proof.
  induction e; intros k xs body H; cbn [loops] in H;
  try (destruct k; [inversion H; subst; split; reflexivity | discriminate]).
  - destruct k as [|k]; [inversion H; subst; split; reflexivity|]. results. destruct (IHe _ _ _ Heqo) as [L E].
    split; [cbn [length]; congruence|]. intros r s idx. cbn [gens den]. destruct idx; auto. destruct within; auto.
  - destruct k as [|k]; [inversion H; subst; split; reflexivity|]. results. destruct (IHe2 _ _ _ Heqo) as [L E].
    split; auto. intros r s idx. cbn [den]. rewrite E, !gens_ok. destruct (enter r xs idx) as [[q is]|] eqn:EN; auto.
    cbn [den]. apply den_let. intros i. apply den_ext; auto. intros y Y. symmetry. eapply enter_other; eauto.
    destruct (bound y xs) eqn:B; auto. apply existsb_exists in B. destruct B as [x [X XE]]. bools. subst.
    match goal with K : avoids xs _ = true |- _ =>
      unfold avoids in K; rewrite forallb_forall in K; specialize (K x X); cbn beta in K; clash Y K end.
  - destruct (IHe _ _ _ H) as [L E]. split; auto.
  - destruct k as [|k]; [inversion H; subst; split; reflexivity|]. results.
    destruct (IHe1 _ _ _ Heqo) as [L E], (IHe2 _ _ _ Heqo0) as [_ E2]. split; auto. intros. eapply sink_ok; eauto.
Qed.

(** ** What has to hold of a nest, the extents of the view, and a store *)
Definition separate (xs Ls : nest) (ss ts : list iexp) : bool :=
  Nat.eqb (length ss) (length xs) && Nat.eqb (length ts) (length Ls)
  && distinct_names xs && distinct_names Ls && free_of xs ss && free_of Ls ts
  && free_of xs (map snd Ls) && free_of Ls (map snd Ls) && free_of xs (map snd xs) && free_of Ls (map snd xs)
  && forallb (fun q => negb (bound (fst q) Ls)) xs.

Definition check_store (F : facts) (xs Ls : nest) (ts : list iexp) (q : store) : bool :=
  separate xs Ls (st_at q) ts && forallb (fun x => negb (bin (fst x) (st_guard q))) xs
  && prove (insides xs F) (covered xs Ls (st_at q) ts (st_guard q)) (st_shown q)
  && prove (st_guard q :: insides Ls F) (covered Ls xs ts (st_at q) BTrue) (st_stored q).

Lemma combine_nth_map {A B C} (f : A -> C) (g : B -> C) : forall (l : list A) (m : list B), length l = length m ->
  (forall a b, In (a, b) (combine l m) -> g b = f a) -> map g m = map f l.
Proof.
  induction l as [|a l IH]; destruct m as [|b m]; intros N H; try discriminate; auto. cbn [map]. f_equal.
  - apply H. simpl. auto.
  - apply IH; auto. intros c d I. apply H. simpl. auto.
Qed.

(** The heart of both directions: from indices of [xs] to the iteration of [Ls], and that this one is where they are. *)
Lemma meets xs Ls ss ts p G w r idx q :
  length ss = length xs -> length ts = length Ls -> distinct_names xs = true ->
  free_of xs ss = true -> free_of Ls ts = true -> free_of xs (map snd Ls) = true -> free_of Ls (map snd Ls) = true ->
  forallb (fun q => negb (bound (fst q) Ls)) xs = true -> forallb (fun x => negb (bin (fst x) p)) xs = true ->
  prove G (covered xs Ls ss ts p) w = true -> enter r xs idx = Some (q, []) -> sat q G ->
  exists q2, enter r Ls (map (iev q) ts) = Some (q2, []) /\ bev q2 p = true /\ map (iev q2) ss = idx.
Proof.
  intros NS NT D FS FT FX FL XL XP PR EN HG.
  assert (CV := all_ok _ _ (prove_ok _ _ _ q PR HG)). clear PR.
  destruct (enter_in (fun y => bound y xs) Ls q [] Ls ts r q) as [q2 [E2 Q2]]; auto.
  - intros y. destruct (bound y Ls); auto.
  - intros y Y. symmetry. eapply enter_other; eauto.
  - apply free_of_ok; auto.
  - intros M f y M1 Y. apply (in_map snd) in M1.
    split; [apply (free_of_ok Ls (map snd Ls)) with f | apply (free_of_ok xs (map snd Ls)) with f]; auto.
  - intros M f t M1.
    assert (X : bev q (in_range t f) = true).
    { apply CV. apply in_or_app. left. apply in_map_iff. exists ((M, f), t). auto. }
    cbn [in_range bev iev] in X. bools. lia.
  - rewrite app_nil_r in E2. exists q2. split; auto. set (E := assign q (to Ls ts)) in *. split.
    + transitivity (bev E p).
      * apply bev_ext. intros y Y. apply Q2. destruct (bound y xs) eqn:B; auto.
        apply existsb_exists in B. destruct B as [x [X XE]]. bools. subst.
        rewrite forallb_forall in XP. specialize (XP x X). cbn beta in XP. clash Y XP.
      * unfold E. rewrite <- bsubs_ok. apply CV. apply in_or_app. right. apply in_or_app. right. simpl. auto.
    + destruct (enter_names _ _ _ _ EN D) as [_ <-].
      apply combine_nth_map; auto. intros [x m] v I.
      assert (C : bev q (bsubs (to Ls ts) (BEq v (IV x))) = true).
      { apply CV. apply in_or_app. right. apply in_or_app. left. apply in_map_iff. exists ((x, m), v). auto. }
      rewrite bsubs_ok in C. cbn [bev iev] in C. apply Z.eqb_eq in C. fold E in C. cbn [fst].
      transitivity (iev E v).
      * apply iev_ext. intros y Y. apply Q2. eapply (free_of_ok xs ss); eauto. eapply in_combine_r; eauto.
      * rewrite C. unfold E. apply assign_other. apply to_bound.
        rewrite forallb_forall in XL. specialize (XL _ (in_combine_l _ _ _ _ I)). cbn in XL. bools. auto.
Qed.

Section Execution.
Variable S : algebra.

(** The iteration [idx] of the nest stores, with its names as in [q]. *)
Definition stores (r : id -> Z) (Ls : nest) (p : bexp) (idx : list Z) (q : id -> Z) : Prop :=
  enter r Ls idx = Some (q, []) /\ bev q p = true.

Definition memory := list Z -> option S.
Definition write (m : memory) (at_ : list Z) (v : S) : memory :=
  fun i => if list_eq_dec Z.eq_dec i at_ then Some v else m i.
Fixpoint execute (r : id -> Z) (s : id -> ten S) (Ls : nest) (b : exp) (ss : list iexp) (p : bexp) (order : list (list Z))
    (m : memory) : memory :=
  match order with
  | [] => m
  | j :: order =>
      execute r s Ls b ss p order
        (match enter r Ls j with
         | Some (q, []) => if bev q p then write m (map (iev q) ss) (den S q s b []) else m
         | _ => m
         end)
  end.

(** Whether the iteration [j] stores at [i]. *)
Definition hits (r : id -> Z) (Ls : nest) (ss : list iexp) (p : bexp) (i j : list Z) : Prop :=
  exists q, stores r Ls p j q /\ map (iev q) ss = i.

Lemma execute_value r s Ls b ss p i v : forall order m,
  (forall j q, In j order -> stores r Ls p j q -> map (iev q) ss = i -> den S q s b [] = v) ->
  (exists j, In j order /\ hits r Ls ss p i j) \/ m i = Some v ->
  execute r s Ls b ss p order m i = Some v.
Proof.
  induction order as [|j order IH]; cbn [execute]; intros m V H.
  { destruct H as [[j [[] _]]|H]; auto. }
  apply IH; [intros; eapply V; eauto; simpl; auto|].
  (* If this iteration does not store at [i], a later one does, or it is there already. *)
  assert (LATER : ~ hits r Ls ss p i j -> (exists k, In k order /\ hits r Ls ss p i k) \/ m i = Some v).
  { intros N. destruct H as [[k [[I|I] K]]|H]; auto; [subst; contradiction | left; eauto]. }
  destruct (enter r Ls j) as [[q [|? ?]]|] eqn:E;
  try (apply LATER; intros [q1 [[E1 _] _]]; congruence).
  destruct (bev q p) eqn:P; [|apply LATER; intros [q1 [[E1 P1] _]]; congruence].
  unfold write. destruct (list_eq_dec Z.eq_dec i (map (iev q) ss)) as [A|A].
  - right. f_equal. apply (V j q); [simpl; auto | split; auto | auto].
  - apply LATER. intros [q1 [[E1 _] A1]]. congruence.
Qed.
Lemma execute_untouched r s Ls b ss p i : forall order m,
  (forall j q, stores r Ls p j q -> map (iev q) ss <> i) -> execute r s Ls b ss p order m i = m i.
Proof.
  induction order as [|j order IH]; cbn [execute]; intros m N; auto. rewrite IH by auto.
  destruct (enter r Ls j) as [[q [|? ?]]|] eqn:E; auto. destruct (bev q p) eqn:P; auto.
  unfold write. destruct list_eq_dec as [A|]; auto. exfalso. apply (N j q); [split; auto | auto].
Qed.
End Execution.

(** What holds of a view's store in one environment: in every algebra, for all tensors. *)
Definition writes (r : id -> Z) (xs : nest) (ts : list iexp) (e : exp) (q : store) : Prop :=
  exists Ls b, loops e (length ts) = Some (Ls, b) /\
  (* No two iterations store at one index. *)
  (forall j k u v, stores r Ls (st_guard q) j u -> stores r Ls (st_guard q) k v ->
     map (iev u) (st_at q) = map (iev v) (st_at q) -> j = k) /\
  (* In any order that leaves no iteration out, memory holds the view, and nothing else is touched. *)
  forall S s order m idx, (forall j u, stores r Ls (st_guard q) j u -> In j order) ->
    execute S r s Ls b (st_at q) (st_guard q) order m idx =
      match enter r xs idx with
      | Some (_, []) => Some (den S r s (View (Reindex xs ts) e) idx)
      | _ => m idx
      end.

(** An iteration that stores is the one that the view shows there. *)
Lemma store_back F xs Ls ts q r : check_store F xs Ls ts q = true -> sat r F -> forall j u, stores r Ls (st_guard q) j u ->
  exists v, enter r xs (map (iev u) (st_at q)) = Some (v, []) /\ map (iev v) ts = j.
Proof.
  unfold check_store, separate. intros H HF j u [E P]. bools.
  repeat match goal with K : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in K end.
  destruct q as [ss p w1 w2]. cbn [st_at st_guard st_shown st_stored] in *.
  destruct (meets Ls xs ts ss BTrue (p :: insides Ls F) w2 r j u) as [v [E2 [_ A]]]; auto; [..|exists v; auto].
  - apply forallb_forall. intros [x n] X. cbn [fst]. destruct (bound x xs) eqn:B; auto. apply existsb_exists in B.
    destruct B as [[y m] [Y YE]]. bools. simpl in YE. subst.
    match goal with K : forallb (fun q => negb (bound (fst q) Ls)) xs = true |- _ =>
      rewrite forallb_forall in K; specialize (K _ Y); cbn in K; bools end.
    assert (bound x Ls = true); [|congruence]. apply existsb_exists. exists (x, n). split; auto. apply Pos.eqb_refl.
  - apply forallb_forall. auto.
  - constructor; auto. eapply enter_sat; eauto.
Qed.
(** The iteration that the view shows at an index stores there. *)
Lemma store_there F xs Ls ts q r : check_store F xs Ls ts q = true -> sat r F -> forall idx v, enter r xs idx = Some (v, []) ->
  exists u, stores r Ls (st_guard q) (map (iev v) ts) u /\ map (iev u) (st_at q) = idx.
Proof.
  unfold check_store, separate. intros H HF idx v E. bools.
  repeat match goal with K : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in K end.
  destruct q as [ss p w1 w2]. cbn [st_at st_guard st_shown st_stored] in *.
  destruct (meets xs Ls ss ts p (insides xs F) w1 r idx v) as [u [E2 [P A]]]; auto; [eapply enter_sat; eauto|].
  exists u. repeat split; auto.
Qed.

Lemma check_store_ok F xs Ls ts e b q r :
  check_store F xs Ls ts q = true -> loops e (length ts) = Some (Ls, b) -> sat r F -> writes r xs ts e q.
Proof.
  intros H L HF. assert (BACK := store_back _ _ _ _ _ _ H HF). assert (THERE := store_there _ _ _ _ _ _ H HF). clear H.
  exists Ls, b. split; auto. split.
  - intros j k u v A B E. destruct (BACK _ _ A) as [a [EA <-]], (BACK _ _ B) as [c [EC <-]]. rewrite E in EA. congruence.
  - intros S s order m idx O. destruct (enter r xs idx) as [[v [|? ?]]|] eqn:E.
    + destruct (THERE _ _ E) as [u [W A]]. apply execute_value.
      * intros j u1 I W1 A1. destruct (BACK j u1 W1) as [v1 [EV <-]]. rewrite A1, E in EV. inversion EV; subst v1.
        cbn [den seen]. rewrite E, app_nil_r. destruct (loops_ok S _ _ _ _ L) as [_ ->]. destruct W1 as [E1 _].
        rewrite gens_ok, E1. auto.
      * left. exists (map (iev v) ts). split; [eapply O; eauto|]. exists u. split; auto.
    + apply execute_untouched. intros j u W A. destruct (BACK _ _ W) as [x [EX _]]. rewrite A, E in EX. discriminate.
    + apply execute_untouched. intros j u W A. destruct (BACK _ _ W) as [x [EX _]]. rewrite A, E in EX. discriminate.
Qed.

(** ** Whole programs: a store for each view, in the order of the program *)
Fixpoint views (e : exp) : nat :=
  match e with
  | Lit _ | Var _ => 0
  | Gen _ _ a | Fold _ _ _ a | Get a _ | Op1 _ a | Mark _ a => views a
  | If _ a b | Let _ a b | Op2 _ a b | Cat _ a b | Bind _ a b | Iter _ _ _ a b => views a + views b
  | Op3 _ a b c => views a + views b + views c
  | View _ a => Datatypes.S (views a)
  end.

(** [stored r e qs]: wherever evaluation of [e] comes to a view, memory comes to hold what it shows. *)
Fixpoint stored (r : id -> Z) (e : exp) (qs : list store) : Prop :=
  match e with
  | Lit _ | Var _ => True
  | Gen x n a | Fold _ x n a => forall i, 0 <= i < iev r n -> stored (upd r x i) a qs
  | Get a _ | Op1 _ a | Mark _ a => stored r a qs
  | If p a b => (bev r p = true -> stored r a (firstn (views a) qs)) /\ (bev r p = false -> stored r b (skipn (views a) qs))
  | Let _ a b | Op2 _ a b | Cat _ a b => stored r a (firstn (views a) qs) /\ stored r b (skipn (views a) qs)
  | Op3 _ a b c => stored r a (firstn (views a) qs) /\
      stored r b (firstn (views b) (skipn (views a) qs)) /\ stored r c (skipn (views b) (skipn (views a) qs))
  | View (Reindex xs ts) a => match qs with q :: qs => writes r xs ts a q /\ stored r a qs | [] => False end
  | View _ _ => False
  | Bind x a b => stored r a (firstn (views a) qs) /\ forall i, stored (upd r x i) b (skipn (views a) qs)
  | Iter _ x n a b => stored r a (firstn (views a) qs) /\
      forall i, 0 <= i < iev r n -> stored (upd r x i) b (skipn (views a) qs)
  end.

Fixpoint check_stores (F : facts) (e : exp) (qs : list store) : bool :=
  match e with
  | Lit _ | Var _ => true
  | Gen x n a | Fold _ x n a => check_stores (inside x n F) a qs
  | Get a _ | Op1 _ a | Mark _ a => check_stores F a qs
  | If p a b => check_stores (p :: F) a (firstn (views a) qs) && check_stores (BNot p :: F) b (skipn (views a) qs)
  | Let _ a b | Op2 _ a b | Cat _ a b => check_stores F a (firstn (views a) qs) && check_stores F b (skipn (views a) qs)
  | Op3 _ a b c => check_stores F a (firstn (views a) qs) &&
      (check_stores F b (firstn (views b) (skipn (views a) qs)) && check_stores F c (skipn (views b) (skipn (views a) qs)))
  | View (Reindex xs ts) a =>
      match qs, loops a (length ts) with
      | q :: qs, Some (Ls, _) => check_store F xs Ls ts q && check_stores F a qs
      | _, _ => false
      end
  | View _ _ => false
  | Bind x a b => check_stores F a (firstn (views a) qs) && check_stores (without x F) b (skipn (views a) qs)
  | Iter _ x n a b => check_stores F a (firstn (views a) qs) && check_stores (inside x n F) b (skipn (views a) qs)
  end.

Theorem check_stores_sound e : forall F qs r, check_stores F e qs = true -> sat r F -> stored r e qs.
Proof.
  induction e; cbn [check_stores stored]; intros F qs r' H HF; auto; bools;
  try (repeat split; intros; eauto using sat_inside, sat_without; fail).
  - split; intros B; [eapply IHe1 | eapply IHe2]; eauto; constructor; auto. simpl. rewrite B. auto.
  - destruct v; try discriminate. destruct qs as [|q qs]; try discriminate.
    destruct (loops e (length ts)) as [[Ls b]|] eqn:L; try discriminate. bools. split; eauto.
    eapply check_store_ok; eauto.
Qed.
