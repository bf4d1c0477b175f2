(* Made from proofs/Derivation.v by native.py --update: the rules with their operands. *)
open Checker

type readers = { wit : Sexp.t -> wit; iexp : Sexp.t -> iexp; id : Sexp.t -> id; nat : Sexp.t -> nat; mark : Sexp.t -> mark; bexp : Sexp.t -> bexp; exp : Sexp.t -> exp; rule : Sexp.t -> rule; path : Sexp.t -> path; nest : Sexp.t -> nest; iexps : Sexp.t -> iexps }
type printers = { wit : wit -> Sexp.t; iexp : iexp -> Sexp.t; id : id -> Sexp.t; nat : nat -> Sexp.t; mark : mark -> Sexp.t; bexp : bexp -> Sexp.t; exp : exp -> Sexp.t; rule : rule -> Sexp.t; path : path -> Sexp.t; nest : nest -> Sexp.t; iexps : iexps -> Sexp.t }

let rules = [
  "get_gen", 1;
  "get_gen_guard", 0;
  "get_gen_outside", 1;
  "get_let", 0;
  "get_if", 0;
  "get_fold", 0;
  "get_op", 0;
  "get_cat_left", 1;
  "get_cat_right", 1;
  "get_cat", 0;
  "get_bind", 0;
  "get_mark", 0;
  "get_transpose", 0;
  "get_flatten", 1;
  "get_split", 1;
  "get_trunc_r", 1;
  "get_trunc_l", 1;
  "get_pad_r", 0;
  "get_pad_l", 0;
  "let_inline", 0;
  "let_dead", 0;
  "let_rename", 1;
  "let_flatten", 0;
  "let_swap", 0;
  "let_merge", 0;
  "let_lift_gen", 0;
  "let_lift_fold", 0;
  "let_lift_invariant", 0;
  "let_lift", 1;
  "if_true", 1;
  "if_false", 1;
  "if_equiv", 3;
  "if_introduce", 1;
  "if_same", 0;
  "if_merge", 0;
  "if_nest", 0;
  "if_not", 0;
  "if_or", 0;
  "if_exchange", 0;
  "if_gen", 0;
  "guard_gen", 0;
  "gen_if", 0;
  "fold_if", 0;
  "if_lift", 1;
  "guard_annihilates", 0;
  "guard_annihilates_right", 0;
  "guard_op", 0;
  "guard_cover", 0;
  "gen_eta", 0;
  "rename_loop", 1;
  "resize_loop", 2;
  "tile", 3;
  "tile_exact", 3;
  "split_unfold", 2;
  "flatten_gen", 2;
  "transpose_gen", 0;
  "transpose_twice", 0;
  "gen_cat", 2;
  "shift_inwards", 3;
  "split_flatten", 0;
  "read_guard", 0;
  "cat_inner", 0;
  "cat_assoc", 1;
  "gen_single", 0;
  "trunc_gen", 1;
  "trunc_l_gen", 1;
  "pad_gen", 1;
  "pad_l_gen", 1;
  "trunc_pad", 0;
  "trunc_pad_l", 1;
  "view_push", 0;
  "view_op", 0;
  "gen_op", 0;
  "mark_loop", 2;
  "unmark", 0;
  "reindex", 5;
  "fold_swap", 0;
  "fold_gen", 0;
  "fold_indicator", 0;
  "fold_cat", 2;
  "fold_last", 1;
  "fold_empty", 1;
  "unit_left", 0;
  "unit_null", 0;
  "fold_op", 0;
  "fold_factor", 0;
  "fold_tile", 5;
  "fold_tile_guarded", 5;
  "tuple_first", 0;
  "tuple_second", 0;
  "op_comm", 0;
  "op_assoc", 0;
  "bind_dead", 0;
  "bind_let", 0;
  "iter_empty", 1;
  "iter_last", 1;
  "iter_gen", 0;
  "iter_tile", 5;
  "iter_tile_guarded", 5;
  "if_iter", 0;
  "iter_swap", 0;
  "mark_reduction", 1;
  "iter_factor", 0;
  "reversed", 2;
  "at", 2;
  "seq", 2;
]

let read (k : readers) head operands =
  match head, operands with
  | "get_gen", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_gen (a0))
  | "get_gen_guard", [  ] -> Some (R_get_gen_guard)
  | "get_gen_outside", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_gen_outside (a0))
  | "get_let", [  ] -> Some (R_get_let)
  | "get_if", [  ] -> Some (R_get_if)
  | "get_fold", [  ] -> Some (R_get_fold)
  | "get_op", [  ] -> Some (R_get_op)
  | "get_cat_left", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_cat_left (a0))
  | "get_cat_right", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_cat_right (a0))
  | "get_cat", [  ] -> Some (R_get_cat)
  | "get_bind", [  ] -> Some (R_get_bind)
  | "get_mark", [  ] -> Some (R_get_mark)
  | "get_transpose", [  ] -> Some (R_get_transpose)
  | "get_flatten", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_flatten (a0))
  | "get_split", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_split (a0))
  | "get_trunc_r", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_trunc_r (a0))
  | "get_trunc_l", [ a0 ] -> let a0 = k.wit a0 in Some (R_get_trunc_l (a0))
  | "get_pad_r", [  ] -> Some (R_get_pad_r)
  | "get_pad_l", [  ] -> Some (R_get_pad_l)
  | "let_inline", [  ] -> Some (R_let_inline)
  | "let_dead", [  ] -> Some (R_let_dead)
  | "let_rename", [ a0 ] -> let a0 = k.id a0 in Some (R_let_rename (a0))
  | "let_flatten", [  ] -> Some (R_let_flatten)
  | "let_swap", [  ] -> Some (R_let_swap)
  | "let_merge", [  ] -> Some (R_let_merge)
  | "let_lift_gen", [  ] -> Some (R_let_lift_gen)
  | "let_lift_fold", [  ] -> Some (R_let_lift_fold)
  | "let_lift_invariant", [  ] -> Some (R_let_lift_invariant)
  | "let_lift", [ a0 ] -> let a0 = k.nat a0 in Some (R_let_lift (a0))
  | "if_true", [ a0 ] -> let a0 = k.wit a0 in Some (R_if_true (a0))
  | "if_false", [ a0 ] -> let a0 = k.wit a0 in Some (R_if_false (a0))
  | "if_equiv", [ a0; a1; a2 ] -> let a0 = k.bexp a0 in let a1 = k.wit a1 in let a2 = k.wit a2 in Some (R_if_equiv (a0, a1, a2))
  | "if_introduce", [ a0 ] -> let a0 = k.bexp a0 in Some (R_if_introduce (a0))
  | "if_same", [  ] -> Some (R_if_same)
  | "if_merge", [  ] -> Some (R_if_merge)
  | "if_nest", [  ] -> Some (R_if_nest)
  | "if_not", [  ] -> Some (R_if_not)
  | "if_or", [  ] -> Some (R_if_or)
  | "if_exchange", [  ] -> Some (R_if_exchange)
  | "if_gen", [  ] -> Some (R_if_gen)
  | "guard_gen", [  ] -> Some (R_guard_gen)
  | "gen_if", [  ] -> Some (R_gen_if)
  | "fold_if", [  ] -> Some (R_fold_if)
  | "if_lift", [ a0 ] -> let a0 = k.nat a0 in Some (R_if_lift (a0))
  | "guard_annihilates", [  ] -> Some (R_guard_annihilates)
  | "guard_annihilates_right", [  ] -> Some (R_guard_annihilates_right)
  | "guard_op", [  ] -> Some (R_guard_op)
  | "guard_cover", [  ] -> Some (R_guard_cover)
  | "gen_eta", [  ] -> Some (R_gen_eta)
  | "rename_loop", [ a0 ] -> let a0 = k.id a0 in Some (R_rename_loop (a0))
  | "resize_loop", [ a0; a1 ] -> let a0 = k.iexp a0 in let a1 = k.wit a1 in Some (R_resize_loop (a0, a1))
  | "tile", [ a0; a1; a2 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.wit a2 in Some (R_tile (a0, a1, a2))
  | "tile_exact", [ a0; a1; a2 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.wit a2 in Some (R_tile_exact (a0, a1, a2))
  | "split_unfold", [ a0; a1 ] -> let a0 = k.id a0 in let a1 = k.id a1 in Some (R_split_unfold (a0, a1))
  | "flatten_gen", [ a0; a1 ] -> let a0 = k.id a0 in let a1 = k.wit a1 in Some (R_flatten_gen (a0, a1))
  | "transpose_gen", [  ] -> Some (R_transpose_gen)
  | "transpose_twice", [  ] -> Some (R_transpose_twice)
  | "gen_cat", [ a0; a1 ] -> let a0 = k.iexp a0 in let a1 = k.wit a1 in Some (R_gen_cat (a0, a1))
  | "shift_inwards", [ a0; a1; a2 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.wit a2 in Some (R_shift_inwards (a0, a1, a2))
  | "split_flatten", [  ] -> Some (R_split_flatten)
  | "read_guard", [  ] -> Some (R_read_guard)
  | "cat_inner", [  ] -> Some (R_cat_inner)
  | "cat_assoc", [ a0 ] -> let a0 = k.wit a0 in Some (R_cat_assoc (a0))
  | "gen_single", [  ] -> Some (R_gen_single)
  | "trunc_gen", [ a0 ] -> let a0 = k.wit a0 in Some (R_trunc_gen (a0))
  | "trunc_l_gen", [ a0 ] -> let a0 = k.wit a0 in Some (R_trunc_l_gen (a0))
  | "pad_gen", [ a0 ] -> let a0 = k.wit a0 in Some (R_pad_gen (a0))
  | "pad_l_gen", [ a0 ] -> let a0 = k.wit a0 in Some (R_pad_l_gen (a0))
  | "trunc_pad", [  ] -> Some (R_trunc_pad)
  | "trunc_pad_l", [ a0 ] -> let a0 = k.wit a0 in Some (R_trunc_pad_l (a0))
  | "view_push", [  ] -> Some (R_view_push)
  | "view_op", [  ] -> Some (R_view_op)
  | "gen_op", [  ] -> Some (R_gen_op)
  | "mark_loop", [ a0; a1 ] -> let a0 = k.mark a0 in let a1 = k.wit a1 in Some (R_mark_loop (a0, a1))
  | "unmark", [  ] -> Some (R_unmark)
  | "reindex", [ a0; a1; a2; a3; a4 ] -> let a0 = k.nest a0 in let a1 = k.iexps a1 in let a2 = k.iexps a2 in let a3 = k.bexp a3 in let a4 = k.wit a4 in Some (R_reindex (a0, a1, a2, a3, a4))
  | "fold_swap", [  ] -> Some (R_fold_swap)
  | "fold_gen", [  ] -> Some (R_fold_gen)
  | "fold_indicator", [  ] -> Some (R_fold_indicator)
  | "fold_cat", [ a0; a1 ] -> let a0 = k.iexp a0 in let a1 = k.wit a1 in Some (R_fold_cat (a0, a1))
  | "fold_last", [ a0 ] -> let a0 = k.wit a0 in Some (R_fold_last (a0))
  | "fold_empty", [ a0 ] -> let a0 = k.wit a0 in Some (R_fold_empty (a0))
  | "unit_left", [  ] -> Some (R_unit_left)
  | "unit_null", [  ] -> Some (R_unit_null)
  | "fold_op", [  ] -> Some (R_fold_op)
  | "fold_factor", [  ] -> Some (R_fold_factor)
  | "fold_tile", [ a0; a1; a2; a3; a4 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.id a2 in let a3 = k.id a3 in let a4 = k.wit a4 in Some (R_fold_tile (a0, a1, a2, a3, a4))
  | "fold_tile_guarded", [ a0; a1; a2; a3; a4 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.id a2 in let a3 = k.id a3 in let a4 = k.wit a4 in Some (R_fold_tile_guarded (a0, a1, a2, a3, a4))
  | "tuple_first", [  ] -> Some (R_tuple_first)
  | "tuple_second", [  ] -> Some (R_tuple_second)
  | "op_comm", [  ] -> Some (R_op_comm)
  | "op_assoc", [  ] -> Some (R_op_assoc)
  | "bind_dead", [  ] -> Some (R_bind_dead)
  | "bind_let", [  ] -> Some (R_bind_let)
  | "iter_empty", [ a0 ] -> let a0 = k.wit a0 in Some (R_iter_empty (a0))
  | "iter_last", [ a0 ] -> let a0 = k.wit a0 in Some (R_iter_last (a0))
  | "iter_gen", [  ] -> Some (R_iter_gen)
  | "iter_tile", [ a0; a1; a2; a3; a4 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.id a2 in let a3 = k.id a3 in let a4 = k.wit a4 in Some (R_iter_tile (a0, a1, a2, a3, a4))
  | "iter_tile_guarded", [ a0; a1; a2; a3; a4 ] -> let a0 = k.iexp a0 in let a1 = k.iexp a1 in let a2 = k.id a2 in let a3 = k.id a3 in let a4 = k.wit a4 in Some (R_iter_tile_guarded (a0, a1, a2, a3, a4))
  | "if_iter", [  ] -> Some (R_if_iter)
  | "iter_swap", [  ] -> Some (R_iter_swap)
  | "mark_reduction", [ a0 ] -> let a0 = k.mark a0 in Some (R_mark_reduction (a0))
  | "iter_factor", [  ] -> Some (R_iter_factor)
  | "reversed", [ a0; a1 ] -> let a0 = k.rule a0 in let a1 = k.exp a1 in Some (R_reversed (a0, a1))
  | "at", [ a0; a1 ] -> let a0 = k.path a0 in let a1 = k.rule a1 in Some (R_at (a0, a1))
  | "seq", [ a0; a1 ] -> let a0 = k.rule a0 in let a1 = k.rule a1 in Some (R_seq (a0, a1))
  | _ -> None

let write (k : printers) rule =
  match rule with
  | R_get_gen (a0) -> "get_gen", [ k.wit a0 ]
  | R_get_gen_guard -> "get_gen_guard", [  ]
  | R_get_gen_outside (a0) -> "get_gen_outside", [ k.wit a0 ]
  | R_get_let -> "get_let", [  ]
  | R_get_if -> "get_if", [  ]
  | R_get_fold -> "get_fold", [  ]
  | R_get_op -> "get_op", [  ]
  | R_get_cat_left (a0) -> "get_cat_left", [ k.wit a0 ]
  | R_get_cat_right (a0) -> "get_cat_right", [ k.wit a0 ]
  | R_get_cat -> "get_cat", [  ]
  | R_get_bind -> "get_bind", [  ]
  | R_get_mark -> "get_mark", [  ]
  | R_get_transpose -> "get_transpose", [  ]
  | R_get_flatten (a0) -> "get_flatten", [ k.wit a0 ]
  | R_get_split (a0) -> "get_split", [ k.wit a0 ]
  | R_get_trunc_r (a0) -> "get_trunc_r", [ k.wit a0 ]
  | R_get_trunc_l (a0) -> "get_trunc_l", [ k.wit a0 ]
  | R_get_pad_r -> "get_pad_r", [  ]
  | R_get_pad_l -> "get_pad_l", [  ]
  | R_let_inline -> "let_inline", [  ]
  | R_let_dead -> "let_dead", [  ]
  | R_let_rename (a0) -> "let_rename", [ k.id a0 ]
  | R_let_flatten -> "let_flatten", [  ]
  | R_let_swap -> "let_swap", [  ]
  | R_let_merge -> "let_merge", [  ]
  | R_let_lift_gen -> "let_lift_gen", [  ]
  | R_let_lift_fold -> "let_lift_fold", [  ]
  | R_let_lift_invariant -> "let_lift_invariant", [  ]
  | R_let_lift (a0) -> "let_lift", [ k.nat a0 ]
  | R_if_true (a0) -> "if_true", [ k.wit a0 ]
  | R_if_false (a0) -> "if_false", [ k.wit a0 ]
  | R_if_equiv (a0, a1, a2) -> "if_equiv", [ k.bexp a0; k.wit a1; k.wit a2 ]
  | R_if_introduce (a0) -> "if_introduce", [ k.bexp a0 ]
  | R_if_same -> "if_same", [  ]
  | R_if_merge -> "if_merge", [  ]
  | R_if_nest -> "if_nest", [  ]
  | R_if_not -> "if_not", [  ]
  | R_if_or -> "if_or", [  ]
  | R_if_exchange -> "if_exchange", [  ]
  | R_if_gen -> "if_gen", [  ]
  | R_guard_gen -> "guard_gen", [  ]
  | R_gen_if -> "gen_if", [  ]
  | R_fold_if -> "fold_if", [  ]
  | R_if_lift (a0) -> "if_lift", [ k.nat a0 ]
  | R_guard_annihilates -> "guard_annihilates", [  ]
  | R_guard_annihilates_right -> "guard_annihilates_right", [  ]
  | R_guard_op -> "guard_op", [  ]
  | R_guard_cover -> "guard_cover", [  ]
  | R_gen_eta -> "gen_eta", [  ]
  | R_rename_loop (a0) -> "rename_loop", [ k.id a0 ]
  | R_resize_loop (a0, a1) -> "resize_loop", [ k.iexp a0; k.wit a1 ]
  | R_tile (a0, a1, a2) -> "tile", [ k.iexp a0; k.iexp a1; k.wit a2 ]
  | R_tile_exact (a0, a1, a2) -> "tile_exact", [ k.iexp a0; k.iexp a1; k.wit a2 ]
  | R_split_unfold (a0, a1) -> "split_unfold", [ k.id a0; k.id a1 ]
  | R_flatten_gen (a0, a1) -> "flatten_gen", [ k.id a0; k.wit a1 ]
  | R_transpose_gen -> "transpose_gen", [  ]
  | R_transpose_twice -> "transpose_twice", [  ]
  | R_gen_cat (a0, a1) -> "gen_cat", [ k.iexp a0; k.wit a1 ]
  | R_shift_inwards (a0, a1, a2) -> "shift_inwards", [ k.iexp a0; k.iexp a1; k.wit a2 ]
  | R_split_flatten -> "split_flatten", [  ]
  | R_read_guard -> "read_guard", [  ]
  | R_cat_inner -> "cat_inner", [  ]
  | R_cat_assoc (a0) -> "cat_assoc", [ k.wit a0 ]
  | R_gen_single -> "gen_single", [  ]
  | R_trunc_gen (a0) -> "trunc_gen", [ k.wit a0 ]
  | R_trunc_l_gen (a0) -> "trunc_l_gen", [ k.wit a0 ]
  | R_pad_gen (a0) -> "pad_gen", [ k.wit a0 ]
  | R_pad_l_gen (a0) -> "pad_l_gen", [ k.wit a0 ]
  | R_trunc_pad -> "trunc_pad", [  ]
  | R_trunc_pad_l (a0) -> "trunc_pad_l", [ k.wit a0 ]
  | R_view_push -> "view_push", [  ]
  | R_view_op -> "view_op", [  ]
  | R_gen_op -> "gen_op", [  ]
  | R_mark_loop (a0, a1) -> "mark_loop", [ k.mark a0; k.wit a1 ]
  | R_unmark -> "unmark", [  ]
  | R_reindex (a0, a1, a2, a3, a4) -> "reindex", [ k.nest a0; k.iexps a1; k.iexps a2; k.bexp a3; k.wit a4 ]
  | R_fold_swap -> "fold_swap", [  ]
  | R_fold_gen -> "fold_gen", [  ]
  | R_fold_indicator -> "fold_indicator", [  ]
  | R_fold_cat (a0, a1) -> "fold_cat", [ k.iexp a0; k.wit a1 ]
  | R_fold_last (a0) -> "fold_last", [ k.wit a0 ]
  | R_fold_empty (a0) -> "fold_empty", [ k.wit a0 ]
  | R_unit_left -> "unit_left", [  ]
  | R_unit_null -> "unit_null", [  ]
  | R_fold_op -> "fold_op", [  ]
  | R_fold_factor -> "fold_factor", [  ]
  | R_fold_tile (a0, a1, a2, a3, a4) -> "fold_tile", [ k.iexp a0; k.iexp a1; k.id a2; k.id a3; k.wit a4 ]
  | R_fold_tile_guarded (a0, a1, a2, a3, a4) -> "fold_tile_guarded", [ k.iexp a0; k.iexp a1; k.id a2; k.id a3; k.wit a4 ]
  | R_tuple_first -> "tuple_first", [  ]
  | R_tuple_second -> "tuple_second", [  ]
  | R_op_comm -> "op_comm", [  ]
  | R_op_assoc -> "op_assoc", [  ]
  | R_bind_dead -> "bind_dead", [  ]
  | R_bind_let -> "bind_let", [  ]
  | R_iter_empty (a0) -> "iter_empty", [ k.wit a0 ]
  | R_iter_last (a0) -> "iter_last", [ k.wit a0 ]
  | R_iter_gen -> "iter_gen", [  ]
  | R_iter_tile (a0, a1, a2, a3, a4) -> "iter_tile", [ k.iexp a0; k.iexp a1; k.id a2; k.id a3; k.wit a4 ]
  | R_iter_tile_guarded (a0, a1, a2, a3, a4) -> "iter_tile_guarded", [ k.iexp a0; k.iexp a1; k.id a2; k.id a3; k.wit a4 ]
  | R_if_iter -> "if_iter", [  ]
  | R_iter_swap -> "iter_swap", [  ]
  | R_mark_reduction (a0) -> "mark_reduction", [ k.mark a0 ]
  | R_iter_factor -> "iter_factor", [  ]
  | R_reversed (a0, a1) -> "reversed", [ k.rule a0; k.exp a1 ]
  | R_at (a0, a1) -> "at", [ k.path a0; k.rule a1 ]
  | R_seq (a0, a1) -> "seq", [ k.rule a0; k.rule a1 ]
