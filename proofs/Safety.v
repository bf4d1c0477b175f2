(** * Access safety: every read of a named tensor is in bounds

    Equal values are not enough: a program whose guard is too weak reads outside of a tensor and may throw the value
    away. [safe] says that no iteration of the program reads outside of the extents that are declared for a name;
    [check_safe] decides it by witnesses, and [check_safe_sound] is the theorem. Reads happen where a name is accessed
    with as many indices as it has dimensions; a name with fewer indices (a tensor handed on as a whole) is refused. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

(** The extents that lowering allocates for a bound tensor, and of names from outside what the caller declares. *)
Fixpoint shape (e : exp) : list iexp :=
  match e with
  | Gen _ n e => n :: shape e
  | Fold _ _ _ e | Mark _ e | Op1 _ e | If _ e _ | Op2 _ e _ | Op3 _ e _ _ | Bind _ _ e | Let _ _ e => shape e
  | Iter _ _ _ a _ => shape a
  | Get e _ => tl (shape e)
  | Cat n a b => IAdd n (hd (IC 0) (shape b)) :: tl (shape a)
  | View v e => match v, shape e with
      | Transpose, n :: m :: s => m :: n :: s
      | Transpose, s => s
      | Flatten n m, s => IMul n m :: tl (tl s)
      | Split q k, s => q :: k :: tl s
      | TruncR n, s => n :: tl s
      | TruncL k, s => ISub (hd (IC 0) s) k :: tl s
      | PadR n k, s => IAdd n k :: tl s
      | PadL k, s => IAdd k (hd (IC 0) s) :: tl s
      | Reindex xs ts, s => map snd xs ++ skipn (length ts) s
      end
  | Lit _ | Var _ => []
  end.

Fixpoint in_bounds (shape idx : list Z) : Prop :=
  match shape, idx with
  | [], [] => True
  | n :: ns, i :: is => 0 <= i < n /\ in_bounds ns is
  | _, _ => False
  end.


(** [safe X r e idx]: the reads of [e] at indices [idx] are in bounds, where [X] gives the extents of names. Names of
    data-dependent indices range over all integers, and so does what ordered updates have done before. *)
Fixpoint safe (X : id -> list Z) (r : id -> Z) (e : exp) (idx : list Z) : Prop :=
  match e with
  | Lit _ => True
  | Var t => in_bounds (X t) idx
  | Get e i => safe X r e (iev r i :: idx)
  | _ => idx = [] /\
    match e with
    | Gen x n e | Fold _ x n e => forall i, 0 <= i < iev r n -> safe X (upd r x i) e []
    | If p a b => (bev r p = true -> safe X r a []) /\ (bev r p = false -> safe X r b [])
    | Let t a b => safe X r a [] /\ safe (upd X t (map (iev r) (shape a))) r b []
    | Op1 _ a => safe X r a []
    | Op2 _ a b | Cat _ a b => safe X r a [] /\ safe X r b []
    | Op3 _ a b c => safe X r a [] /\ safe X r b [] /\ safe X r c []
    | View _ a | Mark _ a => safe X r a []
    | Bind x a b => safe X r a [] /\ forall i, safe X (upd r x i) b []
    | Iter t x n a b => safe X r a [] /\
        forall i, 0 <= i < iev r n -> safe (upd X t (map (iev r) (shape a))) (upd r x i) b []
    | _ => True
    end
  end.

Definition shapes := list (id * list iexp).
Fixpoint shape_of (X : shapes) (t : id) : option (list iexp) :=
  match X with [] => None | (u, s) :: X => if Pos.eqb u t then Some s else shape_of X t end.
(** [X] is right about the names that it has. *)
Definition right (X : shapes) (r : id -> Z) (x : id -> list Z) : Prop :=
  forall t s, shape_of X t = Some s -> x t = map (iev r) s.
Definition unbound (x : id) (X : shapes) : bool := forallb (fun p => forallb (fun a => negb (iin x a)) (snd p)) X.

Fixpoint check_bounds (F : facts) (shape idx : list iexp) (ws : list wit) : option (list wit) :=
  match shape, idx, ws with
  | [], [], _ => Some ws
  | n :: ns, i :: is, w :: ws => only (prove F (in_range i n) w) (check_bounds F ns is ws)
  | _, _, _ => None
  end.

(** One witness for each index of each read, in the order of the program; what is left over comes back. *)
Fixpoint check_safe (X : shapes) (F : facts) (e : exp) (idx : list iexp) (ws : list wit) : option (list wit) :=
  match e with
  | Lit _ => Some ws
  | Var t => do s <- shape_of X t; check_bounds F s idx ws
  | Get e i => check_safe X F e (i :: idx) ws
  | _ => match idx with _ :: _ => None | [] =>
    match e with
    | Gen x n e | Fold _ x n e => only (unbound x X) (check_safe X (inside x n F) e [] ws)
    | If p a b => do ws <- check_safe X (p :: F) a [] ws; check_safe X (BNot p :: F) b [] ws
    | Let t a b => do ws <- check_safe X F a [] ws; check_safe ((t, shape a) :: X) F b [] ws
    | Op1 _ a | View _ a | Mark _ a => check_safe X F a [] ws
    | Op2 _ a b | Cat _ a b => do ws <- check_safe X F a [] ws; check_safe X F b [] ws
    | Op3 _ a b c => do ws <- check_safe X F a [] ws; do ws <- check_safe X F b [] ws; check_safe X F c [] ws
    | Bind x a b => only (unbound x X) (do ws <- check_safe X F a [] ws; check_safe X (without x F) b [] ws)
    | Iter t x n a b => only (unbound x ((t, shape a) :: X))
        (do ws <- check_safe X F a [] ws; check_safe ((t, shape a) :: X) (inside x n F) b [] ws)
    | _ => None
    end end
  end.

Lemma check_bounds_ok F r shape : forall idx ws ws', check_bounds F shape idx ws = Some ws' -> sat r F ->
  in_bounds (map (iev r) shape) (map (iev r) idx).
Proof.
  induction shape as [|n ns IH]; destruct idx as [|i is]; cbn [check_bounds in_bounds map]; intros ws ws' H HF; auto;
  try (destruct ws; discriminate). destruct ws as [|w ws]; try discriminate. results.
  apply (fun h => prove_ok _ _ _ r h HF) in Heqb. cbn [in_range bev iev] in Heqb. bools. split; [lia|eauto].
Qed.
Lemma right_upd X r x y i : unbound y X = true -> right X r x -> right X (upd r y i) x.
Proof.
  intros U R t s E. rewrite (R t s E). clear R. induction X as [|[u v] X]; simpl in *; try discriminate. bools.
  destruct (Pos.eqb u t); auto. inversion E; subst. clear - H. induction s as [|a s]; simpl in *; auto. bools.
  rewrite iev_fresh, IHs; auto.
Qed.
Lemma right_bind X r x t a : right X r x -> right ((t, shape a) :: X) r (upd x t (map (iev r) (shape a))).
Proof. intros R u s E. unfold upd. simpl in E. destruct (Pos.eqb t u); [inversion E; auto|auto]. Qed.
#[local] Hint Resolve sat_inside sat_without right_upd right_bind : core.

Ltac child IH := eapply (IH _ _ []); [eassumption | ..].

Theorem check_safe_sound e : forall X F idx ws ws' r x, check_safe X F e idx ws = Some ws' -> sat r F -> right X r x ->
  safe x r e (map (iev r) idx).
Proof.
  induction e; intros X F idx ws ws' r' X' H HF R; cbn [check_safe safe] in *; auto;
  try (destruct idx; try discriminate; split; auto; results).
  - results. rewrite (R _ _ Heqo). eapply check_bounds_ok; eauto.
  - intros j J. child IHe; auto.
  - intros j J. child IHe; auto.
  - split; intros B; [child IHe1 | child IHe2]; auto; constructor; auto.
    simpl. rewrite B. auto.
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
