(** * What programs mean

    A tensor is a total function from lists of indices to elements, null where a generation has no iteration. Elements
    come from an algebra: a type with operators and constants of which nothing is assumed. A rule that needs more says
    which law it needs ([law]); what uses no law holds for every algebra, bit for bit, floating point included. *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax.
Import ListNotations.
Open Scope Z_scope.

Definition upd {A} (r : id -> A) (x : id) (v : A) : id -> A := fun y => if Pos.eqb x y then v else r y.

Fixpoint iev (r : id -> Z) (a : iexp) : Z :=
  match a with
  | IC z => z
  | IV x => r x
  | IAdd a b => iev r a + iev r b
  | ISub a b => iev r a - iev r b
  | IMul a b => iev r a * iev r b
  | IDiv a b => iev r a / iev r b
  | IMod a b => iev r a mod iev r b
  | IMin a b => Z.min (iev r a) (iev r b)
  | IMax a b => Z.max (iev r a) (iev r b)
  end.

Fixpoint bev (r : id -> Z) (p : bexp) : bool :=
  match p with
  | BTrue => true
  | BLe a b => iev r a <=? iev r b
  | BLt a b => iev r a <? iev r b
  | BEq a b => iev r a =? iev r b
  | BAnd p q => bev r p && bev r q
  | BOr p q => bev r p || bev r q
  | BNot p => negb (bev r p)
  end.

Definition within (i n : Z) := (0 <=? i) && (i <? n).

(** The names of a nest of loops take the first indices; fails where one is outside of its loop. *)
Fixpoint enter (r : id -> Z) (xs : list (id * iexp)) (idx : list Z) : option ((id -> Z) * list Z) :=
  match xs, idx with
  | [], is => Some (r, is)
  | (x, n) :: xs, i :: is => if within i (iev r n) then enter (upd r x i) xs is else None
  | _ :: _, [] => None
  end.

(** The element of the operand that a view shows, if it shows one. *)
Definition seen (r : id -> Z) (v : view) (idx : list Z) : option (list Z) :=
  match v, idx with
  | Transpose, i :: j :: is => Some (j :: i :: is)
  | Flatten n m, i :: is =>
      if within i (iev r n * iev r m) then Some (i / iev r m :: i mod iev r m :: is) else None
  | Split q k, i :: j :: is =>
      if within i (iev r q) && within j (iev r k) then Some (i * iev r k + j :: is) else None
  | TruncR n, i :: is => if i <? iev r n then Some (i :: is) else None
  | TruncL k, i :: is => if 0 <=? i then Some (i + iev r k :: is) else None
  | PadR n _, i :: is => if i <? iev r n then Some (i :: is) else None
  | PadL k, i :: is => if iev r k <=? i then Some (i - iev r k :: is) else None
  | Reindex xs ts, is => match enter r xs is with Some (q, is) => Some (map (iev q) ts ++ is) | None => None end
  | _, _ => None
  end.

Record algebra := {
  V :> Type;
  lit : const -> V;
  op1 : id -> V -> V;
  op2 : id -> V -> V -> V;
  op3 : id -> V -> V -> V -> V;
  to_index : V -> Z }.

Section Meaning.
Variable S : algebra.
Definition null : S := lit S (Num 0).

Fixpoint foldn (o : id) (n : nat) (f : Z -> S) : S :=
  match n with
  | O => lit S (UnitOf o)
  | Datatypes.S m => op2 S o (foldn o m f) (f (Z.of_nat m))
  end.
Definition foldz o (n : Z) f := foldn o (Z.to_nat n) f.

Definition ten := list Z -> S.

Fixpoint itern (n : nat) (a : ten) (f : Z -> ten -> ten) : ten :=
  match n with
  | O => a
  | Datatypes.S m => f (Z.of_nat m) (itern m a f)
  end.

Fixpoint den (r : id -> Z) (s : id -> ten) (e : exp) : ten :=
  match e with
  | Lit c => fun _ => lit S c
  | Var t => s t
  | Gen x n e => fun idx => match idx with
      | i :: is => if within i (iev r n) then den (upd r x i) s e is else null
      | [] => null end
  | Fold o x n e => fun idx => foldz o (iev r n) (fun i => den (upd r x i) s e idx)
  | If p a b => fun idx => if bev r p then den r s a idx else den r s b idx
  | Let t a b => den r (upd s t (den r s a)) b
  | Get e i => fun idx => den r s e (iev r i :: idx)
  | Op1 o a => fun idx => op1 S o (den r s a idx)
  | Op2 o a b => fun idx => op2 S o (den r s a idx) (den r s b idx)
  | Op3 o a b c => fun idx => op3 S o (den r s a idx) (den r s b idx) (den r s c idx)
  | Cat n a b => fun idx => match idx with
      | i :: is => if i <? iev r n then den r s a (i :: is) else den r s b (i - iev r n :: is)
      | [] => null end
  | View v e => fun idx => match seen r v idx with Some j => den r s e j | None => null end
  | Mark _ e => den r s e
  | Bind x a b => den (upd r x (to_index S (den r s a []))) s b
  | Iter t x n a b => itern (Z.to_nat (iev r n)) (den r s a) (fun i v => den (upd r x i) (upd s t v) b)
  end.
End Meaning.

(** ** Laws *)
Inductive law :=
| Assoc (o : id)            (* a o (b o c) = (a o b) o c *)
| Comm (o : id)             (* a o b = b o a *)
| UnitL (o : id)            (* unit o a = a *)
| UnitNull (o : id)         (* the unit is null *)
| NullNull (o : id)         (* null o null = null *)
| Null1 (o : id)            (* o null = null, for operators of one operand *)
| AnnihL (o : id)           (* null o a = null *)
| AnnihR (o : id)           (* a o null = null *)
| DistrL (m o : id)         (* a m (b o c) = (a m b) o (a m c) *)
| FirstOf (f p : id)        (* f (p a b) = a: components of tuples *)
| SecondOf (f p : id).      (* f (p a b) = b *)

Definition holds (S : algebra) (l : law) : Prop :=
  match l with
  | Assoc o => forall a b c, op2 S o a (op2 S o b c) = op2 S o (op2 S o a b) c
  | Comm o => forall a b, op2 S o a b = op2 S o b a
  | UnitL o => forall a, op2 S o (lit S (UnitOf o)) a = a
  | UnitNull o => lit S (UnitOf o) = null S
  | NullNull o => op2 S o (null S) (null S) = null S
  | Null1 o => op1 S o (null S) = null S
  | AnnihL o => forall a, op2 S o (null S) a = null S
  | AnnihR o => forall a, op2 S o a (null S) = null S
  | DistrL m o => forall a b c, op2 S m a (op2 S o b c) = op2 S o (op2 S m a b) (op2 S m a c)
  | FirstOf f p => forall a b, op1 S f (op2 S p a b) = a
  | SecondOf f p => forall a b, op1 S f (op2 S p a b) = b
  end.
Definition laws := list law.
Definition obeys (S : algebra) (L : laws) := Forall (holds S) L.

(** A derivation that uses one of these may change the rounding of floating point. *)
Definition reassociating (l : law) : bool :=
  match l with Assoc _ | Comm _ | DistrL _ _ => true | _ => false end.
Definition reassociates (L : laws) : bool := existsb reassociating L.

(** ** Facts that hold where a rule is applied *)
Definition facts := list bexp.
Definition sat (r : id -> Z) (F : facts) := Forall (fun p => bev r p = true) F.

(** Two programs mean the same under facts, in every algebra that obeys the laws. *)
Definition same (L : laws) (F : facts) (e f : exp) : Prop :=
  forall S, obeys S L -> forall r s idx, sat r F -> den S r s e idx = den S r s f idx.

(** ** Updates and extensionality *)
Lemma upd_eq {A} (r : id -> A) x v : upd r x v x = v.
Proof. unfold upd. now rewrite Pos.eqb_refl. Qed.
Lemma upd_ne {A} (r : id -> A) x y v : x <> y -> upd r x v y = r y.
Proof. unfold upd. intros. destruct (Pos.eqb_spec x y); congruence. Qed.
Lemma upd_shadow {A} (r : id -> A) x u v y : upd (upd r x u) x v y = upd r x v y.
Proof. unfold upd. destruct (Pos.eqb x y); auto. Qed.
Lemma upd_comm {A} (r : id -> A) x y u v z : x <> y -> upd (upd r x u) y v z = upd (upd r y v) x u z.
Proof. unfold upd; intros. destruct (Pos.eqb_spec x z), (Pos.eqb_spec y z); congruence. Qed.

Lemma within_spec i n : reflect (0 <= i < n) (within i n).
Proof. unfold within. destruct (0 <=? i) eqn:?, (i <? n) eqn:?; constructor; lia. Qed.

Lemma iev_ext a : forall r r', (forall y, iin y a = true -> r y = r' y) -> iev r a = iev r' a.
Proof.
  induction a; simpl; intros; auto;
  try (rewrite (IHa1 r r'), (IHa2 r r'); auto; intros; apply H; rewrite H0; auto using orb_true_r).
  apply H, Pos.eqb_refl.
Qed.
Lemma bev_ext p : forall r r', (forall y, bin y p = true -> r y = r' y) -> bev r p = bev r' p.
Proof.
  induction p; simpl; intros; auto;
  try (rewrite (iev_ext a r r'), (iev_ext b r r'); auto; intros; apply H; rewrite H0; auto using orb_true_r; fail);
  try (rewrite (IHp1 r r'), (IHp2 r r'); auto; intros; apply H; rewrite H0; auto using orb_true_r; fail).
  rewrite (IHp r r'); auto.
Qed.
Lemma maps_ext ts r r' : (forall y, existsb (iin y) ts = true -> r y = r' y) -> map (iev r) ts = map (iev r') ts.
Proof.
  intros H. apply map_ext_in. intros t T. apply iev_ext. intros y Y. apply H. apply existsb_exists. eauto.
Qed.
Lemma enter_ext ts xs : forall idx r r', (forall y, rin y xs ts = true -> r y = r' y) ->
  match enter r xs idx, enter r' xs idx with
  | Some (q, is), Some (q', is') => map (iev q) ts = map (iev q') ts /\ is = is'
  | None, None => True
  | _, _ => False
  end.
Proof.
  induction xs as [|[x n] xs IH]; intros idx r r' H; cbn [enter rin] in *.
  - split; auto. apply maps_ext; auto.
  - destruct idx as [|i is]; auto. rewrite (iev_ext n r r') by (intros y Y; apply H; rewrite Y; auto).
    destruct within; auto. apply IH. intros y Y. unfold upd. destruct (Pos.eqb_spec x y); auto. apply H. rewrite Y.
    destruct (Pos.eqb_spec y x); try congruence. apply orb_true_r.
Qed.
Lemma seen_ext v idx : forall r r', (forall y, vin y v = true -> r y = r' y) -> seen r v idx = seen r' v idx.
Proof.
  destruct v as [| | | | | | |xs ts]; intros r r' H;
  [..|cbn [seen vin] in *; pose proof (enter_ext ts xs idx r r' H) as E;
      destruct (enter r xs idx) as [[q is]|], (enter r' xs idx) as [[q' is']|]; try tauto;
      destruct E as [E ->]; rewrite E; auto]; simpl in *; auto;
  rewrite ?(iev_ext n r r'), ?(iev_ext m r r'), ?(iev_ext q r r'), ?(iev_ext k r r')
    by (intros; apply H; rewrite ?H0; auto using orb_true_r); auto.
Qed.
Lemma iev_fresh r y i v : iin y v = false -> iev (upd r y i) v = iev r v.
Proof. intros. apply iev_ext; intros. apply upd_ne. congruence. Qed.
Lemma bev_fresh p r x i : bin x p = false -> bev (upd r x i) p = bev r p.
Proof. intros. apply bev_ext; intros. apply upd_ne. congruence. Qed.
Lemma seen_fresh v r x i idx : vin x v = false -> seen (upd r x i) v idx = seen r v idx.
Proof. intros. apply seen_ext; intros. apply upd_ne. congruence. Qed.

Section Ext.
Variable S : algebra.
Notation den := (den S).

Lemma foldn_ext o n f g : (forall i, 0 <= i < Z.of_nat n -> f i = g i) -> foldn S o n f = foldn S o n g.
Proof. induction n; simpl; intros; auto. rewrite IHn, H; auto; intros; try apply H; lia. Qed.
Lemma foldz_ext o n f g : (forall i, 0 <= i < n -> f i = g i) -> foldz S o n f = foldz S o n g.
Proof. intros; apply foldn_ext; intros; apply H; lia. Qed.
Lemma itern_ext n a b f g : (forall idx, a idx = b idx) ->
  (forall i v w, 0 <= i < Z.of_nat n -> (forall idx, v idx = w idx) -> forall idx, f i v idx = g i w idx) ->
  forall idx, itern S n a f idx = itern S n b g idx.
Proof. induction n; simpl; intros; auto. apply H0; [lia|]. apply IHn; auto. intros. apply H0; auto; lia. Qed.

Ltac weaken H := intros; apply H; simpl; repeat (match goal with Hx : _ = true |- _ => rewrite Hx end);
  rewrite ?orb_true_r; auto.
Ltac under_binder H := intros; unfold upd;
  match goal with |- (if Pos.eqb ?x ?y then _ else _) = _ => destruct (Pos.eqb_spec x y); auto end;
  apply H; simpl; repeat (match goal with Hx : ein _ _ = true |- _ => rewrite Hx end);
  match goal with n : ?x <> ?y |- context [Pos.eqb ?y ?x] => destruct (Pos.eqb_spec y x); try congruence end;
  simpl; rewrite ?orb_true_r; auto.
Ltac under_let H := intros; unfold upd;
  match goal with |- (if Pos.eqb ?x ?y then _ else _) _ = _ => destruct (Pos.eqb_spec x y); auto end;
  apply H; simpl; repeat (match goal with Hx : tin _ _ = true |- _ => rewrite Hx end);
  match goal with n : ?x <> ?y |- context [Pos.eqb ?y ?x] => destruct (Pos.eqb_spec y x); try congruence end;
  simpl; rewrite ?orb_true_r; auto.

(** The meaning depends on the free names alone. *)
Lemma den_ext e : forall r r' s s', (forall y, ein y e = true -> r y = r' y) ->
  (forall t, tin t e = true -> forall idx, s t idx = s' t idx) ->
  forall idx, den r s e idx = den r' s' e idx.
Proof.
  induction e; simpl; intros r r' s s' Hr Hs idx; auto.
  - apply Hs, Pos.eqb_refl.
  - destruct idx; auto. rewrite (iev_ext n r r') by weaken Hr. destruct within; auto.
    apply IHe; auto. under_binder Hr.
  - rewrite (iev_ext n r r') by weaken Hr. apply foldz_ext; intros. apply IHe; auto. under_binder Hr.
  - rewrite (bev_ext p r r') by weaken Hr. destruct bev; [apply IHe1 | apply IHe2]; auto;
    try (weaken Hr); weaken Hs.
  - apply IHe2. weaken Hr. intros u Hu i. unfold upd. destruct (Pos.eqb_spec t u).
    + apply IHe1. weaken Hr. weaken Hs.
    + apply Hs. rewrite Hu. destruct (Pos.eqb_spec u t); try congruence. apply orb_true_r.
  - rewrite (iev_ext i r r') by weaken Hr. apply IHe; auto. weaken Hr.
  - f_equal; apply IHe; auto.
  - f_equal; [apply IHe1 | apply IHe2]; auto; try (weaken Hr); weaken Hs.
  - f_equal; [apply IHe1 | apply IHe2 | apply IHe3]; auto; try (weaken Hr); weaken Hs.
  - destruct idx; auto. rewrite (iev_ext n r r') by weaken Hr. destruct Z.ltb;
    [apply IHe1 | apply IHe2]; auto; try (weaken Hr); weaken Hs.
  - rewrite (seen_ext v idx r r') by weaken Hr. destruct seen; auto. apply IHe; auto. weaken Hr.
  - rewrite (IHe1 r r' s s') by (try (weaken Hr); weaken Hs). apply IHe2. under_binder Hr. weaken Hs.
  - rewrite (iev_ext n r r') by weaken Hr. apply itern_ext. apply IHe1. weaken Hr. weaken Hs.
    intros i v w _ Hvw j. apply IHe2. under_binder Hr. intros u Hu k. unfold upd. destruct (Pos.eqb_spec t u); auto.
    apply Hs. rewrite Hu. destruct (Pos.eqb_spec u t); try congruence. apply orb_true_r.
Qed.

Lemma den_fresh e r s y i idx : ein y e = false -> den (upd r y i) s e idx = den r s e idx.
Proof. intros. apply den_ext; auto. intros. apply upd_ne. congruence. Qed.
Lemma den_tfresh e r s t v idx : tin t e = false -> den r (upd s t v) e idx = den r s e idx.
Proof. intros. apply den_ext; auto. intros. rewrite upd_ne; auto. congruence. Qed.
Lemma den_let e r s t v w idx : (forall j, v j = w j) -> den r (upd s t v) e idx = den r (upd s t w) e idx.
Proof. intros. apply den_ext; auto. intros u _ j. unfold upd. destruct Pos.eqb; auto. Qed.
End Ext.
