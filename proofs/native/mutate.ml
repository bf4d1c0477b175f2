(* fluorite_mutate_certificates: changes valid certificates at random and judges what the checker still accepts by evaluation.

   A mutant is made from the text: characters are lost, doubled, exchanged, the text is cut; or from its expressions: numbers move by
   one, words are exchanged for others of the text, expressions are replaced by others, dropped, doubled or put in another order. The
   reader has to survive each mutant. Of those that the checker accepts, source and target are evaluated by the extracted meaning at
   random sizes that satisfy the facts, on random tensors, in an algebra that obeys exactly the laws that the checker names: operators
   without laws are arbitrary functions of their operands. Every read of the target has to be in bounds, and
   every element that a view shows to be stored once. What is rejected is evaluated,
   too: that much of it is wrong shows that the evaluation would find what is wrongly accepted. *)
open Checker
open Certificate_text

(* ---- Elements: numbers modulo a prime, or pairs; null is 0 ---- *)
type element = Number of int | Pair of element * element
let prime = 1_000_003
let hash key = Hashtbl.hash_param 100 100 key mod prime

(* How an operator is interpreted, by the laws that the checker named. *)
type meaning = Free | Add | Multiply

let interpret laws o =
  let has p = List.exists p laws in
  let multiplies = has (function AnnihL m | AnnihR m | DistrL (m, _) -> m = o | _ -> false) in
  let adds = has (function
    | Assoc p | Comm p | UnitL p | UnitNull p | NullNull p | DistrL (_, p) -> p = o | _ -> false) in
  if multiplies then Multiply else if adds then Add else Free

let number = function Number n -> n | pair -> hash pair
let algebra laws : algebra =
  let to_obj (e : element) : __ = Obj.repr e and of_obj (v : __) : element = Obj.obj v in
  let nulls_kept o = List.mem (Null1 o) laws in
  { lit = (fun c -> to_obj (match c with
      | Num z -> Number (int_of_string (Numbers.z_to_text z) mod prime)
      | UnitOf o ->
        Number (match interpret laws o with
          | Add -> 0
          | Multiply -> if List.mem (UnitNull o) laws then 0 else 1
          | Free -> if List.mem (UnitNull o) laws then 0 else hash ("unit", o))));
    op0 = (fun o a ->
      let a = of_obj a in
      let component first = List.exists (function
        | FirstOf (f, _) -> first && f = o | SecondOf (f, _) -> (not first) && f = o | _ -> false) laws in
      to_obj (match a with
        | Pair (x, _) when component true -> x
        | Pair (_, y) when component false -> y
        | Number 0 when nulls_kept o -> Number 0
        | _ -> Number (hash (o, a))));
    op3 = (fun o a b ->
      let a = of_obj a and b = of_obj b in
      let pairs = List.exists (function FirstOf (_, p) | SecondOf (_, p) -> p = o | _ -> false) laws in
      to_obj (if pairs then Pair (a, b)
        else match interpret laws o with
          | Add -> Number ((number a + number b) mod prime)
          | Multiply -> Number (number a * number b mod prime)
          | Free -> Number (hash (o, a, b))));
    op4 = (fun o a b c -> to_obj (Number (hash (o, of_obj a, of_obj b, of_obj c))));
    to_index = (fun a -> Numbers.z_of_int ((number (of_obj a) mod 9) - 2)) }

(* Can the laws be obeyed by this interpretation? Laws that ask two things of one operator cannot be judged. *)
let judgeable laws =
  List.for_all (function
    | DistrL (m, o) -> m <> o && interpret laws m = Multiply && interpret laws o = Add
    | Assoc o | Comm o | UnitL o | UnitNull o | NullNull o ->
      (not (List.exists (function FirstOf (_, p) | SecondOf (_, p) -> p = o | _ -> false) laws)) && interpret laws o = Add
    | AnnihL o | AnnihR o -> interpret laws o = Multiply
    | Null1 _ | FirstOf _ | SecondOf _ -> true) laws

(* ---- What a program needs of its surroundings ---- *)
exception Too_large

let rec iexp_parts f = function
  | IC z -> f (`Constant z)
  | IV x -> f (`Index x)
  | IAdd (a, b) | ISub (a, b) | IMul (a, b) | IDiv (a, b) | IMod (a, b) | IMin (a, b) | IMax (a, b) -> iexp_parts f a; iexp_parts f b
let rec bexp_parts f = function
  | BTrue -> ()
  | BLe (a, b) | BLt (a, b) | BEq (a, b) -> iexp_parts f a; iexp_parts f b
  | BAnd (p, q) | BOr (p, q) -> bexp_parts f p; bexp_parts f q
  | BNot p -> bexp_parts f p
let view_parts f = function
  | Transpose -> ()
  | Flatten (a, b) | Split (a, b) | PadR (a, b) -> iexp_parts f a; iexp_parts f b
  | TruncR a | TruncL a | PadL a -> iexp_parts f a
  | Reindex (xs, ts) -> List.iter (fun (_, n) -> iexp_parts f n) xs; List.iter (iexp_parts f) ts
let rec exp_parts f e =
  let i = iexp_parts f and r = exp_parts f in
  match e with
  | Lit (Num z) -> f (`Constant z)
  | Lit _ | Var _ -> ()
  | Gen (_, n, a) | Fold (_, _, n, a) -> i n; r a
  | If (p, a, b) -> bexp_parts f p; r a; r b
  | Let (_, a, b) | Op2 (_, a, b) | Bind (_, a, b) -> r a; r b
  | Get (a, j) -> i j; r a
  | Op1 (_, a) | Mark (_, a) -> r a
  | Op3 (_, a, b, c) -> r a; r b; r c
  | Cat (n, a, b) -> i n; r a; r b
  | View (v, a) -> view_parts f v; r a
  | Iter (_, _, n, a, b) -> i n; r a; r b

(* Numbers beyond this make loops that nobody waits for. *)
let largest = 256
let small z = match Numbers.z_to_text z with text when String.length text <= 4 -> abs (int_of_string text) <= largest | _ -> false

(* ---- Reads in bounds: [safe] of Safety.v as a program ---- *)
let rec value env e = match e with
  | IC z -> int_of_string (Numbers.z_to_text z)
  | IV x -> env x
  | IAdd (a, b) -> value env a + value env b
  | ISub (a, b) -> value env a - value env b
  | IMul (a, b) -> value env a * value env b
  | IDiv (a, b) -> let a = value env a and b = value env b in if b = 0 then 0 else floor_div a b
  | IMod (a, b) -> let a = value env a and b = value env b in if b = 0 then a else a - (b * floor_div a b)
  | IMin (a, b) -> min (value env a) (value env b)
  | IMax (a, b) -> max (value env a) (value env b)
and floor_div a b = let q = a / b in if a mod b <> 0 && (a < 0) <> (b < 0) then q - 1 else q
let rec holds env = function
  | BTrue -> true
  | BLe (a, b) -> value env a <= value env b
  | BLt (a, b) -> value env a < value env b
  | BEq (a, b) -> value env a = value env b
  | BAnd (p, q) -> holds env p && holds env q
  | BOr (p, q) -> holds env p || holds env q
  | BNot p -> not (holds env p)

let most_reads = 200_000
let reads_in_bounds env extents program =
  let reads = ref 0 in
  let bind env x v y = if y = x then v else env y in
  let rec each env x n body =
    let n = value env n in
    let rec go i = i >= n || (incr reads; if !reads > most_reads then raise Too_large; body (bind env x i) && go (i + 1)) in go 0
  and safe env extents e idx =
    match e with
    | Lit _ -> true
    | Var t ->
      let shape = extents t in
      List.length shape = List.length idx && List.for_all2 (fun n i -> 0 <= i && i < n) shape idx
    | Get (a, i) -> safe env extents a (value env i :: idx)
    | _ when idx <> [] -> false
    | Gen (x, n, a) | Fold (_, x, n, a) -> each env x n (fun env -> safe env extents a [])
    | If (p, a, b) -> if holds env p then safe env extents a [] else safe env extents b []
    | Let (t, a, b) ->
      let s = List.map (value env) (shape a) in safe env extents a [] && safe env (bind extents t s) b []
    | Op1 (_, a) | View (_, a) | Mark (_, a) -> safe env extents a []
    | Op2 (_, a, b) | Cat (_, a, b) -> safe env extents a [] && safe env extents b []
    | Op3 (_, a, b, c) -> safe env extents a [] && safe env extents b [] && safe env extents c []
    | Bind (x, a, b) -> safe env extents a [] && List.for_all (fun i -> safe (bind env x i) extents b []) [ -1; 0; 1; 2; 5 ]
    | Iter (t, x, n, a, b) ->
      let s = List.map (value env) (shape a) in
      safe env extents a [] && each env x n (fun env -> safe env (bind extents t s) b []) in
  safe env extents program []

(* ---- Stores: [stored] of Stores.v as a program ---- *)
(* The loops of a nest without their marks, as many as are asked for, and what is inside. *)
let rec nest k e = match e with
  | Mark (_, a) -> nest k a
  | Gen (x, n, a) when k > 0 -> let loops, body = nest (k - 1) a in ((x, n) :: loops, body)
  | _ -> if k = 0 then ([], e) else failwith "no nest"

let stored_once env program stores =
  let steps = ref 0 in
  let bind env x v y = if y = x then v else env y in
  let rest = ref stores in
  (* All environments inside of the loops. *)
  let rec inside env loops visit = match loops with
    | [] -> incr steps; if !steps > most_reads then raise Too_large; visit env
    | (x, n) :: loops -> let n = value env n in for i = 0 to n - 1 do inside (bind env x i) loops visit done in
  let view env xs ts a q =
    let loops, _ = nest (List.length ts) a in
    let seen = Hashtbl.create 64 and right = ref true and shown = ref 0 in
    inside env loops (fun e ->
      if holds e q.st_guard then begin
        let at = List.map (value e) q.st_at in
        if Hashtbl.mem seen at then right := false;
        Hashtbl.replace seen at (List.map (fun (x, _) -> e x) loops)
      end);
    inside env xs (fun e ->
      incr shown;
      if Hashtbl.find_opt seen (List.map (fun (x, _) -> e x) xs) <> Some (List.map (value e) ts) then right := false);
    !right && !shown = Hashtbl.length seen in
  (* The stores of each view are looked at where its loops around begin, at the first iteration of those that run. *)
  let rec go env e =
    match e with
    | Lit _ | Var _ -> true
    | Gen (x, n, a) | Fold (_, x, n, a) -> let runs = value env n > 0 in go_if runs (bind env x 0) a
    | Get (a, _) | Op1 (_, a) | Mark (_, a) -> go env a
    | If (p, a, b) -> let yes = holds env p in let left = go_if yes env a in go_if (not yes) env b && left
    | Let (_, a, b) | Op2 (_, a, b) | Cat (_, a, b) -> let left = go env a in go env b && left
    | Op3 (_, a, b, c) -> let left = go env a in let middle = go env b in go env c && left && middle
    | View (Reindex (xs, ts), a) ->
      (match !rest with
       | q :: others -> rest := others; let here = view env xs ts a q in go env a && here
       | [] -> false)
    | View _ -> false
    | Bind (x, a, b) -> let left = go env a in go (bind env x 1) b && left
    | Iter (_, x, n, a, b) -> let left = go env a in let runs = value env n > 0 in go_if runs (bind env x 0) b && left
  and go_if runs env e = if runs then go env e else (ignore_views e; true)
  and ignore_views e =
    let rec drop k = if k > 0 then (rest := List.tl !rest; drop (k - 1)) in
    drop (count e)
  and count e = match e with
    | Lit _ | Var _ -> 0
    | Gen (_, _, a) | Fold (_, _, _, a) | Get (a, _) | Op1 (_, a) | Mark (_, a) -> count a
    | View (_, a) -> 1 + count a
    | If (_, a, b) | Let (_, a, b) | Op2 (_, a, b) | Cat (_, a, b) | Bind (_, a, b) | Iter (_, _, _, a, b) -> count a + count b
    | Op3 (_, a, b, c) -> count a + count b + count c in
  go env program

(* ---- The judgement of an accepted mutant ---- *)
type judgement = Right | Wrong of string | Not_judged

let judge random t laws =
  let c = t.certificate in
  let constants_small = ref true and indices = Hashtbl.create 8 in
  let part = function `Constant z -> if not (small z) then constants_small := false | `Index x -> Hashtbl.replace indices x () in
  exp_parts part c.c_source; exp_parts part c.c_target; List.iter (bexp_parts part) c.c_facts;
  if not (!constants_small && judgeable laws) then Not_judged
  else
    let algebra = algebra laws in
    let rec sizes tries =
      if tries = 0 then None
      else
        let chosen = Hashtbl.create 8 in
        Hashtbl.iter (fun x () -> Hashtbl.replace chosen x (Random.State.int random (if tries land 1 = 0 then 7 else 25))) indices;
        let env x = try Hashtbl.find chosen x with Not_found -> 0 in
        if List.for_all (holds env) c.c_facts then Some env else sizes (tries - 1) in
    match sizes 200 with
    | None -> Not_judged
    | Some env ->
      let index x = Numbers.z_of_int (env x) in
      let seed = Random.State.int random prime in
      let tensor t idx : v = Obj.repr (Number (hash (seed, t, idx))) in
      let different = ref None in
      (try
         for rank = 0 to 3 do
           for _ = 1 to 6 do
             let at = List.init rank (fun _ -> Random.State.int random (if Random.State.bool random then 6 else 26) - 1) in
             let idx = List.map Numbers.z_of_int at in
             let of_program e : element = Obj.obj (den algebra index tensor e idx) in
             if of_program c.c_source <> of_program c.c_target then
               different := Some (Printf.sprintf "at [%s] the programs differ" (String.concat " " (List.map string_of_int at)))
           done
         done;
         let extents u = match List.assoc_opt u t.inputs with Some s -> List.map (value env) s | None -> [] in
         if !different = None && not (reads_in_bounds env extents c.c_target) then different := Some "a read of the target is out of bounds";
         match t.target_stores with
         | Some stores when !different = None && not (stored_once env c.c_target stores) ->
           different := Some "an element of the target is not stored once"
         | _ -> ()
       with Too_large | Stack_overflow | Failure _ -> ());
      match !different with None -> Right | Some reason -> Wrong reason

(* ---- Mutants ---- *)
let pick random list = List.nth list (Random.State.int random (List.length list))

let mutate_text random text =
  let n = String.length text in
  let at = Random.State.int random n in
  let upto = min n (at + 1 + Random.State.int random 20) in
  match Random.State.int random 5 with
  | 0 -> String.sub text 0 at
  | 1 -> String.sub text 0 at ^ String.sub text upto (n - upto)
  | 2 -> String.sub text 0 upto ^ String.sub text at (n - at)
  | 3 -> let b = Bytes.of_string text in Bytes.set b at (Char.chr (Random.State.int random 256)); Bytes.to_string b
  | _ -> let b = Bytes.of_string text in Bytes.set b at text.[Random.State.int random n]; Bytes.to_string b

open Sexp
let rec all e = e :: (match e with Atom _ -> [] | List (_, items) -> List.concat_map all items)

let rec replace_nth e target make =
  let counter = ref target in
  let rec go e =
    let here = !counter = 0 in
    decr counter;
    if here then make e
    else match e with Atom _ -> e | List (p, items) -> List (p, List.map go items) in
  go e
and mutate_expression random e =
  let everything = Array.of_list (all e) in
  let any () = everything.(Random.State.int random (Array.length everything)) in
  let rec atom_like tries is = match any () with
    | Atom (_, a) as e when is a -> e
    | e -> if tries = 0 then e else atom_like (tries - 1) is in
  let swap items =
    let a = Array.of_list items in
    let i = Random.State.int random (Array.length a) and j = Random.State.int random (Array.length a) in
    let x = a.(i) in a.(i) <- a.(j); a.(j) <- x; Array.to_list a in
  let change e = match e with
    | Atom (p, a) when Numbers.is_number a ->
      (match Random.State.int random 4 with
       | 0 -> atom_like 50 Numbers.is_number
       | 1 -> Atom (p, string_of_int (Random.State.int random 5))
       | _ -> (match int_of_string_opt a with
           | Some n -> Atom (p, string_of_int (n + (2 * Random.State.int random 2) - 1)) | None -> Atom (p, "0")))
    | Atom _ -> if Random.State.int random 5 = 0 then any () else atom_like 50 (fun a -> not (Numbers.is_number a))
    | List (_, []) -> any ()
    | List (p, items) ->
      (match Random.State.int random 5 with
       | 0 -> any ()
       | 1 -> List (p, swap items)
       | 2 -> let k = Random.State.int random (List.length items) in List (p, List.filteri (fun i _ -> i <> k) items)
       | 3 -> let k = Random.State.int random (List.length items) in
         List (p, List.concat (List.mapi (fun i x -> if i = k then [ x; x ] else [ x ]) items))
       | _ -> pick random items) in
  replace_nth e (Random.State.int random (Array.length everything)) change

let mutant random text =
  if Random.State.int random 4 = 0 then mutate_text random text
  else match Sexp.read text with
    | [ e ] ->
      let e = mutate_expression random e in
      let e = if Random.State.int random 3 = 0 then mutate_expression random e else e in
      Sexp.to_string e
    | _ -> mutate_text random text

let () =
  let count = ref 1000 and seed = ref 1 and files = ref [] in
  Arg.parse [ "--count", Arg.Set_int count, "N  how many mutants (1000)"; "--seed", Arg.Set_int seed, "N  of the random numbers (1)" ]
    (fun file -> files := file :: !files) "usage: fluorite_mutate_certificates [--count N] [--seed N] FILE...";
  let texts = List.map (fun path ->
    let channel = open_in_bin path in
    let text = really_input_string channel (in_channel_length channel) in
    close_in channel; text) !files in
  if texts = [] then (prerr_endline "no file is named"; exit 2);
  let refused = ref 0 and rejected = ref 0 and right = ref 0 and not_judged = ref 0 and late = ref 0 and wrong = ref 0
  and differ = ref 0 in
  let exception Late in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Late));
  for i = 1 to !count do
    let random = Random.State.make [| !seed; i |] in
    let text = mutant random (pick random texts) in
    ignore (Unix.alarm 5);
    (try
       match Certificate_text.read text with
       | exception Sexp.Refused _ -> incr refused
       | _, t ->
         match check t.certificate with
         | None ->
           incr rejected;
           (match judge random t [] with Wrong _ -> incr differ | Right | Not_judged -> ())
         | Some laws ->
           let c = t.certificate in
           match t.target_reads with
           | Some reads when check_safe t.inputs c.c_facts c.c_target [] reads = Some [] &&
               Option.fold ~none:true ~some:(check_stores c.c_facts c.c_target) t.target_stores &&
               Option.fold ~none:true ~some:(List.for_all (check_sliding c.c_facts c.c_target)) t.target_slides &&
               Option.fold ~none:true ~some:(List.for_all (check_joined c.c_facts c.c_target)) t.target_joined &&
               Option.fold ~none:true ~some:(List.for_all (beside_ok t)) t.target_beside &&
               Option.fold ~none:true ~some:(List.for_all (check_scan c.c_facts c.c_target)) t.target_scans ->
             (match judge random t laws with
              | Right -> incr right
              | Not_judged -> incr not_judged
              | Wrong reason -> incr wrong; Printf.printf "mutant %d of seed %d is wrong: %s\n%s\n" i !seed reason text)
           | _ -> incr rejected
     with Late -> incr late);
    ignore (Unix.alarm 0)
  done;
  Printf.printf "%d mutants: %d refused by the reader, %d rejected (%d of them are wrong by evaluation), %d accepted and right, %d accepted and not judged, %d took too long, %d wrong\n"
    !count !refused !rejected !differ !right !not_judged !late !wrong;
  exit (if !wrong = 0 then 0 else 1)
