
type __ = Obj.t

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val compOpp : comparison -> comparison **)

let compOpp = function
| Eq -> Eq
| Lt -> Gt
| Gt -> Lt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n0 m =
   match n0 with
   | O -> m
   | S p -> S (add p m)
end
include Coq__1

(** val sub : nat -> nat -> nat **)

let rec sub n0 m =
  match n0 with
  | O -> n0
  | S k -> (match m with
            | O -> n0
            | S l -> sub k l)

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

module Nat =
 struct
  (** val eqb : nat -> nat -> bool **)

  let rec eqb n0 m =
    match n0 with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n' -> (match m with
               | O -> false
               | S m' -> eqb n' m')
 end

module Pos =
 struct
  type mask =
  | IsNul
  | IsPos of positive
  | IsNeg
 end

module Coq_Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XO p ->
      (match y with
       | XI q -> XI (add p q)
       | XO q -> XO (add p q)
       | XH -> XI p)
    | XH -> (match y with
             | XI q -> XO (succ q)
             | XO q -> XI q
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XI (add_carry p q)
       | XO q -> XO (add_carry p q)
       | XH -> XI (succ p))
    | XO p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XH ->
      (match y with
       | XI q -> XI (succ q)
       | XO q -> XO (succ q)
       | XH -> XI XH)

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p -> XI (XO p)
  | XO p -> XI (pred_double p)
  | XH -> XH

  type mask = Pos.mask =
  | IsNul
  | IsPos of positive
  | IsNeg

  (** val succ_double_mask : mask -> mask **)

  let succ_double_mask = function
  | IsNul -> IsPos XH
  | IsPos p -> IsPos (XI p)
  | IsNeg -> IsNeg

  (** val double_mask : mask -> mask **)

  let double_mask = function
  | IsPos p -> IsPos (XO p)
  | x0 -> x0

  (** val double_pred_mask : positive -> mask **)

  let double_pred_mask = function
  | XI p -> IsPos (XO (XO p))
  | XO p -> IsPos (XO (pred_double p))
  | XH -> IsNul

  (** val sub_mask : positive -> positive -> mask **)

  let rec sub_mask x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double_mask (sub_mask p q)
       | XO q -> succ_double_mask (sub_mask p q)
       | XH -> IsPos (XO p))
    | XO p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XH -> (match y with
             | XH -> IsNul
             | _ -> IsNeg)

  (** val sub_mask_carry : positive -> positive -> mask **)

  and sub_mask_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> succ_double_mask (sub_mask_carry p q)
       | XO q -> double_mask (sub_mask p q)
       | XH -> IsPos (pred_double p))
    | XO p ->
      (match y with
       | XI q -> double_mask (sub_mask_carry p q)
       | XO q -> succ_double_mask (sub_mask_carry p q)
       | XH -> double_pred_mask p)
    | XH -> IsNeg

  (** val sub : positive -> positive -> positive **)

  let sub x y =
    match sub_mask x y with
    | IsPos z0 -> z0
    | _ -> XH

  (** val mul : positive -> positive -> positive **)

  let rec mul x y =
    match x with
    | XI p -> add y (XO (mul p y))
    | XO p -> XO (mul p y)
    | XH -> y

  (** val size_nat : positive -> nat **)

  let rec size_nat = function
  | XI p2 -> S (size_nat p2)
  | XO p2 -> S (size_nat p2)
  | XH -> S O

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val max : positive -> positive -> positive **)

  let max p p' =
    match compare p p' with
    | Gt -> p
    | _ -> p'

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p2 -> (match q with
                | XI q0 -> eqb p2 q0
                | _ -> false)
    | XO p2 -> (match q with
                | XO q0 -> eqb p2 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)

  (** val leb : positive -> positive -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val gcdn : nat -> positive -> positive -> positive **)

  let rec gcdn n0 a b =
    match n0 with
    | O -> XH
    | S n1 ->
      (match a with
       | XI a' ->
         (match b with
          | XI b' ->
            (match compare a' b' with
             | Eq -> a
             | Lt -> gcdn n1 (sub b' a') a
             | Gt -> gcdn n1 (sub a' b') b)
          | XO b0 -> gcdn n1 a b0
          | XH -> XH)
       | XO a0 ->
         (match b with
          | XI _ -> gcdn n1 a0 b
          | XO b0 -> XO (gcdn n1 a0 b0)
          | XH -> XH)
       | XH -> XH)

  (** val gcd : positive -> positive -> positive **)

  let gcd a b =
    gcdn (Coq__1.add (size_nat a) (size_nat b)) a b

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1 **)

  let rec iter_op op p a =
    match p with
    | XI p2 -> op a (iter_op op p2 (op a a))
    | XO p2 -> iter_op op p2 (op a a)
    | XH -> a

  (** val to_nat : positive -> nat **)

  let to_nat x =
    iter_op Coq__1.add x (S O)

  (** val of_succ_nat : nat -> positive **)

  let rec of_succ_nat = function
  | O -> XH
  | S x -> succ (of_succ_nat x)
 end

module Z =
 struct
  (** val double : z -> z **)

  let double = function
  | Z0 -> Z0
  | Zpos p -> Zpos (XO p)
  | Zneg p -> Zneg (XO p)

  (** val succ_double : z -> z **)

  let succ_double = function
  | Z0 -> Zpos XH
  | Zpos p -> Zpos (XI p)
  | Zneg p -> Zneg (Coq_Pos.pred_double p)

  (** val pred_double : z -> z **)

  let pred_double = function
  | Z0 -> Zneg XH
  | Zpos p -> Zpos (Coq_Pos.pred_double p)
  | Zneg p -> Zneg (XI p)

  (** val pos_sub : positive -> positive -> z **)

  let rec pos_sub x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double (pos_sub p q)
       | XO q -> succ_double (pos_sub p q)
       | XH -> Zpos (XO p))
    | XO p ->
      (match y with
       | XI q -> pred_double (pos_sub p q)
       | XO q -> double (pos_sub p q)
       | XH -> Zpos (Coq_Pos.pred_double p))
    | XH ->
      (match y with
       | XI q -> Zneg (XO q)
       | XO q -> Zneg (Coq_Pos.pred_double q)
       | XH -> Z0)

  (** val add : z -> z -> z **)

  let add x y =
    match x with
    | Z0 -> y
    | Zpos x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> Zpos (Coq_Pos.add x' y')
       | Zneg y' -> pos_sub x' y')
    | Zneg x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> pos_sub y' x'
       | Zneg y' -> Zneg (Coq_Pos.add x' y'))

  (** val opp : z -> z **)

  let opp = function
  | Z0 -> Z0
  | Zpos x0 -> Zneg x0
  | Zneg x0 -> Zpos x0

  (** val sub : z -> z -> z **)

  let sub m n0 =
    add m (opp n0)

  (** val mul : z -> z -> z **)

  let mul x y =
    match x with
    | Z0 -> Z0
    | Zpos x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zpos (Coq_Pos.mul x' y')
       | Zneg y' -> Zneg (Coq_Pos.mul x' y'))
    | Zneg x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zneg (Coq_Pos.mul x' y')
       | Zneg y' -> Zpos (Coq_Pos.mul x' y'))

  (** val compare : z -> z -> comparison **)

  let compare x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> Eq
             | Zpos _ -> Lt
             | Zneg _ -> Gt)
    | Zpos x' -> (match y with
                  | Zpos y' -> Coq_Pos.compare x' y'
                  | _ -> Gt)
    | Zneg x' ->
      (match y with
       | Zneg y' -> compOpp (Coq_Pos.compare x' y')
       | _ -> Lt)

  (** val leb : z -> z -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : z -> z -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val gtb : z -> z -> bool **)

  let gtb x y =
    match compare x y with
    | Gt -> true
    | _ -> false

  (** val eqb : z -> z -> bool **)

  let eqb x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> true
             | _ -> false)
    | Zpos p -> (match y with
                 | Zpos q -> Coq_Pos.eqb p q
                 | _ -> false)
    | Zneg p -> (match y with
                 | Zneg q -> Coq_Pos.eqb p q
                 | _ -> false)

  (** val max : z -> z -> z **)

  let max n0 m =
    match compare n0 m with
    | Lt -> m
    | _ -> n0

  (** val min : z -> z -> z **)

  let min n0 m =
    match compare n0 m with
    | Gt -> m
    | _ -> n0

  (** val abs : z -> z **)

  let abs = function
  | Zneg p -> Zpos p
  | x -> x

  (** val to_nat : z -> nat **)

  let to_nat = function
  | Zpos p -> Coq_Pos.to_nat p
  | _ -> O

  (** val of_nat : nat -> z **)

  let of_nat = function
  | O -> Z0
  | S n1 -> Zpos (Coq_Pos.of_succ_nat n1)

  (** val pos_div_eucl : positive -> z -> z * z **)

  let rec pos_div_eucl a b =
    match a with
    | XI a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = add (mul (Zpos (XO XH)) r) (Zpos XH) in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XO a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Zpos (XO XH)) r in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XH -> if leb (Zpos (XO XH)) b then (Z0, (Zpos XH)) else ((Zpos XH), Z0)

  (** val div_eucl : z -> z -> z * z **)

  let div_eucl a b =
    match a with
    | Z0 -> (Z0, Z0)
    | Zpos a' ->
      (match b with
       | Z0 -> (Z0, a)
       | Zpos _ -> pos_div_eucl a' b
       | Zneg b' ->
         let (q, r) = pos_div_eucl a' (Zpos b') in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (add b r))))
    | Zneg a' ->
      (match b with
       | Z0 -> (Z0, a)
       | Zpos _ ->
         let (q, r) = pos_div_eucl a' b in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (sub b r)))
       | Zneg b' -> let (q, r) = pos_div_eucl a' (Zpos b') in (q, (opp r)))

  (** val div : z -> z -> z **)

  let div a b =
    let (q, _) = div_eucl a b in q

  (** val modulo : z -> z -> z **)

  let modulo a b =
    let (_, r) = div_eucl a b in r

  (** val gcd : z -> z -> z **)

  let gcd a b =
    match a with
    | Z0 -> abs b
    | Zpos a0 ->
      (match b with
       | Z0 -> abs a
       | Zpos b0 -> Zpos (Coq_Pos.gcd a0 b0)
       | Zneg b0 -> Zpos (Coq_Pos.gcd a0 b0))
    | Zneg a0 ->
      (match b with
       | Z0 -> abs a
       | Zpos b0 -> Zpos (Coq_Pos.gcd a0 b0)
       | Zneg b0 -> Zpos (Coq_Pos.gcd a0 b0))
 end

(** val zeq_bool : z -> z -> bool **)

let zeq_bool x y =
  match Z.compare x y with
  | Eq -> true
  | _ -> false

(** val hd : 'a1 -> 'a1 list -> 'a1 **)

let hd default = function
| [] -> default
| x :: _ -> x

(** val tl : 'a1 list -> 'a1 list **)

let tl = function
| [] -> []
| _ :: m -> m

(** val nth : nat -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n0 l default =
  match n0 with
  | O -> (match l with
          | [] -> default
          | x :: _ -> x)
  | S m -> (match l with
            | [] -> default
            | _ :: t -> nth m t default)

(** val nth_error : 'a1 list -> nat -> 'a1 option **)

let rec nth_error l = function
| O -> (match l with
        | [] -> None
        | x :: _ -> Some x)
| S n1 -> (match l with
           | [] -> None
           | _ :: l0 -> nth_error l0 n1)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec combine l l' =
  match l with
  | [] -> []
  | x :: tl0 ->
    (match l' with
     | [] -> []
     | y :: tl' -> (x, y) :: (combine tl0 tl'))

(** val firstn : nat -> 'a1 list -> 'a1 list **)

let rec firstn n0 l =
  match n0 with
  | O -> []
  | S n1 -> (match l with
             | [] -> []
             | a :: l0 -> a :: (firstn n1 l0))

(** val skipn : nat -> 'a1 list -> 'a1 list **)

let rec skipn n0 l =
  match n0 with
  | O -> l
  | S n1 -> (match l with
             | [] -> []
             | _ :: l0 -> skipn n1 l0)

(** val seq : nat -> nat -> nat list **)

let rec seq start = function
| O -> []
| S len0 -> start :: (seq (S start) len0)

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

(** val p0 : 'a1 -> 'a1 pol **)

let p0 cO =
  Pc cO

(** val p1 : 'a1 -> 'a1 pol **)

let p1 cI =
  Pc cI

(** val peq : ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> bool **)

let rec peq ceqb0 p p' =
  match p with
  | Pc c -> (match p' with
             | Pc c' -> ceqb0 c c'
             | _ -> false)
  | Pinj (j, q) ->
    (match p' with
     | Pinj (j', q') ->
       (match Coq_Pos.compare j j' with
        | Eq -> peq ceqb0 q q'
        | _ -> false)
     | _ -> false)
  | PX (p2, i, q) ->
    (match p' with
     | PX (p'0, i', q') ->
       (match Coq_Pos.compare i i' with
        | Eq -> if peq ceqb0 p2 p'0 then peq ceqb0 q q' else false
        | _ -> false)
     | _ -> false)

(** val mkPinj : positive -> 'a1 pol -> 'a1 pol **)

let mkPinj j p = match p with
| Pc _ -> p
| Pinj (j', q) -> Pinj ((Coq_Pos.add j j'), q)
| PX (_, _, _) -> Pinj (j, p)

(** val mkPinj_pred : positive -> 'a1 pol -> 'a1 pol **)

let mkPinj_pred j p =
  match j with
  | XI j0 -> Pinj ((XO j0), p)
  | XO j0 -> Pinj ((Coq_Pos.pred_double j0), p)
  | XH -> p

(** val mkPX :
    'a1 -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol **)

let mkPX cO ceqb0 p i q =
  match p with
  | Pc c -> if ceqb0 c cO then mkPinj XH q else PX (p, i, q)
  | Pinj (_, _) -> PX (p, i, q)
  | PX (p', i', q') ->
    if peq ceqb0 q' (p0 cO)
    then PX (p', (Coq_Pos.add i' i), q)
    else PX (p, i, q)

(** val mkXi : 'a1 -> 'a1 -> positive -> 'a1 pol **)

let mkXi cO cI i =
  PX ((p1 cI), i, (p0 cO))

(** val mkX : 'a1 -> 'a1 -> 'a1 pol **)

let mkX cO cI =
  mkXi cO cI XH

(** val popp : ('a1 -> 'a1) -> 'a1 pol -> 'a1 pol **)

let rec popp copp = function
| Pc c -> Pc (copp c)
| Pinj (j, q) -> Pinj (j, (popp copp q))
| PX (p2, i, q) -> PX ((popp copp p2), i, (popp copp q))

(** val paddC : ('a1 -> 'a1 -> 'a1) -> 'a1 pol -> 'a1 -> 'a1 pol **)

let rec paddC cadd p c =
  match p with
  | Pc c1 -> Pc (cadd c1 c)
  | Pinj (j, q) -> Pinj (j, (paddC cadd q c))
  | PX (p2, i, q) -> PX (p2, i, (paddC cadd q c))

(** val psubC : ('a1 -> 'a1 -> 'a1) -> 'a1 pol -> 'a1 -> 'a1 pol **)

let rec psubC csub p c =
  match p with
  | Pc c1 -> Pc (csub c1 c)
  | Pinj (j, q) -> Pinj (j, (psubC csub q c))
  | PX (p2, i, q) -> PX (p2, i, (psubC csub q c))

(** val paddI :
    ('a1 -> 'a1 -> 'a1) -> ('a1 pol -> 'a1 pol -> 'a1 pol) -> 'a1 pol ->
    positive -> 'a1 pol -> 'a1 pol **)

let rec paddI cadd pop q j = function
| Pc c -> mkPinj j (paddC cadd q c)
| Pinj (j', q') ->
  (match Z.pos_sub j' j with
   | Z0 -> mkPinj j (pop q' q)
   | Zpos k -> mkPinj j (pop (Pinj (k, q')) q)
   | Zneg k -> mkPinj j' (paddI cadd pop q k q'))
| PX (p2, i, q') ->
  (match j with
   | XI j0 -> PX (p2, i, (paddI cadd pop q (XO j0) q'))
   | XO j0 -> PX (p2, i, (paddI cadd pop q (Coq_Pos.pred_double j0) q'))
   | XH -> PX (p2, i, (pop q' q)))

(** val psubI :
    ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1 pol -> 'a1 pol -> 'a1 pol) ->
    'a1 pol -> positive -> 'a1 pol -> 'a1 pol **)

let rec psubI cadd copp pop q j = function
| Pc c -> mkPinj j (paddC cadd (popp copp q) c)
| Pinj (j', q') ->
  (match Z.pos_sub j' j with
   | Z0 -> mkPinj j (pop q' q)
   | Zpos k -> mkPinj j (pop (Pinj (k, q')) q)
   | Zneg k -> mkPinj j' (psubI cadd copp pop q k q'))
| PX (p2, i, q') ->
  (match j with
   | XI j0 -> PX (p2, i, (psubI cadd copp pop q (XO j0) q'))
   | XO j0 -> PX (p2, i, (psubI cadd copp pop q (Coq_Pos.pred_double j0) q'))
   | XH -> PX (p2, i, (pop q' q)))

(** val paddX :
    'a1 -> ('a1 -> 'a1 -> bool) -> ('a1 pol -> 'a1 pol -> 'a1 pol) -> 'a1 pol
    -> positive -> 'a1 pol -> 'a1 pol **)

let rec paddX cO ceqb0 pop p' i' p = match p with
| Pc _ -> PX (p', i', p)
| Pinj (j, q') ->
  (match j with
   | XI j0 -> PX (p', i', (Pinj ((XO j0), q')))
   | XO j0 -> PX (p', i', (Pinj ((Coq_Pos.pred_double j0), q')))
   | XH -> PX (p', i', q'))
| PX (p2, i, q') ->
  (match Z.pos_sub i i' with
   | Z0 -> mkPX cO ceqb0 (pop p2 p') i q'
   | Zpos k -> mkPX cO ceqb0 (pop (PX (p2, k, (p0 cO))) p') i' q'
   | Zneg k -> mkPX cO ceqb0 (paddX cO ceqb0 pop p' k p2) i q')

(** val psubX :
    'a1 -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 pol -> 'a1 pol -> 'a1
    pol) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol **)

let rec psubX cO copp ceqb0 pop p' i' p = match p with
| Pc _ -> PX ((popp copp p'), i', p)
| Pinj (j, q') ->
  (match j with
   | XI j0 -> PX ((popp copp p'), i', (Pinj ((XO j0), q')))
   | XO j0 -> PX ((popp copp p'), i', (Pinj ((Coq_Pos.pred_double j0), q')))
   | XH -> PX ((popp copp p'), i', q'))
| PX (p2, i, q') ->
  (match Z.pos_sub i i' with
   | Z0 -> mkPX cO ceqb0 (pop p2 p') i q'
   | Zpos k -> mkPX cO ceqb0 (pop (PX (p2, k, (p0 cO))) p') i' q'
   | Zneg k -> mkPX cO ceqb0 (psubX cO copp ceqb0 pop p' k p2) i q')

(** val padd :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol
    -> 'a1 pol **)

let rec padd cO cadd ceqb0 p = function
| Pc c' -> paddC cadd p c'
| Pinj (j', q') -> paddI cadd (padd cO cadd ceqb0) q' j' p
| PX (p'0, i', q') ->
  (match p with
   | Pc c -> PX (p'0, i', (paddC cadd q' c))
   | Pinj (j, q) ->
     (match j with
      | XI j0 -> PX (p'0, i', (padd cO cadd ceqb0 (Pinj ((XO j0), q)) q'))
      | XO j0 ->
        PX (p'0, i',
          (padd cO cadd ceqb0 (Pinj ((Coq_Pos.pred_double j0), q)) q'))
      | XH -> PX (p'0, i', (padd cO cadd ceqb0 q q')))
   | PX (p2, i, q) ->
     (match Z.pos_sub i i' with
      | Z0 ->
        mkPX cO ceqb0 (padd cO cadd ceqb0 p2 p'0) i (padd cO cadd ceqb0 q q')
      | Zpos k ->
        mkPX cO ceqb0 (padd cO cadd ceqb0 (PX (p2, k, (p0 cO))) p'0) i'
          (padd cO cadd ceqb0 q q')
      | Zneg k ->
        mkPX cO ceqb0 (paddX cO ceqb0 (padd cO cadd ceqb0) p'0 k p2) i
          (padd cO cadd ceqb0 q q')))

(** val psub :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1
    -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol **)

let rec psub cO cadd csub copp ceqb0 p = function
| Pc c' -> psubC csub p c'
| Pinj (j', q') -> psubI cadd copp (psub cO cadd csub copp ceqb0) q' j' p
| PX (p'0, i', q') ->
  (match p with
   | Pc c -> PX ((popp copp p'0), i', (paddC cadd (popp copp q') c))
   | Pinj (j, q) ->
     (match j with
      | XI j0 ->
        PX ((popp copp p'0), i',
          (psub cO cadd csub copp ceqb0 (Pinj ((XO j0), q)) q'))
      | XO j0 ->
        PX ((popp copp p'0), i',
          (psub cO cadd csub copp ceqb0 (Pinj ((Coq_Pos.pred_double j0), q))
            q'))
      | XH -> PX ((popp copp p'0), i', (psub cO cadd csub copp ceqb0 q q')))
   | PX (p2, i, q) ->
     (match Z.pos_sub i i' with
      | Z0 ->
        mkPX cO ceqb0 (psub cO cadd csub copp ceqb0 p2 p'0) i
          (psub cO cadd csub copp ceqb0 q q')
      | Zpos k ->
        mkPX cO ceqb0
          (psub cO cadd csub copp ceqb0 (PX (p2, k, (p0 cO))) p'0) i'
          (psub cO cadd csub copp ceqb0 q q')
      | Zneg k ->
        mkPX cO ceqb0
          (psubX cO copp ceqb0 (psub cO cadd csub copp ceqb0) p'0 k p2) i
          (psub cO cadd csub copp ceqb0 q q')))

(** val pmulC_aux :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 ->
    'a1 pol **)

let rec pmulC_aux cO cmul ceqb0 p c =
  match p with
  | Pc c' -> Pc (cmul c' c)
  | Pinj (j, q) -> mkPinj j (pmulC_aux cO cmul ceqb0 q c)
  | PX (p2, i, q) ->
    mkPX cO ceqb0 (pmulC_aux cO cmul ceqb0 p2 c) i
      (pmulC_aux cO cmul ceqb0 q c)

(** val pmulC :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol ->
    'a1 -> 'a1 pol **)

let pmulC cO cI cmul ceqb0 p c =
  if ceqb0 c cO
  then p0 cO
  else if ceqb0 c cI then p else pmulC_aux cO cmul ceqb0 p c

(** val pmulI :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> ('a1 pol ->
    'a1 pol -> 'a1 pol) -> 'a1 pol -> positive -> 'a1 pol -> 'a1 pol **)

let rec pmulI cO cI cmul ceqb0 pmul0 q j = function
| Pc c -> mkPinj j (pmulC cO cI cmul ceqb0 q c)
| Pinj (j', q') ->
  (match Z.pos_sub j' j with
   | Z0 -> mkPinj j (pmul0 q' q)
   | Zpos k -> mkPinj j (pmul0 (Pinj (k, q')) q)
   | Zneg k -> mkPinj j' (pmulI cO cI cmul ceqb0 pmul0 q k q'))
| PX (p', i', q') ->
  (match j with
   | XI j' ->
     mkPX cO ceqb0 (pmulI cO cI cmul ceqb0 pmul0 q j p') i'
       (pmulI cO cI cmul ceqb0 pmul0 q (XO j') q')
   | XO j' ->
     mkPX cO ceqb0 (pmulI cO cI cmul ceqb0 pmul0 q j p') i'
       (pmulI cO cI cmul ceqb0 pmul0 q (Coq_Pos.pred_double j') q')
   | XH ->
     mkPX cO ceqb0 (pmulI cO cI cmul ceqb0 pmul0 q XH p') i' (pmul0 q' q))

(** val pmul :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol **)

let rec pmul cO cI cadd cmul ceqb0 p p'' = match p'' with
| Pc c -> pmulC cO cI cmul ceqb0 p c
| Pinj (j', q') -> pmulI cO cI cmul ceqb0 (pmul cO cI cadd cmul ceqb0) q' j' p
| PX (p', i', q') ->
  (match p with
   | Pc c -> pmulC cO cI cmul ceqb0 p'' c
   | Pinj (j, q) ->
     let qQ' =
       match j with
       | XI j0 -> pmul cO cI cadd cmul ceqb0 (Pinj ((XO j0), q)) q'
       | XO j0 ->
         pmul cO cI cadd cmul ceqb0 (Pinj ((Coq_Pos.pred_double j0), q)) q'
       | XH -> pmul cO cI cadd cmul ceqb0 q q'
     in
     mkPX cO ceqb0 (pmul cO cI cadd cmul ceqb0 p p') i' qQ'
   | PX (p2, i, q) ->
     let qQ' = pmul cO cI cadd cmul ceqb0 q q' in
     let pQ' = pmulI cO cI cmul ceqb0 (pmul cO cI cadd cmul ceqb0) q' XH p2 in
     let qP' = pmul cO cI cadd cmul ceqb0 (mkPinj XH q) p' in
     let pP' = pmul cO cI cadd cmul ceqb0 p2 p' in
     padd cO cadd ceqb0
       (mkPX cO ceqb0 (padd cO cadd ceqb0 (mkPX cO ceqb0 pP' i (p0 cO)) qP')
         i' (p0 cO)) (mkPX cO ceqb0 pQ' i qQ'))

(** val psquare :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> 'a1 pol -> 'a1 pol **)

let rec psquare cO cI cadd cmul ceqb0 = function
| Pc c -> Pc (cmul c c)
| Pinj (j, q) -> Pinj (j, (psquare cO cI cadd cmul ceqb0 q))
| PX (p2, i, q) ->
  let twoPQ =
    pmul cO cI cadd cmul ceqb0 p2
      (mkPinj XH (pmulC cO cI cmul ceqb0 q (cadd cI cI)))
  in
  let q2 = psquare cO cI cadd cmul ceqb0 q in
  let p3 = psquare cO cI cadd cmul ceqb0 p2 in
  mkPX cO ceqb0 (padd cO cadd ceqb0 (mkPX cO ceqb0 p3 i (p0 cO)) twoPQ) i q2

(** val mk_X : 'a1 -> 'a1 -> positive -> 'a1 pol **)

let mk_X cO cI j =
  mkPinj_pred j (mkX cO cI)

(** val ppow_pos :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> ('a1 pol -> 'a1 pol) -> 'a1 pol -> 'a1 pol -> positive -> 'a1
    pol **)

let rec ppow_pos cO cI cadd cmul ceqb0 subst_l res p = function
| XI p3 ->
  subst_l
    (pmul cO cI cadd cmul ceqb0
      (ppow_pos cO cI cadd cmul ceqb0 subst_l
        (ppow_pos cO cI cadd cmul ceqb0 subst_l res p p3) p p3) p)
| XO p3 ->
  ppow_pos cO cI cadd cmul ceqb0 subst_l
    (ppow_pos cO cI cadd cmul ceqb0 subst_l res p p3) p p3
| XH -> subst_l (pmul cO cI cadd cmul ceqb0 res p)

(** val ppow_N :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> ('a1 pol -> 'a1 pol) -> 'a1 pol -> n -> 'a1 pol **)

let ppow_N cO cI cadd cmul ceqb0 subst_l p = function
| N0 -> p1 cI
| Npos p2 -> ppow_pos cO cI cadd cmul ceqb0 subst_l (p1 cI) p p2

(** val norm_aux :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> 'a1) -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pExpr -> 'a1 pol **)

let rec norm_aux cO cI cadd cmul csub copp ceqb0 = function
| PEc c -> Pc c
| PEX j -> mk_X cO cI j
| PEadd (pe1, pe2) ->
  (match pe1 with
   | PEopp pe3 ->
     psub cO cadd csub copp ceqb0
       (norm_aux cO cI cadd cmul csub copp ceqb0 pe2)
       (norm_aux cO cI cadd cmul csub copp ceqb0 pe3)
   | _ ->
     (match pe2 with
      | PEopp pe3 ->
        psub cO cadd csub copp ceqb0
          (norm_aux cO cI cadd cmul csub copp ceqb0 pe1)
          (norm_aux cO cI cadd cmul csub copp ceqb0 pe3)
      | _ ->
        padd cO cadd ceqb0 (norm_aux cO cI cadd cmul csub copp ceqb0 pe1)
          (norm_aux cO cI cadd cmul csub copp ceqb0 pe2)))
| PEsub (pe1, pe2) ->
  psub cO cadd csub copp ceqb0 (norm_aux cO cI cadd cmul csub copp ceqb0 pe1)
    (norm_aux cO cI cadd cmul csub copp ceqb0 pe2)
| PEmul (pe1, pe2) ->
  pmul cO cI cadd cmul ceqb0 (norm_aux cO cI cadd cmul csub copp ceqb0 pe1)
    (norm_aux cO cI cadd cmul csub copp ceqb0 pe2)
| PEopp pe1 -> popp copp (norm_aux cO cI cadd cmul csub copp ceqb0 pe1)
| PEpow (pe1, n0) ->
  ppow_N cO cI cadd cmul ceqb0 (fun p -> p)
    (norm_aux cO cI cadd cmul csub copp ceqb0 pe1) n0

(** val cneqb : ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 -> bool **)

let cneqb ceqb0 x y =
  negb (ceqb0 x y)

(** val cltb :
    ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1 -> 'a1 -> bool **)

let cltb ceqb0 cleb x y =
  (&&) (cleb x y) (cneqb ceqb0 x y)

type 'c polC = 'c pol

type op1 =
| Equal
| NonEqual
| Strict
| NonStrict

type 'c nFormula = 'c polC * op1

(** val opMult : op1 -> op1 -> op1 option **)

let opMult o o' =
  match o with
  | Equal -> Some Equal
  | NonEqual ->
    (match o' with
     | Equal -> Some Equal
     | NonEqual -> Some NonEqual
     | _ -> None)
  | Strict -> (match o' with
               | NonEqual -> None
               | _ -> Some o')
  | NonStrict ->
    (match o' with
     | Equal -> Some Equal
     | NonEqual -> None
     | _ -> Some NonStrict)

(** val opAdd : op1 -> op1 -> op1 option **)

let opAdd o o' =
  match o with
  | Equal -> Some o'
  | NonEqual -> (match o' with
                 | Equal -> Some NonEqual
                 | _ -> None)
  | Strict -> (match o' with
               | NonEqual -> None
               | _ -> Some Strict)
  | NonStrict ->
    (match o' with
     | Equal -> Some NonStrict
     | NonEqual -> None
     | x -> Some x)

type 'c psatz =
| PsatzLet of 'c psatz * 'c psatz
| PsatzIn of nat
| PsatzSquare of 'c polC
| PsatzMulC of 'c polC * 'c psatz
| PsatzMulE of 'c psatz * 'c psatz
| PsatzAdd of 'c psatz * 'c psatz
| PsatzC of 'c
| PsatzZ

(** val map_option : ('a1 -> 'a2 option) -> 'a1 option -> 'a2 option **)

let map_option f = function
| Some x -> f x
| None -> None

(** val map_option2 :
    ('a1 -> 'a2 -> 'a3 option) -> 'a1 option -> 'a2 option -> 'a3 option **)

let map_option2 f o o' =
  match o with
  | Some x -> (match o' with
               | Some x' -> f x x'
               | None -> None)
  | None -> None

(** val pexpr_times_nformula :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> 'a1 polC -> 'a1 nFormula -> 'a1 nFormula option **)

let pexpr_times_nformula cO cI cplus ctimes ceqb0 e = function
| (ef, o) ->
  (match o with
   | Equal -> Some ((pmul cO cI cplus ctimes ceqb0 e ef), Equal)
   | _ -> None)

(** val nformula_times_nformula :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> 'a1 nFormula -> 'a1 nFormula -> 'a1 nFormula option **)

let nformula_times_nformula cO cI cplus ctimes ceqb0 f1 f2 =
  let (e1, o1) = f1 in
  let (e2, o2) = f2 in
  map_option (fun x -> Some ((pmul cO cI cplus ctimes ceqb0 e1 e2), x))
    (opMult o1 o2)

(** val nformula_plus_nformula :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula -> 'a1
    nFormula -> 'a1 nFormula option **)

let nformula_plus_nformula cO cplus ceqb0 f1 f2 =
  let (e1, o1) = f1 in
  let (e2, o2) = f2 in
  map_option (fun x -> Some ((padd cO cplus ceqb0 e1 e2), x)) (opAdd o1 o2)

(** val eval_Psatz :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula list -> 'a1 psatz -> 'a1
    nFormula option **)

let rec eval_Psatz cO cI cplus ctimes ceqb0 cleb l = function
| PsatzLet (p2, p3) ->
  (match eval_Psatz cO cI cplus ctimes ceqb0 cleb l p2 with
   | Some f -> eval_Psatz cO cI cplus ctimes ceqb0 cleb (f :: l) p3
   | None -> None)
| PsatzIn n0 -> Some (nth n0 l ((Pc cO), Equal))
| PsatzSquare e0 -> Some ((psquare cO cI cplus ctimes ceqb0 e0), NonStrict)
| PsatzMulC (re, e0) ->
  map_option (pexpr_times_nformula cO cI cplus ctimes ceqb0 re)
    (eval_Psatz cO cI cplus ctimes ceqb0 cleb l e0)
| PsatzMulE (f1, f2) ->
  map_option2 (nformula_times_nformula cO cI cplus ctimes ceqb0)
    (eval_Psatz cO cI cplus ctimes ceqb0 cleb l f1)
    (eval_Psatz cO cI cplus ctimes ceqb0 cleb l f2)
| PsatzAdd (f1, f2) ->
  map_option2 (nformula_plus_nformula cO cplus ceqb0)
    (eval_Psatz cO cI cplus ctimes ceqb0 cleb l f1)
    (eval_Psatz cO cI cplus ctimes ceqb0 cleb l f2)
| PsatzC c -> if cltb ceqb0 cleb cO c then Some ((Pc c), Strict) else None
| PsatzZ -> Some ((Pc cO), Equal)

(** val check_inconsistent :
    'a1 -> ('a1 -> 'a1 -> bool) -> ('a1 -> 'a1 -> bool) -> 'a1 nFormula ->
    bool **)

let check_inconsistent cO ceqb0 cleb = function
| (e, op) ->
  (match e with
   | Pc c ->
     (match op with
      | Equal -> cneqb ceqb0 c cO
      | NonEqual -> ceqb0 c cO
      | Strict -> cleb c cO
      | NonStrict -> cltb ceqb0 cleb c cO)
   | _ -> false)

type op2 =
| OpEq
| OpNEq
| OpLe
| OpGe
| OpLt
| OpGt

type 't formula = { flhs : 't pExpr; fop : op2; frhs : 't pExpr }

(** val norm :
    'a1 -> 'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1
    -> 'a1) -> ('a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pExpr -> 'a1 pol **)

let norm =
  norm_aux

(** val psub0 :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1) -> ('a1
    -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol -> 'a1 pol **)

let psub0 =
  psub

(** val padd0 :
    'a1 -> ('a1 -> 'a1 -> 'a1) -> ('a1 -> 'a1 -> bool) -> 'a1 pol -> 'a1 pol
    -> 'a1 pol **)

let padd0 =
  padd

(** val popp0 : ('a1 -> 'a1) -> 'a1 pol -> 'a1 pol **)

let popp0 =
  popp

type zWitness = z psatz

(** val psub1 : z pol -> z pol -> z pol **)

let psub1 =
  psub0 Z0 Z.add Z.sub Z.opp zeq_bool

(** val popp1 : z pol -> z pol **)

let popp1 =
  popp0 Z.opp

(** val padd1 : z pol -> z pol -> z pol **)

let padd1 =
  padd0 Z0 Z.add zeq_bool

(** val normZ : z pExpr -> z pol **)

let normZ =
  norm Z0 (Zpos XH) Z.add Z.mul Z.sub Z.opp zeq_bool

(** val zunsat : z nFormula -> bool **)

let zunsat =
  check_inconsistent Z0 zeq_bool Z.leb

(** val xnnormalise : z formula -> z nFormula **)

let xnnormalise t =
  let { flhs = lhs; fop = o; frhs = rhs } = t in
  let lhs0 = normZ lhs in
  let rhs0 = normZ rhs in
  (match o with
   | OpEq -> ((psub1 rhs0 lhs0), Equal)
   | OpNEq -> ((psub1 rhs0 lhs0), NonEqual)
   | OpLe -> ((psub1 rhs0 lhs0), NonStrict)
   | OpGe -> ((psub1 lhs0 rhs0), NonStrict)
   | OpLt -> ((psub1 rhs0 lhs0), Strict)
   | OpGt -> ((psub1 lhs0 rhs0), Strict))

(** val ceiling : z -> z -> z **)

let ceiling a b =
  let (q, r) = Z.div_eucl a b in
  (match r with
   | Z0 -> q
   | _ -> Z.add q (Zpos XH))

type zArithProof =
| DoneProof
| RatProof of zWitness * zArithProof
| CutProof of zWitness * zArithProof
| SplitProof of z polC * zArithProof * zArithProof
| EnumProof of zWitness * zWitness * zArithProof list
| ExProof of positive * zArithProof

(** val zgcdM : z -> z -> z **)

let zgcdM x y =
  Z.max (Z.gcd x y) (Zpos XH)

(** val zgcd_pol : z polC -> z * z **)

let rec zgcd_pol = function
| Pc c -> (Z0, c)
| Pinj (_, p2) -> zgcd_pol p2
| PX (p2, _, q) ->
  let (g1, c1) = zgcd_pol p2 in
  let (g2, c2) = zgcd_pol q in ((zgcdM (zgcdM g1 c1) g2), c2)

(** val zdiv_pol : z polC -> z -> z polC **)

let rec zdiv_pol p x =
  match p with
  | Pc c -> Pc (Z.div c x)
  | Pinj (j, p2) -> Pinj (j, (zdiv_pol p2 x))
  | PX (p2, j, q) -> PX ((zdiv_pol p2 x), j, (zdiv_pol q x))

(** val makeCuttingPlane : z polC -> z polC * z **)

let makeCuttingPlane p =
  let (g, c) = zgcd_pol p in
  if Z.gtb g Z0
  then ((zdiv_pol (psubC Z.sub p c) g), (Z.opp (ceiling (Z.opp c) g)))
  else (p, Z0)

(** val genCuttingPlane : z nFormula -> ((z polC * z) * op1) option **)

let genCuttingPlane = function
| (e, op) ->
  (match op with
   | Equal ->
     let (g, c) = zgcd_pol e in
     if (&&) (Z.gtb g Z0)
          ((&&) (negb (zeq_bool c Z0)) (negb (zeq_bool (Z.gcd g c) g)))
     then None
     else Some ((makeCuttingPlane e), Equal)
   | NonEqual -> Some ((e, Z0), op)
   | Strict -> Some ((makeCuttingPlane (psubC Z.sub e (Zpos XH))), NonStrict)
   | NonStrict -> Some ((makeCuttingPlane e), NonStrict))

(** val nformula_of_cutting_plane : ((z polC * z) * op1) -> z nFormula **)

let nformula_of_cutting_plane = function
| (e_z, o) -> let (e, z0) = e_z in ((padd1 e (Pc z0)), o)

(** val is_pol_Z0 : z polC -> bool **)

let is_pol_Z0 = function
| Pc z0 -> (match z0 with
            | Z0 -> true
            | _ -> false)
| _ -> false

(** val eval_Psatz0 : z nFormula list -> zWitness -> z nFormula option **)

let eval_Psatz0 =
  eval_Psatz Z0 (Zpos XH) Z.add Z.mul zeq_bool Z.leb

(** val valid_cut_sign : op1 -> bool **)

let valid_cut_sign = function
| Equal -> true
| NonStrict -> true
| _ -> false

(** val bound_var : positive -> z formula **)

let bound_var v0 =
  { flhs = (PEX v0); fop = OpGe; frhs = (PEc Z0) }

(** val mk_eq_pos : positive -> positive -> positive -> z formula **)

let mk_eq_pos x y t =
  { flhs = (PEX x); fop = OpEq; frhs = (PEsub ((PEX y), (PEX t))) }

(** val max_var : positive -> z pol -> positive **)

let rec max_var jmp = function
| Pc _ -> jmp
| Pinj (j, p2) -> max_var (Coq_Pos.add j jmp) p2
| PX (p2, _, q) -> Coq_Pos.max (max_var jmp p2) (max_var (Coq_Pos.succ jmp) q)

(** val max_var_nformulae : z nFormula list -> positive **)

let max_var_nformulae l =
  fold_left (fun acc f -> Coq_Pos.max acc (max_var XH (fst f))) l XH

(** val zChecker : z nFormula list -> zArithProof -> bool **)

let rec zChecker l = function
| DoneProof -> false
| RatProof (w, pf0) ->
  (match eval_Psatz0 l w with
   | Some f -> if zunsat f then true else zChecker (f :: l) pf0
   | None -> false)
| CutProof (w, pf0) ->
  (match eval_Psatz0 l w with
   | Some f ->
     (match genCuttingPlane f with
      | Some cp -> zChecker ((nformula_of_cutting_plane cp) :: l) pf0
      | None -> true)
   | None -> false)
| SplitProof (p, pf1, pf2) ->
  (match genCuttingPlane (p, NonStrict) with
   | Some cp1 ->
     (match genCuttingPlane ((popp1 p), NonStrict) with
      | Some cp2 ->
        (&&) (zChecker ((nformula_of_cutting_plane cp1) :: l) pf1)
          (zChecker ((nformula_of_cutting_plane cp2) :: l) pf2)
      | None -> false)
   | None -> false)
| EnumProof (w1, w2, pf0) ->
  (match eval_Psatz0 l w1 with
   | Some f1 ->
     (match eval_Psatz0 l w2 with
      | Some f2 ->
        (match genCuttingPlane f1 with
         | Some p ->
           let (p2, op5) = p in
           let (e1, z1) = p2 in
           (match genCuttingPlane f2 with
            | Some p3 ->
              let (p4, op6) = p3 in
              let (e2, z2) = p4 in
              if (&&) ((&&) (valid_cut_sign op5) (valid_cut_sign op6))
                   (is_pol_Z0 (padd1 e1 e2))
              then let rec label pfs lb ub =
                     match pfs with
                     | [] -> Z.gtb lb ub
                     | pf1 :: rsr ->
                       (&&) (zChecker (((psub1 e1 (Pc lb)), Equal) :: l) pf1)
                         (label rsr (Z.add lb (Zpos XH)) ub)
                   in label pf0 (Z.opp z1) z2
              else false
            | None -> true)
         | None -> true)
      | None -> false)
   | None -> false)
| ExProof (x, prf) ->
  let fr = max_var_nformulae l in
  if Coq_Pos.leb x fr
  then let z0 = Coq_Pos.succ fr in
       let t = Coq_Pos.succ z0 in
       let nfx = xnnormalise (mk_eq_pos x z0 t) in
       let posz = xnnormalise (bound_var z0) in
       let post = xnnormalise (bound_var t) in
       zChecker (nfx :: (posz :: (post :: l))) prf
  else false

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

(** val null : exp **)

let null =
  Lit (Num Z0)

(** val guard : bexp -> exp -> exp **)

let guard p e =
  If (p, e, null)

(** val ieqb : iexp -> iexp -> bool **)

let rec ieqb a b =
  match a with
  | IC x -> (match b with
             | IC y -> Z.eqb x y
             | _ -> false)
  | IV x -> (match b with
             | IV y -> Coq_Pos.eqb x y
             | _ -> false)
  | IAdd (a0, b0) ->
    (match b with
     | IAdd (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | ISub (a0, b0) ->
    (match b with
     | ISub (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | IMul (a0, b0) ->
    (match b with
     | IMul (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | IDiv (a0, b0) ->
    (match b with
     | IDiv (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | IMod (a0, b0) ->
    (match b with
     | IMod (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | IMin (a0, b0) ->
    (match b with
     | IMin (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)
  | IMax (a0, b0) ->
    (match b with
     | IMax (c, d) -> (&&) (ieqb a0 c) (ieqb b0 d)
     | _ -> false)

(** val beqb : bexp -> bexp -> bool **)

let rec beqb p q =
  match p with
  | BTrue -> (match q with
              | BTrue -> true
              | _ -> false)
  | BLe (a, b) ->
    (match q with
     | BLe (c, d) -> (&&) (ieqb a c) (ieqb b d)
     | _ -> false)
  | BLt (a, b) ->
    (match q with
     | BLt (c, d) -> (&&) (ieqb a c) (ieqb b d)
     | _ -> false)
  | BEq (a, b) ->
    (match q with
     | BEq (c, d) -> (&&) (ieqb a c) (ieqb b d)
     | _ -> false)
  | BAnd (a, b) ->
    (match q with
     | BAnd (c, d) -> (&&) (beqb a c) (beqb b d)
     | _ -> false)
  | BOr (a, b) ->
    (match q with
     | BOr (c, d) -> (&&) (beqb a c) (beqb b d)
     | _ -> false)
  | BNot a -> (match q with
               | BNot b -> beqb a b
               | _ -> false)

(** val ceqb : const -> const -> bool **)

let ceqb c d =
  match c with
  | Num x -> (match d with
              | Num y -> Z.eqb x y
              | UnitOf _ -> false)
  | UnitOf o -> (match d with
                 | Num _ -> false
                 | UnitOf p -> Coq_Pos.eqb o p)

(** val iin : id -> iexp -> bool **)

let rec iin x = function
| IC _ -> false
| IV y -> Coq_Pos.eqb x y
| IAdd (a0, b) -> (||) (iin x a0) (iin x b)
| ISub (a0, b) -> (||) (iin x a0) (iin x b)
| IMul (a0, b) -> (||) (iin x a0) (iin x b)
| IDiv (a0, b) -> (||) (iin x a0) (iin x b)
| IMod (a0, b) -> (||) (iin x a0) (iin x b)
| IMin (a0, b) -> (||) (iin x a0) (iin x b)
| IMax (a0, b) -> (||) (iin x a0) (iin x b)

(** val bin : id -> bexp -> bool **)

let rec bin x = function
| BTrue -> false
| BLe (a, b) -> (||) (iin x a) (iin x b)
| BLt (a, b) -> (||) (iin x a) (iin x b)
| BEq (a, b) -> (||) (iin x a) (iin x b)
| BAnd (p2, q) -> (||) (bin x p2) (bin x q)
| BOr (p2, q) -> (||) (bin x p2) (bin x q)
| BNot p2 -> bin x p2

(** val rin : id -> (id * iexp) list -> iexp list -> bool **)

let rec rin x xs ts =
  match xs with
  | [] -> existsb (iin x) ts
  | p :: xs0 ->
    let (y, n0) = p in
    (||) (iin x n0) ((&&) (negb (Coq_Pos.eqb x y)) (rin x xs0 ts))

(** val vin : id -> view -> bool **)

let vin x = function
| Transpose -> false
| Flatten (a, b) -> (||) (iin x a) (iin x b)
| Split (a, b) -> (||) (iin x a) (iin x b)
| TruncR a -> iin x a
| TruncL a -> iin x a
| PadR (a, b) -> (||) (iin x a) (iin x b)
| PadL a -> iin x a
| Reindex (xs, ts) -> rin x xs ts

(** val ein : id -> exp -> bool **)

let rec ein x = function
| Gen (y, n0, e0) ->
  (||) (iin x n0) ((&&) (negb (Coq_Pos.eqb x y)) (ein x e0))
| Fold (_, y, n0, e0) ->
  (||) (iin x n0) ((&&) (negb (Coq_Pos.eqb x y)) (ein x e0))
| If (p, a, b) -> (||) (bin x p) ((||) (ein x a) (ein x b))
| Let (_, a, b) -> (||) (ein x a) (ein x b)
| Get (e0, i) -> (||) (iin x i) (ein x e0)
| Op1 (_, a) -> ein x a
| Op2 (_, a, b) -> (||) (ein x a) (ein x b)
| Op3 (_, a, b, c) -> (||) (ein x a) ((||) (ein x b) (ein x c))
| Cat (n0, a, b) -> (||) (iin x n0) ((||) (ein x a) (ein x b))
| View (v0, e0) -> (||) (vin x v0) (ein x e0)
| Mark (_, e0) -> ein x e0
| Bind (y, a, b) -> (||) (ein x a) ((&&) (negb (Coq_Pos.eqb x y)) (ein x b))
| Iter (_, y, n0, a, b) ->
  (||) (iin x n0) ((||) (ein x a) ((&&) (negb (Coq_Pos.eqb x y)) (ein x b)))
| _ -> false

(** val tin : id -> exp -> bool **)

let rec tin t = function
| Lit _ -> false
| Var u -> Coq_Pos.eqb t u
| Gen (_, _, e0) -> tin t e0
| Fold (_, _, _, e0) -> tin t e0
| If (_, a, b) -> (||) (tin t a) (tin t b)
| Let (u, a, b) -> (||) (tin t a) ((&&) (negb (Coq_Pos.eqb t u)) (tin t b))
| Get (e0, _) -> tin t e0
| Op1 (_, e0) -> tin t e0
| Op2 (_, a, b) -> (||) (tin t a) (tin t b)
| Op3 (_, a, b, c) -> (||) (tin t a) ((||) (tin t b) (tin t c))
| Cat (_, a, b) -> (||) (tin t a) (tin t b)
| View (_, e0) -> tin t e0
| Mark (_, e0) -> tin t e0
| Bind (_, a, b) -> (||) (tin t a) (tin t b)
| Iter (u, _, _, a, b) ->
  (||) (tin t a) ((&&) (negb (Coq_Pos.eqb t u)) (tin t b))

(** val upd : (id -> 'a1) -> id -> 'a1 -> id -> 'a1 **)

let upd r x v0 y =
  if Coq_Pos.eqb x y then v0 else r y

(** val iev : (id -> z) -> iexp -> z **)

let rec iev r = function
| IC z0 -> z0
| IV x -> r x
| IAdd (a0, b) -> Z.add (iev r a0) (iev r b)
| ISub (a0, b) -> Z.sub (iev r a0) (iev r b)
| IMul (a0, b) -> Z.mul (iev r a0) (iev r b)
| IDiv (a0, b) -> Z.div (iev r a0) (iev r b)
| IMod (a0, b) -> Z.modulo (iev r a0) (iev r b)
| IMin (a0, b) -> Z.min (iev r a0) (iev r b)
| IMax (a0, b) -> Z.max (iev r a0) (iev r b)

(** val bev : (id -> z) -> bexp -> bool **)

let rec bev r = function
| BTrue -> true
| BLe (a, b) -> Z.leb (iev r a) (iev r b)
| BLt (a, b) -> Z.ltb (iev r a) (iev r b)
| BEq (a, b) -> Z.eqb (iev r a) (iev r b)
| BAnd (p2, q) -> (&&) (bev r p2) (bev r q)
| BOr (p2, q) -> (||) (bev r p2) (bev r q)
| BNot p2 -> negb (bev r p2)

(** val within : z -> z -> bool **)

let within i n0 =
  (&&) (Z.leb Z0 i) (Z.ltb i n0)

(** val enter :
    (id -> z) -> (id * iexp) list -> z list -> ((id -> z) * z list) option **)

let rec enter r xs idx =
  match xs with
  | [] -> Some (r, idx)
  | p :: xs0 ->
    let (x, n0) = p in
    (match idx with
     | [] -> None
     | i :: is ->
       if within i (iev r n0) then enter (upd r x i) xs0 is else None)

(** val seen : (id -> z) -> view -> z list -> z list option **)

let seen r v0 idx =
  match v0 with
  | Transpose ->
    (match idx with
     | [] -> None
     | i :: l -> (match l with
                  | [] -> None
                  | j :: is -> Some (j :: (i :: is))))
  | Flatten (n0, m) ->
    (match idx with
     | [] -> None
     | i :: is ->
       if within i (Z.mul (iev r n0) (iev r m))
       then Some ((Z.div i (iev r m)) :: ((Z.modulo i (iev r m)) :: is))
       else None)
  | Split (q, k) ->
    (match idx with
     | [] -> None
     | i :: l ->
       (match l with
        | [] -> None
        | j :: is ->
          if (&&) (within i (iev r q)) (within j (iev r k))
          then Some ((Z.add (Z.mul i (iev r k)) j) :: is)
          else None))
  | TruncR n0 ->
    (match idx with
     | [] -> None
     | i :: is -> if Z.ltb i (iev r n0) then Some (i :: is) else None)
  | TruncL k ->
    (match idx with
     | [] -> None
     | i :: is ->
       if Z.leb Z0 i then Some ((Z.add i (iev r k)) :: is) else None)
  | PadR (n0, _) ->
    (match idx with
     | [] -> None
     | i :: is -> if Z.ltb i (iev r n0) then Some (i :: is) else None)
  | PadL k ->
    (match idx with
     | [] -> None
     | i :: is ->
       if Z.leb (iev r k) i then Some ((Z.sub i (iev r k)) :: is) else None)
  | Reindex (xs, ts) ->
    (match enter r xs idx with
     | Some p -> let (q, is) = p in Some (app (map (iev q) ts) is)
     | None -> None)

type algebra = { lit : (const -> __); op0 : (id -> __ -> __);
                 op3 : (id -> __ -> __ -> __);
                 op4 : (id -> __ -> __ -> __ -> __); to_index : (__ -> z) }

type v = __

(** val null0 : algebra -> v **)

let null0 s =
  s.lit (Num Z0)

(** val foldn : algebra -> id -> nat -> (z -> v) -> v **)

let rec foldn s o n0 f =
  match n0 with
  | O -> s.lit (UnitOf o)
  | S m -> s.op3 o (foldn s o m f) (f (Z.of_nat m))

(** val foldz : algebra -> id -> z -> (z -> v) -> v **)

let foldz s o n0 f =
  foldn s o (Z.to_nat n0) f

type ten = z list -> v

(** val itern : algebra -> nat -> ten -> (z -> ten -> ten) -> ten **)

let rec itern s n0 a f =
  match n0 with
  | O -> a
  | S m -> f (Z.of_nat m) (itern s m a f)

(** val den : algebra -> (id -> z) -> (id -> ten) -> exp -> ten **)

let rec den s r s0 = function
| Lit c -> (fun _ -> s.lit c)
| Var t -> s0 t
| Gen (x, n0, e0) ->
  (fun idx ->
    match idx with
    | [] -> null0 s
    | i :: is ->
      if within i (iev r n0) then den s (upd r x i) s0 e0 is else null0 s)
| Fold (o, x, n0, e0) ->
  (fun idx -> foldz s o (iev r n0) (fun i -> den s (upd r x i) s0 e0 idx))
| If (p, a, b) ->
  (fun idx -> if bev r p then den s r s0 a idx else den s r s0 b idx)
| Let (t, a, b) -> den s r (upd s0 t (den s r s0 a)) b
| Get (e0, i) -> (fun idx -> den s r s0 e0 ((iev r i) :: idx))
| Op1 (o, a) -> (fun idx -> s.op0 o (den s r s0 a idx))
| Op2 (o, a, b) -> (fun idx -> s.op3 o (den s r s0 a idx) (den s r s0 b idx))
| Op3 (o, a, b, c) ->
  (fun idx ->
    s.op4 o (den s r s0 a idx) (den s r s0 b idx) (den s r s0 c idx))
| Cat (n0, a, b) ->
  (fun idx ->
    match idx with
    | [] -> null0 s
    | i :: is ->
      if Z.ltb i (iev r n0)
      then den s r s0 a (i :: is)
      else den s r s0 b ((Z.sub i (iev r n0)) :: is))
| View (v0, e0) ->
  (fun idx ->
    match seen r v0 idx with
    | Some j -> den s r s0 e0 j
    | None -> null0 s)
| Mark (_, e0) -> den s r s0 e0
| Bind (x, a, b) -> den s (upd r x (s.to_index (den s r s0 a []))) s0 b
| Iter (t, x, n0, a, b) ->
  itern s (Z.to_nat (iev r n0)) (den s r s0 a) (fun i v0 ->
    den s (upd r x i) (upd s0 t v0) b)

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

(** val reassociating : law -> bool **)

let reassociating = function
| Assoc _ -> true
| Comm _ -> true
| DistrL (_, _) -> true
| _ -> false

(** val reassociates : laws -> bool **)

let reassociates l =
  existsb reassociating l

type facts = bexp list

(** val bind : 'a1 option -> ('a1 -> 'a2 option) -> 'a2 option **)

let bind o f =
  match o with
  | Some a -> f a
  | None -> None

(** val only : bool -> 'a1 option -> 'a1 option **)

let only b a =
  if b then a else None

(** val isub : id -> iexp -> iexp -> iexp **)

let rec isub x v0 = function
| IC z0 -> IC z0
| IV y -> if Coq_Pos.eqb x y then v0 else IV y
| IAdd (a0, b) -> IAdd ((isub x v0 a0), (isub x v0 b))
| ISub (a0, b) -> ISub ((isub x v0 a0), (isub x v0 b))
| IMul (a0, b) -> IMul ((isub x v0 a0), (isub x v0 b))
| IDiv (a0, b) -> IDiv ((isub x v0 a0), (isub x v0 b))
| IMod (a0, b) -> IMod ((isub x v0 a0), (isub x v0 b))
| IMin (a0, b) -> IMin ((isub x v0 a0), (isub x v0 b))
| IMax (a0, b) -> IMax ((isub x v0 a0), (isub x v0 b))

(** val bsub : id -> iexp -> bexp -> bexp **)

let rec bsub x v0 = function
| BTrue -> BTrue
| BLe (a, b) -> BLe ((isub x v0 a), (isub x v0 b))
| BLt (a, b) -> BLt ((isub x v0 a), (isub x v0 b))
| BEq (a, b) -> BEq ((isub x v0 a), (isub x v0 b))
| BAnd (p2, q) -> BAnd ((bsub x v0 p2), (bsub x v0 q))
| BOr (p2, q) -> BOr ((bsub x v0 p2), (bsub x v0 q))
| BNot p2 -> BNot (bsub x v0 p2)

(** val under : id -> id -> iexp -> 'a1 -> 'a1 option -> 'a1 option **)

let under x y v0 same other =
  if Coq_Pos.eqb x y then Some same else only (negb (iin y v0)) other

(** val rsub :
    id -> iexp -> (id * iexp) list -> iexp list -> ((id * iexp) list * iexp
    list) option **)

let rec rsub x v0 xs ts =
  match xs with
  | [] -> Some ([], (map (isub x v0) ts))
  | p :: xs0 ->
    let (y, n0) = p in
    bind (under x y v0 (xs0, ts) (rsub x v0 xs0 ts)) (fun pat ->
      let (ys, us) = pat in Some (((y, (isub x v0 n0)) :: ys), us))

(** val vsub : id -> iexp -> view -> view option **)

let vsub x v0 = function
| Transpose -> Some Transpose
| Flatten (a, b) -> Some (Flatten ((isub x v0 a), (isub x v0 b)))
| Split (a, b) -> Some (Split ((isub x v0 a), (isub x v0 b)))
| TruncR a -> Some (TruncR (isub x v0 a))
| TruncL a -> Some (TruncL (isub x v0 a))
| PadR (a, b) -> Some (PadR ((isub x v0 a), (isub x v0 b)))
| PadL a -> Some (PadL (isub x v0 a))
| Reindex (xs, ts) ->
  bind (rsub x v0 xs ts) (fun pat ->
    let (ys, us) = pat in Some (Reindex (ys, us)))

(** val esub : id -> iexp -> exp -> exp option **)

let rec esub x v0 = function
| Gen (y, n0, e0) ->
  bind (under x y v0 e0 (esub x v0 e0)) (fun e' -> Some (Gen (y,
    (isub x v0 n0), e')))
| Fold (o, y, n0, e0) ->
  bind (under x y v0 e0 (esub x v0 e0)) (fun e' -> Some (Fold (o, y,
    (isub x v0 n0), e')))
| If (p, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (esub x v0 b) (fun b' -> Some (If ((bsub x v0 p), a', b'))))
| Let (t, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (esub x v0 b) (fun b' -> Some (Let (t, a', b'))))
| Get (e0, i) ->
  bind (esub x v0 e0) (fun e' -> Some (Get (e', (isub x v0 i))))
| Op1 (o, a) -> bind (esub x v0 a) (fun a' -> Some (Op1 (o, a')))
| Op2 (o, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (esub x v0 b) (fun b' -> Some (Op2 (o, a', b'))))
| Op3 (o, a, b, c) ->
  bind (esub x v0 a) (fun a' ->
    bind (esub x v0 b) (fun b' ->
      bind (esub x v0 c) (fun c' -> Some (Op3 (o, a', b', c')))))
| Cat (n0, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (esub x v0 b) (fun b' -> Some (Cat ((isub x v0 n0), a', b'))))
| View (w, e0) ->
  bind (vsub x v0 w) (fun w' ->
    bind (esub x v0 e0) (fun e' -> Some (View (w', e'))))
| Mark (m, e0) -> bind (esub x v0 e0) (fun e' -> Some (Mark (m, e')))
| Bind (y, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (under x y v0 b (esub x v0 b)) (fun b' -> Some (Bind (y, a', b'))))
| Iter (t, y, n0, a, b) ->
  bind (esub x v0 a) (fun a' ->
    bind (under x y v0 b (esub x v0 b)) (fun b' -> Some (Iter (t, y,
      (isub x v0 n0), a', b'))))
| x0 -> Some x0

(** val tsub : id -> exp -> exp -> exp option **)

let rec tsub t a = function
| Lit c -> Some (Lit c)
| Var u -> Some (if Coq_Pos.eqb t u then a else Var u)
| Gen (y, n0, e0) ->
  only (negb (ein y a))
    (bind (tsub t a e0) (fun e' -> Some (Gen (y, n0, e'))))
| Fold (o, y, n0, e0) ->
  only (negb (ein y a))
    (bind (tsub t a e0) (fun e' -> Some (Fold (o, y, n0, e'))))
| If (p, b, c) ->
  bind (tsub t a b) (fun b' ->
    bind (tsub t a c) (fun c' -> Some (If (p, b', c'))))
| Let (u, b, c) ->
  bind (tsub t a b) (fun b' ->
    if Coq_Pos.eqb t u
    then Some (Let (u, b', c))
    else only (negb (tin u a))
           (bind (tsub t a c) (fun c' -> Some (Let (u, b', c')))))
| Get (e0, i) -> bind (tsub t a e0) (fun e' -> Some (Get (e', i)))
| Op1 (o, b) -> bind (tsub t a b) (fun b' -> Some (Op1 (o, b')))
| Op2 (o, b, c) ->
  bind (tsub t a b) (fun b' ->
    bind (tsub t a c) (fun c' -> Some (Op2 (o, b', c'))))
| Op3 (o, b, c, d) ->
  bind (tsub t a b) (fun b' ->
    bind (tsub t a c) (fun c' ->
      bind (tsub t a d) (fun d' -> Some (Op3 (o, b', c', d')))))
| Cat (n0, b, c) ->
  bind (tsub t a b) (fun b' ->
    bind (tsub t a c) (fun c' -> Some (Cat (n0, b', c'))))
| View (v0, e0) -> bind (tsub t a e0) (fun e' -> Some (View (v0, e')))
| Mark (m, e0) -> bind (tsub t a e0) (fun e' -> Some (Mark (m, e')))
| Bind (y, b, c) ->
  only (negb (ein y a))
    (bind (tsub t a b) (fun b' ->
      bind (tsub t a c) (fun c' -> Some (Bind (y, b', c')))))
| Iter (u, y, n0, b, c) ->
  bind (tsub t a b) (fun b' ->
    if Coq_Pos.eqb t u
    then Some (Iter (u, y, n0, b', c))
    else only ((&&) (negb (tin u a)) (negb (ein y a)))
           (bind (tsub t a c) (fun c' -> Some (Iter (u, y, n0, b', c')))))

type opaque = iexp list

(** val find_opaque : iexp -> opaque -> positive -> positive option **)

let rec find_opaque a t k =
  match t with
  | [] -> None
  | b :: t0 -> if ieqb a b then Some k else find_opaque a t0 (Coq_Pos.succ k)

(** val poly : opaque -> iexp -> z pExpr option **)

let rec poly t a = match a with
| IC z0 -> Some (PEc z0)
| IV x -> Some (PEX (XO x))
| IAdd (a0, b) ->
  bind (poly t a0) (fun p -> bind (poly t b) (fun q -> Some (PEadd (p, q))))
| ISub (a0, b) ->
  bind (poly t a0) (fun p -> bind (poly t b) (fun q -> Some (PEsub (p, q))))
| IMul (a0, b) ->
  bind (poly t a0) (fun p -> bind (poly t b) (fun q -> Some (PEmul (p, q))))
| IMod (a0, b) ->
  bind (poly t a0) (fun p ->
    bind (poly t b) (fun q ->
      bind (find_opaque (IDiv (a0, b)) t XH) (fun k -> Some (PEsub (p, (PEmul
        (q, (PEX (XI k)))))))))
| _ -> bind (find_opaque a t XH) (fun k -> Some (PEX (XI k)))

(** val nonneg : z pExpr -> z nFormula **)

let nonneg p =
  ((normZ p), NonStrict)

(** val le_hyp : opaque -> iexp -> iexp -> z nFormula list **)

let le_hyp t a b =
  match poly t a with
  | Some p ->
    (match poly t b with
     | Some q -> (nonneg (PEsub (q, p))) :: []
     | None -> [])
  | None -> []

(** val fact : opaque -> bexp -> z nFormula list **)

let rec fact t = function
| BLe (a, b) -> le_hyp t a b
| BLt (a, b) -> le_hyp t (IAdd (a, (IC (Zpos XH)))) b
| BEq (a, b) -> app (le_hyp t a b) (le_hyp t b a)
| BAnd (p2, q) -> app (fact t p2) (fact t q)
| BNot p2 ->
  (match p2 with
   | BLe (a, b) -> le_hyp t (IAdd (b, (IC (Zpos XH)))) a
   | BLt (a, b) -> le_hyp t b a
   | _ -> [])
| _ -> []

(** val positive_by : iexp -> bexp -> bool **)

let positive_by b = function
| BLt (a, c) ->
  (match a with
   | IC z0 -> (match z0 with
               | Z0 -> ieqb c b
               | _ -> false)
   | _ -> false)
| _ -> false

(** val is_positive : facts -> iexp -> bool **)

let is_positive f b = match b with
| IC z0 -> Z.ltb Z0 z0
| _ -> existsb (positive_by b) f

(** val about : facts -> opaque -> iexp -> z nFormula list **)

let about f t a = match a with
| IDiv (p, q) ->
  if is_positive f q
  then app (le_hyp t (IMul (q, a)) p)
         (le_hyp t p (ISub ((IAdd ((IMul (q, a)), q)), (IC (Zpos XH)))))
  else []
| IMin (p, q) -> app (le_hyp t a p) (le_hyp t a q)
| IMax (p, q) -> app (le_hyp t p a) (le_hyp t q a)
| _ -> []

(** val hyps : facts -> opaque -> z nFormula list **)

let hyps f t =
  app (flat_map (about f t) t) (flat_map (fact t) f)

(** val negated : opaque -> bexp -> z nFormula option **)

let negated t = function
| BLe (a, b) ->
  bind (poly t a) (fun p2 ->
    bind (poly t b) (fun q -> Some
      (nonneg (PEsub ((PEsub (p2, q)), (PEc (Zpos XH)))))))
| BLt (a, b) ->
  bind (poly t a) (fun p2 ->
    bind (poly t b) (fun q -> Some (nonneg (PEsub (p2, q)))))
| _ -> None

(** val linear : facts -> bexp -> opaque -> zArithProof -> bool **)

let linear f p t pf =
  match negated t p with
  | Some f0 -> zChecker (f0 :: (hyps f t)) pf
  | None -> false

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

(** val in_range : iexp -> iexp -> bexp **)

let in_range i n0 =
  BAnd ((BLe ((IC Z0), i)), (BLt (i, n0)))

(** val pos : iexp -> bexp **)

let pos a =
  BLt ((IC Z0), a)

(** val premise : lemma -> bexp **)

let premise = function
| DivOfSum (_, m, j) -> in_range j m
| ModOfSum (_, m, j) -> in_range j m
| DivDiv (_, b, c) -> BAnd ((pos b), (pos c))
| DivMod (_, b) -> pos b
| ModBound (_, b) -> pos b
| DivMono (a, b, c) -> BAnd ((pos c), (BLe (a, b)))
| DivBound (a, b, c) -> BAnd ((pos c), (in_range a (IMul (b, c))))
| CeilCover (_, k) -> pos k
| MulMono (a, b, c) -> BAnd ((BLe ((IC Z0), c)), (BLe (a, b)))
| MinLeft (a, b) -> BLe (a, b)
| MinRight (a, b) -> BLe (b, a)
| MaxLeft (a, b) -> BLe (b, a)
| MaxRight (a, b) -> BLe (a, b)

(** val conclusion : lemma -> bexp **)

let conclusion = function
| DivOfSum (i, m, j) -> BEq ((IDiv ((IAdd ((IMul (i, m)), j)), m)), i)
| ModOfSum (i, m, j) -> BEq ((IMod ((IAdd ((IMul (i, m)), j)), m)), j)
| DivDiv (a, b, c) ->
  BEq ((IDiv ((IDiv (a, b)), c)), (IDiv (a, (IMul (b, c)))))
| DivMod (a, b) -> BEq ((IAdd ((IMul (b, (IDiv (a, b)))), (IMod (a, b)))), a)
| ModBound (a, b) -> in_range (IMod (a, b)) b
| DivMono (a, b, c) -> BLe ((IDiv (a, c)), (IDiv (b, c)))
| DivBound (a, b, c) -> in_range (IDiv (a, c)) b
| CeilCover (n0, k) ->
  BLe (n0, (IMul ((IDiv ((ISub ((IAdd (n0, k)), (IC (Zpos XH)))), k)), k)))
| MulMono (a, b, c) -> BLe ((IMul (a, c)), (IMul (b, c)))
| MinLeft (a, b) -> BEq ((IMin (a, b)), a)
| MinRight (a, b) -> BEq ((IMin (a, b)), b)
| MaxLeft (a, b) -> BEq ((IMax (a, b)), a)
| MaxRight (a, b) -> BEq ((IMax (a, b)), b)

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

(** val absurd : bexp **)

let absurd =
  BLt ((IC Z0), (IC Z0))

(** val opaque_of : iexp -> opaque **)

let rec opaque_of a = match a with
| IAdd (a0, b) -> app (opaque_of a0) (opaque_of b)
| ISub (a0, b) -> app (opaque_of a0) (opaque_of b)
| IMul (a0, b) -> app (opaque_of a0) (opaque_of b)
| IDiv (p, q) -> a :: (app (opaque_of p) (opaque_of q))
| IMod (a0, b) -> (IDiv (a0, b)) :: (app (opaque_of a0) (opaque_of b))
| IMin (p, q) -> a :: (app (opaque_of p) (opaque_of q))
| IMax (p, q) -> a :: (app (opaque_of p) (opaque_of q))
| _ -> []

(** val opaque_in : bexp -> opaque **)

let rec opaque_in = function
| BTrue -> []
| BLe (a, b) -> app (opaque_of a) (opaque_of b)
| BLt (a, b) -> app (opaque_of a) (opaque_of b)
| BEq (a, b) -> app (opaque_of a) (opaque_of b)
| BAnd (p2, q) -> app (opaque_in p2) (opaque_in q)
| BOr (p2, q) -> app (opaque_in p2) (opaque_in q)
| BNot p2 -> opaque_in p2

(** val distinct : opaque -> opaque **)

let rec distinct = function
| [] -> []
| a :: t0 ->
  let t1 = distinct t0 in if existsb (ieqb a) t1 then t1 else a :: t1

(** val hyp : nat -> z psatz **)

let hyp i =
  PsatzIn i

(** val attempt : z nFormula list -> z psatz -> bool **)

let attempt l p =
  zChecker l (RatProof (p, DoneProof))

(** val search : facts -> bexp -> bool **)

let search f p =
  let t = distinct (app (opaque_in p) (flat_map opaque_in f)) in
  (match negated t p with
   | Some f0 ->
     let l = f0 :: (hyps f t) in
     let ns = seq (S O) (sub (length l) (S O)) in
     (||)
       ((||)
         ((||) (attempt l (hyp O))
           (existsb (fun i -> attempt l (PsatzAdd ((hyp O), (hyp i)))) ns))
         (existsb (fun i ->
           existsb (fun j ->
             attempt l (PsatzAdd ((hyp O), (PsatzAdd ((hyp i), (hyp j))))))
             (seq (S O) i)) ns))
       (existsb (fun i ->
         existsb (fun j ->
           existsb (fun k ->
             attempt l (PsatzAdd ((hyp O), (PsatzAdd ((hyp i), (PsatzAdd
               ((hyp j), (hyp k)))))))) (seq (S O) j)) (seq (S O) i)) ns)
   | None -> false)

(** val prove : facts -> bexp -> wit -> bool **)

let rec prove f p = function
| WTrue -> (match p with
            | BTrue -> true
            | _ -> false)
| WFact -> existsb (beqb p) f
| WLinear (t, pf) -> linear f p t pf
| WSearch -> search f p
| WAnd (a, b) ->
  (match p with
   | BEq (x, y) -> (&&) (prove f (BLe (x, y)) a) (prove f (BLe (y, x)) b)
   | BAnd (p2, q) -> (&&) (prove f p2 a) (prove f q b)
   | _ -> false)
| WOr a ->
  (match p with
   | BOr (p2, q) -> prove ((BNot p2) :: f) q a
   | _ -> false)
| WNot a -> (match p with
             | BNot p2 -> prove (p2 :: f) absurd a
             | _ -> false)
| WCase (q, a, b) -> (&&) (prove (q :: f) p a) (prove ((BNot q) :: f) p b)
| WHave (q, a, b) -> (&&) (prove f q a) (prove (q :: f) p b)
| WLemma (l, a, b) ->
  (&&) (prove f (premise l) a) (prove ((conclusion l) :: f) p b)

(** val cancel : zArithProof **)

let cancel =
  RatProof ((PsatzIn O), DoneProof)

(** val ieqm : iexp -> iexp -> bool **)

let ieqm a b =
  (||) (ieqb a b)
    (let t = app (opaque_of a) (opaque_of b) in
     (&&) (linear [] (BLe (a, b)) t cancel) (linear [] (BLe (b, a)) t cancel))

(** val beqm : bexp -> bexp -> bool **)

let rec beqm p q =
  match p with
  | BTrue -> (match q with
              | BTrue -> true
              | _ -> false)
  | BLe (a, b) ->
    (match q with
     | BLe (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | BLt (a, b) ->
    (match q with
     | BLt (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | BEq (a, b) ->
    (match q with
     | BEq (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | BAnd (a, b) ->
    (match q with
     | BAnd (c, d) -> (&&) (beqm a c) (beqm b d)
     | _ -> false)
  | BOr (a, b) ->
    (match q with
     | BOr (c, d) -> (&&) (beqm a c) (beqm b d)
     | _ -> false)
  | BNot a -> (match q with
               | BNot b -> beqm a b
               | _ -> false)

(** val ieqms : iexp list -> iexp list -> bool **)

let rec ieqms a b =
  match a with
  | [] -> (match b with
           | [] -> true
           | _ :: _ -> false)
  | x :: a0 ->
    (match b with
     | [] -> false
     | y :: b0 -> (&&) (ieqm x y) (ieqms a0 b0))

(** val loops_eqm : (id * iexp) list -> (id * iexp) list -> bool **)

let rec loops_eqm xs ys =
  match xs with
  | [] -> (match ys with
           | [] -> true
           | _ :: _ -> false)
  | p :: xs0 ->
    let (x, n0) = p in
    (match ys with
     | [] -> false
     | p2 :: ys0 ->
       let (y, m) = p2 in
       (&&) (Coq_Pos.eqb x y) ((&&) (ieqm n0 m) (loops_eqm xs0 ys0)))

(** val veqm : view -> view -> bool **)

let veqm v0 w =
  match v0 with
  | Transpose -> (match w with
                  | Transpose -> true
                  | _ -> false)
  | Flatten (a, b) ->
    (match w with
     | Flatten (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | Split (a, b) ->
    (match w with
     | Split (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | TruncR a -> (match w with
                 | TruncR b -> ieqm a b
                 | _ -> false)
  | TruncL a -> (match w with
                 | TruncL b -> ieqm a b
                 | _ -> false)
  | PadR (a, b) ->
    (match w with
     | PadR (c, d) -> (&&) (ieqm a c) (ieqm b d)
     | _ -> false)
  | PadL a -> (match w with
               | PadL b -> ieqm a b
               | _ -> false)
  | Reindex (xs, ts) ->
    (match w with
     | Reindex (ys, us) -> (&&) (loops_eqm xs ys) (ieqms ts us)
     | _ -> false)

(** val meqb : mark -> mark -> bool **)

let meqb m n0 =
  match m with
  | Parallel -> (match n0 with
                 | Parallel -> true
                 | _ -> false)
  | Vector -> (match n0 with
               | Vector -> true
               | _ -> false)
  | Unroll -> (match n0 with
               | Unroll -> true
               | _ -> false)
  | Slide x -> (match n0 with
                | Slide y -> Coq_Pos.eqb x y
                | _ -> false)
  | FoldStorage a -> (match n0 with
                      | FoldStorage b -> ieqm a b
                      | _ -> false)

(** val xeq : exp -> exp -> bool **)

let rec xeq e f =
  match e with
  | Lit a -> (match f with
              | Lit b -> ceqb a b
              | _ -> false)
  | Var t -> (match f with
              | Var u -> Coq_Pos.eqb t u
              | _ -> false)
  | Gen (x, n0, e0) ->
    (match f with
     | Gen (y, m, f0) -> (&&) (Coq_Pos.eqb x y) ((&&) (ieqm n0 m) (xeq e0 f0))
     | _ -> false)
  | Fold (o, x, n0, e0) ->
    (match f with
     | Fold (p, y, m, f0) ->
       (&&) (Coq_Pos.eqb o p)
         ((&&) (Coq_Pos.eqb x y) ((&&) (ieqm n0 m) (xeq e0 f0)))
     | _ -> false)
  | If (p, a, b) ->
    (match f with
     | If (q, c, d) -> (&&) (beqm p q) ((&&) (xeq a c) (xeq b d))
     | _ -> false)
  | Let (t, a, b) ->
    (match f with
     | Let (u, c, d) -> (&&) (Coq_Pos.eqb t u) ((&&) (xeq a c) (xeq b d))
     | _ -> false)
  | Get (e0, i) ->
    (match f with
     | Get (f0, j) -> (&&) (xeq e0 f0) (ieqm i j)
     | _ -> false)
  | Op1 (o, a) ->
    (match f with
     | Op1 (p, c) -> (&&) (Coq_Pos.eqb o p) (xeq a c)
     | _ -> false)
  | Op2 (o, a, b) ->
    (match f with
     | Op2 (p, c, d) -> (&&) (Coq_Pos.eqb o p) ((&&) (xeq a c) (xeq b d))
     | _ -> false)
  | Op3 (o, a, b, c) ->
    (match f with
     | Op3 (p, a', b', c') ->
       (&&) (Coq_Pos.eqb o p) ((&&) (xeq a a') ((&&) (xeq b b') (xeq c c')))
     | _ -> false)
  | Cat (n0, a, b) ->
    (match f with
     | Cat (m, c, d) -> (&&) (ieqm n0 m) ((&&) (xeq a c) (xeq b d))
     | _ -> false)
  | View (v0, e0) ->
    (match f with
     | View (w, f0) -> (&&) (veqm v0 w) (xeq e0 f0)
     | _ -> false)
  | Mark (m, e0) ->
    (match f with
     | Mark (n0, f0) -> (&&) (meqb m n0) (xeq e0 f0)
     | _ -> false)
  | Bind (x, a, b) ->
    (match f with
     | Bind (y, c, d) -> (&&) (Coq_Pos.eqb x y) ((&&) (xeq a c) (xeq b d))
     | _ -> false)
  | Iter (t, x, n0, a, b) ->
    (match f with
     | Iter (u, y, m, c, d) ->
       (&&) (Coq_Pos.eqb t u)
         ((&&) (Coq_Pos.eqb x y)
           ((&&) (ieqm n0 m) ((&&) (xeq a c) (xeq b d))))
     | _ -> false)

type rewrite = facts -> exp -> (laws * exp) option

(** val gives : exp -> (laws * exp) option **)

let gives e =
  Some ([], e)

(** val provided : facts -> bexp -> wit -> 'a1 option -> 'a1 option **)

let provided f p w o =
  only (prove f p w) o

(** val reversed : rewrite -> exp -> rewrite **)

let reversed f e' f0 e =
  bind (f f0 e') (fun pat ->
    let (l, e1) = pat in only (xeq e1 e) (Some (l, e')))

(** val sequence : rewrite -> rewrite -> rewrite **)

let sequence f g f0 e =
  bind (f f0 e) (fun pat ->
    let (l, e1) = pat in
    bind (g f0 e1) (fun pat0 -> let (m, e2) = pat0 in Some ((app l m), e2)))

(** val operand : nat -> exp -> ((exp -> exp) * exp) option **)

let operand k = function
| If (p, a, b) ->
  (match k with
   | O -> Some ((fun h -> If (p, h, b)), a)
   | S n0 ->
     (match n0 with
      | O -> Some ((fun h -> If (p, a, h)), b)
      | S _ -> None))
| Get (a, i) ->
  (match k with
   | O -> Some ((fun h -> Get (h, i)), a)
   | S _ -> None)
| Op1 (o, a) ->
  (match k with
   | O -> Some ((fun x -> Op1 (o, x)), a)
   | S _ -> None)
| Op2 (o, a, b) ->
  (match k with
   | O -> Some ((fun h -> Op2 (o, h, b)), a)
   | S n0 ->
     (match n0 with
      | O -> Some ((fun h -> Op2 (o, a, h)), b)
      | S _ -> None))
| Op3 (o, a, b, c) ->
  (match k with
   | O -> Some ((fun h -> Op3 (o, h, b, c)), a)
   | S n0 ->
     (match n0 with
      | O -> Some ((fun h -> Op3 (o, a, h, c)), b)
      | S n1 ->
        (match n1 with
         | O -> Some ((fun h -> Op3 (o, a, b, h)), c)
         | S _ -> None)))
| Cat (n0, a, b) ->
  (match k with
   | O -> Some ((fun h -> Cat (n0, h, b)), a)
   | S n1 ->
     (match n1 with
      | O -> Some ((fun h -> Cat (n0, a, h)), b)
      | S _ -> None))
| View (v0, a) ->
  (match k with
   | O -> Some ((fun x -> View (v0, x)), a)
   | S _ -> None)
| Mark (m, a) ->
  (match k with
   | O -> Some ((fun x -> Mark (m, x)), a)
   | S _ -> None)
| _ -> None

(** val without : id -> facts -> facts **)

let without x f =
  filter (fun p -> negb (bin x p)) f

(** val inside : id -> iexp -> facts -> facts **)

let inside x n0 f =
  app
    (if iin x n0
     then []
     else (BLe ((IC Z0), (IV x))) :: ((BLt ((IV x), n0)) :: [])) (without x f)

type path = nat list

(** val under_fst :
    (laws * exp) option -> (exp -> exp) -> (laws * exp) option **)

let under_fst o f =
  bind o (fun pat -> let (l, e) = pat in Some (l, (f e)))

(** val at_path : path -> rewrite -> facts -> exp -> (laws * exp) option **)

let rec at_path p f f0 e =
  match p with
  | [] -> f f0 e
  | c :: p2 ->
    (match e with
     | Gen (x, n0, b) ->
       (match c with
        | O ->
          under_fst (at_path p2 f (inside x n0 f0) b) (fun x0 -> Gen (x, n0,
            x0))
        | S _ -> None)
     | Fold (o, x, n0, b) ->
       (match c with
        | O ->
          under_fst (at_path p2 f (inside x n0 f0) b) (fun x0 -> Fold (o, x,
            n0, x0))
        | S _ -> None)
     | If (q, a, b) ->
       (match c with
        | O -> under_fst (at_path p2 f (q :: f0) a) (fun a' -> If (q, a', b))
        | S n0 ->
          (match n0 with
           | O ->
             under_fst (at_path p2 f ((BNot q) :: f0) b) (fun b' -> If (q, a,
               b'))
           | S _ -> None))
     | Let (t, a, b) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Let (t, a', b))
        | S n0 ->
          (match n0 with
           | O -> under_fst (at_path p2 f f0 b) (fun b' -> Let (t, a, b'))
           | S _ -> None))
     | Get (a, i) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Get (a', i))
        | S _ -> None)
     | Op1 (o, a) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun x -> Op1 (o, x))
        | S _ -> None)
     | Op2 (o, a, b) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Op2 (o, a', b))
        | S n0 ->
          (match n0 with
           | O -> under_fst (at_path p2 f f0 b) (fun b' -> Op2 (o, a, b'))
           | S _ -> None))
     | Op3 (o, a, b, c0) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Op3 (o, a', b, c0))
        | S n0 ->
          (match n0 with
           | O -> under_fst (at_path p2 f f0 b) (fun b' -> Op3 (o, a, b', c0))
           | S n1 ->
             (match n1 with
              | O ->
                under_fst (at_path p2 f f0 c0) (fun c' -> Op3 (o, a, b, c'))
              | S _ -> None)))
     | Cat (n0, a, b) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Cat (n0, a', b))
        | S n1 ->
          (match n1 with
           | O -> under_fst (at_path p2 f f0 b) (fun b' -> Cat (n0, a, b'))
           | S _ -> None))
     | View (v0, a) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun x -> View (v0, x))
        | S _ -> None)
     | Mark (m, a) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun x -> Mark (m, x))
        | S _ -> None)
     | Bind (x, a, b) ->
       (match c with
        | O -> under_fst (at_path p2 f f0 a) (fun a' -> Bind (x, a', b))
        | S n0 ->
          (match n0 with
           | O ->
             under_fst (at_path p2 f (without x f0) b) (fun b' -> Bind (x, a,
               b'))
           | S _ -> None))
     | Iter (t, x, n0, a, b) ->
       (match c with
        | O ->
          under_fst (at_path p2 f f0 a) (fun a' -> Iter (t, x, n0, a', b))
        | S n1 ->
          (match n1 with
           | O ->
             under_fst (at_path p2 f (inside x n0 f0) b) (fun b' -> Iter (t,
               x, n0, a, b'))
           | S _ -> None))
     | _ -> None)

(** val get_gen : wit -> rewrite **)

let get_gen w f = function
| Get (e0, i) ->
  (match e0 with
   | Gen (x, n0, b) -> provided f (in_range i n0) w (bind (esub x i b) gives)
   | _ -> None)
| _ -> None

(** val get_gen_guard : rewrite **)

let get_gen_guard _ = function
| Get (e0, i) ->
  (match e0 with
   | Gen (x, n0, b) ->
     bind (esub x i b) (fun b' -> gives (guard (in_range i n0) b'))
   | _ -> None)
| _ -> None

(** val get_gen_outside : wit -> rewrite **)

let get_gen_outside w f = function
| Get (e0, i) ->
  (match e0 with
   | Gen (_, n0, _) ->
     provided f (BOr ((BLt (i, (IC Z0))), (BLe (n0, i)))) w (gives null)
   | _ -> None)
| _ -> None

(** val get_let : rewrite **)

let get_let _ = function
| Get (e0, i) ->
  (match e0 with
   | Let (t, a, b) -> gives (Let (t, a, (Get (b, i))))
   | _ -> None)
| _ -> None

(** val get_if : rewrite **)

let get_if _ = function
| Get (e0, i) ->
  (match e0 with
   | If (p, a, b) -> gives (If (p, (Get (a, i)), (Get (b, i))))
   | _ -> None)
| _ -> None

(** val get_fold : rewrite **)

let get_fold _ = function
| Get (e0, i) ->
  (match e0 with
   | Fold (o, x, n0, b) ->
     only (negb (iin x i)) (gives (Fold (o, x, n0, (Get (b, i)))))
   | _ -> None)
| _ -> None

(** val get_op : rewrite **)

let get_op _ = function
| Get (e0, i) ->
  (match e0 with
   | Lit c -> gives (Lit c)
   | Op1 (o, a) -> gives (Op1 (o, (Get (a, i))))
   | Op2 (o, a, b) -> gives (Op2 (o, (Get (a, i)), (Get (b, i))))
   | Op3 (o, a, b, c) ->
     gives (Op3 (o, (Get (a, i)), (Get (b, i)), (Get (c, i))))
   | _ -> None)
| _ -> None

(** val get_cat_left : wit -> rewrite **)

let get_cat_left w f = function
| Get (e0, i) ->
  (match e0 with
   | Cat (k, a, _) -> provided f (BLt (i, k)) w (gives (Get (a, i)))
   | _ -> None)
| _ -> None

(** val get_cat_right : wit -> rewrite **)

let get_cat_right w f = function
| Get (e0, i) ->
  (match e0 with
   | Cat (k, _, b) ->
     provided f (BLe (k, i)) w (gives (Get (b, (ISub (i, k)))))
   | _ -> None)
| _ -> None

(** val get_cat : rewrite **)

let get_cat _ = function
| Get (e0, i) ->
  (match e0 with
   | Cat (k, a, b) ->
     gives (If ((BLt (i, k)), (Get (a, i)), (Get (b, (ISub (i, k))))))
   | _ -> None)
| _ -> None

(** val get_bind : rewrite **)

let get_bind _ = function
| Get (e0, i) ->
  (match e0 with
   | Bind (x, a, b) ->
     only (negb (iin x i)) (gives (Bind (x, a, (Get (b, i)))))
   | _ -> None)
| _ -> None

(** val get_mark : rewrite **)

let get_mark _ = function
| Get (e0, i) -> (match e0 with
                  | Mark (_, a) -> gives (Get (a, i))
                  | _ -> None)
| _ -> None

(** val get_transpose : rewrite **)

let get_transpose _ = function
| Get (e0, j) ->
  (match e0 with
   | Get (e1, i) ->
     (match e1 with
      | View (v0, a) ->
        (match v0 with
         | Transpose -> gives (Get ((Get (a, j)), i))
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_flatten : wit -> rewrite **)

let get_flatten w f = function
| Get (e0, i) ->
  (match e0 with
   | View (v0, a) ->
     (match v0 with
      | Flatten (n0, m) ->
        provided f (in_range i (IMul (n0, m))) w
          (gives (Get ((Get (a, (IDiv (i, m)))), (IMod (i, m)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_split : wit -> rewrite **)

let get_split w f = function
| Get (e0, j) ->
  (match e0 with
   | Get (e1, i) ->
     (match e1 with
      | View (v0, a) ->
        (match v0 with
         | Split (q, k) ->
           provided f (BAnd ((in_range i q), (in_range j k))) w
             (gives (Get (a, (IAdd ((IMul (i, k)), j)))))
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_trunc_r : wit -> rewrite **)

let get_trunc_r w f = function
| Get (e0, i) ->
  (match e0 with
   | View (v0, a) ->
     (match v0 with
      | TruncR n0 -> provided f (BLt (i, n0)) w (gives (Get (a, i)))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_trunc_l : wit -> rewrite **)

let get_trunc_l w f = function
| Get (e0, i) ->
  (match e0 with
   | View (v0, a) ->
     (match v0 with
      | TruncL k ->
        provided f (BLe ((IC Z0), i)) w (gives (Get (a, (IAdd (i, k)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_pad_r : rewrite **)

let get_pad_r _ = function
| Get (e0, i) ->
  (match e0 with
   | View (v0, a) ->
     (match v0 with
      | PadR (n0, _) -> gives (guard (BLt (i, n0)) (Get (a, i)))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val get_pad_l : rewrite **)

let get_pad_l _ = function
| Get (e0, i) ->
  (match e0 with
   | View (v0, a) ->
     (match v0 with
      | PadL k -> gives (guard (BLe (k, i)) (Get (a, (ISub (i, k)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val let_inline : rewrite **)

let let_inline _ = function
| Let (t, a, b) -> bind (tsub t a b) gives
| _ -> None

(** val let_dead : rewrite **)

let let_dead _ = function
| Let (t, _, b) -> only (negb (tin t b)) (gives b)
| _ -> None

(** val let_rename : id -> rewrite **)

let let_rename u _ = function
| Let (t, a, b) ->
  only (negb (tin u b))
    (bind (tsub t (Var u) b) (fun b' -> gives (Let (u, a, b'))))
| _ -> None

(** val let_flatten : rewrite **)

let let_flatten _ = function
| Let (t, a0, c) ->
  (match a0 with
   | Let (u, a, b) ->
     only (negb (tin u c)) (gives (Let (u, a, (Let (t, b, c)))))
   | _ -> None)
| _ -> None

(** val let_swap : rewrite **)

let let_swap _ = function
| Let (t, a, b0) ->
  (match b0 with
   | Let (u, b, c) ->
     only
       ((&&) ((&&) (negb (Coq_Pos.eqb t u)) (negb (tin t b)))
         (negb (tin u a))) (gives (Let (u, b, (Let (t, a, c)))))
   | _ -> None)
| _ -> None

(** val let_merge : rewrite **)

let let_merge _ = function
| Let (t, a, b0) ->
  (match b0 with
   | Let (u, a', b) ->
     only ((&&) (xeq a a') (negb (tin t a')))
       (bind (tsub u (Var t) b) (fun b' -> gives (Let (t, a, b'))))
   | _ -> None)
| _ -> None

(** val let_lift_gen : rewrite **)

let let_lift_gen _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | Let (t, a, b) ->
     bind (tsub t (Get ((Var t), (IV x))) b) (fun b' ->
       gives (Let (t, (Gen (x, n0, a)), (Gen (x, n0, b')))))
   | _ -> None)
| _ -> None

(** val let_lift_fold : rewrite **)

let let_lift_fold _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Let (t, a, b) ->
     bind (tsub t (Get ((Var t), (IV x))) b) (fun b' ->
       gives (Let (t, (Gen (x, n0, a)), (Fold (o, x, n0, b')))))
   | _ -> None)
| _ -> None

(** val let_lift_invariant : rewrite **)

let let_lift_invariant _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | Let (t, a, b) ->
     only (negb (ein x a)) (gives (Let (t, a, (Gen (x, n0, b)))))
   | _ -> None)
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Let (t, a, b) ->
     only (negb (ein x a)) (gives (Let (t, a, (Fold (o, x, n0, b)))))
   | _ -> None)
| _ -> None

(** val let_lift : nat -> rewrite **)

let let_lift k _ e =
  bind (operand k e) (fun pat ->
    let (h, a) = pat in
    (match a with
     | Let (t, b, c) ->
       only (negb (tin t (h null))) (gives (Let (t, b, (h c))))
     | _ -> None))

(** val is_null : exp -> bool **)

let is_null = function
| Lit c ->
  (match c with
   | Num z0 -> (match z0 with
                | Z0 -> true
                | _ -> false)
   | UnitOf _ -> false)
| _ -> false

(** val if_true : wit -> rewrite **)

let if_true w f = function
| If (p, a, _) -> provided f p w (gives a)
| _ -> None

(** val if_false : wit -> rewrite **)

let if_false w f = function
| If (p, _, b) -> provided f (BNot p) w (gives b)
| _ -> None

(** val if_equiv : bexp -> wit -> wit -> rewrite **)

let if_equiv q w v0 f = function
| If (p, a, b) ->
  only ((&&) (prove (p :: f) q w) (prove (q :: f) p v0))
    (gives (If (q, a, b)))
| _ -> None

(** val if_introduce : bexp -> rewrite **)

let if_introduce p _ e =
  gives (If (p, e, e))

(** val if_same : rewrite **)

let if_same _ = function
| If (_, a, b) -> only (xeq a b) (gives b)
| _ -> None

(** val if_merge : rewrite **)

let if_merge _ = function
| If (p, a0, c) ->
  (match a0 with
   | If (q, a, b) -> only (xeq b c) (gives (If ((BAnd (p, q)), a, c)))
   | _ -> None)
| _ -> None

(** val if_nest : rewrite **)

let if_nest _ = function
| If (p2, a, b) ->
  (match p2 with
   | BAnd (p, q) -> gives (If (p, (If (q, a, b)), b))
   | _ -> None)
| _ -> None

(** val if_not : rewrite **)

let if_not _ = function
| If (p2, a, b) -> (match p2 with
                    | BNot p -> gives (If (p, b, a))
                    | _ -> None)
| _ -> None

(** val if_or : rewrite **)

let if_or _ = function
| If (p2, a, b) ->
  (match p2 with
   | BOr (p, q) -> gives (If (p, a, (If (q, a, b))))
   | _ -> None)
| _ -> None

(** val if_exchange : rewrite **)

let if_exchange _ = function
| If (p, a0, b0) ->
  (match a0 with
   | If (q, a, b) ->
     (match b0 with
      | If (q', c, d) ->
        only (beqm q q') (gives (If (q, (If (p, a, c)), (If (p, b, d)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val if_gen : rewrite **)

let if_gen _ = function
| If (p, a0, b0) ->
  (match a0 with
   | Gen (x, n0, a) ->
     (match b0 with
      | Gen (y, m, b) ->
        only ((&&) ((&&) (Coq_Pos.eqb x y) (ieqm n0 m)) (negb (bin x p)))
          (gives (Gen (x, n0, (If (p, a, b)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val guard_gen : rewrite **)

let guard_gen _ = function
| If (p, a0, z0) ->
  (match a0 with
   | Gen (x, n0, a) ->
     only ((&&) (is_null z0) (negb (bin x p)))
       (gives (Gen (x, n0, (guard p a))))
   | _ -> None)
| _ -> None

(** val gen_if : rewrite **)

let gen_if _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | If (p, a, b) ->
     only (negb (bin x p))
       (gives (If (p, (Gen (x, n0, a)), (Gen (x, n0, b)))))
   | _ -> None)
| _ -> None

(** val fold_if : rewrite **)

let fold_if _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | If (p, a, b) ->
     only (negb (bin x p))
       (gives (If (p, (Fold (o, x, n0, a)), (Fold (o, x, n0, b)))))
   | _ -> None)
| _ -> None

(** val if_lift : nat -> rewrite **)

let if_lift k _ e =
  bind (operand k e) (fun pat ->
    let (h, a) = pat in
    (match a with
     | If (p, b, c) -> gives (If (p, (h b), (h c)))
     | _ -> None))

(** val guard_annihilates : rewrite **)

let guard_annihilates _ = function
| Op2 (o, a0, b) ->
  (match a0 with
   | If (p, a, z0) ->
     only (is_null z0) (Some (((AnnihL o) :: []), (guard p (Op2 (o, a, b)))))
   | _ -> None)
| _ -> None

(** val guard_annihilates_right : rewrite **)

let guard_annihilates_right _ = function
| Op2 (o, a, b0) ->
  (match b0 with
   | If (p, b, z0) ->
     only (is_null z0) (Some (((AnnihR o) :: []), (guard p (Op2 (o, a, b)))))
   | _ -> None)
| _ -> None

(** val guard_op : rewrite **)

let guard_op _ = function
| Op2 (o, a0, b0) ->
  (match a0 with
   | If (p, a, y) ->
     (match b0 with
      | If (q, b, z0) ->
        only ((&&) ((&&) (beqm p q) (is_null y)) (is_null z0)) (Some
          (((NullNull o) :: []), (guard p (Op2 (o, a, b)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val guard_cover : rewrite **)

let guard_cover _ = function
| Op2 (o, a0, b0) ->
  (match a0 with
   | If (p, a, b1) ->
     (match b1 with
      | Lit c ->
        (match c with
         | Num _ -> None
         | UnitOf o1 ->
           (match b0 with
            | If (q, a1, b) ->
              (match a1 with
               | Lit c0 ->
                 (match c0 with
                  | Num _ -> None
                  | UnitOf o2 ->
                    only
                      ((&&)
                        ((&&) ((&&) (Coq_Pos.eqb o o1) (Coq_Pos.eqb o o2))
                          (beqm p q)) (xeq a b)) (Some (((UnitL o) :: ((Comm
                      o) :: [])), b)))
               | _ -> None)
            | _ -> None))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val extent : exp -> iexp option **)

let rec extent = function
| Gen (_, n0, _) -> Some n0
| Let (_, _, e0) -> extent e0
| View (v0, _) ->
  (match v0 with
   | Flatten (n0, m) -> Some (IMul (n0, m))
   | Split (q, _) -> Some q
   | _ -> None)
| Mark (_, e0) -> extent e0
| _ -> None

(** val has_extent : exp -> iexp -> bool **)

let has_extent e n0 =
  match extent e with
  | Some m -> ieqm m n0
  | None -> false

(** val ranked : exp -> bool **)

let rec ranked = function
| Gen (_, _, _) -> true
| Let (_, _, e0) -> ranked e0
| Cat (_, _, _) -> true
| View (v0, _) ->
  (match v0 with
   | Reindex (xs, _) -> (match xs with
                         | [] -> false
                         | _ :: _ -> true)
   | _ -> true)
| Mark (_, e0) -> ranked e0
| _ -> false

(** val gen_eta : rewrite **)

let gen_eta _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | Get (a, i) ->
     (match i with
      | IV y ->
        only
          ((&&)
            ((&&) ((&&) (Coq_Pos.eqb x y) (negb (ein x a))) (has_extent a n0))
            (ranked a)) (gives a)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val rename_loop : id -> rewrite **)

let rename_loop y _ = function
| Gen (x, n0, b) ->
  only (negb (ein y b))
    (bind (esub x (IV y) b) (fun b' -> gives (Gen (y, n0, b'))))
| Fold (o, x, n0, b) ->
  only (negb (ein y b))
    (bind (esub x (IV y) b) (fun b' -> gives (Fold (o, y, n0, b'))))
| _ -> None

(** val resize_loop : iexp -> wit -> rewrite **)

let resize_loop m w f = function
| Gen (x, n0, b) -> provided f (BEq (n0, m)) w (gives (Gen (x, m, b)))
| Fold (o, x, n0, b) -> provided f (BEq (n0, m)) w (gives (Fold (o, x, m, b)))
| _ -> None

(** val tile : iexp -> iexp -> wit -> rewrite **)

let tile q k w f e =
  match extent e with
  | Some n0 ->
    only (ranked e)
      (provided f (BAnd ((pos k), (BLe (n0, (IMul (q, k)))))) w
        (gives (View ((TruncR n0), (View ((Flatten (q, k)), (View ((Split (q,
          k)), e))))))))
  | None -> None

(** val tile_exact : iexp -> iexp -> wit -> rewrite **)

let tile_exact q k w f e =
  match extent e with
  | Some n0 ->
    only (ranked e)
      (provided f (BAnd ((pos k), (BEq (n0, (IMul (q, k)))))) w
        (gives (View ((Flatten (q, k)), (View ((Split (q, k)), e))))))
  | None -> None

(** val split_unfold : id -> id -> rewrite **)

let split_unfold xo xi _ = function
| View (v0, b) ->
  (match v0 with
   | Split (q, k) ->
     only
       ((&&)
         ((&&)
           ((&&) ((&&) (negb (Coq_Pos.eqb xo xi)) (negb (ein xo b)))
             (negb (ein xi b))) (negb (iin xo k))) (negb (iin xi k)))
       (gives (Gen (xo, q, (Gen (xi, k, (Get (b, (IAdd ((IMul ((IV xo), k)),
         (IV xi))))))))))
   | _ -> None)
| _ -> None

(** val flatten_gen : id -> wit -> rewrite **)

let flatten_gen z0 w f = function
| View (v0, e0) ->
  (match v0 with
   | Flatten (n0, m) ->
     (match e0 with
      | Gen (x, n', e1) ->
        (match e1 with
         | Gen (y, m', b) ->
           only
             ((&&)
               ((&&)
                 ((&&)
                   ((&&)
                     ((&&)
                       ((&&) ((&&) (ieqm n0 n') (ieqm m m'))
                         (negb (iin x m'))) (negb (ein z0 b)))
                     (negb (iin z0 m))) (negb (Coq_Pos.eqb x y)))
                 (negb (Coq_Pos.eqb z0 y))) (negb (Coq_Pos.eqb z0 x)))
             (provided f (pos m) w
               (bind (esub y (IMod ((IV z0), m)) b) (fun b1 ->
                 bind (esub x (IDiv ((IV z0), m)) b1) (fun b2 ->
                   only (negb (iin x m))
                     (gives (Gen (z0, (IMul (n0, m)), b2)))))))
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val transpose_gen : rewrite **)

let transpose_gen _ = function
| View (v0, e0) ->
  (match v0 with
   | Transpose ->
     (match e0 with
      | Gen (x, n0, e1) ->
        (match e1 with
         | Gen (y, m, b) ->
           only
             ((&&) ((&&) (negb (Coq_Pos.eqb x y)) (negb (iin y n0)))
               (negb (iin x m))) (gives (Gen (y, m, (Gen (x, n0, b)))))
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val transpose_twice : rewrite **)

let transpose_twice _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | Gen (y, m, b) ->
     gives (View (Transpose, (View (Transpose, (Gen (x, n0, (Gen (y, m,
       b))))))))
   | _ -> None)
| _ -> None

(** val gen_cat : iexp -> wit -> rewrite **)

let gen_cat k w f = function
| Gen (x, n0, b) ->
  only (negb (iin x k))
    (provided f (BAnd ((BLe ((IC Z0), k)), (BLe (k, n0)))) w
      (bind (esub x (IAdd ((IV x), k)) b) (fun b' ->
        gives (Cat (k, (Gen (x, k, b)), (Gen (x, (ISub (n0, k)), b')))))))
| _ -> None

(** val shift_inwards : iexp -> iexp -> wit -> rewrite **)

let shift_inwards j k w f = function
| Gen (x, n0, b) ->
  only ((&&) (negb (iin x k)) (negb (iin x n0)))
    (provided f (BAnd ((BAnd ((BLe ((IC Z0), j)), (BLe ((ISub (n0, k)),
      j)))), (BLe (j, n0)))) w
      (bind (esub x (IAdd ((IV x), (ISub (n0, k)))) b) (fun b' ->
        gives (Cat (j, (Gen (x, j, b)), (View ((TruncL (ISub (j, (ISub (n0,
          k))))), (Gen (x, k, b')))))))))
| _ -> None

(** val split_flatten : rewrite **)

let split_flatten _ = function
| View (v0, e0) ->
  (match v0 with
   | Split (n0, m) ->
     (match e0 with
      | View (v1, e1) ->
        (match v1 with
         | Flatten (n1, m1) ->
           (match e1 with
            | Gen (x, n2, e2) ->
              (match e2 with
               | Gen (y, m2, b) ->
                 only
                   ((&&)
                     ((&&)
                       ((&&) ((&&) (ieqm n0 n1) (ieqm n0 n2)) (ieqm m m1))
                       (ieqm m m2)) (negb (iin x m2)))
                   (gives (Gen (x, n2, (Gen (y, m2, b)))))
               | _ -> None)
            | _ -> None)
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val read_guard : rewrite **)

let read_guard _ = function
| Get (a, i) ->
  (match extent a with
   | Some n0 -> gives (guard (in_range i n0) (Get (a, i)))
   | None -> None)
| _ -> None

(** val cat_inner : rewrite **)

let cat_inner _ = function
| Gen (x, n0, e0) ->
  (match e0 with
   | Cat (k, a, b) ->
     only ((&&) ((&&) (negb (iin x k)) (ranked a)) (ranked b))
       (gives (View (Transpose, (Cat (k, (View (Transpose, (Gen (x, n0,
         a)))), (View (Transpose, (Gen (x, n0, b)))))))))
   | _ -> None)
| _ -> None

(** val cat_assoc : wit -> rewrite **)

let cat_assoc w f = function
| Cat (k, a0, c) ->
  (match a0 with
   | Cat (j, a, b) ->
     provided f (BLe (j, k)) w
       (gives (Cat (j, a, (Cat ((ISub (k, j)), b, c)))))
   | _ -> None)
| _ -> None

(** val gen_single : rewrite **)

let gen_single _ = function
| Gen (x, n0, b) ->
  (match n0 with
   | IC z0 ->
     (match z0 with
      | Zpos p ->
        (match p with
         | XH ->
           bind (esub x (IC Z0) b) (fun b' ->
             gives (Gen (x, (IC (Zpos XH)), b')))
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val trunc_gen : wit -> rewrite **)

let trunc_gen w f = function
| View (v0, e0) ->
  (match v0 with
   | TruncR k ->
     (match e0 with
      | Gen (x, n0, b) -> provided f (BLe (k, n0)) w (gives (Gen (x, k, b)))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val trunc_l_gen : wit -> rewrite **)

let trunc_l_gen w f = function
| View (v0, e0) ->
  (match v0 with
   | TruncL k ->
     (match e0 with
      | Gen (x, n0, b) ->
        only (negb (iin x k))
          (provided f (BLe ((IC Z0), k)) w
            (bind (esub x (IAdd ((IV x), k)) b) (fun b' ->
              gives (Gen (x, (ISub (n0, k)), b')))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val pad_gen : wit -> rewrite **)

let pad_gen w f = function
| View (v0, e0) ->
  (match v0 with
   | PadR (n0, k) ->
     (match e0 with
      | Gen (x, m, b) ->
        only ((&&) (ieqm n0 m) (negb (iin x n0)))
          (provided f (BLe ((IC Z0), k)) w
            (gives (Gen (x, (IAdd (n0, k)), (guard (BLt ((IV x), n0)) b)))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val pad_l_gen : wit -> rewrite **)

let pad_l_gen w f = function
| View (v0, e0) ->
  (match v0 with
   | PadL k ->
     (match e0 with
      | Gen (x, n0, b) ->
        only (negb (iin x k))
          (provided f (BLe ((IC Z0), k)) w
            (bind (esub x (ISub ((IV x), k)) b) (fun b' ->
              gives (Gen (x, (IAdd (n0, k)), (guard (BLe (k, (IV x))) b'))))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val trunc_pad : rewrite **)

let trunc_pad _ = function
| View (v0, e0) ->
  (match v0 with
   | TruncR n0 ->
     (match e0 with
      | View (v1, a) ->
        (match v1 with
         | PadR (m, _) ->
           only ((&&) ((&&) (ieqm n0 m) (has_extent a n0)) (ranked a))
             (gives a)
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val trunc_pad_l : wit -> rewrite **)

let trunc_pad_l w f = function
| View (v0, e0) ->
  (match v0 with
   | TruncL k ->
     (match e0 with
      | View (v1, a) ->
        (match v1 with
         | PadL j ->
           (match extent a with
            | Some _ ->
              only ((&&) (ieqm k j) (ranked a))
                (provided f (BLe ((IC Z0), k)) w (gives a))
            | None -> None)
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val view_push : rewrite **)

let view_push _ = function
| View (v0, e0) ->
  (match e0 with
   | If (p, a, b) -> gives (If (p, (View (v0, a)), (View (v0, b))))
   | Let (t, a, b) -> gives (Let (t, a, (View (v0, b))))
   | Mark (m, a) -> gives (Mark (m, (View (v0, a))))
   | _ -> None)
| _ -> None

(** val view_op : rewrite **)

let view_op _ = function
| View (v0, e0) ->
  (match e0 with
   | Op1 (o, a) -> Some (((Null1 o) :: []), (Op1 (o, (View (v0, a)))))
   | Op2 (o, a, b) ->
     Some (((NullNull o) :: []), (Op2 (o, (View (v0, a)), (View (v0, b)))))
   | _ -> None)
| _ -> None

(** val gen_op : rewrite **)

let gen_op _ = function
| Op2 (o, a0, b0) ->
  (match a0 with
   | Gen (x, n0, a) ->
     (match b0 with
      | Gen (y, m, b) ->
        only ((&&) (Coq_Pos.eqb x y) (ieqm n0 m)) (Some (((NullNull
          o) :: []), (Gen (x, n0, (Op2 (o, a, b))))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val mark_allowed : facts -> mark -> exp -> wit -> bool **)

let mark_allowed f m e w =
  match m with
  | Parallel -> (match e with
                 | Gen (_, _, _) -> true
                 | _ -> false)
  | Vector ->
    (match e with
     | Gen (_, n0, _) -> (match n0 with
                          | IC n1 -> Z.ltb Z0 n1
                          | _ -> false)
     | _ -> false)
  | Unroll ->
    (match e with
     | Gen (_, n0, _) -> (match n0 with
                          | IC n1 -> Z.ltb Z0 n1
                          | _ -> false)
     | Fold (_, _, n0, _) -> (match n0 with
                              | IC n1 -> Z.ltb Z0 n1
                              | _ -> false)
     | Iter (_, _, n0, _, _) ->
       (match n0 with
        | IC n1 -> Z.ltb Z0 n1
        | _ -> false)
     | _ -> false)
  | Slide x ->
    (match e with
     | Gen (y, _, e0) ->
       (match e0 with
        | Let (_, _, _) -> Coq_Pos.eqb x y
        | _ -> false)
     | _ -> false)
  | FoldStorage k -> prove f (pos k) w

(** val mark_loop : mark -> wit -> rewrite **)

let mark_loop m w f e =
  only (mark_allowed f m e w) (gives (Mark (m, e)))

(** val unmark : rewrite **)

let unmark _ = function
| Mark (_, a) -> gives a
| _ -> None

type nest = (id * iexp) list

(** val bound : id -> nest -> bool **)

let bound y xs =
  existsb (fun p -> Coq_Pos.eqb (fst p) y) xs

(** val gens : nest -> exp -> exp **)

let rec gens xs e =
  match xs with
  | [] -> e
  | p :: xs0 -> let (x, n0) = p in Gen (x, n0, (gens xs0 e))

(** val strip : nat -> exp -> (nest * exp) option **)

let rec strip k e =
  match k with
  | O -> Some ([], e)
  | S k0 ->
    (match e with
     | Gen (x, n0, e0) ->
       bind (strip k0 e0) (fun pat ->
         let (xs, b) = pat in Some (((x, n0) :: xs), b))
     | _ -> None)

(** val insides : nest -> facts -> facts **)

let rec insides xs f =
  match xs with
  | [] -> f
  | p :: xs0 -> let (x, n0) = p in insides xs0 (inside x n0 f)

type substitution = (id * iexp) list

(** val bsubs : substitution -> bexp -> bexp **)

let rec bsubs u p =
  match u with
  | [] -> p
  | p2 :: u0 -> let (x, v0) = p2 in bsub x v0 (bsubs u0 p)

(** val esubs : substitution -> exp -> exp option **)

let rec esubs u e =
  match u with
  | [] -> Some e
  | p :: u0 -> let (x, v0) = p in bind (esubs u0 e) (fun e' -> esub x v0 e')

(** val free_of : nest -> iexp list -> bool **)

let free_of xs ts =
  forallb (fun t -> forallb (fun p -> negb (iin (fst p) t)) xs) ts

(** val distinct_names : nest -> bool **)

let rec distinct_names = function
| [] -> true
| p :: xs0 -> let (x, _) = p in (&&) (negb (bound x xs0)) (distinct_names xs0)

(** val to0 : nest -> iexp list -> substitution **)

let to0 xs vs =
  combine (map fst xs) vs

(** val all : bexp list -> bexp **)

let all ps =
  fold_right (fun x x0 -> BAnd (x, x0)) BTrue ps

(** val covered : nest -> nest -> iexp list -> iexp list -> bexp -> bexp **)

let covered xs ls ss ts p =
  all
    (app (map (fun q -> in_range (snd q) (snd (fst q))) (combine ls ts))
      (app
        (map (fun q -> bsubs (to0 ls ts) (BEq ((snd q), (IV (fst (fst q))))))
          (combine xs ss)) ((bsubs (to0 ls ts) p) :: [])))

(** val guarded : bexp -> exp -> exp **)

let guarded p b =
  match p with
  | BTrue -> b
  | _ -> guard p b

(** val reindex : nest -> iexp list -> iexp list -> bexp -> wit -> rewrite **)

let reindex ls ss ts p w f e =
  bind (strip (length ss) e) (fun pat ->
    let (xs, b) = pat in
    bind (esubs (to0 xs ss) b) (fun b1 ->
      let body = guarded p b1 in
      only
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&)
                    ((&&)
                      ((&&) (Nat.eqb (length ts) (length ls))
                        (distinct_names xs)) (free_of xs ss))
                    (free_of xs (map snd ls))) (free_of ls (map snd ls)))
                (free_of ls ts))
              (forallb (fun q -> negb (ein (fst q) body)) xs))
            (forallb (fun q -> negb (ein (fst q) b)) ls))
          (forallb (fun q -> negb (bound (fst q) ls)) xs))
        (provided (insides xs f) (covered xs ls ss ts p) w
          (gives (View ((Reindex (xs, ts)), (gens ls body)))))))

(** val fold_swap : rewrite **)

let fold_swap _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Fold (p, y, m, b) ->
     only
       ((&&)
         ((&&) ((&&) (Coq_Pos.eqb o p) (negb (Coq_Pos.eqb x y)))
           (negb (iin y n0))) (negb (iin x m))) (Some (((Assoc o) :: ((Comm
       o) :: ((UnitL o) :: []))), (Fold (o, y, m, (Fold (o, x, n0, b))))))
   | _ -> None)
| _ -> None

(** val fold_gen : rewrite **)

let fold_gen _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Gen (y, m, b) ->
     only
       ((&&) ((&&) (negb (Coq_Pos.eqb x y)) (negb (iin y n0)))
         (negb (iin x m))) (Some (((UnitNull o) :: ((NullNull o) :: [])),
       (Gen (y, m, (Fold (o, x, n0, b))))))
   | _ -> None)
| _ -> None

(** val fold_indicator : rewrite **)

let fold_indicator _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | If (p2, b, b0) ->
     (match p2 with
      | BEq (a0, a) ->
        (match a0 with
         | IV y ->
           (match b0 with
            | Lit c ->
              (match c with
               | Num _ -> None
               | UnitOf p ->
                 only
                   ((&&) ((&&) (Coq_Pos.eqb o p) (Coq_Pos.eqb x y))
                     (negb (iin x a)))
                   (bind (esub x a b) (fun b' -> Some (((UnitL o) :: ((Comm
                     o) :: [])), (If ((in_range a n0), b', (Lit (UnitOf
                     o))))))))
            | _ -> None)
         | _ -> None)
      | _ -> None)
   | _ -> None)
| _ -> None

(** val fold_cat : iexp -> wit -> rewrite **)

let fold_cat k w f = function
| Fold (o, x, n0, b) ->
  only (negb (iin x k))
    (provided f (BAnd ((BLe ((IC Z0), k)), (BLe (k, n0)))) w
      (bind (esub x (IAdd ((IV x), k)) b) (fun b' -> Some (((Assoc
        o) :: ((UnitL o) :: ((Comm o) :: []))), (Op2 (o, (Fold (o, x, k, b)),
        (Fold (o, x, (ISub (n0, k)), b'))))))))
| _ -> None

(** val fold_last : wit -> rewrite **)

let fold_last w f = function
| Fold (o, x, n0, b) ->
  provided f (pos n0) w
    (bind (esub x (ISub (n0, (IC (Zpos XH)))) b) (fun b' ->
      gives (Op2 (o, (Fold (o, x, (ISub (n0, (IC (Zpos XH)))), b)), b'))))
| _ -> None

(** val fold_empty : wit -> rewrite **)

let fold_empty w f = function
| Fold (o, _, n0, _) ->
  provided f (BLe (n0, (IC Z0))) w (gives (Lit (UnitOf o)))
| _ -> None

(** val unit_left : rewrite **)

let unit_left _ = function
| Op2 (o, a0, a) ->
  (match a0 with
   | Lit c ->
     (match c with
      | Num _ -> None
      | UnitOf p -> only (Coq_Pos.eqb o p) (Some (((UnitL o) :: []), a)))
   | _ -> None)
| _ -> None

(** val unit_null : rewrite **)

let unit_null _ = function
| Lit c ->
  (match c with
   | Num _ -> None
   | UnitOf o -> Some (((UnitNull o) :: []), null))
| _ -> None

(** val fold_op : rewrite **)

let fold_op _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Op2 (p, a, b) ->
     only (Coq_Pos.eqb o p) (Some (((Assoc o) :: ((Comm o) :: ((UnitL
       o) :: []))), (Op2 (o, (Fold (o, x, n0, a)), (Fold (o, x, n0, b))))))
   | _ -> None)
| _ -> None

(** val fold_factor : rewrite **)

let fold_factor _ = function
| Fold (o, x, n0, e0) ->
  (match e0 with
   | Op2 (m, c, b) ->
     only (negb (ein x c)) (Some (((DistrL (m, o)) :: ((AnnihR
       m) :: ((UnitNull o) :: []))), (Op2 (m, c, (Fold (o, x, n0, b))))))
   | _ -> None)
| _ -> None

(** val fold_tile : iexp -> iexp -> id -> id -> wit -> rewrite **)

let fold_tile q k xo xi w f = function
| Fold (o, x, n0, b) ->
  only
    ((&&)
      ((&&)
        ((&&) ((&&) (negb (Coq_Pos.eqb xo xi)) (negb (ein xo b)))
          (negb (ein xi b))) (negb (iin xo k))) (negb (iin xi k)))
    (provided f (BAnd ((BAnd ((BLe ((IC Z0), q)), (BLe ((IC Z0), k)))), (BEq
      (n0, (IMul (q, k)))))) w
      (bind (esub x (IAdd ((IMul ((IV xo), k)), (IV xi))) b) (fun b' -> Some
        (((Assoc o) :: ((UnitL o) :: ((Comm o) :: []))), (Fold (o, xo, q,
        (Fold (o, xi, k, b'))))))))
| _ -> None

(** val fold_tile_guarded : iexp -> iexp -> id -> id -> wit -> rewrite **)

let fold_tile_guarded q k xo xi w f = function
| Fold (o, x, n0, b) ->
  only
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((&&) (negb (Coq_Pos.eqb xo xi)) (negb (ein xo b)))
              (negb (ein xi b))) (negb (iin xo k))) (negb (iin xi k)))
        (negb (iin xo n0))) (negb (iin xi n0)))
    (provided f (BAnd ((BAnd ((BLe ((IC Z0), q)), (BLe ((IC Z0), k)))), (BLe
      (n0, (IMul (q, k)))))) w
      (bind (esub x (IAdd ((IMul ((IV xo), k)), (IV xi))) b) (fun b' -> Some
        (((Assoc o) :: ((UnitL o) :: ((Comm o) :: []))), (Fold (o, xo, q,
        (Fold (o, xi, k, (If ((BLt ((IAdd ((IMul ((IV xo), k)), (IV xi))),
        n0)), b', (Lit (UnitOf o))))))))))))
| _ -> None

(** val tuple_first : rewrite **)

let tuple_first _ = function
| Op1 (f, a0) ->
  (match a0 with
   | Op2 (p, a, _) -> Some (((FirstOf (f, p)) :: []), a)
   | _ -> None)
| _ -> None

(** val tuple_second : rewrite **)

let tuple_second _ = function
| Op1 (f, a0) ->
  (match a0 with
   | Op2 (p, _, b) -> Some (((SecondOf (f, p)) :: []), b)
   | _ -> None)
| _ -> None

(** val op_comm : rewrite **)

let op_comm _ = function
| Op2 (o, a, b) -> Some (((Comm o) :: []), (Op2 (o, b, a)))
| _ -> None

(** val op_assoc : rewrite **)

let op_assoc _ = function
| Op2 (o, a, b0) ->
  (match b0 with
   | Op2 (p, b, c) ->
     only (Coq_Pos.eqb o p) (Some (((Assoc o) :: []), (Op2 (o, (Op2 (o, a,
       b)), c))))
   | _ -> None)
| _ -> None

(** val bind_dead : rewrite **)

let bind_dead _ = function
| Bind (x, _, b) -> only (negb (ein x b)) (gives b)
| _ -> None

(** val bind_let : rewrite **)

let bind_let _ = function
| Bind (x, a, b0) ->
  (match b0 with
   | Let (t, b, c) ->
     only ((&&) (negb (ein x b)) (negb (tin t a)))
       (gives (Let (t, b, (Bind (x, a, c)))))
   | _ -> None)
| _ -> None

(** val iter_empty : wit -> rewrite **)

let iter_empty w f = function
| Iter (_, _, n0, a, _) -> provided f (BLe (n0, (IC Z0))) w (gives a)
| _ -> None

(** val iter_last : wit -> rewrite **)

let iter_last w f = function
| Iter (t, x, n0, a, b) ->
  provided f (pos n0) w
    (bind (esub x (ISub (n0, (IC (Zpos XH)))) b) (fun b' ->
      gives (Let (t, (Iter (t, x, (ISub (n0, (IC (Zpos XH)))), a, b)), b'))))
| _ -> None

(** val iter_gen : rewrite **)

let iter_gen _ = function
| Gen (x, m, e0) ->
  (match e0 with
   | Iter (t, y, n0, a, b) ->
     only
       ((&&) ((&&) (negb (Coq_Pos.eqb x y)) (negb (iin y m)))
         (negb (iin x n0)))
       (bind (tsub t (Get ((Var t), (IV x))) b) (fun b' ->
         gives (Iter (t, y, n0, (Gen (x, m, a)), (Gen (x, m, b'))))))
   | _ -> None)
| _ -> None

(** val piece_names : iexp -> id -> id -> exp -> bool **)

let piece_names k xo xi b =
  (&&)
    ((&&)
      ((&&) ((&&) (negb (Coq_Pos.eqb xo xi)) (negb (ein xo b)))
        (negb (ein xi b))) (negb (iin xo k))) (negb (iin xi k))

(** val iter_tile : iexp -> iexp -> id -> id -> wit -> rewrite **)

let iter_tile q k xo xi w f = function
| Iter (t, x, n0, a, b) ->
  only (piece_names k xo xi b)
    (provided f (BAnd ((BAnd ((BLe ((IC Z0), q)), (BLe ((IC Z0), k)))), (BEq
      (n0, (IMul (q, k)))))) w
      (bind (esub x (IAdd ((IMul ((IV xo), k)), (IV xi))) b) (fun b' ->
        gives (Iter (t, xo, q, a, (Iter (t, xi, k, (Var t), b')))))))
| _ -> None

(** val iter_tile_guarded : iexp -> iexp -> id -> id -> wit -> rewrite **)

let iter_tile_guarded q k xo xi w f = function
| Iter (t, x, n0, a, b) ->
  only
    ((&&) ((&&) (piece_names k xo xi b) (negb (iin xo n0)))
      (negb (iin xi n0)))
    (provided f (BAnd ((BAnd ((BLe ((IC Z0), q)), (BLe ((IC Z0), k)))), (BLe
      (n0, (IMul (q, k)))))) w
      (bind (esub x (IAdd ((IMul ((IV xo), k)), (IV xi))) b) (fun b' ->
        gives (Iter (t, xo, q, a, (Iter (t, xi, k, (Var t), (If ((BLt ((IAdd
          ((IMul ((IV xo), k)), (IV xi))), n0)), b', (Var t))))))))))
| _ -> None

(** val if_iter : rewrite **)

let if_iter _ = function
| If (p, a0, c) ->
  (match a0 with
   | Iter (t, x, n0, a, b) ->
     only (negb (bin x p))
       (gives (Iter (t, x, n0, (If (p, a, c)), (If (p, b, (Var t))))))
   | _ -> None)
| _ -> None

(** val gathers : id -> exp -> id option **)

let rec gathers t = function
| If (_, a, b) ->
  (match b with
   | Var u -> only (Coq_Pos.eqb t u) (gathers t a)
   | _ -> None)
| Op2 (o, b, b0) ->
  (match b with
   | Var u -> only ((&&) (Coq_Pos.eqb t u) (negb (tin t b0))) (Some o)
   | _ ->
     (match b0 with
      | Var u -> only ((&&) (Coq_Pos.eqb t u) (negb (tin t b))) (Some o)
      | _ -> None))
| Mark (_, a) -> gathers t a
| Bind (_, a, b) -> only (negb (tin t a)) (gathers t b)
| Iter (u, _, _, a, b) ->
  (match a with
   | Var w -> only ((&&) (Coq_Pos.eqb t u) (Coq_Pos.eqb t w)) (gathers t b)
   | _ -> None)
| _ -> None

(** val iter_swap : rewrite **)

let iter_swap _ = function
| Iter (t, x, n0, a, b0) ->
  (match b0 with
   | Iter (u, y, m, a0, b) ->
     (match a0 with
      | Var w ->
        only
          ((&&)
            ((&&)
              ((&&) ((&&) (Coq_Pos.eqb t u) (Coq_Pos.eqb t w))
                (negb (Coq_Pos.eqb x y))) (negb (iin y n0))) (negb (iin x m)))
          (bind (gathers t b) (fun o -> Some (((Assoc o) :: ((Comm
            o) :: [])), (Iter (t, y, m, a, (Iter (t, x, n0, (Var t), b)))))))
      | _ -> None)
   | _ -> None)
| _ -> None

(** val mark_reduction : mark -> rewrite **)

let mark_reduction m _ e =
  match m with
  | Parallel ->
    (match e with
     | Iter (t, _, _, _, b) ->
       bind (gathers t b) (fun o -> Some (((Assoc o) :: ((Comm o) :: [])),
         (Mark (m, e))))
     | _ -> None)
  | Vector ->
    (match e with
     | Iter (t, _, n0, _, b) ->
       (match n0 with
        | IC k ->
          only (Z.ltb Z0 k)
            (bind (gathers t b) (fun o -> Some (((Assoc o) :: ((Comm
              o) :: [])), (Mark (m, e)))))
        | _ -> None)
     | _ -> None)
  | _ -> None

(** val iter_factor : rewrite **)

let iter_factor _ = function
| Iter (t, x, n0, a, b) ->
  bind (gathers t b) (fun o -> Some (((Assoc o) :: ((Comm o) :: ((UnitL
    o) :: []))), (Op2 (o, a, (Iter (t, x, n0, (Lit (UnitOf o)), b))))))
| _ -> None

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

(** val apply : rule -> rewrite **)

let rec apply = function
| R_get_gen w -> get_gen w
| R_get_gen_guard -> get_gen_guard
| R_get_gen_outside w -> get_gen_outside w
| R_get_let -> get_let
| R_get_if -> get_if
| R_get_fold -> get_fold
| R_get_op -> get_op
| R_get_cat_left w -> get_cat_left w
| R_get_cat_right w -> get_cat_right w
| R_get_cat -> get_cat
| R_get_bind -> get_bind
| R_get_mark -> get_mark
| R_get_transpose -> get_transpose
| R_get_flatten w -> get_flatten w
| R_get_split w -> get_split w
| R_get_trunc_r w -> get_trunc_r w
| R_get_trunc_l w -> get_trunc_l w
| R_get_pad_r -> get_pad_r
| R_get_pad_l -> get_pad_l
| R_let_inline -> let_inline
| R_let_dead -> let_dead
| R_let_rename u -> let_rename u
| R_let_flatten -> let_flatten
| R_let_swap -> let_swap
| R_let_merge -> let_merge
| R_let_lift_gen -> let_lift_gen
| R_let_lift_fold -> let_lift_fold
| R_let_lift_invariant -> let_lift_invariant
| R_let_lift k -> let_lift k
| R_if_true w -> if_true w
| R_if_false w -> if_false w
| R_if_equiv (q, w, v0) -> if_equiv q w v0
| R_if_introduce p -> if_introduce p
| R_if_same -> if_same
| R_if_merge -> if_merge
| R_if_nest -> if_nest
| R_if_not -> if_not
| R_if_or -> if_or
| R_if_exchange -> if_exchange
| R_if_gen -> if_gen
| R_guard_gen -> guard_gen
| R_gen_if -> gen_if
| R_fold_if -> fold_if
| R_if_lift k -> if_lift k
| R_guard_annihilates -> guard_annihilates
| R_guard_annihilates_right -> guard_annihilates_right
| R_guard_op -> guard_op
| R_guard_cover -> guard_cover
| R_gen_eta -> gen_eta
| R_rename_loop y -> rename_loop y
| R_resize_loop (m, w) -> resize_loop m w
| R_tile (q, k, w) -> tile q k w
| R_tile_exact (q, k, w) -> tile_exact q k w
| R_split_unfold (xo, xi) -> split_unfold xo xi
| R_flatten_gen (z0, w) -> flatten_gen z0 w
| R_transpose_gen -> transpose_gen
| R_transpose_twice -> transpose_twice
| R_gen_cat (k, w) -> gen_cat k w
| R_shift_inwards (j, k, w) -> shift_inwards j k w
| R_split_flatten -> split_flatten
| R_read_guard -> read_guard
| R_cat_inner -> cat_inner
| R_cat_assoc w -> cat_assoc w
| R_gen_single -> gen_single
| R_trunc_gen w -> trunc_gen w
| R_trunc_l_gen w -> trunc_l_gen w
| R_pad_gen w -> pad_gen w
| R_pad_l_gen w -> pad_l_gen w
| R_trunc_pad -> trunc_pad
| R_trunc_pad_l w -> trunc_pad_l w
| R_view_push -> view_push
| R_view_op -> view_op
| R_gen_op -> gen_op
| R_mark_loop (m, w) -> mark_loop m w
| R_unmark -> unmark
| R_reindex (ls, ss, ts, p, w) -> reindex ls ss ts p w
| R_fold_swap -> fold_swap
| R_fold_gen -> fold_gen
| R_fold_indicator -> fold_indicator
| R_fold_cat (k, w) -> fold_cat k w
| R_fold_last w -> fold_last w
| R_fold_empty w -> fold_empty w
| R_unit_left -> unit_left
| R_unit_null -> unit_null
| R_fold_op -> fold_op
| R_fold_factor -> fold_factor
| R_fold_tile (q, k, xo, xi, w) -> fold_tile q k xo xi w
| R_fold_tile_guarded (q, k, xo, xi, w) -> fold_tile_guarded q k xo xi w
| R_tuple_first -> tuple_first
| R_tuple_second -> tuple_second
| R_op_comm -> op_comm
| R_op_assoc -> op_assoc
| R_bind_dead -> bind_dead
| R_bind_let -> bind_let
| R_iter_empty w -> iter_empty w
| R_iter_last w -> iter_last w
| R_iter_gen -> iter_gen
| R_iter_tile (q, k, xo, xi, w) -> iter_tile q k xo xi w
| R_iter_tile_guarded (q, k, xo, xi, w) -> iter_tile_guarded q k xo xi w
| R_if_iter -> if_iter
| R_iter_swap -> iter_swap
| R_mark_reduction m -> mark_reduction m
| R_iter_factor -> iter_factor
| R_reversed (r0, e) -> reversed (apply r0) e
| R_at (p, r0) -> at_path p (apply r0)
| R_seq (r0, s) -> sequence (apply r0) (apply s)

type step = { s_path : path; s_rule : rule }

(** val run : facts -> step list -> exp -> (laws * exp) option **)

let rec run f ds e =
  match ds with
  | [] -> Some ([], e)
  | d :: ds0 ->
    bind (at_path d.s_path (apply d.s_rule) f e) (fun pat ->
      let (l, e') = pat in
      bind (run f ds0 e') (fun pat0 ->
        let (m, f0) = pat0 in Some ((app l m), f0)))

type certificate = { c_facts : facts; c_source : exp; c_target : exp;
                     c_forth : step list; c_back : step list }

(** val check : certificate -> laws option **)

let check c =
  bind (run c.c_facts c.c_forth c.c_source) (fun pat ->
    let (l, e) = pat in
    bind (run c.c_facts c.c_back c.c_target) (fun pat0 ->
      let (m, f) = pat0 in only (xeq e f) (Some (app l m))))

(** val shape : exp -> iexp list **)

let rec shape = function
| Gen (_, n0, e0) -> n0 :: (shape e0)
| Fold (_, _, _, e0) -> shape e0
| If (_, e0, _) -> shape e0
| Let (_, _, e0) -> shape e0
| Get (e0, _) -> tl (shape e0)
| Op1 (_, e0) -> shape e0
| Op2 (_, e0, _) -> shape e0
| Op3 (_, e0, _, _) -> shape e0
| Cat (n0, a, b) -> (IAdd (n0, (hd (IC Z0) (shape b)))) :: (tl (shape a))
| View (v0, e0) ->
  (match v0 with
   | Transpose ->
     (match shape e0 with
      | [] -> []
      | n0 :: l -> (match l with
                    | [] -> n0 :: []
                    | m :: s -> m :: (n0 :: s)))
   | Flatten (n0, m) -> (IMul (n0, m)) :: (tl (tl (shape e0)))
   | Split (q, k) -> q :: (k :: (tl (shape e0)))
   | TruncR n0 -> n0 :: (tl (shape e0))
   | TruncL k -> (ISub ((hd (IC Z0) (shape e0)), k)) :: (tl (shape e0))
   | PadR (n0, k) -> (IAdd (n0, k)) :: (tl (shape e0))
   | PadL k -> (IAdd (k, (hd (IC Z0) (shape e0)))) :: (tl (shape e0))
   | Reindex (xs, ts) -> app (map snd xs) (skipn (length ts) (shape e0)))
| Mark (_, e0) -> shape e0
| Bind (_, _, e0) -> shape e0
| Iter (_, _, _, a, _) -> shape a
| _ -> []

type shapes = (id * iexp list) list

(** val shape_of : shapes -> id -> iexp list option **)

let rec shape_of x t =
  match x with
  | [] -> None
  | p :: x0 ->
    let (u, s) = p in if Coq_Pos.eqb u t then Some s else shape_of x0 t

(** val unbound : id -> shapes -> bool **)

let unbound x x0 =
  forallb (fun p -> forallb (fun a -> negb (iin x a)) (snd p)) x0

(** val check_bounds :
    facts -> iexp list -> iexp list -> wit list -> wit list option **)

let rec check_bounds f shape0 idx ws =
  match shape0 with
  | [] -> (match idx with
           | [] -> Some ws
           | _ :: _ -> None)
  | n0 :: ns ->
    (match idx with
     | [] -> None
     | i :: is ->
       (match ws with
        | [] -> None
        | w :: ws0 ->
          only (prove f (in_range i n0) w) (check_bounds f ns is ws0)))

(** val check_safe :
    shapes -> facts -> exp -> iexp list -> wit list -> wit list option **)

let rec check_safe x f e idx ws =
  match e with
  | Lit _ -> Some ws
  | Var t -> bind (shape_of x t) (fun s -> check_bounds f s idx ws)
  | Get (e0, i) -> check_safe x f e0 (i :: idx) ws
  | _ ->
    (match idx with
     | [] ->
       (match e with
        | Gen (x0, n0, e0) ->
          only (unbound x0 x) (check_safe x (inside x0 n0 f) e0 [] ws)
        | Fold (_, x0, n0, e0) ->
          only (unbound x0 x) (check_safe x (inside x0 n0 f) e0 [] ws)
        | If (p, a, b) ->
          bind (check_safe x (p :: f) a [] ws) (fun ws0 ->
            check_safe x ((BNot p) :: f) b [] ws0)
        | Let (t, a, b) ->
          bind (check_safe x f a [] ws) (fun ws0 ->
            check_safe ((t, (shape a)) :: x) f b [] ws0)
        | Op1 (_, a) -> check_safe x f a [] ws
        | Op2 (_, a, b) ->
          bind (check_safe x f a [] ws) (fun ws0 -> check_safe x f b [] ws0)
        | Op3 (_, a, b, c) ->
          bind (check_safe x f a [] ws) (fun ws0 ->
            bind (check_safe x f b [] ws0) (fun ws1 ->
              check_safe x f c [] ws1))
        | Cat (_, a, b) ->
          bind (check_safe x f a [] ws) (fun ws0 -> check_safe x f b [] ws0)
        | View (_, a) -> check_safe x f a [] ws
        | Mark (_, a) -> check_safe x f a [] ws
        | Bind (x0, a, b) ->
          only (unbound x0 x)
            (bind (check_safe x f a [] ws) (fun ws0 ->
              check_safe x (without x0 f) b [] ws0))
        | Iter (t, x0, n0, a, b) ->
          only (unbound x0 ((t, (shape a)) :: x))
            (bind (check_safe x f a [] ws) (fun ws0 ->
              check_safe ((t, (shape a)) :: x) (inside x0 n0 f) b [] ws0))
        | _ -> None)
     | _ :: _ -> None)

type store = { st_at : iexp list; st_guard : bexp; st_shown : wit;
               st_stored : wit }

(** val gets : exp -> nest -> exp **)

let rec gets e = function
| [] -> e
| p :: xs0 -> let (x, _) = p in gets (Get (e, (IV x))) xs0

(** val unget : id -> exp -> exp -> exp **)

let rec unget t g e =
  if xeq e g
  then Var t
  else let go = unget t g in
       (match e with
        | Gen (y, n0, a) -> Gen (y, n0, (go a))
        | Fold (o, y, n0, a) -> Fold (o, y, n0, (go a))
        | If (p, a, b) -> If (p, (go a), (go b))
        | Let (u, a, b) ->
          Let (u, (go a), (if Coq_Pos.eqb t u then b else go b))
        | Get (a, i) -> Get ((go a), i)
        | Op1 (o, a) -> Op1 (o, (go a))
        | Op2 (o, a, b) -> Op2 (o, (go a), (go b))
        | Op3 (o, a, b, c) -> Op3 (o, (go a), (go b), (go c))
        | Cat (n0, a, b) -> Cat (n0, (go a), (go b))
        | View (v0, a) -> View (v0, (go a))
        | Mark (m, a) -> Mark (m, (go a))
        | Bind (y, a, b) -> Bind (y, (go a), (go b))
        | Iter (u, y, n0, a, b) ->
          Iter (u, y, n0, (go a), (if Coq_Pos.eqb t u then b else go b))
        | _ -> e)

(** val local : id -> nest -> exp -> exp option **)

let local t xs b =
  let c = unget t (gets (Var t) xs) b in
  bind (tsub t (gets (Var t) xs) c) (fun d -> only (xeq d b) (Some c))

(** val avoids : nest -> exp -> bool **)

let avoids xs a =
  forallb (fun x -> negb (ein (fst x) a)) xs

(** val may_sink : id -> iexp -> nest -> nest -> bool **)

let may_sink x n0 xs ys =
  (&&)
    ((&&)
      ((&&) ((&&) (loops_eqm xs ys) (negb (bound x xs))) (distinct_names xs))
      (forallb (fun m -> negb (iin x m)) (map snd xs)))
    (free_of xs (n0 :: []))

(** val loops : exp -> nat -> (nest * exp) option **)

let rec loops e k =
  match e with
  | Gen (x, n0, a) ->
    (match k with
     | O -> Some ([], e)
     | S k0 ->
       bind (loops a k0) (fun pat ->
         let (xs, b) = pat in Some (((x, n0) :: xs), b)))
  | Fold (_, _, _, _) -> (match k with
                          | O -> Some ([], e)
                          | S _ -> None)
  | Let (t, a, b) ->
    (match k with
     | O -> Some ([], e)
     | S _ ->
       bind (loops b k) (fun pat ->
         let (xs, c) = pat in only (avoids xs a) (Some (xs, (Let (t, a, c))))))
  | Cat (_, _, _) -> (match k with
                      | O -> Some ([], e)
                      | S _ -> None)
  | Mark (_, a) -> loops a k
  | Iter (t, x, n0, a, b) ->
    (match k with
     | O -> Some ([], e)
     | S _ ->
       bind (loops a k) (fun pat ->
         let (xs, c) = pat in
         bind (loops b k) (fun pat0 ->
           let (ys, d) = pat0 in
           bind (local t xs d) (fun d' ->
             only (may_sink x n0 xs ys) (Some (xs, (Iter (t, x, n0, c, d'))))))))
  | _ -> (match k with
          | O -> Some ([], e)
          | S _ -> None)

(** val separate : nest -> nest -> iexp list -> iexp list -> bool **)

let separate xs ls ss ts =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&)
                    ((&&) (Nat.eqb (length ss) (length xs))
                      (Nat.eqb (length ts) (length ls))) (distinct_names xs))
                  (distinct_names ls)) (free_of xs ss)) (free_of ls ts))
            (free_of xs (map snd ls))) (free_of ls (map snd ls)))
        (free_of xs (map snd xs))) (free_of ls (map snd xs)))
    (forallb (fun q -> negb (bound (fst q) ls)) xs)

(** val check_store : facts -> nest -> nest -> iexp list -> store -> bool **)

let check_store f xs ls ts q =
  (&&)
    ((&&)
      ((&&) (separate xs ls q.st_at ts)
        (forallb (fun x -> negb (bin (fst x) q.st_guard)) xs))
      (prove (insides xs f) (covered xs ls q.st_at ts q.st_guard) q.st_shown))
    (prove (q.st_guard :: (insides ls f)) (covered ls xs ts q.st_at BTrue)
      q.st_stored)

(** val views : exp -> nat **)

let rec views = function
| Gen (_, _, a) -> views a
| Fold (_, _, _, a) -> views a
| If (_, a, b) -> add (views a) (views b)
| Let (_, a, b) -> add (views a) (views b)
| Get (a, _) -> views a
| Op1 (_, a) -> views a
| Op2 (_, a, b) -> add (views a) (views b)
| Op3 (_, a, b, c) -> add (add (views a) (views b)) (views c)
| Cat (_, a, b) -> add (views a) (views b)
| View (_, a) -> S (views a)
| Mark (_, a) -> views a
| Bind (_, a, b) -> add (views a) (views b)
| Iter (_, _, _, a, b) -> add (views a) (views b)
| _ -> O

(** val check_stores : facts -> exp -> store list -> bool **)

let rec check_stores f e qs =
  match e with
  | Gen (x, n0, a) -> check_stores (inside x n0 f) a qs
  | Fold (_, x, n0, a) -> check_stores (inside x n0 f) a qs
  | If (p, a, b) ->
    (&&) (check_stores (p :: f) a (firstn (views a) qs))
      (check_stores ((BNot p) :: f) b (skipn (views a) qs))
  | Let (_, a, b) ->
    (&&) (check_stores f a (firstn (views a) qs))
      (check_stores f b (skipn (views a) qs))
  | Get (a, _) -> check_stores f a qs
  | Op1 (_, a) -> check_stores f a qs
  | Op2 (_, a, b) ->
    (&&) (check_stores f a (firstn (views a) qs))
      (check_stores f b (skipn (views a) qs))
  | Op3 (_, a, b, c) ->
    (&&) (check_stores f a (firstn (views a) qs))
      ((&&) (check_stores f b (firstn (views b) (skipn (views a) qs)))
        (check_stores f c (skipn (views b) (skipn (views a) qs))))
  | Cat (_, a, b) ->
    (&&) (check_stores f a (firstn (views a) qs))
      (check_stores f b (skipn (views a) qs))
  | View (v0, a) ->
    (match v0 with
     | Reindex (xs, ts) ->
       (match qs with
        | [] -> false
        | q :: qs0 ->
          (match loops a (length ts) with
           | Some p ->
             let (ls, _) = p in
             (&&) (check_store f xs ls ts q) (check_stores f a qs0)
           | None -> false))
     | _ -> false)
  | Mark (_, a) -> check_stores f a qs
  | Bind (x, a, b) ->
    (&&) (check_stores f a (firstn (views a) qs))
      (check_stores (without x f) b (skipn (views a) qs))
  | Iter (_, x, n0, a, b) ->
    (&&) (check_stores f a (firstn (views a) qs))
      (check_stores (inside x n0 f) b (skipn (views a) qs))
  | _ -> true

type pane = { p_dim : nat; p_rows : iexp; p_upto : iexp }

type panes = (id * pane) list

(** val pane_of : panes -> id -> pane option **)

let rec pane_of b t =
  match b with
  | [] -> None
  | p2 :: b0 ->
    let (u, p) = p2 in if Coq_Pos.eqb u t then Some p else pane_of b0 t

(** val others : id -> panes -> panes **)

let others t b =
  filter (fun q -> negb (Coq_Pos.eqb (fst q) t)) b

(** val steady : id -> panes -> bool **)

let steady x b =
  forallb (fun q ->
    (&&) (negb (iin x (snd q).p_rows)) (negb (iin x (snd q).p_upto))) b

(** val in_time : pane -> iexp -> bexp **)

let in_time p i =
  BAnd ((BAnd ((BLe ((IC Z0), i)), (BLt (i, p.p_upto)))), (BLe (p.p_upto,
    (IAdd (i, p.p_rows)))))

(** val check_finds :
    panes -> facts -> exp -> iexp list -> wit list -> wit list option **)

let rec check_finds b f e idx ws =
  match e with
  | Lit _ -> Some ws
  | Var t ->
    (match pane_of b t with
     | Some p ->
       (match nth_error idx p.p_dim with
        | Some i ->
          (match ws with
           | [] -> None
           | w :: ws0 -> only (prove f (in_time p i) w) (Some ws0))
        | None -> None)
     | None -> Some ws)
  | Gen (x, n0, e0) ->
    only (steady x b) (check_finds b (inside x n0 f) e0 [] ws)
  | Fold (_, x, n0, e0) ->
    only (steady x b) (check_finds b (inside x n0 f) e0 [] ws)
  | If (p, a, b0) ->
    bind (check_finds b (p :: f) a [] ws) (fun ws0 ->
      check_finds b ((BNot p) :: f) b0 [] ws0)
  | Let (t, a, b0) ->
    bind (check_finds b f a [] ws) (fun ws0 ->
      check_finds (others t b) f b0 [] ws0)
  | Get (e0, i) -> check_finds b f e0 (i :: idx) ws
  | Op1 (_, a) -> check_finds b f a [] ws
  | Op2 (_, a, b0) ->
    bind (check_finds b f a [] ws) (fun ws0 -> check_finds b f b0 [] ws0)
  | Op3 (_, a, b0, c) ->
    bind (check_finds b f a [] ws) (fun ws0 ->
      bind (check_finds b f b0 [] ws0) (fun ws1 -> check_finds b f c [] ws1))
  | Cat (_, a, b0) ->
    bind (check_finds b f a [] ws) (fun ws0 -> check_finds b f b0 [] ws0)
  | View (_, a) -> check_finds b f a [] ws
  | Mark (_, a) -> check_finds b f a [] ws
  | Bind (x, a, b0) ->
    only (steady x b)
      (bind (check_finds b f a [] ws) (fun ws0 ->
        check_finds b (without x f) b0 [] ws0))
  | Iter (t, x, n0, a, b0) ->
    only (steady x b)
      (bind (check_finds b f a [] ws) (fun ws0 ->
        check_finds (others t b) (inside x n0 f) b0 [] ws0))

(** val has_loop : id -> exp -> bool **)

let rec has_loop x = function
| Gen (y, _, a) -> (||) (Coq_Pos.eqb y x) (has_loop x a)
| Fold (_, y, _, a) -> (||) (Coq_Pos.eqb y x) (has_loop x a)
| If (_, a, b) -> (||) (has_loop x a) (has_loop x b)
| Let (_, a, b) -> (||) (has_loop x a) (has_loop x b)
| Get (a, _) -> has_loop x a
| Op1 (_, a) -> has_loop x a
| Op2 (_, a, b) -> (||) (has_loop x a) (has_loop x b)
| Op3 (_, a, b, c) -> (||) (has_loop x a) ((||) (has_loop x b) (has_loop x c))
| Cat (_, a, b) -> (||) (has_loop x a) (has_loop x b)
| View (_, a) -> has_loop x a
| Mark (_, a) -> has_loop x a
| Bind (_, a, b) -> (||) (has_loop x a) (has_loop x b)
| Iter (_, y, _, a, b) ->
  (||) (Coq_Pos.eqb y x) ((||) (has_loop x a) (has_loop x b))
| _ -> false

(** val in_order : mark -> bool **)

let in_order = function
| Parallel -> false
| Vector -> false
| _ -> true

(** val unread : panes -> id -> bool **)

let unread b t =
  match pane_of b t with
  | Some _ -> false
  | None -> true

(** val aside : id -> id -> panes -> bool **)

let aside x y b =
  (&&) (negb (Coq_Pos.eqb y x)) (steady y b)

(** val check_loop :
    id -> iexp -> panes -> facts -> exp -> wit list -> wit list option **)

let rec check_loop x n0 b f e ws =
  match e with
  | Lit _ -> Some ws
  | Var t -> only (unread b t) (Some ws)
  | Gen (y, m, a) ->
    if Coq_Pos.eqb y x
    then only (ieqb m n0) (check_finds b (inside x n0 f) a [] ws)
    else only ((&&) (aside x y b) (negb (iin y n0)))
           (check_loop x n0 b (inside y m f) a ws)
  | Fold (_, y, m, a) ->
    only ((&&) (aside x y b) (negb (iin y n0)))
      (check_loop x n0 b (inside y m f) a ws)
  | If (p, a, b0) ->
    bind (check_loop x n0 b (p :: f) a ws) (fun ws0 ->
      check_loop x n0 b ((BNot p) :: f) b0 ws0)
  | Let (t, a, b0) ->
    bind (check_loop x n0 b f a ws) (fun ws0 ->
      check_loop x n0 (others t b) f b0 ws0)
  | Get (a, _) -> check_loop x n0 b f a ws
  | Op1 (_, a) -> check_loop x n0 b f a ws
  | Op2 (_, a, b0) ->
    bind (check_loop x n0 b f a ws) (fun ws0 -> check_loop x n0 b f b0 ws0)
  | Op3 (_, a, b0, c) ->
    bind (check_loop x n0 b f a ws) (fun ws0 ->
      bind (check_loop x n0 b f b0 ws0) (fun ws1 -> check_loop x n0 b f c ws1))
  | Cat (_, a, b0) ->
    bind (check_loop x n0 b f a ws) (fun ws0 -> check_loop x n0 b f b0 ws0)
  | View (_, a) -> check_loop x n0 b f a ws
  | Mark (m, a) ->
    only ((||) (negb (has_loop x a)) (in_order m)) (check_loop x n0 b f a ws)
  | Bind (y, a, b0) ->
    only ((&&) (aside x y b) (negb (iin y n0)))
      (bind (check_loop x n0 b f a ws) (fun ws0 ->
        check_loop x n0 b (without y f) b0 ws0))
  | Iter (t, y, m, a, b0) ->
    only ((&&) (aside x y b) (negb (iin y n0)))
      (bind (check_loop x n0 b f a ws) (fun ws0 ->
        check_loop x n0 (others t b) (inside y m f) b0 ws0))

type slide = { sl_dim : nat; sl_rows : iexp; sl_upto : iexp;
               sl_store : store; sl_grows : wit }

(** val before : id -> iexp -> iexp **)

let before x a =
  isub x (ISub ((IV x), (IC (Zpos XH)))) a

(** val grows : id -> slide -> bexp **)

let grows x s =
  BAnd ((BLe ((IC (Zpos XH)), s.sl_rows)), (BOr ((BLe ((IV x), (IC Z0))),
    (BLe ((before x s.sl_upto), s.sl_upto)))))

(** val new_at_first : id -> slide -> iexp -> facts **)

let new_at_first x s row =
  (BLe ((IV x), (IC Z0))) :: ((BLt (row, s.sl_upto)) :: [])

(** val new_later : id -> slide -> iexp -> facts **)

let new_later x s row =
  (BLe ((IC (Zpos XH)), (IV x))) :: ((BLe ((before x s.sl_upto),
    row)) :: ((BLt (row, s.sl_upto)) :: []))

(** val apart : panes -> exp -> bool **)

let apart b a =
  forallb (fun q -> negb (tin (fst q) a)) b

(** val check_slides :
    id -> iexp -> slide option list -> panes -> facts -> exp -> wit list ->
    wit list option **)

let rec check_slides x n0 ss b f e ws =
  match ss with
  | [] -> check_loop x n0 b f e ws
  | o :: ss0 ->
    (match o with
     | Some s ->
       (match e with
        | Let (t, a, b0) ->
          (match a with
           | View (v0, nest0) ->
             (match v0 with
              | Reindex (xs, ts) ->
                let b' = (t, { p_dim = s.sl_dim; p_rows = s.sl_rows; p_upto =
                  s.sl_upto }) :: (others t b)
                in
                bind (loops nest0 (length ts)) (fun pat ->
                  let (ls, body) = pat in
                  bind (nth_error s.sl_store.st_at s.sl_dim) (fun row ->
                    only
                      ((&&)
                        ((&&)
                          ((&&)
                            ((&&)
                              ((&&) (check_store f xs ls ts s.sl_store)
                                (negb (iin x n0))) (negb (bound x ls)))
                            (negb (iin x s.sl_rows)))
                          (forallb (fun l ->
                            steady (fst l) ((t, { p_dim = s.sl_dim; p_rows =
                              s.sl_rows; p_upto = s.sl_upto }) :: b)) ls))
                        (prove (inside x n0 f) (grows x s) s.sl_grows))
                      (bind
                        (check_finds b
                          (app (new_at_first x s row)
                            (insides ls (inside x n0 f))) body [] ws)
                        (fun ws0 ->
                        bind
                          (check_finds b
                            (app (new_later x s row)
                              (insides ls (inside x n0 f))) body [] ws0)
                          (fun ws1 -> check_slides x n0 ss0 b' f b0 ws1)))))
              | _ -> None)
           | _ -> None)
        | _ -> None)
     | None ->
       (match e with
        | Let (t, a, b0) ->
          only (apart b a) (check_slides x n0 ss0 (others t b) f b0 ws)
        | _ -> None))

(** val descend : path -> facts -> exp -> (facts * exp) option **)

let rec descend p f e =
  match p with
  | [] -> Some (f, e)
  | c :: p2 ->
    (match e with
     | Gen (x, n0, a) ->
       (match c with
        | O -> descend p2 (inside x n0 f) a
        | S _ -> None)
     | Fold (_, x, n0, a) ->
       (match c with
        | O -> descend p2 (inside x n0 f) a
        | S _ -> None)
     | If (q, a, b) ->
       (match c with
        | O -> descend p2 (q :: f) a
        | S n0 ->
          (match n0 with
           | O -> descend p2 ((BNot q) :: f) b
           | S _ -> None))
     | Let (_, a, b) ->
       (match c with
        | O -> descend p2 f a
        | S n0 -> (match n0 with
                   | O -> descend p2 f b
                   | S _ -> None))
     | View (_, a) -> (match c with
                       | O -> descend p2 f a
                       | S _ -> None)
     | Mark (_, a) -> (match c with
                       | O -> descend p2 f a
                       | S _ -> None)
     | Iter (_, x, n0, a, b) ->
       (match c with
        | O -> descend p2 f a
        | S n1 ->
          (match n1 with
           | O -> descend p2 (inside x n0 f) b
           | S _ -> None))
     | _ -> None)

type sliding = { sg_path : path; sg_loop : id; sg_extent : iexp;
                 sg_slides : slide option list; sg_finds : wit list }

(** val check_sliding : facts -> exp -> sliding -> bool **)

let check_sliding f e g =
  match descend g.sg_path f e with
  | Some p ->
    let (f0, e0) = p in
    (match check_slides g.sg_loop g.sg_extent g.sg_slides [] f0 e0 g.sg_finds with
     | Some l -> (match l with
                  | [] -> true
                  | _ :: _ -> false)
     | None -> false)
  | None -> false

type member = { mb_name : id; mb_xs : nest; mb_ts : iexp list; mb_nest : 
                exp; mb_store : store; mb_loops : nest; mb_body : exp }

(** val members : store list -> exp -> member list option **)

let rec members qs e =
  match qs with
  | [] -> Some []
  | q :: qs0 ->
    (match e with
     | Let (t, a0, b) ->
       (match a0 with
        | View (v0, a) ->
          (match v0 with
           | Reindex (xs, ts) ->
             bind (loops a (length ts)) (fun pat ->
               let (ls, body) = pat in
               bind (members qs0 b) (fun ms -> Some ({ mb_name = t; mb_xs =
                 xs; mb_ts = ts; mb_nest = a; mb_store = q; mb_loops = ls;
                 mb_body = body } :: ms)))
           | _ -> None)
        | _ -> None)
     | _ -> None)

(** val independent : member list -> bool **)

let independent ms =
  forallb (fun m -> forallb (fun k -> negb (tin k.mb_name m.mb_body)) ms) ms

type joined = { jn_path : path; jn_stores : store list }

(** val check_joined : facts -> exp -> joined -> bool **)

let check_joined f e g =
  match descend g.jn_path f e with
  | Some p ->
    let (f0, e0) = p in
    (match members g.jn_stores e0 with
     | Some ms ->
       (&&) (independent ms)
         (forallb (fun m ->
           check_store f0 m.mb_xs m.mb_loops m.mb_ts m.mb_store) ms)
     | None -> false)
  | None -> false

(** val among : id -> id list -> bool **)

let among t g =
  existsb (Coq_Pos.eqb t) g

(** val apart_from : id list -> exp -> bool **)

let apart_from g a =
  forallb (fun u -> negb (tin u a)) g

(** val windows_apart : id list -> slide option list -> exp -> bool **)

let rec windows_apart g ss e =
  match ss with
  | [] -> true
  | o :: ss0 ->
    (match o with
     | Some _ ->
       (match e with
        | Let (t, a, b) ->
          (match a with
           | View (v0, nest0) ->
             (match v0 with
              | Reindex (_, ts) ->
                (match loops nest0 (length ts) with
                 | Some p ->
                   let (_, body) = p in
                   (&&) ((||) (negb (among t g)) (apart_from g body))
                     (windows_apart g ss0 b)
                 | None -> false)
              | _ -> false)
           | _ -> false)
        | _ -> false)
     | None ->
       (match e with
        | Let (_, _, b) -> windows_apart g ss0 b
        | _ -> false))

(** val sliding_names : slide option list -> exp -> id list **)

let rec sliding_names ss e =
  match ss with
  | [] -> []
  | o :: ss0 ->
    (match o with
     | Some _ ->
       (match e with
        | Let (t, _, b) -> t :: (sliding_names ss0 b)
        | _ -> [])
     | None -> (match e with
                | Let (_, _, b) -> sliding_names ss0 b
                | _ -> []))

type beside = { bs_path : path; bs_windows : id list; bs_stores : store list }

(** val group : beside -> member list -> id list **)

let group b ms =
  app b.bs_windows (map (fun m -> m.mb_name) ms)

(** val check_beside : facts -> exp -> sliding -> beside -> bool **)

let check_beside f e g b =
  match descend b.bs_path f e with
  | Some p ->
    let (f1, e1) = p in
    (match descend g.sg_path f e with
     | Some p2 ->
       let (_, e2) = p2 in
       (match members b.bs_stores e1 with
        | Some ms ->
          (&&)
            ((&&)
              ((&&) (forallb (fun m -> apart_from (group b ms) m.mb_body) ms)
                (forallb (fun m ->
                  check_store f1 m.mb_xs m.mb_loops m.mb_ts m.mb_store) ms))
              (forallb (fun t -> among t (sliding_names g.sg_slides e2))
                b.bs_windows)) (windows_apart (group b ms) g.sg_slides e2)
        | None -> false)
     | None -> false)
  | None -> false

type question = facts * bexp

(** val prove_each : facts -> question list -> wit list -> wit list option **)

let rec prove_each f gs ws =
  match gs with
  | [] -> Some ws
  | g :: gs0 ->
    (match ws with
     | [] -> None
     | w :: ws0 ->
       only (prove (app (fst g) f) (snd g) w) (prove_each f gs0 ws0))

(** val check_touches :
    id -> nat -> (id -> bool) -> (iexp list -> question list) -> facts -> exp
    -> iexp list -> wit list -> wit list option **)

let rec check_touches t k keep asks f e idx ws =
  match e with
  | Lit _ -> Some ws
  | Var u ->
    if Coq_Pos.eqb u t
    then only (Nat.eqb (length idx) k) (prove_each f (asks idx) ws)
    else Some ws
  | Gen (x, n0, e0) ->
    only (negb (keep x))
      (check_touches t k keep asks (inside x n0 f) e0 [] ws)
  | Fold (_, x, n0, e0) ->
    only (negb (keep x))
      (check_touches t k keep asks (inside x n0 f) e0 [] ws)
  | If (p, a, b) ->
    bind (check_touches t k keep asks (p :: f) a [] ws) (fun ws0 ->
      check_touches t k keep asks ((BNot p) :: f) b [] ws0)
  | Let (u, a, b) ->
    only (negb (Coq_Pos.eqb u t))
      (bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
        check_touches t k keep asks f b [] ws0))
  | Get (e0, i) -> check_touches t k keep asks f e0 (i :: idx) ws
  | Op1 (_, a) -> check_touches t k keep asks f a [] ws
  | Op2 (_, a, b) ->
    bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
      check_touches t k keep asks f b [] ws0)
  | Op3 (_, a, b, c) ->
    bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
      bind (check_touches t k keep asks f b [] ws0) (fun ws1 ->
        check_touches t k keep asks f c [] ws1))
  | Cat (_, a, b) ->
    bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
      check_touches t k keep asks f b [] ws0)
  | View (_, a) -> check_touches t k keep asks f a [] ws
  | Mark (_, a) -> check_touches t k keep asks f a [] ws
  | Bind (x, a, b) ->
    only (negb (keep x))
      (bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
        check_touches t k keep asks (without x f) b [] ws0))
  | Iter (u, x, n0, a, b) ->
    only ((&&) (negb (Coq_Pos.eqb u t)) (negb (keep x)))
      (bind (check_touches t k keep asks f a [] ws) (fun ws0 ->
        check_touches t k keep asks (inside x n0 f) b [] ws0))

(** val is_old : id -> nest -> exp -> bool **)

let is_old t xs e =
  xeq e (gets (Var t) xs)

(** val asked : id -> nest -> facts -> exp -> facts **)

let rec asked t xs f = function
| If (p, a, b) -> if is_old t xs b then asked t xs (p :: f) a else f
| Bind (x, a, b) -> if tin t a then f else asked t xs (without x f) b
| _ -> f

(** val binders : id -> nest -> exp -> id list **)

let rec binders t xs = function
| If (_, a, b) -> if is_old t xs b then binders t xs a else []
| Bind (x, a, b) -> if tin t a then [] else x :: (binders t xs b)
| _ -> []

(** val check_step :
    id -> nest -> nat -> (id -> bool) -> (iexp list -> question list) ->
    facts -> exp -> wit list -> wit list option **)

let rec check_step t xs k keep asks f e ws =
  match e with
  | If (p, a, b) ->
    if is_old t xs b
    then check_step t xs k keep asks (p :: f) a ws
    else check_touches t k keep asks f e [] ws
  | Bind (x, a, b) ->
    if tin t a
    then check_touches t k keep asks f e [] ws
    else only (negb (keep x)) (check_step t xs k keep asks (without x f) b ws)
  | _ -> check_touches t k keep asks f e [] ws

(** val isubs : substitution -> iexp -> iexp **)

let rec isubs u a =
  match u with
  | [] -> a
  | p :: u0 -> let (x, v0) = p in isub x v0 (isubs u0 a)

type spelling = (id * id) list

(** val spelled : spelling -> nest **)

let spelled u =
  map (fun p -> ((fst p), (IC Z0))) u

(** val respell : spelling -> substitution **)

let respell u =
  to0 (spelled u) (map (fun p -> IV (snd p)) u)

(** val no_primes : spelling -> facts -> facts **)

let no_primes u f =
  filter (fun p -> forallb (fun y -> negb (bin (snd y) p)) u) f

(** val tidy : spelling -> bool **)

let tidy u =
  (&&)
    ((&&) (distinct_names (spelled u))
      (distinct_names (map (fun p -> ((snd p), (IC Z0))) u)))
    (forallb (fun p -> negb (bound (snd p) (spelled u))) u)

(** val equal_all : iexp list -> iexp list -> facts **)

let rec equal_all a b =
  match a with
  | [] -> []
  | x :: a0 ->
    (match b with
     | [] -> []
     | y :: b0 -> (BEq (x, y)) :: (equal_all a0 b0))

(** val ways : iexp list -> iexp list -> facts list **)

let rec ways a b =
  match a with
  | [] -> []
  | x :: a0 ->
    (match b with
     | [] -> []
     | y :: b0 ->
       ((BLt (x,
         y)) :: []) :: (map (fun x0 -> (BEq (x, y)) :: x0) (ways a0 b0)))

(** val preceding : bool list -> iexp list -> iexp list -> bexp **)

let rec preceding fs j k =
  match fs with
  | [] -> BNot BTrue
  | f :: fs0 ->
    (match j with
     | [] -> BNot BTrue
     | a :: j0 ->
       (match k with
        | [] -> BNot BTrue
        | b :: k0 ->
          let rest = BAnd ((BEq (a, b)), (preceding fs0 j0 k0)) in
          if f then BOr ((BLt (a, b)), rest) else rest))

type scan = { sc_path : path; sc_rank : nat;
              sc_loops : ((id * iexp) * bool) list; sc_from : iexp list;
              sc_store : store; sc_second : spelling; sc_writes : wit list;
              sc_reads : wit list }

(** val steps : id -> nat -> exp -> ((nest * nest) * exp) option **)

let rec steps t k e = match e with
| Lit _ ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Var _ ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Gen (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Fold (_, _, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| If (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Let (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Get (_, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Op1 (_, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Op2 (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Op3 (_, _, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Cat (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| View (_, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Mark (_, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Bind (_, _, _) ->
  bind (strip k e) (fun pat -> let (xs, b) = pat in Some (([], xs), b))
| Iter (u, x, n0, a, b) ->
  bind (steps t k b) (fun pat ->
    let (p, c) = pat in
    let (rs, xs) = p in
    only ((&&) (Coq_Pos.eqb t u) (xeq a (gens xs (gets (Var t) xs)))) (Some
      ((((x, n0) :: rs), xs), c)))

(** val names_of : nest -> iexp list **)

let names_of ys =
  map (fun y -> IV (fst y)) ys

(** val second : scan -> iexp list -> iexp list **)

let second g l =
  map (isubs (respell g.sc_second)) l

(** val serial : scan -> bool list **)

let serial g =
  map snd g.sc_loops

(** val write_questions : scan -> nest -> nest -> question list **)

let write_questions g rs xs =
  map (fun h -> ((app (equal_all (names_of xs) (second g (names_of xs))) h),
    (preceding (serial g) g.sc_from (second g g.sc_from))))
    (ways (names_of rs) (second g (names_of rs)))

(** val read_questions :
    scan -> nest -> nest -> iexp list -> question list **)

let read_questions g rs xs idx =
  let there = equal_all idx (second g (names_of xs)) in
  ([],
  (all (map (fun p -> in_range (fst p) (snd p)) (combine idx (map snd xs))))) :: ((
  (app there (equal_all (names_of rs) (second g (names_of rs)))),
  (all (equal_all (names_of xs) (second g (names_of xs))))) :: (app
                                                                 (map
                                                                   (fun h ->
                                                                   ((app
                                                                    there h),
                                                                   (preceding
                                                                    (serial g)
                                                                    (second g
                                                                    g.sc_from)
                                                                    g.sc_from)))
                                                                   (ways
                                                                    (second g
                                                                    (names_of
                                                                    rs))
                                                                    (names_of
                                                                    rs)))
                                                                 (map
                                                                   (fun h ->
                                                                   ((app
                                                                    there h),
                                                                   (preceding
                                                                    (serial g)
                                                                    g.sc_from
                                                                    (second g
                                                                    g.sc_from))))
                                                                   (ways
                                                                    (names_of
                                                                    rs)
                                                                    (second g
                                                                    (names_of
                                                                    rs))))))

(** val keep_of : scan -> nest -> nest -> id -> bool **)

let keep_of g rs xs y =
  (||)
    ((||) ((||) (bound y (app rs xs)) (bound y (spelled g.sc_second)))
      (existsb (fun p -> Coq_Pos.eqb (snd p) y) g.sc_second))
    (existsb (iin y) (app g.sc_from (map snd xs)))

(** val check_scan_here : facts -> exp -> scan -> bool **)

let check_scan_here f e g =
  match e with
  | Iter (t, x, n0, _, b) ->
    (match steps t g.sc_rank b with
     | Some p ->
       let (p2, c) = p in
       let (rs, xs) = p2 in
       let rs0 = (x, n0) :: rs in
       let n1 = app rs0 xs in
       let u = g.sc_second in
       let keep = keep_of g rs0 xs in
       let g0 =
         app
           (map (bsubs (respell u))
             (no_primes u (asked t xs (insides n1 []) c)))
           (no_primes u (insides n1 f))
       in
       (&&)
         ((&&)
           ((&&)
             ((&&)
               ((&&)
                 ((&&)
                   ((&&)
                     (check_store f n1 (map fst g.sc_loops) g.sc_from
                       g.sc_store) (tidy u))
                   (forallb (fun y -> bound (fst y) (spelled u)) n1))
                 (forallb (fun y -> bound y (spelled u)) (binders t xs c)))
               (forallb (fun y ->
                 forallb (fun a -> negb (iin y a)) g.sc_from)
                 (binders t xs c)))
             (forallb (fun p3 -> negb (ein (snd p3) c)) u))
           (forallb (fun a -> forallb (fun p3 -> negb (iin (snd p3) a)) u)
             (app g.sc_from (app (map snd xs) (names_of n1)))))
         (match prove_each (asked t xs g0 c) (write_questions g rs0 xs)
                  g.sc_writes with
          | Some l ->
            (match l with
             | [] ->
               (match check_step t xs (length xs) keep
                        (read_questions g rs0 xs) g0 c g.sc_reads with
                | Some l0 -> (match l0 with
                              | [] -> true
                              | _ :: _ -> false)
                | None -> false)
             | _ :: _ -> false)
          | None -> false)
     | None -> false)
  | _ -> false

(** val check_scan : facts -> exp -> scan -> bool **)

let check_scan f e g =
  match descend g.sc_path f e with
  | Some p -> let (f0, e0) = p in check_scan_here f0 e0 g
  | None -> false
