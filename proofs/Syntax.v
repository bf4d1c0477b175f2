(** * The tensor language as data

    Programs, guards and index expressions are inductive types, so that derivations, substitution and the checker are
    functions over them. Names are numbers. A binder never renames anything: substitution refuses capture instead
    (Subst.v), hence a clash of names rejects a certificate and can never make one unsound.

    A node exists only where its meaning differs in kind. All operators on elements, whatever their type, are [Op1] to
    [Op3]; all operators that only move elements are [View]; everything that the schedule says about a loop without
    changing a value is [Mark]. Proofs by induction over programs therefore have fourteen cases however many operators
    there are. *)
From Coq Require Import ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition id := positive.

(** Index expressions are unbounded integers. Division rounds down and the remainder has the divisor's sign. *)
Inductive iexp :=
| IC (z : Z) | IV (x : id)
| IAdd (a b : iexp) | ISub (a b : iexp) | IMul (a b : iexp)
| IDiv (a b : iexp) | IMod (a b : iexp)
| IMin (a b : iexp) | IMax (a b : iexp).

Inductive bexp :=
| BTrue | BLe (a b : iexp) | BLt (a b : iexp) | BEq (a b : iexp)
| BAnd (p q : bexp) | BOr (p q : bexp) | BNot (p : bexp).

(** A constant is a number, or the value from which a fold over the operator [o] starts. *)
Inductive const := Num (z : Z) | UnitOf (o : id).

(** Views give an element of the result by an element of the operand. The extents that they name are those which
    lowering allocates; outside of them the result is null. *)
Inductive view :=
| Transpose                     (* [n][m]s  -> [m][n]s *)
| Flatten (n m : iexp)          (* [n][m]s  -> [n*m]s *)
| Split (q k : iexp)            (* [_]s     -> [q][k]s *)
| TruncR (n : iexp)             (* [_]s     -> [n]s, the first n elements *)
| TruncL (k : iexp)             (* [k+n]s   -> [n]s, without the first k elements *)
| PadR (n k : iexp)             (* [n]s     -> [n+k]s, with k nulls behind *)
| PadL (k : iexp)               (* [n]s     -> [k+n]s, with k nulls before *)
| Reindex (xs : list (id * iexp)) (ts : list iexp).
    (* [e1]..[em]s -> [n1]..[nk]s: at x1 < n1, .., xk < nk, the element at the indices ts, which xs may occur in. Lowering
       runs the loops of the operand and stores each element where the rule that introduced the view says. *)

(** Marks mean identity. What each demands of lowering is a side condition of the rule that introduces it. *)
Inductive mark :=
| Parallel | Vector | Unroll
| Slide (x : id)                (* the loop [x] keeps what its last iteration computed *)
| FoldStorage (m : iexp).       (* the outermost index is taken modulo m in storage *)

Inductive exp :=
| Lit (c : const)
| Var (t : id)
| Gen (x : id) (n : iexp) (e : exp)                 (* the tensor of e for 0 <= x < n *)
| Fold (o : id) (x : id) (n : iexp) (e : exp)       (* ((unit o e[0]) o e[1]) ..., in this order *)
| If (p : bexp) (a b : exp)                         (* the branch that is not taken has no effect on the value *)
| Let (t : id) (a b : exp)
| Get (e : exp) (i : iexp)
| Op1 (o : id) (a : exp)
| Op2 (o : id) (a b : exp)
| Op3 (o : id) (a b c : exp)
| Cat (n : iexp) (a b : exp)                        (* a has the extent n in the outermost dimension *)
| View (v : view) (e : exp)
| Mark (m : mark) (e : exp)
| Bind (x : id) (a b : exp)                         (* x is the integer that the scalar a gives: data-dependent indices *)
| Iter (t x : id) (n : iexp) (a b : exp).           (* t := a; for x < n do t := b: ordered updates and scans *)

Definition Null := Lit (Num 0).
Definition Guard p e := If p e Null.

(** ** Equality that computes *)
Fixpoint ieqb (a b : iexp) : bool :=
  match a, b with
  | IC x, IC y => Z.eqb x y
  | IV x, IV y => Pos.eqb x y
  | IAdd a b, IAdd c d | ISub a b, ISub c d | IMul a b, IMul c d | IDiv a b, IDiv c d | IMod a b, IMod c d
  | IMin a b, IMin c d | IMax a b, IMax c d => ieqb a c && ieqb b d
  | _, _ => false
  end.

Fixpoint beqb (p q : bexp) : bool :=
  match p, q with
  | BTrue, BTrue => true
  | BLe a b, BLe c d | BLt a b, BLt c d | BEq a b, BEq c d => ieqb a c && ieqb b d
  | BAnd a b, BAnd c d | BOr a b, BOr c d => beqb a c && beqb b d
  | BNot a, BNot b => beqb a b
  | _, _ => false
  end.

Definition ceqb (c d : const) : bool :=
  match c, d with
  | Num x, Num y => Z.eqb x y
  | UnitOf o, UnitOf p => Pos.eqb o p
  | _, _ => false
  end.

Ltac bools := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  | H : _ || _ = false |- _ => apply orb_false_elim in H; destruct H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H
  | H : Pos.eqb _ _ = false |- _ => apply Pos.eqb_neq in H
  | H : Z.eqb _ _ = true |- _ => apply Z.eqb_eq in H
  end.

Lemma ieqb_eq a : forall b, ieqb a b = true -> a = b.
Proof. induction a; destruct b; simpl; intros; try discriminate; bools; f_equal; auto. Qed.
Lemma beqb_eq p : forall q, beqb p q = true -> p = q.
Proof. induction p; destruct q; simpl; intros; try discriminate; bools; f_equal; auto using ieqb_eq. Qed.
Lemma ceqb_eq c d : ceqb c d = true -> c = d.
Proof. destruct c, d; simpl; intros; try discriminate; bools; f_equal; auto. Qed.

(** ** Occurrence: may the name occur free? *)
Fixpoint iin (x : id) (a : iexp) : bool :=
  match a with
  | IC _ => false
  | IV y => Pos.eqb x y
  | IAdd a b | ISub a b | IMul a b | IDiv a b | IMod a b | IMin a b | IMax a b => iin x a || iin x b
  end.

Fixpoint bin (x : id) (p : bexp) : bool :=
  match p with
  | BTrue => false
  | BLe a b | BLt a b | BEq a b => iin x a || iin x b
  | BAnd p q | BOr p q => bin x p || bin x q
  | BNot p => bin x p
  end.

(** A name binds in the extents behind it and in [ts]. *)
Fixpoint rin (x : id) (xs : list (id * iexp)) (ts : list iexp) : bool :=
  match xs with
  | [] => existsb (iin x) ts
  | (y, n) :: xs => iin x n || (negb (Pos.eqb x y) && rin x xs ts)
  end.

Definition vin (x : id) (v : view) : bool :=
  match v with
  | Transpose => false
  | Flatten a b | Split a b | PadR a b => iin x a || iin x b
  | TruncR a | TruncL a | PadL a => iin x a
  | Reindex xs ts => rin x xs ts
  end.

(** Index names in programs. Marks have no meaning, so names in them do not count. *)
Fixpoint ein (x : id) (e : exp) : bool :=
  match e with
  | Lit _ | Var _ => false
  | Gen y n e | Fold _ y n e => iin x n || (negb (Pos.eqb x y) && ein x e)
  | If p a b => bin x p || (ein x a || ein x b)
  | Let _ a b | Op2 _ a b => ein x a || ein x b
  | Get e i => iin x i || ein x e
  | Op1 _ a => ein x a
  | Op3 _ a b c => ein x a || (ein x b || ein x c)
  | Cat n a b => iin x n || (ein x a || ein x b)
  | View v e => vin x v || ein x e
  | Mark _ e => ein x e
  | Bind y a b => ein x a || (negb (Pos.eqb x y) && ein x b)
  | Iter _ y n a b => iin x n || (ein x a || (negb (Pos.eqb x y) && ein x b))
  end.

(** Tensor names in programs. *)
Fixpoint tin (t : id) (e : exp) : bool :=
  match e with
  | Lit _ => false
  | Var u => Pos.eqb t u
  | Gen _ _ e | Fold _ _ _ e | Get e _ | Op1 _ e | View _ e | Mark _ e => tin t e
  | If _ a b | Op2 _ a b | Cat _ a b | Bind _ a b => tin t a || tin t b
  | Op3 _ a b c => tin t a || (tin t b || tin t c)
  | Let u a b | Iter u _ _ a b => tin t a || (negb (Pos.eqb t u) && tin t b)
  end.
