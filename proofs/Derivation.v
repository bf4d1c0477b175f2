(** * Derivations: rules at paths, and the checker

    A derivation is a list of steps, a certificate two programs with a derivation from each; both have to arrive at the
    same program. The checker is a function that computes; [check_sound] is the theorem that a certificate which it
    accepts is right. *)
From Coq Require Import ZArith List Bool.
From Fluorite Require Import Syntax Meaning Subst Solver Equal Rewrite.
From Fluorite Require Import RulesAccess RulesLet RulesGuard RulesView RulesNest RulesFold RulesUpdate.
Import ListNotations.
Open Scope Z_scope.

Definition iexps := list iexp.

(** One constructor a rule, named as the rule. *)
Inductive rule :=
(* RulesAccess.v *)
| R_get_gen (w : wit)
| R_get_gen_guard
| R_get_gen_outside (w : wit)
| R_get_let
| R_get_if
| R_get_fold
| R_get_op
| R_get_cat_left (w : wit)
| R_get_cat_right (w : wit)
| R_get_cat
| R_get_bind
| R_get_mark
| R_get_transpose
| R_get_flatten (w : wit)
| R_get_split (w : wit)
| R_get_trunc_r (w : wit)
| R_get_trunc_l (w : wit)
| R_get_pad_r
| R_get_pad_l
(* RulesLet.v *)
| R_let_inline
| R_let_dead
| R_let_rename (u : id)
| R_let_flatten
| R_let_swap
| R_let_merge
| R_let_lift_gen
| R_let_lift_fold
| R_let_lift_invariant
| R_let_lift (k : nat)
(* RulesGuard.v *)
| R_if_true (w : wit)
| R_if_false (w : wit)
| R_if_equiv (q : bexp) (w v : wit)
| R_if_introduce (p : bexp)
| R_if_same
| R_if_merge
| R_if_nest
| R_if_not
| R_if_or
| R_if_exchange
| R_if_gen
| R_guard_gen
| R_gen_if
| R_fold_if
| R_if_lift (k : nat)
| R_guard_annihilates
| R_guard_annihilates_right
| R_guard_op
| R_guard_cover
(* RulesView.v *)
| R_gen_eta
| R_rename_loop (y : id)
| R_resize_loop (m : iexp) (w : wit)
| R_tile (q k : iexp) (w : wit)
| R_tile_exact (q k : iexp) (w : wit)
| R_split_unfold (xo xi : id)
| R_flatten_gen (z : id) (w : wit)
| R_transpose_gen
| R_transpose_twice
| R_gen_cat (k : iexp) (w : wit)
| R_shift_inwards (j k : iexp) (w : wit)
| R_split_flatten
| R_read_guard
| R_cat_inner
| R_cat_assoc (w : wit)
| R_gen_single
| R_trunc_gen (w : wit)
| R_trunc_l_gen (w : wit)
| R_pad_gen (w : wit)
| R_pad_l_gen (w : wit)
| R_trunc_pad
| R_trunc_pad_l (w : wit)
| R_view_push
| R_view_op
| R_gen_op
| R_mark_loop (m : mark) (w : wit)
| R_unmark
(* RulesNest.v *)
| R_reindex (Ls : nest) (ss ts : iexps) (p : bexp) (w : wit)
(* RulesFold.v *)
| R_fold_swap
| R_fold_gen
| R_fold_indicator
| R_fold_cat (k : iexp) (w : wit)
| R_fold_last (w : wit)
| R_fold_empty (w : wit)
| R_unit_left
| R_unit_null
| R_fold_op
| R_fold_factor
| R_fold_tile (q k : iexp) (xo xi : id) (w : wit)
| R_fold_tile_guarded (q k : iexp) (xo xi : id) (w : wit)
| R_tuple_first
| R_tuple_second
| R_op_comm
| R_op_assoc
| R_bind_dead
| R_bind_let
| R_iter_empty (w : wit)
| R_iter_last (w : wit)
| R_iter_gen
(* RulesUpdate.v *)
| R_iter_tile (q k : iexp) (xo xi : id) (w : wit)
| R_iter_tile_guarded (q k : iexp) (xo xi : id) (w : wit)
| R_if_iter
| R_iter_swap
| R_mark_reduction (m : mark)
| R_iter_factor
(* Rewrite.v: the rule read backwards, to the program that is given; at a path below; one rule and then another *)
| R_reversed (r : rule) (e : exp)
| R_at (p : path) (r : rule)
| R_seq (r s : rule).

Fixpoint apply (r : rule) : rewrite :=
  match r with
  | R_get_gen w => get_gen w
  | R_get_gen_guard => get_gen_guard
  | R_get_gen_outside w => get_gen_outside w
  | R_get_let => get_let
  | R_get_if => get_if
  | R_get_fold => get_fold
  | R_get_op => get_op
  | R_get_cat_left w => get_cat_left w
  | R_get_cat_right w => get_cat_right w
  | R_get_cat => get_cat
  | R_get_bind => get_bind
  | R_get_mark => get_mark
  | R_get_transpose => get_transpose
  | R_get_flatten w => get_flatten w
  | R_get_split w => get_split w
  | R_get_trunc_r w => get_trunc_r w
  | R_get_trunc_l w => get_trunc_l w
  | R_get_pad_r => get_pad_r
  | R_get_pad_l => get_pad_l
  | R_let_inline => let_inline
  | R_let_dead => let_dead
  | R_let_rename u => let_rename u
  | R_let_flatten => let_flatten
  | R_let_swap => let_swap
  | R_let_merge => let_merge
  | R_let_lift_gen => let_lift_gen
  | R_let_lift_fold => let_lift_fold
  | R_let_lift_invariant => let_lift_invariant
  | R_let_lift k => let_lift k
  | R_if_true w => if_true w
  | R_if_false w => if_false w
  | R_if_equiv q w v => if_equiv q w v
  | R_if_introduce p => if_introduce p
  | R_if_same => if_same
  | R_if_merge => if_merge
  | R_if_nest => if_nest
  | R_if_not => if_not
  | R_if_or => if_or
  | R_if_exchange => if_exchange
  | R_if_gen => if_gen
  | R_guard_gen => guard_gen
  | R_gen_if => gen_if
  | R_fold_if => fold_if
  | R_if_lift k => if_lift k
  | R_guard_annihilates => guard_annihilates
  | R_guard_annihilates_right => guard_annihilates_right
  | R_guard_op => guard_op
  | R_guard_cover => guard_cover
  | R_gen_eta => gen_eta
  | R_rename_loop y => rename_loop y
  | R_resize_loop m w => resize_loop m w
  | R_tile q k w => tile q k w
  | R_tile_exact q k w => tile_exact q k w
  | R_split_unfold xo xi => split_unfold xo xi
  | R_flatten_gen z w => flatten_gen z w
  | R_transpose_gen => transpose_gen
  | R_transpose_twice => transpose_twice
  | R_gen_cat k w => gen_cat k w
  | R_shift_inwards j k w => shift_inwards j k w
  | R_split_flatten => split_flatten
  | R_read_guard => read_guard
  | R_cat_inner => cat_inner
  | R_cat_assoc w => cat_assoc w
  | R_gen_single => gen_single
  | R_trunc_gen w => trunc_gen w
  | R_trunc_l_gen w => trunc_l_gen w
  | R_pad_gen w => pad_gen w
  | R_pad_l_gen w => pad_l_gen w
  | R_trunc_pad => trunc_pad
  | R_trunc_pad_l w => trunc_pad_l w
  | R_view_push => view_push
  | R_view_op => view_op
  | R_gen_op => gen_op
  | R_mark_loop m w => mark_loop m w
  | R_unmark => unmark
  | R_reindex Ls ss ts p w => reindex Ls ss ts p w
  | R_fold_swap => fold_swap
  | R_fold_gen => fold_gen
  | R_fold_indicator => fold_indicator
  | R_fold_cat k w => fold_cat k w
  | R_fold_last w => fold_last w
  | R_fold_empty w => fold_empty w
  | R_unit_left => unit_left
  | R_unit_null => unit_null
  | R_fold_op => fold_op
  | R_fold_factor => fold_factor
  | R_fold_tile q k xo xi w => fold_tile q k xo xi w
  | R_fold_tile_guarded q k xo xi w => fold_tile_guarded q k xo xi w
  | R_tuple_first => tuple_first
  | R_tuple_second => tuple_second
  | R_op_comm => op_comm
  | R_op_assoc => op_assoc
  | R_bind_dead => bind_dead
  | R_bind_let => bind_let
  | R_iter_empty w => iter_empty w
  | R_iter_last w => iter_last w
  | R_iter_gen => iter_gen
  | R_iter_tile q k xo xi w => iter_tile q k xo xi w
  | R_iter_tile_guarded q k xo xi w => iter_tile_guarded q k xo xi w
  | R_if_iter => if_iter
  | R_iter_swap => iter_swap
  | R_mark_reduction m => mark_reduction m
  | R_iter_factor => iter_factor
  | R_reversed r e => reversed (apply r) e
  | R_at p r => at_path p (apply r)
  | R_seq r s => sequence (apply r) (apply s)
  end.

#[local] Hint Resolve
  get_gen_sound
  get_gen_guard_sound
  get_gen_outside_sound
  get_let_sound
  get_if_sound
  get_fold_sound
  get_op_sound
  get_cat_left_sound
  get_cat_right_sound
  get_cat_sound
  get_bind_sound
  get_mark_sound
  get_transpose_sound
  get_flatten_sound
  get_split_sound
  get_trunc_r_sound
  get_trunc_l_sound
  get_pad_r_sound
  get_pad_l_sound
  let_inline_sound
  let_dead_sound
  let_rename_sound
  let_flatten_sound
  let_swap_sound
  let_merge_sound
  let_lift_gen_sound
  let_lift_fold_sound
  let_lift_invariant_sound
  let_lift_sound
  if_true_sound
  if_false_sound
  if_equiv_sound
  if_introduce_sound
  if_same_sound
  if_merge_sound
  if_nest_sound
  if_not_sound
  if_or_sound
  if_exchange_sound
  if_gen_sound
  guard_gen_sound
  gen_if_sound
  fold_if_sound
  if_lift_sound
  guard_annihilates_sound
  guard_annihilates_right_sound
  guard_op_sound
  guard_cover_sound
  gen_eta_sound
  rename_loop_sound
  resize_loop_sound
  tile_sound
  tile_exact_sound
  split_unfold_sound
  flatten_gen_sound
  transpose_gen_sound
  transpose_twice_sound
  gen_cat_sound
  shift_inwards_sound
  split_flatten_sound
  read_guard_sound
  cat_inner_sound
  cat_assoc_sound
  gen_single_sound
  trunc_gen_sound
  trunc_l_gen_sound
  pad_gen_sound
  pad_l_gen_sound
  trunc_pad_sound
  trunc_pad_l_sound
  view_push_sound
  view_op_sound
  gen_op_sound
  mark_loop_sound
  unmark_sound
  reindex_sound
  fold_swap_sound
  fold_gen_sound
  fold_indicator_sound
  fold_cat_sound
  fold_last_sound
  fold_empty_sound
  unit_left_sound
  unit_null_sound
  fold_op_sound
  fold_factor_sound
  fold_tile_sound
  fold_tile_guarded_sound
  tuple_first_sound
  tuple_second_sound
  op_comm_sound
  op_assoc_sound
  bind_dead_sound
  bind_let_sound
  iter_empty_sound
  iter_last_sound
  iter_gen_sound
  iter_tile_sound
  iter_tile_guarded_sound
  if_iter_sound
  iter_swap_sound
  mark_reduction_sound
  iter_factor_sound reversed_sound at_path_sound sequence_sound : rules.
Theorem apply_sound r : sound (apply r).
Proof. induction r; cbn [apply]; auto with rules. Qed.

Record step := Step { s_path : path; s_rule : rule }.

Fixpoint run (F : facts) (ds : list step) (e : exp) : option (laws * exp) :=
  match ds with
  | [] => Some ([], e)
  | d :: ds =>
      do (L, e') <- at_path (s_path d) (apply (s_rule d)) F e; do (M, f) <- run F ds e'; Some (L ++ M, f)
  end.

Theorem run_sound F ds : forall e L f, run F ds e = Some (L, f) -> same L F e f.
Proof.
  induction ds as [|d ds IH]; cbn [run]; intros e L f H S HL r s idx HF; [inversion H; auto|].
  destruct (at_path _ _ F e) as [[L1 e1]|] eqn:E; simpl in H; try discriminate.
  destruct (run F ds e1) as [[M g]|] eqn:R; simpl in H; inversion H; subst.
  apply Forall_app in HL. destruct HL as [HL HM].
  rewrite (at_path_sound _ _ (apply_sound _) _ _ _ _ E S HL r s idx HF). eapply IH; eauto.
Qed.

Record certificate := Certificate {
  c_facts : facts;              (* what is known of the names of both programs, sizes for instance *)
  c_source : exp; c_target : exp;
  c_forth : list step;          (* from the source *)
  c_back : list step }.         (* from the target *)

(** The laws that a right certificate uses. *)
Definition check (c : certificate) : option laws :=
  do (L, e) <- run (c_facts c) (c_forth c) (c_source c);
  do (M, f) <- run (c_facts c) (c_back c) (c_target c);
  only (xeq e f) (Some (L ++ M)).

Theorem check_sound c L : check c = Some L -> same L (c_facts c) (c_source c) (c_target c).
Proof.
  unfold check. intros H S HL r s idx HF.
  destruct (run _ (c_forth c) _) as [[L1 e]|] eqn:E; simpl in H; try discriminate.
  destruct (run _ (c_back c) _) as [[M f]|] eqn:R; simpl in H; try discriminate. results.
  apply Forall_app in HL. destruct HL as [HL HM].
  rewrite (run_sound _ _ _ _ _ E S HL r s idx HF), (run_sound _ _ _ _ _ R S HM r s idx HF). apply xeq_ok; auto.
Qed.

(** A certificate without laws holds in every algebra whatever: bit for bit, floating point included. *)
Definition bit_exact (c : certificate) : bool := match check c with Some [] => true | _ => false end.
Theorem bit_exact_sound c : bit_exact c = true ->
  forall S r s idx, sat r (c_facts c) -> den S r s (c_source c) idx = den S r s (c_target c) idx.
Proof.
  unfold bit_exact. intros H S. destruct (check c) as [[|]|] eqn:E; try discriminate.
  apply (check_sound c [] E S). constructor.
Qed.

Definition accepted (c : certificate) : bool := match check c with Some _ => true | None => false end.
