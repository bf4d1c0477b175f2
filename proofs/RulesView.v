(** * Rules of loops and views: tiling, partition, reordering, alignment, marks *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

(** ** Extents: is the program null outside of [0, n) in its outermost dimension? *)
Fixpoint extent (e : exp) : option iexp :=
  match e with
  | Gen _ n _ => Some n
  | View (Flatten n m) _ => Some (IMul n m)
  | View (Split q _) _ => Some q
  | Mark _ e | Let _ _ e => extent e
  | _ => None
  end.
(** Only for programs without a binder of index names between the root and the extent's place, which [extent] sees to. *)
Lemma extent_ok S e : forall r s n i is, extent e = Some n -> within i (iev r n) = false -> den S r s e (i :: is) = null S.
Proof.
  induction e; simpl; intros r s ext j js E W; try discriminate; results; eauto.
  - rewrite W. auto.
  - destruct v; try discriminate; inversion E; subst; cbn [seen iev] in *.
    + rewrite W. auto.
    + destruct js; auto. rewrite W. auto.
Qed.
Definition has_extent (e : exp) (n : iexp) : bool := match extent e with Some m => ieqm m n | None => false end.
Lemma has_extent_ok S e n r s i is : has_extent e n = true -> within i (iev r n) = false -> den S r s e (i :: is) = null S.
Proof.
  unfold has_extent. intros H W. destruct (extent e) eqn:E; try discriminate.
  eapply extent_ok; eauto. rewrite (ieqm_ok _ _ r H). auto.
Qed.
(** At no index at all these programs are null. *)
Fixpoint ranked (e : exp) : bool :=
  match e with
  | View (Reindex [] _) _ => false
  | Gen _ _ _ | View _ _ | Cat _ _ _ => true
  | Mark _ e | Let _ _ e => ranked e
  | _ => false
  end.
Lemma ranked_ok S e : forall r s, ranked e = true -> den S r s e [] = null S.
Proof. induction e; simpl; intros; try discriminate; eauto. destruct v; auto. destruct xs as [|[]]; auto; discriminate. Qed.

(** gen x < n. e[x]  =  e, where e has the extent n *)
Definition gen_eta : rewrite := fun F e => match e with
  | Gen x n (Get a (IV y)) => only (Pos.eqb x y && negb (ein x a) && has_extent a n && ranked a) (gives a)
  | _ => None end.
Theorem gen_eta_sound : sound gen_eta.
Proof.
  rule gen_eta. destruct idx as [|i is]; [symmetry; apply ranked_ok; auto|].
  destruct (within i (iev r n)) eqn:W; [|symmetry; eapply has_extent_ok; eauto].
  cbn [iev]. rewrite upd_eq. apply den_fresh; auto.
Qed.

(** gen x < n. b  =  gen y < n. b with y for x, where y is not in b; the same for folds *)
Definition rename_loop (y : id) : rewrite := fun F e => match e with
  | Gen x n b => only (negb (ein y b)) (do b' <- esub x (IV y) b; gives (Gen y n b'))
  | Fold o x n b => only (negb (ein y b)) (do b' <- esub x (IV y) b; gives (Fold o y n b'))
  | _ => None end.
Lemma rename_ok S x y b b' r s i idx : ein y b = false -> esub x (IV y) b = Some b' ->
  den S (upd r x i) s b idx = den S (upd r y i) s b' idx.
Proof.
  intros N E. rewrite (esub_ok S _ _ _ _ E). cbn [iev]. rewrite upd_eq. apply den_ext; auto. intros z Hz.
  unfold upd. destruct (Pos.eqb x z); auto. destruct (Pos.eqb_spec y z); auto. congruence.
Qed.
Theorem rename_loop_sound y : sound (rename_loop y).
Proof.
  rule rename_loop.
  - destruct idx; auto. destruct within; auto. apply rename_ok; auto.
  - apply foldz_ext. intros. apply rename_ok; auto.
Qed.

(** gen x < n. b  =  gen x < m. b, where n = m; the same for folds *)
Definition resize_loop (m : iexp) (w : wit) : rewrite := fun F e => match e with
  | Gen x n b => provided F (BEq n m) w (gives (Gen x m b))
  | Fold o x n b => provided F (BEq n m) w (gives (Fold o x m b))
  | _ => None end.
Theorem resize_loop_sound m w : sound (resize_loop m w).
Proof.
  rule resize_loop.
  - rewrite Heqb. auto.
  - rewrite Heqb. auto.
Qed.

(** e  =  first n (flatten q k (split q k e)), where e has the extent n, 0 < k and n <= q*k *)
Definition tile (q k : iexp) (w : wit) : rewrite := fun F e =>
  match extent e with
  | Some n => only (ranked e) (provided F (BAnd (pos k) (BLe n (IMul q k))) w
      (gives (View (TruncR n) (View (Flatten q k) (View (Split q k) e)))))
  | None => None end.
Lemma tile_ok S e n q k r s idx : ranked e = true -> extent e = Some n -> 0 < iev r k -> iev r n <= iev r q * iev r k ->
  den S r s e idx = den S r s (View (TruncR n) (View (Flatten q k) (View (Split q k) e))) idx.
Proof.
  intros R E K Q. cbn [den]. destruct idx as [|i is]; [apply ranked_ok; auto|]. cbn [seen].
  assert (O : within i (iev r n) = false -> den S r s e (i :: is) = null S) by (intros; eapply extent_ok; eauto).
  destruct (Z.ltb_spec i (iev r n)).
  2: { apply O. destruct (within_spec i (iev r n)); auto. lia. }
  destruct (within_spec i (iev r q * iev r k)).
  2: { apply O. destruct (within_spec i (iev r n)); auto. lia. }
  pose proof (Z.div_mod i (iev r k)). pose proof (Z.mod_pos_bound i (iev r k)).
  assert (0 <= i / iev r k < iev r q) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  within_cases. cbn [andb]. do 2 f_equal. lia.
Qed.
Theorem tile_sound q k w : sound (tile q k w).
Proof.
  rule tile. apply (tile_ok S e i q k); auto; lia.
Qed.

(** e  =  flatten q k (split q k e), where e has the extent q*k and 0 < k *)
Definition tile_exact (q k : iexp) (w : wit) : rewrite := fun F e =>
  match extent e with
  | Some n => only (ranked e) (provided F (BAnd (pos k) (BEq n (IMul q k))) w
      (gives (View (Flatten q k) (View (Split q k) e))))
  | None => None end.
Theorem tile_exact_sound q k w : sound (tile_exact q k w).
Proof.
  rule tile_exact. rewrite (tile_ok S e i q k) by (auto; lia). cbn [den].
  destruct idx as [|j js]; auto. cbn [seen]. destruct (Z.ltb_spec j (iev r i)); auto.
  destruct (within_spec j (iev r q * iev r k)); auto. lia.
Qed.

(** split q k e  =  gen xo < q. gen xi < k. e[xo*k + xi] *)
Definition split_unfold (xo xi : id) : rewrite := fun F e => match e with
  | View (Split q k) b =>
      only (negb (Pos.eqb xo xi) && negb (ein xo b) && negb (ein xi b) && negb (iin xo k) && negb (iin xi k))
        (gives (Gen xo q (Gen xi k (Get b (IAdd (IMul (IV xo) k) (IV xi))))))
  | _ => None end.
Theorem split_unfold_sound xo xi : sound (split_unfold xo xi).
Proof.
  rule split_unfold. cbn [seen]. destruct idx as [|i [|j is]]; auto. destruct within; auto.
  destruct (within i (iev r q)); auto. rewrite iev_fresh by auto. cbn [andb]. destruct within; auto.
  cbn [den iev]. rewrite upd_ne, !upd_eq, !iev_fresh by auto. rewrite !den_fresh; auto.
Qed.

(** flatten n m (gen x < n. gen y < m. b)  =  gen z < n*m. b with z/m for x and z mod m for y *)
Definition flatten_gen (z : id) (w : wit) : rewrite := fun F e => match e with
  | View (Flatten n m) (Gen x n' (Gen y m' b)) =>
      only (ieqm n n' && ieqm m m' && negb (iin x m') && negb (ein z b) && negb (iin z m) && negb (Pos.eqb x y)
            && negb (Pos.eqb z y) && negb (Pos.eqb z x))
        (provided F (pos m) w (do b1 <- esub y (IMod (IV z) m) b; do b2 <- esub x (IDiv (IV z) m) b1;
          only (negb (iin x m)) (gives (Gen z (IMul n m) b2))))
  | _ => None end.
Theorem flatten_gen_sound z w : sound (flatten_gen z w).
Proof.
  rule flatten_gen. cbn [seen]. destruct idx as [|i is]; auto. cbn [iev].
  destruct (within_spec i (iev r n * iev r m)); auto.
  match goal with H : ieqm n _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end.
  rewrite iev_fresh by auto. match goal with H : ieqm m _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end.
  pose proof (Z.div_mod i (iev r m)). pose proof (Z.mod_pos_bound i (iev r m)).
  assert (0 <= i / iev r m < iev r n) by (split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]).
  within_cases. use_subst S. apply den_ext; auto. intros u Hu. cbn [iev].
  rewrite !iev_fresh by auto. rewrite (upd_ne _ x z) by congruence. rewrite !upd_eq. unfold upd.
  destruct (Pos.eqb_spec x0 u); auto. destruct (Pos.eqb_spec x u); auto. destruct (Pos.eqb_spec z u); auto. congruence.
Qed.

(** transpose (gen x < n. gen y < m. b)  =  gen y < m. gen x < n. b *)
Definition transpose_gen : rewrite := fun F e => match e with
  | View Transpose (Gen x n (Gen y m b)) =>
      only (negb (Pos.eqb x y) && negb (iin y n) && negb (iin x m)) (gives (Gen y m (Gen x n b)))
  | _ => None end.
Theorem transpose_gen_sound : sound transpose_gen.
Proof.
  rule transpose_gen. destruct idx as [|i [|j is]]; cbn [seen]; auto.
  - destruct within; auto.
  - rewrite !iev_fresh by auto. destruct (within i _), (within j _); auto.
    apply den_ext; auto. intros. apply upd_comm; auto.
Qed.

(** gen x < n. gen y < m. b  =  transpose (transpose (gen x < n. gen y < m. b)) *)
Definition transpose_twice : rewrite := fun F e => match e with
  | Gen x n (Gen y m b) => gives (View Transpose (View Transpose (Gen x n (Gen y m b))))
  | _ => None end.
Theorem transpose_twice_sound : sound transpose_twice.
Proof. rule transpose_twice. destruct idx as [|i [|j is]]; cbn [seen]; auto. destruct within; auto. Qed.

(** gen x < n. b  =  cat k (gen x < k. b) (gen x < n - k. b with x + k for x), where 0 <= k <= n *)
Definition gen_cat (k : iexp) (w : wit) : rewrite := fun F e => match e with
  | Gen x n b => only (negb (iin x k)) (provided F (BAnd (BLe (IC 0) k) (BLe k n)) w
      (do b' <- esub x (IAdd (IV x) k) b; gives (Cat k (Gen x k b) (Gen x (ISub n k) b'))))
  | _ => None end.
Theorem gen_cat_sound k w : sound (gen_cat k w).
Proof.
  rule gen_cat. destruct idx as [|i is]; auto. use_subst S. cbn [iev]. rewrite upd_eq, iev_fresh by auto.
  lt_cases; within_cases; auto.
  apply den_ext; auto. intros. rewrite upd_shadow. do 2 f_equal. lia.
Qed.

(** gen x < n. b  =  cat j (gen x < j. b) (without the first j - (n - k) (gen x < k. b with x + (n - k) for x)), where
    0 <= j and n - k <= j <= n: the last tile has the full size k and computes again what overlaps *)
Definition shift_inwards (j k : iexp) (w : wit) : rewrite := fun F e => match e with
  | Gen x n b => only (negb (iin x k) && negb (iin x n))
      (provided F (BAnd (BAnd (BLe (IC 0) j) (BLe (ISub n k) j)) (BLe j n)) w
        (do b' <- esub x (IAdd (IV x) (ISub n k)) b;
         gives (Cat j (Gen x j b) (View (TruncL (ISub j (ISub n k))) (Gen x k b')))))
  | _ => None end.
Theorem shift_inwards_sound j k w : sound (shift_inwards j k w).
Proof.
  rule shift_inwards. destruct idx as [|i is]; auto. cbn [seen iev].
  lt_cases; within_cases; auto. use_subst S. apply den_ext; auto. intros. cbn [iev].
  rewrite upd_eq, !iev_fresh, upd_shadow by auto. f_equal. lia.
Qed.

(** split n m (flatten n m (gen x < n. gen y < m. b))  =  gen x < n. gen y < m. b *)
Definition split_flatten : rewrite := fun F e => match e with
  | View (Split n m) (View (Flatten n1 m1) (Gen x n2 (Gen y m2 b))) =>
      only (ieqm n n1 && ieqm n n2 && ieqm m m1 && ieqm m m2 && negb (iin x m2)) (gives (Gen x n2 (Gen y m2 b)))
  | _ => None end.
Theorem split_flatten_sound : sound split_flatten.
Proof.
  rule split_flatten. destruct idx as [|i [|j is]]; cbn [seen]; auto; [destruct within; auto|].
  repeat match goal with H : ieqm _ _ = true |- _ => apply (fun h => ieqm_ok _ _ r h) in H end.
  repeat match goal with H : iev r _ = iev r ?b |- context [iev r ?b] => rewrite <- H end. rewrite !iev_fresh by auto.
  repeat match goal with H : iev r _ = iev r ?b |- context [iev r ?b] => rewrite <- H end.
  destruct (within_spec i (iev r q)); cbn [andb]; auto. destruct (within_spec j (iev r k)); auto.
  destruct (within_spec (i * iev r k + j) (iev r q * iev r k)); [|nia].
  rewrite Z.div_add_l, Z.div_small, Z.add_0_r by lia.
  rewrite (Z.add_comm (i * _)), Z_mod_plus_full, Z.mod_small by lia.
  rewrite iev_fresh by auto. match goal with H : iev r k = iev r ?b |- context [iev r ?b] => rewrite <- H end.
  within_cases. auto.
Qed.

(** e[i]  =  if 0 <= i < n then e[i] else null, where e has the extent n *)
Definition read_guard : rewrite := fun F e => match e with
  | Get a i => match extent a with Some n => gives (Guard (in_range i n) (Get a i)) | None => None end
  | _ => None end.
Theorem read_guard_sound : sound read_guard.
Proof.
  rule read_guard. change (bev r (in_range i i0)) with (within (iev r i) (iev r i0)).
  destruct (within (iev r i) (iev r i0)) eqn:W; auto. eapply extent_ok; eauto.
Qed.

(** gen x < n. cat k a b  =  transpose (cat k (transpose (gen x < n. a)) (transpose (gen x < n. b))) *)
Definition cat_inner : rewrite := fun F e => match e with
  | Gen x n (Cat k a b) => only (negb (iin x k) && ranked a && ranked b)
      (gives (View Transpose (Cat k (View Transpose (Gen x n a)) (View Transpose (Gen x n b)))))
  | _ => None end.
Theorem cat_inner_sound : sound cat_inner.
Proof.
  rule cat_inner. destruct idx as [|i [|j is]]; cbn [seen]; auto.
  - destruct within; auto.
  - rewrite iev_fresh by auto. match goal with |- context [?a <? ?b] => destruct (a <? b) end; destruct within; auto.
Qed.

(** cat k (cat j a b) c  =  cat j a (cat (k - j) b c), where j <= k *)
Definition cat_assoc (w : wit) : rewrite := fun F e => match e with
  | Cat k (Cat j a b) c => provided F (BLe j k) w (gives (Cat j a (Cat (ISub k j) b c)))
  | _ => None end.
Theorem cat_assoc_sound w : sound (cat_assoc w).
Proof.
  rule cat_assoc. destruct idx as [|i is]; auto. cbn [iev].
  lt_cases; auto.
  do 2 f_equal. lia.
Qed.

(** gen x < n. b  =  b with 0 for x, as the only row of a tensor *)
Definition gen_single : rewrite := fun F e => match e with
  | Gen x (IC 1) b => do b' <- esub x (IC 0) b; gives (Gen x (IC 1) b')
  | _ => None end.
Theorem gen_single_sound : sound gen_single.
Proof.
  rule gen_single. destruct idx as [|i is]; auto. use_subst S. cbn [iev]. within_cases; auto.
  apply den_ext; auto. intros. rewrite upd_shadow. do 2 f_equal. lia.
Qed.

(** first k (gen x < n. b)  =  gen x < k. b, where k <= n *)
Definition trunc_gen (w : wit) : rewrite := fun F e => match e with
  | View (TruncR k) (Gen x n b) => provided F (BLe k n) w (gives (Gen x k b))
  | _ => None end.
Theorem trunc_gen_sound w : sound (trunc_gen w).
Proof.
  rule trunc_gen. destruct idx as [|i is]; cbn [seen]; auto.
  lt_cases; within_cases; auto.
Qed.

(** without the first k (gen x < n. b)  =  gen x < n - k. b with x + k for x, where 0 <= k *)
Definition trunc_l_gen (w : wit) : rewrite := fun F e => match e with
  | View (TruncL k) (Gen x n b) => only (negb (iin x k)) (provided F (BLe (IC 0) k) w
      (do b' <- esub x (IAdd (IV x) k) b; gives (Gen x (ISub n k) b')))
  | _ => None end.
Theorem trunc_l_gen_sound w : sound (trunc_l_gen w).
Proof.
  rule trunc_l_gen. destruct idx as [|i is]; cbn [seen]; auto. use_subst S. cbn [iev].
  rewrite upd_eq, iev_fresh by auto. lt_cases; within_cases; auto.
  apply den_ext; auto. intros. rewrite upd_shadow. auto.
Qed.

(** padded by k on the right (gen x < n. b)  =  gen x < n + k. if x < n then b else null, where 0 <= k *)
Definition pad_gen (w : wit) : rewrite := fun F e => match e with
  | View (PadR n k) (Gen x m b) => only (ieqm n m && negb (iin x n)) (provided F (BLe (IC 0) k) w
      (gives (Gen x (IAdd n k) (Guard (BLt (IV x) n) b))))
  | _ => None end.
Theorem pad_gen_sound w : sound (pad_gen w).
Proof.
  rule pad_gen. destruct idx as [|i is]; cbn [seen]; auto.
  match goal with H : ieqm n _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end.
  cbn [bev iev]. rewrite upd_eq, iev_fresh by auto.
  lt_cases; within_cases; auto.
Qed.

(** padded by k on the left (gen x < n. b)  =  gen x < n + k. if k <= x then b with x - k for x else null *)
Definition pad_l_gen (w : wit) : rewrite := fun F e => match e with
  | View (PadL k) (Gen x n b) => only (negb (iin x k)) (provided F (BLe (IC 0) k) w
      (do b' <- esub x (ISub (IV x) k) b; gives (Gen x (IAdd n k) (Guard (BLe k (IV x)) b'))))
  | _ => None end.
Theorem pad_l_gen_sound w : sound (pad_l_gen w).
Proof.
  rule pad_l_gen. destruct idx as [|i is]; cbn [seen]; auto. use_subst S. cbn [bev iev].
  rewrite upd_eq, iev_fresh by auto. lt_cases; within_cases; auto.
  apply den_ext; auto. intros. rewrite upd_shadow. auto.
Qed.

(** first n (padded on the right by any k at n e)  =  e, where e has the extent n *)
Definition trunc_pad : rewrite := fun F e => match e with
  | View (TruncR n) (View (PadR m _) a) => only (ieqm n m && has_extent a n && ranked a) (gives a)
  | _ => None end.
Theorem trunc_pad_sound : sound trunc_pad.
Proof.
  rule trunc_pad. destruct idx as [|i is]; cbn [seen]; [symmetry; apply ranked_ok; auto|].
  match goal with H : ieqm n _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end.
  destruct (Z.ltb_spec i (iev r n)); [rewrite (proj2 (Z.ltb_lt _ _)) by auto; auto|].
  symmetry. eapply has_extent_ok; eauto. destruct (within_spec i (iev r n)); auto. lia.
Qed.

(** without the first k (padded on the left by k e)  =  e, where e has an extent and 0 <= k *)
Definition trunc_pad_l (w : wit) : rewrite := fun F e => match e with
  | View (TruncL k) (View (PadL j) a) => match extent a with
      | Some n => only (ieqm k j && ranked a) (provided F (BLe (IC 0) k) w (gives a))
      | None => None end
  | _ => None end.
Theorem trunc_pad_l_sound w : sound (trunc_pad_l w).
Proof.
  rule trunc_pad_l. destruct idx as [|j js]; cbn [seen]; [symmetry; apply ranked_ok; auto|].
  match goal with H : ieqm _ _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end.
  destruct (Z.leb_spec 0 j).
  - destruct (Z.leb_spec (iev r k) (j + iev r k)); try lia. do 2 f_equal. lia.
  - symmetry. eapply extent_ok; eauto. destruct (within_spec j (iev r i)); auto. lia.
Qed.

(** A view goes into a select, a binding, or a fold. *)
Definition view_push : rewrite := fun F e => match e with
  | View v (If p a b) => gives (If p (View v a) (View v b))
  | View v (Let t a b) => gives (Let t a (View v b))
  | View v (Mark m a) => gives (Mark m (View v a))
  | _ => None end.
Theorem view_push_sound : sound view_push.
Proof. rule view_push; auto. destruct seen, bev; auto. Qed.

(** view (a + b)  =  view a + view b, where null + null = null; the same for operators of one operand *)
Definition view_op : rewrite := fun F e => match e with
  | View v (Op2 o a b) => Some ([NullNull o], Op2 o (View v a) (View v b))
  | View v (Op1 o a) => Some ([Null1 o], Op1 o (View v a))
  | _ => None end.
Theorem view_op_sound : sound view_op.
Proof. rule view_op; destruct seen; auto. Qed.

(** (gen x < n. a) + (gen x < n. b)  =  gen x < n. a + b, where null + null = null *)
Definition gen_op : rewrite := fun F e => match e with
  | Op2 o (Gen x n a) (Gen y m b) => only (Pos.eqb x y && ieqm n m) (Some ([NullNull o], Gen x n (Op2 o a b)))
  | _ => None end.
Theorem gen_op_sound : sound gen_op.
Proof.
  rule gen_op. destruct idx as [|i is]; auto.
  match goal with H : ieqm n _ = true |- _ => rewrite <- (ieqm_ok _ _ r H) end. destruct within; auto.
Qed.

(** ** Marks *)
(** e  =  mark e. Vector and unrolled loops need a literal extent; a folded storage needs a positive modulus. *)
Definition mark_allowed (F : facts) (m : mark) (e : exp) (w : wit) : bool :=
  match m, e with
  | Parallel, Gen _ _ _ => true
  | Vector, Gen _ (IC n) _ | Unroll, Gen _ (IC n) _ | Unroll, Fold _ _ (IC n) _ | Unroll, Iter _ _ (IC n) _ _ => 0 <? n
  | Slide x, Gen y _ (Let _ _ _) => Pos.eqb x y
  | FoldStorage k, _ => prove F (pos k) w
  | _, _ => false
  end.
Definition mark_loop (m : mark) (w : wit) : rewrite := fun F e => only (mark_allowed F m e w) (gives (Mark m e)).
Theorem mark_loop_sound m w : sound (mark_loop m w).
Proof. rule mark_loop. auto. Qed.

Definition unmark : rewrite := fun F e => match e with Mark _ a => gives a | _ => None end.
Theorem unmark_sound : sound unmark.
Proof. rule unmark. auto. Qed.
