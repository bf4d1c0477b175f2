
type __ = Obj.t

val negb : bool -> bool

type nat =
| O
| S of nat

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> nat

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val compOpp : comparison -> comparison

val add : nat -> nat -> nat

val sub : nat -> nat -> nat

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

type z =
| Z0
| Zpos of positive
| Zneg of positive

module Nat :
 sig
  val eqb : nat -> nat -> bool
 end

module Pos :
 sig
  type mask =
  | IsNul
  | IsPos of positive
  | IsNeg
 end

module Coq_Pos :
 sig
  val succ : positive -> positive

  val add : positive -> positive -> positive

  val add_carry : positive -> positive -> positive

  val pred_double : positive -> positive

  type mask = Pos.mask =
  | IsNul
  | IsPos of positive
  | IsNeg

  val succ_double_mask : mask -> mask

  val double_mask : mask -> mask

  val double_pred_mask : positive -> mask

  val sub_mask : positive -> positive -> mask

  val sub_mask_carry : positive -> positive -> mask

  val sub : positive -> positive -> positive

  val mul : positive -> positive -> positive

  val size_nat : positive -> nat

  val compare_cont : comparison -> positive -> positive -> comparison

  val compare : positive -> positive -> comparison

  val max : positive -> positive -> positive

  val eqb : positive -> positive -> bool

  val leb : positive -> positive -> bool

  val gcdn : nat -> positive -> positive -> positive

  val gcd : positive -> positive -> positive

  val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1

  val to_nat : positive -> nat

  val of_succ_nat : nat -> positive
 end

module Z :
 sig
  val double : z -> z

  val succ_double : z -> z

  val pred_double : z -> z

  val pos_sub : positive -> positive -> z

  val add : z -> z -> z

  val opp : z -> z

  val sub : z -> z -> z

  val mul : z -> z -> z

  val compare : z -> z -> comparison

  val leb : z -> z -> bool

  val ltb : z -> z -> bool

  val gtb : z -> z -> bool

  val eqb : z -> z -> bool

  val max : z -> z -> z

  val min : z -> z -> z

  val abs : z -> z

  val to_nat : z -> nat

  val of_nat : nat -> z

  val pos_div_eucl : positive -> z -> z * z

  val div_eucl : z -> z -> z * z

  val div : z -> z -> z

  val modulo : z -> z -> z

  val gcd : z -> z -> z
 end

val zeq_bool : z -> z -> bool

val hd : 'a1 -> 'a1 list -> 'a1

val tl : 'a1 list -> 'a1 list

val nth : nat -> 'a1 list -> 'a1 -> 'a1

val nth_error : 'a1 list -> nat -> 'a1 option

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val firstn : nat -> 'a1 list -> 'a1 list

val skipn : nat -> 'a1 list -> 'a1 list

val seq : nat -> nat -> nat list

type 'c pExpr =
| PEc of 'c
| PEX of positive
| PEadd of 'c pExpr * 'c pExpr
| PEsub of 'c pExpr * 'c pExpr
| PEmul of 'c pExpr * 'c pExpr
| PEopp of 'c pExpr
| PEpow of 'c pExpr * n

type 'c pol =
| Pc of 'c
| Pinj of positive * 'c pol
| PX of 'c pol * positive * 'c pol

val p0 : 'a1 -> 'a1 pol

val p1 : 'a1 -> 'a1 pol

val peq : ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> bool

val mkPinj : positive -> 'a1 pol -> 'a1 pol

val mkPinj_pred : positive -> 'a1 pol -> 'a1 pol

val mkPX :
  'a1 -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol

val mkXi : 'a1 -> 'a1 -> positive -> 'a1 pol

val mkX : 'a1 -> 'a1 -> 'a1 pol

val popp : ('a1 -> 'a1) -> 'a1 pol -> 'a1 pol

val paddC : ('a1 -> 'a1 -> 'a1) -> 'a1 pol -> 'a1 -> 'a1 pol

val psubC : ('a1 -> 'a1 -> 'a1) -> 'a1 pol -> 'a1 -> 'a1 pol

val paddI :
  ('a1 -> 'a1 -> 'a1) -> ('a1 pol -> 'a1 pol -> 'a1 pol) -> 'a1 pol ->
  positive -> 'a1 pol -> 'a1 pol

val psubI :
  ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1 pol -> 'a1 pol -> 'a1 pol) ->
  'a1 pol -> positive -> 'a1 pol -> 'a1 pol

val paddX :
  'a1 -> ('a1 -> 'a1 -> bool) -> ('a1 pol -> 'a1 pol -> 'a1 pol) -> 'a1 pol
  -> positive -> 'a1 pol -> 'a1 pol

val psubX :
  'a1 -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 pol -> 'a1 pol -> 'a1
  pol) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol

val padd :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol ->
  'a1 pol

val psub :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1
  -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol

val pmulC_aux :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 -> 'a1
  pol

val pmulC :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1
  -> 'a1 pol

val pmulI :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 pol ->
  'a1 pol -> 'a1 pol) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol

val pmul :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol

val psquare :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> 'a1 pol -> 'a1 pol

val mk_X : 'a1 -> 'a1 -> positive -> 'a1 pol

val ppow_pos :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> ('a1 pol -> 'a1 pol) -> 'a1 pol -> 'a1 pol -> positive -> 'a1 pol

val ppow_N :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> ('a1 pol -> 'a1 pol) -> 'a1 pol -> n -> 'a1 pol

val norm_aux :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  'a1) -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pExpr -> 'a1 pol

val cneqb : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 -> bool

val cltb : ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 -> bool

type 'c polC = 'c pol

type op1 =
| Equal
| NonEqual
| Strict
| NonStrict

type 'c nFormula = 'c polC * op1

val opMult : op1 -> op1 -> op1 option

val opAdd : op1 -> op1 -> op1 option

type 'c psatz =
| PsatzLet of 'c psatz * 'c psatz
| PsatzIn of nat
| PsatzSquare of 'c polC
| PsatzMulC of 'c polC * 'c psatz
| PsatzMulE of 'c psatz * 'c psatz
| PsatzAdd of 'c psatz * 'c psatz
| PsatzC of 'c
| PsatzZ

val map_option : ('a1 -> 'a2 option) -> 'a1 option -> 'a2 option

val map_option2 :
  ('a1 -> 'a2 -> 'a3 option) -> 'a1 option -> 'a2 option -> 'a3 option

val pexpr_times_nformula :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> 'a1 polC -> 'a1 nFormula -> 'a1 nFormula option

val nformula_times_nformula :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> 'a1 nFormula -> 'a1 nFormula -> 'a1 nFormula option

val nformula_plus_nformula :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula -> 'a1
  nFormula -> 'a1 nFormula option

val eval_Psatz :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  bool) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula list -> 'a1 psatz -> 'a1
  nFormula option

val check_inconsistent :
  'a1 -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula -> bool

type op2 =
| OpEq
| OpNEq
| OpLe
| OpGe
| OpLt
| OpGt

type 't formula = { flhs : 't pExpr; fop : op2; frhs : 't pExpr }

val norm :
  'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 ->
  'a1) -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pExpr -> 'a1 pol

val psub0 :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1
  -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol

val padd0 :
  'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol ->
  'a1 pol

val popp0 : ('a1 -> 'a1) -> 'a1 pol -> 'a1 pol

type zWitness = z psatz

val psub1 : z pol -> z pol -> z pol

val popp1 : z pol -> z pol

val padd1 : z pol -> z pol -> z pol

val normZ : z pExpr -> z pol

val zunsat : z nFormula -> bool

val xnnormalise : z formula -> z nFormula

val ceiling : z -> z -> z

type zArithProof =
| DoneProof
| RatProof of zWitness * zArithProof
| CutProof of zWitness * zArithProof
| SplitProof of z polC * zArithProof * zArithProof
| EnumProof of zWitness * zWitness * zArithProof list
| ExProof of positive * zArithProof

val zgcdM : z -> z -> z

val zgcd_pol : z polC -> z * z

val zdiv_pol : z polC -> z -> z polC

val makeCuttingPlane : z polC -> z polC * z

val genCuttingPlane : z nFormula -> ((z polC * z) * op1) option

val nformula_of_cutting_plane : ((z polC * z) * op1) -> z nFormula

val is_pol_Z0 : z polC -> bool

val eval_Psatz0 : z nFormula list -> zWitness -> z nFormula option

val valid_cut_sign : op1 -> bool

val bound_var : positive -> z formula

val mk_eq_pos : positive -> positive -> positive -> z formula

val max_var : positive -> z pol -> positive

val max_var_nformulae : z nFormula list -> positive

val zChecker : z nFormula list -> zArithProof -> bool

type id = positive

type iexp =
| IC of z
| IV of id
| IAdd of iexp * iexp
| ISub of iexp * iexp
| IMul of iexp * iexp
| IDiv of iexp * iexp
| IMod of iexp * iexp
| IMin of iexp * iexp
| IMax of iexp * iexp

type bexp =
| BTrue
| BLe of iexp * iexp
| BLt of iexp * iexp
| BEq of iexp * iexp
| BAnd of bexp * bexp
| BOr of bexp * bexp
| BNot of bexp

type const =
| Num of z
| UnitOf of id

type view =
| Transpose
| Flatten of iexp * iexp
| Split of iexp * iexp
| TruncR of iexp
| TruncL of iexp
| PadR of iexp * iexp
| PadL of iexp
| Reindex of (id * iexp) list * iexp list

type mark =
| Parallel
| Vector
| Unroll
| Slide of id
| FoldStorage of iexp

type exp =
| Lit of const
| Var of id
| Gen of id * iexp * exp
| Fold of id * id * iexp * exp
| If of bexp * exp * exp
| Let of id * exp * exp
| Get of exp * iexp
| Op1 of id * exp
| Op2 of id * exp * exp
| Op3 of id * exp * exp * exp
| Cat of iexp * exp * exp
| View of view * exp
| Mark of mark * exp
| Bind of id * exp * exp
| Iter of id * id * iexp * exp * exp

val null : exp

val guard : bexp -> exp -> exp

val ieqb : iexp -> iexp -> bool

val beqb : bexp -> bexp -> bool

val ceqb : const -> const -> bool

val iin : id -> iexp -> bool

val bin : id -> bexp -> bool

val rin : id -> (id * iexp) list -> iexp list -> bool

val vin : id -> view -> bool

val ein : id -> exp -> bool

val tin : id -> exp -> bool

val upd : (id -> 'a1) -> id -> 'a1 -> id -> 'a1

val iev : (id -> z) -> iexp -> z

val bev : (id -> z) -> bexp -> bool

val within : z -> z -> bool

val enter :
  (id -> z) -> (id * iexp) list -> z list -> ((id -> z) * z list) option

val seen : (id -> z) -> view -> z list -> z list option

type algebra = { lit : (const -> __); op0 : (id -> __ -> __);
                 op3 : (id -> __ -> __ -> __);
                 op4 : (id -> __ -> __ -> __ -> __); to_index : (__ -> z) }

type v = __

val null0 : algebra -> v

val foldn : algebra -> id -> nat -> (z -> v) -> v

val foldz : algebra -> id -> z -> (z -> v) -> v

type ten = z list -> v

val itern : algebra -> nat -> ten -> (z -> ten -> ten) -> ten

val den : algebra -> (id -> z) -> (id -> ten) -> exp -> ten

type law =
| Assoc of id
| Comm of id
| UnitL of id
| UnitNull of id
| NullNull of id
| Null1 of id
| AnnihL of id
| AnnihR of id
| DistrL of id * id
| FirstOf of id * id
| SecondOf of id * id

type laws = law list

val reassociating : law -> bool

val reassociates : laws -> bool

type facts = bexp list

val bind : 'a1 option -> ('a1 -> 'a2 option) -> 'a2 option

val only : bool -> 'a1 option -> 'a1 option

val isub : id -> iexp -> iexp -> iexp

val bsub : id -> iexp -> bexp -> bexp

val under : id -> id -> iexp -> 'a1 -> 'a1 option -> 'a1 option

val rsub :
  id -> iexp -> (id * iexp) list -> iexp list -> ((id * iexp) list * iexp
  list) option

val vsub : id -> iexp -> view -> view option

val esub : id -> iexp -> exp -> exp option

val tsub : id -> exp -> exp -> exp option

type opaque = iexp list

val find_opaque : iexp -> opaque -> positive -> positive option

val poly : opaque -> iexp -> z pExpr option

val nonneg : z pExpr -> z nFormula

val le_hyp : opaque -> iexp -> iexp -> z nFormula list

val fact : opaque -> bexp -> z nFormula list

val positive_by : iexp -> bexp -> bool

val is_positive : facts -> iexp -> bool

val about : facts -> opaque -> iexp -> z nFormula list

val hyps : facts -> opaque -> z nFormula list

val negated : opaque -> bexp -> z nFormula option

val linear : facts -> bexp -> opaque -> zArithProof -> bool

type lemma =
| DivOfSum of iexp * iexp * iexp
| ModOfSum of iexp * iexp * iexp
| DivDiv of iexp * iexp * iexp
| DivMod of iexp * iexp
| ModBound of iexp * iexp
| DivMono of iexp * iexp * iexp
| DivBound of iexp * iexp * iexp
| CeilCover of iexp * iexp
| MulMono of iexp * iexp * iexp
| MinLeft of iexp * iexp
| MinRight of iexp * iexp
| MaxLeft of iexp * iexp
| MaxRight of iexp * iexp

val in_range : iexp -> iexp -> bexp

val pos : iexp -> bexp

val premise : lemma -> bexp

val conclusion : lemma -> bexp

type wit =
| WTrue
| WFact
| WLinear of opaque * zArithProof
| WSearch
| WAnd of wit * wit
| WOr of wit
| WNot of wit
| WCase of bexp * wit * wit
| WHave of bexp * wit * wit
| WLemma of lemma * wit * wit

val absurd : bexp

val opaque_of : iexp -> opaque

val opaque_in : bexp -> opaque

val distinct : opaque -> opaque

val hyp : nat -> z psatz

val attempt : z nFormula list -> z psatz -> bool

val search : facts -> bexp -> bool

val prove : facts -> bexp -> wit -> bool

val cancel : zArithProof

val ieqm : iexp -> iexp -> bool

val beqm : bexp -> bexp -> bool

val ieqms : iexp list -> iexp list -> bool

val loops_eqm : (id * iexp) list -> (id * iexp) list -> bool

val veqm : view -> view -> bool

val meqb : mark -> mark -> bool

val xeq : exp -> exp -> bool

type rewrite = facts -> exp -> (laws * exp) option

val gives : exp -> (laws * exp) option

val provided : facts -> bexp -> wit -> 'a1 option -> 'a1 option

val reversed : rewrite -> exp -> rewrite

val sequence : rewrite -> rewrite -> rewrite

val operand : nat -> exp -> ((exp -> exp) * exp) option

val without : id -> facts -> facts

val inside : id -> iexp -> facts -> facts

type path = nat list

val under_fst : (laws * exp) option -> (exp -> exp) -> (laws * exp) option

val at_path : path -> rewrite -> facts -> exp -> (laws * exp) option

val get_gen : wit -> rewrite

val get_gen_guard : rewrite

val get_gen_outside : wit -> rewrite

val get_let : rewrite

val get_if : rewrite

val get_fold : rewrite

val get_op : rewrite

val get_cat_left : wit -> rewrite

val get_cat_right : wit -> rewrite

val get_cat : rewrite

val get_bind : rewrite

val get_mark : rewrite

val get_transpose : rewrite

val get_flatten : wit -> rewrite

val get_split : wit -> rewrite

val get_trunc_r : wit -> rewrite

val get_trunc_l : wit -> rewrite

val get_pad_r : rewrite

val get_pad_l : rewrite

val let_inline : rewrite

val let_dead : rewrite

val let_rename : id -> rewrite

val let_flatten : rewrite

val let_swap : rewrite

val let_merge : rewrite

val let_lift_gen : rewrite

val let_lift_fold : rewrite

val let_lift_invariant : rewrite

val let_lift : nat -> rewrite

val is_null : exp -> bool

val if_true : wit -> rewrite

val if_false : wit -> rewrite

val if_equiv : bexp -> wit -> wit -> rewrite

val if_introduce : bexp -> rewrite

val if_same : rewrite

val if_merge : rewrite

val if_nest : rewrite

val if_not : rewrite

val if_or : rewrite

val if_exchange : rewrite

val if_gen : rewrite

val guard_gen : rewrite

val gen_if : rewrite

val fold_if : rewrite

val if_lift : nat -> rewrite

val guard_annihilates : rewrite

val guard_annihilates_right : rewrite

val guard_op : rewrite

val guard_cover : rewrite

val extent : exp -> iexp option

val has_extent : exp -> iexp -> bool

val ranked : exp -> bool

val gen_eta : rewrite

val rename_loop : id -> rewrite

val resize_loop : iexp -> wit -> rewrite

val tile : iexp -> iexp -> wit -> rewrite

val tile_exact : iexp -> iexp -> wit -> rewrite

val split_unfold : id -> id -> rewrite

val flatten_gen : id -> wit -> rewrite

val transpose_gen : rewrite

val transpose_twice : rewrite

val gen_cat : iexp -> wit -> rewrite

val shift_inwards : iexp -> iexp -> wit -> rewrite

val split_flatten : rewrite

val read_guard : rewrite

val cat_inner : rewrite

val cat_assoc : wit -> rewrite

val gen_single : rewrite

val trunc_gen : wit -> rewrite

val trunc_l_gen : wit -> rewrite

val pad_gen : wit -> rewrite

val pad_l_gen : wit -> rewrite

val trunc_pad : rewrite

val trunc_pad_l : wit -> rewrite

val view_push : rewrite

val view_op : rewrite

val gen_op : rewrite

val mark_allowed : facts -> mark -> exp -> wit -> bool

val mark_loop : mark -> wit -> rewrite

val unmark : rewrite

type nest = (id * iexp) list

val bound : id -> nest -> bool

val gens : nest -> exp -> exp

val strip : nat -> exp -> (nest * exp) option

val insides : nest -> facts -> facts

type substitution = (id * iexp) list

val bsubs : substitution -> bexp -> bexp

val esubs : substitution -> exp -> exp option

val free_of : nest -> iexp list -> bool

val distinct_names : nest -> bool

val to0 : nest -> iexp list -> substitution

val all : bexp list -> bexp

val covered : nest -> nest -> iexp list -> iexp list -> bexp -> bexp

val guarded : bexp -> exp -> exp

val reindex : nest -> iexp list -> iexp list -> bexp -> wit -> rewrite

val fold_swap : rewrite

val fold_gen : rewrite

val fold_indicator : rewrite

val fold_cat : iexp -> wit -> rewrite

val fold_last : wit -> rewrite

val fold_empty : wit -> rewrite

val unit_left : rewrite

val unit_null : rewrite

val fold_op : rewrite

val fold_factor : rewrite

val fold_tile : iexp -> iexp -> id -> id -> wit -> rewrite

val fold_tile_guarded : iexp -> iexp -> id -> id -> wit -> rewrite

val tuple_first : rewrite

val tuple_second : rewrite

val op_comm : rewrite

val op_assoc : rewrite

val bind_dead : rewrite

val bind_let : rewrite

val iter_empty : wit -> rewrite

val iter_last : wit -> rewrite

val iter_gen : rewrite

val piece_names : iexp -> id -> id -> exp -> bool

val iter_tile : iexp -> iexp -> id -> id -> wit -> rewrite

val iter_tile_guarded : iexp -> iexp -> id -> id -> wit -> rewrite

val if_iter : rewrite

val gathers : id -> exp -> id option

val iter_swap : rewrite

val mark_reduction : mark -> rewrite

val iter_factor : rewrite

type iexps = iexp list

type rule =
| R_get_gen of wit
| R_get_gen_guard
| R_get_gen_outside of wit
| R_get_let
| R_get_if
| R_get_fold
| R_get_op
| R_get_cat_left of wit
| R_get_cat_right of wit
| R_get_cat
| R_get_bind
| R_get_mark
| R_get_transpose
| R_get_flatten of wit
| R_get_split of wit
| R_get_trunc_r of wit
| R_get_trunc_l of wit
| R_get_pad_r
| R_get_pad_l
| R_let_inline
| R_let_dead
| R_let_rename of id
| R_let_flatten
| R_let_swap
| R_let_merge
| R_let_lift_gen
| R_let_lift_fold
| R_let_lift_invariant
| R_let_lift of nat
| R_if_true of wit
| R_if_false of wit
| R_if_equiv of bexp * wit * wit
| R_if_introduce of bexp
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
| R_if_lift of nat
| R_guard_annihilates
| R_guard_annihilates_right
| R_guard_op
| R_guard_cover
| R_gen_eta
| R_rename_loop of id
| R_resize_loop of iexp * wit
| R_tile of iexp * iexp * wit
| R_tile_exact of iexp * iexp * wit
| R_split_unfold of id * id
| R_flatten_gen of id * wit
| R_transpose_gen
| R_transpose_twice
| R_gen_cat of iexp * wit
| R_shift_inwards of iexp * iexp * wit
| R_split_flatten
| R_read_guard
| R_cat_inner
| R_cat_assoc of wit
| R_gen_single
| R_trunc_gen of wit
| R_trunc_l_gen of wit
| R_pad_gen of wit
| R_pad_l_gen of wit
| R_trunc_pad
| R_trunc_pad_l of wit
| R_view_push
| R_view_op
| R_gen_op
| R_mark_loop of mark * wit
| R_unmark
| R_reindex of nest * iexps * iexps * bexp * wit
| R_fold_swap
| R_fold_gen
| R_fold_indicator
| R_fold_cat of iexp * wit
| R_fold_last of wit
| R_fold_empty of wit
| R_unit_left
| R_unit_null
| R_fold_op
| R_fold_factor
| R_fold_tile of iexp * iexp * id * id * wit
| R_fold_tile_guarded of iexp * iexp * id * id * wit
| R_tuple_first
| R_tuple_second
| R_op_comm
| R_op_assoc
| R_bind_dead
| R_bind_let
| R_iter_empty of wit
| R_iter_last of wit
| R_iter_gen
| R_iter_tile of iexp * iexp * id * id * wit
| R_iter_tile_guarded of iexp * iexp * id * id * wit
| R_if_iter
| R_iter_swap
| R_mark_reduction of mark
| R_iter_factor
| R_reversed of rule * exp
| R_at of path * rule
| R_seq of rule * rule

val apply : rule -> rewrite

type step = { s_path : path; s_rule : rule }

val run : facts -> step list -> exp -> (laws * exp) option

type certificate = { c_facts : facts; c_source : exp; c_target : exp;
                     c_forth : step list; c_back : step list }

val check : certificate -> laws option

val shape : exp -> iexp list

type shapes = (id * iexp list) list

val shape_of : shapes -> id -> iexp list option

val unbound : id -> shapes -> bool

val check_bounds :
  facts -> iexp list -> iexp list -> wit list -> wit list option

val check_safe :
  shapes -> facts -> exp -> iexp list -> wit list -> wit list option

type store = { st_at : iexp list; st_guard : bexp; st_shown : wit;
               st_stored : wit }

val gets : exp -> nest -> exp

val unget : id -> exp -> exp -> exp

val local : id -> nest -> exp -> exp option

val avoids : nest -> exp -> bool

val may_sink : id -> iexp -> nest -> nest -> bool

val loops : exp -> nat -> (nest * exp) option

val separate : nest -> nest -> iexp list -> iexp list -> bool

val check_store : facts -> nest -> nest -> iexp list -> store -> bool

val views : exp -> nat

val check_stores : facts -> exp -> store list -> bool

type pane = { p_dim : nat; p_rows : iexp; p_upto : iexp }

type panes = (id * pane) list

val pane_of : panes -> id -> pane option

val others : id -> panes -> panes

val steady : id -> panes -> bool

val in_time : pane -> iexp -> bexp

val check_finds :
  panes -> facts -> exp -> iexp list -> wit list -> wit list option

val has_loop : id -> exp -> bool

val in_order : mark -> bool

val unread : panes -> id -> bool

val aside : id -> id -> panes -> bool

val check_loop :
  id -> iexp -> panes -> facts -> exp -> wit list -> wit list option

type slide = { sl_dim : nat; sl_rows : iexp; sl_upto : iexp;
               sl_store : store; sl_grows : wit }

val before : id -> iexp -> iexp

val grows : id -> slide -> bexp

val new_at_first : id -> slide -> iexp -> facts

val new_later : id -> slide -> iexp -> facts

val apart : panes -> exp -> bool

val check_slides :
  id -> iexp -> slide option list -> panes -> facts -> exp -> wit list -> wit
  list option

val descend : path -> facts -> exp -> (facts * exp) option

type sliding = { sg_path : path; sg_loop : id; sg_extent : iexp;
                 sg_slides : slide option list; sg_finds : wit list }

val check_sliding : facts -> exp -> sliding -> bool

type member = { mb_name : id; mb_xs : nest; mb_ts : iexp list; mb_nest : 
                exp; mb_store : store; mb_loops : nest; mb_body : exp }

val members : store list -> exp -> member list option

val independent : member list -> bool

type joined = { jn_path : path; jn_stores : store list }

val check_joined : facts -> exp -> joined -> bool

val among : id -> id list -> bool

val apart_from : id list -> exp -> bool

val windows_apart : id list -> slide option list -> exp -> bool

val sliding_names : slide option list -> exp -> id list

type beside = { bs_path : path; bs_windows : id list; bs_stores : store list }

val group : beside -> member list -> id list

val check_beside : facts -> exp -> sliding -> beside -> bool

type question = facts * bexp

val prove_each : facts -> question list -> wit list -> wit list option

val check_touches :
  id -> nat -> (id -> bool) -> (iexp list -> question list) -> facts -> exp
  -> iexp list -> wit list -> wit list option

val is_old : id -> nest -> exp -> bool

val asked : id -> nest -> facts -> exp -> facts

val binders : id -> nest -> exp -> id list

val check_step :
  id -> nest -> nat -> (id -> bool) -> (iexp list -> question list) -> facts
  -> exp -> wit list -> wit list option

val isubs : substitution -> iexp -> iexp

type spelling = (id * id) list

val spelled : spelling -> nest

val respell : spelling -> substitution

val no_primes : spelling -> facts -> facts

val tidy : spelling -> bool

val equal_all : iexp list -> iexp list -> facts

val ways : iexp list -> iexp list -> facts list

val preceding : bool list -> iexp list -> iexp list -> bexp

type scan = { sc_path : path; sc_rank : nat;
              sc_loops : ((id * iexp) * bool) list; sc_from : iexp list;
              sc_store : store; sc_second : spelling; sc_writes : wit list;
              sc_reads : wit list }

val steps : id -> nat -> exp -> ((nest * nest) * exp) option

val names_of : nest -> iexp list

val second : scan -> iexp list -> iexp list

val serial : scan -> bool list

val write_questions : scan -> nest -> nest -> question list

val read_questions : scan -> nest -> nest -> iexp list -> question list

val keep_of : scan -> nest -> nest -> id -> bool

val check_scan_here : facts -> exp -> scan -> bool

val check_scan : facts -> exp -> scan -> bool
