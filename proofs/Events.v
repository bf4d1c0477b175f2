(** * Events: the same actions in another order

    Actions on a state may run in another order if those that change places commute ([acts_reordered]). [all_of] lists the
    iterations of a nest in the order of its loops. Scans rest on both (Scans.v). *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Fluorite Require Import Syntax Meaning RulesNest.
Import ListNotations.
Open Scope Z_scope.

(** ** Orders of lists *)
Fixpoint earlier (a b : list Z) : Prop :=
  match a, b with x :: a, y :: b => x < y \/ (x = y /\ earlier a b) | _, _ => False end.
Lemma earlier_irrefl a : ~ earlier a a.
Proof. induction a as [|x a IH]; cbn [earlier]; [tauto|]. intros [H|[_ H]]; [lia|tauto]. Qed.
Lemma earlier_asym a : forall b, earlier a b -> ~ earlier b a.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn [earlier]; try tauto.
  intros [H|[E H]] [K|[F K]]; try lia. eapply IH; eauto.
Qed.
Lemma earlier_total a : forall b, length a = length b -> earlier a b \/ a = b \/ earlier b a.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; cbn [earlier length]; intros L; try discriminate; auto.
  destruct (Z.lt_trichotomy x y) as [H|[H|H]]; auto. subst. destruct (IH b) as [H|[H|H]]; auto. subst. auto.
Qed.

(** All pairs of a list, the one before the other. *)
Notation ordered := ForallOrdPairs.
Lemma ordered_app {A} (R : A -> A -> Prop) l m :
  ordered R l -> ordered R m -> (forall a b, In a l -> In b m -> R a b) -> ordered R (l ++ m).
Proof.
  induction 1 as [|a l F O IH]; cbn [app]; intros M X; auto. constructor.
  - apply Forall_app. split; auto. apply Forall_forall. intros b B. apply X; simpl; auto.
  - apply IH; auto. intros. apply X; simpl; auto.
Qed.
Lemma ordered_without {A} (R : A -> A -> Prop) l a m : ordered R (l ++ a :: m) -> ordered R (l ++ m).
Proof.
  induction l as [|b l IH]; cbn [app]; intros H; inversion H; subst; auto. constructor; auto.
  match goal with F : Forall _ _ |- _ => apply Forall_app in F; destruct F as [F G]; inversion G; subst end.
  apply Forall_app. auto.
Qed.
Lemma ordered_before {A} (R : A -> A -> Prop) l a m : ordered R (l ++ a :: m) -> forall b, In b l -> R b a.
Proof.
  induction l as [|c l IH]; cbn [app]; intros H b B; [contradiction|]. inversion H; subst. destruct B as [->|B]; auto.
  match goal with F : Forall _ _ |- _ => rewrite Forall_forall in F; apply F end. apply in_or_app. simpl. auto.
Qed.
Lemma ordered_map {A B} (f : A -> B) (R : B -> B -> Prop) l : ordered (fun a b => R (f a) (f b)) l -> ordered R (map f l).
Proof. induction 1; cbn [map]; constructor; auto. apply Forall_map. auto. Qed.
Lemma ordered_impl {A} (R Q : A -> A -> Prop) l : (forall a b, In a l -> In b l -> R a b -> Q a b) -> ordered R l -> ordered Q l.
Proof.
  intros I H. induction H as [|a l F O IH]; constructor.
  - rewrite Forall_forall in *. intros b B. apply I; simpl; auto.
  - apply IH. intros. apply I; simpl; auto.
Qed.

(** Actions on a state that keep equivalence, in another order: those that change places commute. *)
Section Reordered.
Variables St E : Type.
Variable eqv : St -> St -> Prop.
Variable act : E -> St -> St.
Hypothesis refl : forall m, eqv m m.
Hypothesis trans : forall a b c, eqv a b -> eqv b c -> eqv a c.
Hypothesis proper : forall e a b, eqv a b -> eqv (act e a) (act e b).
Definition acts (l : list E) (m : St) : St := fold_left (fun m e => act e m) l m.
Definition commute (a b : E) : Prop := forall m, eqv (act b (act a m)) (act a (act b m)).

Lemma acts_proper l : forall a b, eqv a b -> eqv (acts l a) (acts l b).
Proof. induction l as [|e l IH]; cbn [acts fold_left]; intros a b H; auto. Qed.
Lemma acts_app l k m : acts (l ++ k) m = acts k (acts l m).
Proof. apply fold_left_app. Qed.
(** An action that commutes with those before it may come first. *)
Lemma acts_first a l : (forall b, In b l -> commute b a) -> forall m, eqv (act a (acts l m)) (acts l (act a m)).
Proof.
  induction l as [|b l IH]; intros C m; auto. cbn [acts fold_left].
  eapply trans; [apply IH; intros; apply C; simpl; auto|]. apply acts_proper. apply C. simpl. auto.
Qed.
Variable lt : E -> E -> Prop.
Hypothesis asym : forall a b, lt a b -> ~ lt b a.
Lemma acts_reordered : forall l, ordered lt l -> forall k, Permutation l k ->
  ordered (fun a b => lt a b \/ commute a b) k -> forall m, eqv (acts k m) (acts l m).
Proof.
  induction 1 as [|a l F O IH]; intros k P K m.
  - apply Permutation_nil in P. subst. auto.
  - destruct (in_split a k) as [A [B ->]]; [eapply Permutation_in; eauto; simpl; auto|].
    assert (PL : Permutation l (A ++ B)) by (eapply Permutation_cons_app_inv; eauto).
    rewrite acts_app. cbn [acts fold_left].
    change (eqv (acts B (act a (acts A m))) (acts l (act a m))).
    eapply trans.
    + apply acts_proper. apply acts_first. intros b I.
      destruct (ordered_before _ _ _ _ K b I) as [L|C]; auto. exfalso. eapply asym; [exact L|].
      rewrite Forall_forall in F. apply F. eapply Permutation_in; [symmetry; exact PL|]. apply in_or_app. auto.
    + rewrite <- acts_app. apply IH; auto. eapply ordered_without; eauto.
Qed.
End Reordered.

(** ** All indices of a nest, in the order of its loops *)
Definition counting (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).
Fixpoint all_of (r : id -> Z) (N : nest) : list (list Z) :=
  match N with
  | [] => [[]]
  | (x, n) :: N => flat_map (fun i => map (cons i) (all_of (upd r x i) N)) (counting (iev r n))
  end.
Lemma counting_in n i : In i (counting n) <-> 0 <= i < n.
Proof.
  unfold counting. rewrite in_map_iff. split.
  - intros [k [<- K]]. apply in_seq in K. lia.
  - intros H. exists (Z.to_nat i). split; [lia|]. apply in_seq. lia.
Qed.
Lemma all_of_in N : forall r j, In j (all_of r N) <-> exists q, enter r N j = Some (q, []).
Proof.
  induction N as [|[x n] N IH]; intros r j; cbn [all_of enter].
  - split; [intros [<-|[]]; eauto|]. intros [q H]. destruct j; inversion H; simpl; auto.
  - rewrite in_flat_map. split.
    + intros [i [I H]]. apply in_map_iff in H. destruct H as [k [<- K]]. apply IH in K. destruct K as [q K]. exists q.
      apply counting_in in I. destruct (within_spec i (iev r n)); auto. lia.
    + intros [q H]. destruct j as [|i k]; try discriminate. destruct (within_spec i (iev r n)); try discriminate.
      exists i. split; [apply counting_in; auto|]. apply in_map, IH. eauto.
Qed.
Lemma all_of_ordered N : forall r, ordered earlier (all_of r N).
Proof.
  induction N as [|[x n] N IH]; intros r; cbn [all_of].
  - constructor; constructor.
  - unfold counting. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map. generalize (Z.to_nat (iev r n)). intros c.
    induction c as [|c IHc]; [constructor|]. rewrite seq_S, flat_map_app. apply ordered_app; auto.
    + cbn [flat_map]. rewrite app_nil_r. apply ordered_map. eapply ordered_impl; [|apply IH]. intros a b _ _ L.
      cbn [earlier]. auto.
    + intros a b A B. apply in_flat_map in A. destruct A as [i [I A]]. apply in_seq in I. apply in_map_iff in A.
      destruct A as [a' [<- _]]. cbn [flat_map Nat.add] in B. rewrite app_nil_r in B. apply in_map_iff in B.
      destruct B as [b' [<- _]]. cbn [earlier]. left. lia.
Qed.
Lemma ordered_nodup {A} (R : A -> A -> Prop) l : (forall a, ~ R a a) -> ordered R l -> NoDup l.
Proof.
  intros I H. induction H as [|a l F O IH]; constructor; auto. intros X. rewrite Forall_forall in F. eapply I, F, X.
Qed.
