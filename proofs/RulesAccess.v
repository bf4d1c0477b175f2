(** * Rules of access: an element of each kind of tensor *)
From Coq Require Import ZArith List Lia Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
Import ListNotations.
Open Scope Z_scope.

(** (gen x < n. b)[i]  =  b with i for x, where 0 <= i < n *)
Definition get_gen (w : wit) : rewrite := fun F e => match e with
  | Get (Gen x n b) i => provided F (in_range i n) w (do b' <- esub x i b; gives b')
  | _ => None end.
Theorem get_gen_sound w : sound (get_gen w).
Proof. rule get_gen. rewrite (esub_ok S _ _ _ _ Heqo). within_cases. auto. Qed.

(** (gen x < n. b)[i]  =  if 0 <= i < n then b with i for x else null *)
Definition get_gen_guard : rewrite := fun F e => match e with
  | Get (Gen x n b) i => do b' <- esub x i b; gives (Guard (in_range i n) b')
  | _ => None end.
Theorem get_gen_guard_sound : sound get_gen_guard.
Proof. rule get_gen_guard. rewrite (esub_ok S _ _ _ _ Heqo). auto. Qed.

(** (gen x < n. b)[i]  =  null, where i < 0 or n <= i *)
Definition get_gen_outside (w : wit) : rewrite := fun F e => match e with
  | Get (Gen x n b) i => provided F (BOr (BLt i (IC 0)) (BLe n i)) w (gives Null)
  | _ => None end.
Theorem get_gen_outside_sound w : sound (get_gen_outside w).
Proof. rule get_gen_outside. within_cases; auto. Qed.

(** (let t = a in b)[i]  =  let t = a in b[i] *)
Definition get_let : rewrite := fun F e => match e with
  | Get (Let t a b) i => gives (Let t a (Get b i))
  | _ => None end.
Theorem get_let_sound : sound get_let.
Proof. rule get_let. auto. Qed.

(** (if p then a else b)[i]  =  if p then a[i] else b[i] *)
Definition get_if : rewrite := fun F e => match e with
  | Get (If p a b) i => gives (If p (Get a i) (Get b i))
  | _ => None end.
Theorem get_if_sound : sound get_if.
Proof. rule get_if. auto. Qed.

(** (fold x < n. b)[i]  =  fold x < n. b[i] *)
Definition get_fold : rewrite := fun F e => match e with
  | Get (Fold o x n b) i => only (negb (iin x i)) (gives (Fold o x n (Get b i)))
  | _ => None end.
Theorem get_fold_sound : sound get_fold.
Proof. rule get_fold. apply foldz_ext. intros. rewrite iev_fresh; auto. Qed.

(** An element of a literal or of an operator's result is the operator's result on elements. *)
Definition get_op : rewrite := fun F e => match e with
  | Get (Lit c) i => gives (Lit c)
  | Get (Op1 o a) i => gives (Op1 o (Get a i))
  | Get (Op2 o a b) i => gives (Op2 o (Get a i) (Get b i))
  | Get (Op3 o a b c) i => gives (Op3 o (Get a i) (Get b i) (Get c i))
  | _ => None end.
Theorem get_op_sound : sound get_op.
Proof. rule get_op; auto. Qed.

(** (cat k a b)[i]  =  a[i], where i < k *)
Definition get_cat_left (w : wit) : rewrite := fun F e => match e with
  | Get (Cat k a b) i => provided F (BLt i k) w (gives (Get a i))
  | _ => None end.
Theorem get_cat_left_sound w : sound (get_cat_left w).
Proof. rule get_cat_left. rewrite Heqb. auto. Qed.

(** (cat k a b)[i]  =  b[i - k], where k <= i *)
Definition get_cat_right (w : wit) : rewrite := fun F e => match e with
  | Get (Cat k a b) i => provided F (BLe k i) w (gives (Get b (ISub i k)))
  | _ => None end.
Theorem get_cat_right_sound w : sound (get_cat_right w).
Proof. rule get_cat_right. destruct (Z.ltb_spec (iev r i) (iev r n)); auto. lia. Qed.

(** (cat k a b)[i]  =  if i < k then a[i] else b[i - k] *)
Definition get_cat : rewrite := fun F e => match e with
  | Get (Cat k a b) i => gives (If (BLt i k) (Get a i) (Get b (ISub i k)))
  | _ => None end.
Theorem get_cat_sound : sound get_cat.
Proof. rule get_cat. auto. Qed.

(** (bind x = a in b)[i]  =  bind x = a in b[i] *)
Definition get_bind : rewrite := fun F e => match e with
  | Get (Bind x a b) i => only (negb (iin x i)) (gives (Bind x a (Get b i)))
  | _ => None end.
Theorem get_bind_sound : sound get_bind.
Proof. rule get_bind. rewrite iev_fresh; auto. Qed.

(** (mark m e)[i]  =  e[i] *)
Definition get_mark : rewrite := fun F e => match e with
  | Get (Mark m a) i => gives (Get a i)
  | _ => None end.
Theorem get_mark_sound : sound get_mark.
Proof. rule get_mark. auto. Qed.

(** (transpose e)[i][j]  =  e[j][i] *)
Definition get_transpose : rewrite := fun F e => match e with
  | Get (Get (View Transpose a) i) j => gives (Get (Get a j) i)
  | _ => None end.
Theorem get_transpose_sound : sound get_transpose.
Proof. rule get_transpose. auto. Qed.

(** (flatten n m e)[i]  =  e[i / m][i mod m], where 0 <= i < n*m *)
Definition get_flatten (w : wit) : rewrite := fun F e => match e with
  | Get (View (Flatten n m) a) i => provided F (in_range i (IMul n m)) w (gives (Get (Get a (IDiv i m)) (IMod i m)))
  | _ => None end.
Theorem get_flatten_sound w : sound (get_flatten w).
Proof. rule get_flatten. cbn [seen]. within_cases. auto. Qed.

(** (split q k e)[i][j]  =  e[i*k + j], where 0 <= i < q and 0 <= j < k *)
Definition get_split (w : wit) : rewrite := fun F e => match e with
  | Get (Get (View (Split q k) a) i) j => provided F (BAnd (in_range i q) (in_range j k)) w
      (gives (Get a (IAdd (IMul i k) j)))
  | _ => None end.
Theorem get_split_sound w : sound (get_split w).
Proof. rule get_split. cbn [seen]. within_cases. auto. Qed.

(** (first n e)[i]  =  e[i], where i < n *)
Definition get_trunc_r (w : wit) : rewrite := fun F e => match e with
  | Get (View (TruncR n) a) i => provided F (BLt i n) w (gives (Get a i))
  | _ => None end.
Theorem get_trunc_r_sound w : sound (get_trunc_r w).
Proof. rule get_trunc_r. cbn [seen]. rewrite Heqb. auto. Qed.

(** (without the first k e)[i]  =  e[i + k], where 0 <= i *)
Definition get_trunc_l (w : wit) : rewrite := fun F e => match e with
  | Get (View (TruncL k) a) i => provided F (BLe (IC 0) i) w (gives (Get a (IAdd i k)))
  | _ => None end.
Theorem get_trunc_l_sound w : sound (get_trunc_l w).
Proof. rule get_trunc_l. cbn [seen]. rewrite Heqb. auto. Qed.

(** (padded on the right e)[i]  =  if i < n then e[i] else null *)
Definition get_pad_r : rewrite := fun F e => match e with
  | Get (View (PadR n k) a) i => gives (Guard (BLt i n) (Get a i))
  | _ => None end.
Theorem get_pad_r_sound : sound get_pad_r.
Proof. rule get_pad_r. cbn [seen bev]. destruct Z.ltb; auto. Qed.

(** (padded by k on the left e)[i]  =  if k <= i then e[i - k] else null *)
Definition get_pad_l : rewrite := fun F e => match e with
  | Get (View (PadL k) a) i => gives (Guard (BLe k i) (Get a (ISub i k)))
  | _ => None end.
Theorem get_pad_l_sound : sound get_pad_l.
Proof. rule get_pad_l. cbn [seen bev]. destruct Z.leb; auto. Qed.
