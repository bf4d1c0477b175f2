(* Certificates as texts, docs/certificates.md: a reader that refuses by place and reason, and a printer. Names are words in a text and
   numbers in the checker; the reader numbers each distinct word once, hence equal words are equal names and different words different ones. *)
open Checker
open Sexp

let version = "1"

(* What a text holds: a certificate, with the place of each step, and the witnesses that reads are in bounds. *)
type t = {
  certificate : certificate;
  places : (string * place list) list; (* of each section that is there, and of its items *)
  forth_places : place list;
  back_places : place list;
  inputs : shapes;                    (* the extents of tensors from outside *)
  source_reads : wit list option;     (* a witness for each index of each read, in the order of the program *)
  target_reads : wit list option;
  target_stores : store list option;  (* where the nest of each view stores *)
  target_slides : sliding list option; (* bindings that loops inside of them compute row by row *)
  target_joined : joined list option; (* bindings that share loops *)
  target_beside : (int * beside) list option; (* those that share loops with windows of the sliding of this number *)
  target_scans : scan list option } (* updates that read what they have written *)

(* ---- Names ---- *)
(* [operators] holds words for operators where a number has another one as the name of a tensor or an index. *)
type names = { numbers : (string, int) Hashtbl.t; words : (int, string) Hashtbl.t; operators : (int, string) Hashtbl.t }
let new_names () = { numbers = Hashtbl.create 64; words = Hashtbl.create 64; operators = Hashtbl.create 1 }

let number_of names word =
  match Hashtbl.find_opt names.numbers word with
  | Some n -> n
  | None ->
    let n = Hashtbl.length names.numbers + 1 in
    Hashtbl.add names.numbers word n;
    Hashtbl.add names.words n word;
    n

let word_of names id =
  let n = Numbers.int_of_positive id in
  match Hashtbl.find_opt names.words n with Some word -> word | None -> Printf.sprintf "n%d" n
let operator_of names id =
  match Hashtbl.find_opt names.operators (Numbers.int_of_positive id) with Some word -> word | None -> word_of names id

(* ---- Reading ---- *)
let describe = function Atom (_, a) -> Printf.sprintf "'%s'" a | List (_, Atom (_, a) :: _) -> Printf.sprintf "'(%s ...)'" a | List _ -> "a list"

let is_word a = a <> "" && not (Numbers.is_number a) && (match a.[0] with 'a' .. 'z' | 'A' .. 'Z' | '_' -> true | _ -> false)

let read_id names = function
  | Atom (_, a) when is_word a -> Numbers.positive_of_int (number_of names a)
  | e -> refuse (place e) "a name is expected here, not %s" (describe e)
let read_z = function
  | Atom (_, a) when Numbers.is_number a -> Numbers.z_of_text a
  | e -> refuse (place e) "an integer is expected here, not %s" (describe e)
let read_positive e = match read_z e with Zpos p -> p | _ -> refuse (place e) "a positive integer is expected here, not %s" (describe e)
let most_nat = 100_000
let read_nat = function
  | Atom (p, a) when Numbers.is_number a && a.[0] <> '-' ->
    if String.length a > 6 || int_of_string ("0u" ^ a) > most_nat then refuse p "this number is larger than %d" most_nat;
    Numbers.nat_of_int (int_of_string ("0u" ^ a))
  | e -> refuse (place e) "a number of operands or facts is expected here, not %s" (describe e)

let read_path = function
  | List (_, operands) -> List.map read_nat operands
  | e -> refuse (place e) "a path, which is a list of numbers, is expected here, not %s" (describe e)

let unknown what head p = refuse p "there is no %s '%s' with so many operands" what head

let rec read_iexp names e =
  let i = read_iexp names in
  match e with
  | Atom (_, a) when Numbers.is_number a -> IC (read_z e)
  | Atom (_, a) when is_word a -> IV (read_id names e)
  | List (_, [ Atom (_, "+"); a; b ]) -> let a = i a in IAdd (a, i b)
  | List (_, [ Atom (_, "-"); a; b ]) -> let a = i a in ISub (a, i b)
  | List (_, [ Atom (_, "*"); a; b ]) -> let a = i a in IMul (a, i b)
  | List (_, [ Atom (_, "/"); a; b ]) -> let a = i a in IDiv (a, i b)
  | List (_, [ Atom (_, "%"); a; b ]) -> let a = i a in IMod (a, i b)
  | List (_, [ Atom (_, "min"); a; b ]) -> let a = i a in IMin (a, i b)
  | List (_, [ Atom (_, "max"); a; b ]) -> let a = i a in IMax (a, i b)
  | List (p, Atom (_, head) :: _) -> unknown "operator of indices" head p
  | _ -> refuse (place e) "an index expression is expected here, not %s" (describe e)

let rec read_bexp names e =
  let i = read_iexp names and b = read_bexp names in
  match e with
  | Atom (_, "true") -> BTrue
  | List (_, [ Atom (_, "<="); x; y ]) -> let x = i x in BLe (x, i y)
  | List (_, [ Atom (_, "<"); x; y ]) -> let x = i x in BLt (x, i y)
  | List (_, [ Atom (_, "="); x; y ]) -> let x = i x in BEq (x, i y)
  | List (_, [ Atom (_, "and"); x; y ]) -> let x = b x in BAnd (x, b y)
  | List (_, [ Atom (_, "or"); x; y ]) -> let x = b x in BOr (x, b y)
  | List (_, [ Atom (_, "not"); x ]) -> BNot (b x)
  | List (p, Atom (_, head) :: _) -> unknown "condition" head p
  | _ -> refuse (place e) "a condition is expected here, not %s" (describe e)

let read_iexps names = function
  | List (_, items) -> List.map (read_iexp names) items
  | e -> refuse (place e) "a list of index expressions is expected here, not %s" (describe e)
let read_nest names = function
  | List (_, loops) ->
    List.map (function
      | List (_, [ x; n ]) -> let x = read_id names x in (x, read_iexp names n)
      | e -> refuse (place e) "a loop, which is a name and its extent, is expected here, not %s" (describe e)) loops
  | e -> refuse (place e) "a list of loops is expected here, not %s" (describe e)

let read_mark names e =
  match e with
  | Atom (_, "parallel") -> Parallel
  | Atom (_, "vector") -> Vector
  | Atom (_, "unroll") -> Unroll
  | List (_, [ Atom (_, "slide"); x ]) -> Slide (read_id names x)
  | List (_, [ Atom (_, "fold_storage"); m ]) -> FoldStorage (read_iexp names m)
  | _ -> refuse (place e) "a mark is expected here, not %s" (describe e)

let read_view names p head operands =
  let i = read_iexp names in
  match head, operands with
  | "transpose", [] -> Some Transpose
  | "flatten", [ n; m ] -> let n = i n in Some (Flatten (n, i m))
  | "split", [ q; k ] -> let q = i q in Some (Split (q, i k))
  | "trunc_r", [ n ] -> Some (TruncR (i n))
  | "trunc_l", [ k ] -> Some (TruncL (i k))
  | "pad_r", [ n; k ] -> let n = i n in Some (PadR (n, i k))
  | "pad_l", [ k ] -> Some (PadL (i k))
  | "reindex", [ xs; ts ] -> let xs = read_nest names xs in Some (Reindex (xs, read_iexps names ts))
  | ("reindex" | "transpose" | "flatten" | "split" | "trunc_r" | "trunc_l" | "pad_r" | "pad_l"), _ -> unknown "view" head p
  | _ -> None

let rec split_last = function [] -> None | [ last ] -> Some ([], last) | x :: xs -> Option.map (fun (front, last) -> (x :: front, last)) (split_last xs)

let rec read_exp names e =
  let id = read_id names and i = read_iexp names and b = read_bexp names and r = read_exp names in
  match e with
  | Atom (_, a) when Numbers.is_number a -> Lit (Num (read_z e))
  | Atom (_, a) when is_word a -> Var (id e)
  | List (_, [ Atom (_, "unit"); o ]) -> Lit (UnitOf (id o))
  | List (_, [ Atom (_, "gen"); x; n; a ]) -> let x = id x in let n = i n in Gen (x, n, r a)
  | List (_, [ Atom (_, "fold"); o; x; n; a ]) -> let o = id o in let x = id x in let n = i n in Fold (o, x, n, r a)
  | List (_, [ Atom (_, "if"); p; x; y ]) -> let p = b p in let x = r x in If (p, x, r y)
  | List (_, [ Atom (_, "let"); t; x; y ]) -> let t = id t in let x = r x in Let (t, x, r y)
  | List (_, Atom (_, "get") :: a :: (_ :: _ as indices)) -> List.fold_left (fun a index -> Get (a, i index)) (r a) indices
  | List (_, [ Atom (_, "op1"); o; x ]) -> let o = id o in Op1 (o, r x)
  | List (_, [ Atom (_, "op2"); o; x; y ]) -> let o = id o in let x = r x in Op2 (o, x, r y)
  | List (_, [ Atom (_, "op3"); o; x; y; z ]) -> let o = id o in let x = r x in let y = r y in Op3 (o, x, y, r z)
  | List (_, [ Atom (_, "cat"); n; x; y ]) -> let n = i n in let x = r x in Cat (n, x, r y)
  | List (_, [ Atom (_, "mark"); m; a ]) -> let m = read_mark names m in Mark (m, r a)
  | List (_, [ Atom (_, "bind"); x; a; c ]) -> let x = id x in let a = r a in Bind (x, a, r c)
  | List (_, [ Atom (_, "iter"); t; x; n; a; c ]) ->
    let t = id t in let x = id x in let n = i n in let a = r a in Iter (t, x, n, a, r c)
  | List (p, Atom (_, head) :: operands) ->
    (match split_last operands with
     | None -> unknown "operator" head p
     | Some (front, last) ->
       match read_view names p head front with
       | Some v -> View (v, r last)
       | None -> unknown "operator" head p)
  | _ -> refuse (place e) "a program is expected here, not %s" (describe e)

let rec read_pol e =
  match e with
  | List (_, [ Atom (_, "c"); c ]) -> Pc (read_z c)
  | List (_, [ Atom (_, "inj"); j; p ]) -> let j = read_positive j in Pinj (j, read_pol p)
  | List (_, [ Atom (_, "px"); p; j; q ]) -> let p = read_pol p in let j = read_positive j in PX (p, j, read_pol q)
  | _ -> refuse (place e) "a polynomial is expected here, not %s" (describe e)

let rec read_psatz e =
  match e with
  | Atom (_, "zero") -> PsatzZ
  | Atom (_, _) -> PsatzIn (read_nat e)
  | List (_, [ Atom (_, "with"); a; b ]) -> let a = read_psatz a in PsatzLet (a, read_psatz b)
  | List (_, [ Atom (_, "square"); p ]) -> PsatzSquare (read_pol p)
  | List (_, [ Atom (_, "times"); p; a ]) -> let p = read_pol p in PsatzMulC (p, read_psatz a)
  | List (_, [ Atom (_, "*"); a; b ]) -> let a = read_psatz a in PsatzMulE (a, read_psatz b)
  | List (_, [ Atom (_, "+"); a; b ]) -> let a = read_psatz a in PsatzAdd (a, read_psatz b)
  | List (_, [ Atom (_, "constant"); c ]) -> PsatzC (read_z c)
  | _ -> refuse (place e) "a combination of facts is expected here, not %s" (describe e)

let rec read_arith e =
  match e with
  | Atom (_, "done") -> DoneProof
  | List (_, [ Atom (_, "rat"); w; pf ]) -> let w = read_psatz w in RatProof (w, read_arith pf)
  | List (_, [ Atom (_, "cut"); w; pf ]) -> let w = read_psatz w in CutProof (w, read_arith pf)
  | List (_, [ Atom (_, "split"); p; a; b ]) -> let p = read_pol p in let a = read_arith a in SplitProof (p, a, read_arith b)
  | List (_, [ Atom (_, "enum"); u; v; List (_, pfs) ]) ->
    let u = read_psatz u in let v = read_psatz v in EnumProof (u, v, List.map read_arith pfs)
  | List (_, [ Atom (_, "ex"); x; pf ]) -> let x = read_positive x in ExProof (x, read_arith pf)
  | _ -> refuse (place e) "a proof of arithmetic is expected here, not %s" (describe e)

let read_lemma names e =
  let i = read_iexp names in
  match e with
  | List (_, [ Atom (_, "div_of_sum"); a; b; c ]) -> let a = i a in let b = i b in DivOfSum (a, b, i c)
  | List (_, [ Atom (_, "mod_of_sum"); a; b; c ]) -> let a = i a in let b = i b in ModOfSum (a, b, i c)
  | List (_, [ Atom (_, "div_div"); a; b; c ]) -> let a = i a in let b = i b in DivDiv (a, b, i c)
  | List (_, [ Atom (_, "div_mod"); a; b ]) -> let a = i a in DivMod (a, i b)
  | List (_, [ Atom (_, "mod_bound"); a; b ]) -> let a = i a in ModBound (a, i b)
  | List (_, [ Atom (_, "div_mono"); a; b; c ]) -> let a = i a in let b = i b in DivMono (a, b, i c)
  | List (_, [ Atom (_, "div_bound"); a; b; c ]) -> let a = i a in let b = i b in DivBound (a, b, i c)
  | List (_, [ Atom (_, "ceil_cover"); a; b ]) -> let a = i a in CeilCover (a, i b)
  | List (_, [ Atom (_, "mul_mono"); a; b; c ]) -> let a = i a in let b = i b in MulMono (a, b, i c)
  | List (_, [ Atom (_, "min_left"); a; b ]) -> let a = i a in MinLeft (a, i b)
  | List (_, [ Atom (_, "min_right"); a; b ]) -> let a = i a in MinRight (a, i b)
  | List (_, [ Atom (_, "max_left"); a; b ]) -> let a = i a in MaxLeft (a, i b)
  | List (_, [ Atom (_, "max_right"); a; b ]) -> let a = i a in MaxRight (a, i b)
  | List (p, Atom (_, head) :: _) -> unknown "lemma" head p
  | _ -> refuse (place e) "a lemma is expected here, not %s" (describe e)

let rec read_wit names e =
  let b = read_bexp names and w = read_wit names in
  match e with
  | Atom (_, "true") -> WTrue
  | Atom (_, "fact") -> WFact
  | Atom (_, "search") -> WSearch
  | List (_, [ Atom (_, "linear"); List (_, opaque); pf ]) ->
    let opaque = List.map (read_iexp names) opaque in WLinear (opaque, read_arith pf)
  | List (_, [ Atom (_, "and"); x; y ]) -> let x = w x in WAnd (x, w y)
  | List (_, [ Atom (_, "or"); x ]) -> WOr (w x)
  | List (_, [ Atom (_, "not"); x ]) -> WNot (w x)
  | List (_, [ Atom (_, "case"); q; x; y ]) -> let q = b q in let x = w x in WCase (q, x, w y)
  | List (_, [ Atom (_, "have"); q; x; y ]) -> let q = b q in let x = w x in WHave (q, x, w y)
  | List (_, [ Atom (_, "lemma"); l; x; y ]) -> let l = read_lemma names l in let x = w x in WLemma (l, x, w y)
  | List (p, Atom (_, head) :: _) -> unknown "witness" head p
  | _ -> refuse (place e) "a witness is expected here, not %s" (describe e)

let rec read_rule names e =
  let head, operands = match e with
    | Atom (_, head) -> head, []
    | List (_, Atom (_, head) :: operands) -> head, operands
    | List (p, _) -> refuse p "a rule is expected here" in
  let readers : Rule_text.readers = {
    Rule_text.wit = read_wit names; iexp = read_iexp names; id = read_id names; nat = read_nat; mark = read_mark names;
    bexp = read_bexp names; exp = read_exp names; rule = read_rule names; path = read_path;
    nest = read_nest names; iexps = read_iexps names } in
  match Rule_text.read readers head operands with
  | Some rule -> rule
  | None ->
    match List.assoc_opt head Rule_text.rules with
    | None -> refuse (place e) "there is no rule '%s'" head
    | Some n -> refuse (place e) "the rule '%s' has %d operands, not %d" head n (List.length operands)

let read_step names e =
  match e with
  | List (p, [ path; rule ]) ->
    let s_path = read_path path in (p, { s_path; s_rule = read_rule names rule })
  | _ -> refuse (place e) "a step, which is a path and a rule, is expected here, not %s" (describe e)

let read_store names e =
  match e with
  | List (_, [ at; guard; shown; stored ]) ->
    let st_at = read_iexps names at in
    let st_guard = read_bexp names guard in
    let st_shown = read_wit names shown in
    { st_at; st_guard; st_shown; st_stored = read_wit names stored }
  | e -> refuse (place e) "a store, which is its indices, its guard and two witnesses, is expected here, not %s" (describe e)

let read_slide names e =
  match e with
  | Atom (_, "none") -> None
  | List (_, [ dim; rows; upto; store; grows ]) ->
    let sl_dim = read_nat dim in
    let sl_rows = read_iexp names rows in
    let sl_upto = read_iexp names upto in
    let sl_store = read_store names store in
    Some { sl_dim; sl_rows; sl_upto; sl_store; sl_grows = read_wit names grows }
  | e ->
    refuse (place e) "'none', or a dimension, its rows in memory, the rows wanted, a store and a witness, is expected here, not %s"
      (describe e)

let read_sliding names e =
  match e with
  | List (_, [ path; loop; extent; List (_, slides); List (_, finds) ]) ->
    let sg_path = read_path path in
    let sg_loop = read_id names loop in
    let sg_extent = read_iexp names extent in
    let sg_slides = List.map (read_slide names) slides in
    { sg_path; sg_loop; sg_extent; sg_slides; sg_finds = List.map (read_wit names) finds }
  | e ->
    refuse (place e) "a path, a loop, its extent, what slides and the witnesses of reads are expected here, not %s" (describe e)

let read_joined names e =
  match e with
  | List (_, [ path; List (_, stores) ]) ->
    let jn_path = read_path path in
    if List.length stores < 2 then refuse (place e) "two bindings or more share loops, not %d" (List.length stores);
    { jn_path; jn_stores = List.map (read_store names) stores }
  | e -> refuse (place e) "a path and the stores of the bindings there that share loops are expected here, not %s" (describe e)

let read_beside names slidings e =
  match e with
  | List (_, [ number; path; List (_, windows); List (_, stores) ]) ->
    let k = Numbers.int_of_nat (read_nat number) in
    if k >= slidings then refuse (place number) "there is no number %d in the section 'target_slides'" k;
    let bs_path = read_path path in
    let bs_windows = List.map (read_id names) windows in
    if windows = [] || List.length windows + List.length stores < 2 then
      refuse (place e) "a window, and another window or a nest, at least share loops";
    if List.length (List.sort_uniq compare bs_windows) < List.length windows then
      refuse (place e) "a window has one name here, once";
    (k, { bs_path; bs_windows; bs_stores = List.map (read_store names) stores })
  | e ->
    refuse (place e) "the number of windows that slide, a path, their names, and the stores of the bindings there are \
expected here, not %s" (describe e)

let read_order names e =
  match e with
  | List (_, [ loop; extent; Atom (_, (("in_order" | "at_once") as order)) ]) ->
    let loop = read_id names loop in
    let extent = read_iexp names extent in
    ((loop, extent), order = "in_order")
  | e -> refuse (place e) "a loop, its extent, and 'in_order' or 'at_once' are expected here, not %s" (describe e)

let read_spelling names e =
  match e with
  | List (_, [ first; second ]) -> let first = read_id names first in (first, read_id names second)
  | e -> refuse (place e) "a name and another spelling of it are expected here, not %s" (describe e)

let read_scan names e =
  match e with
  | List (_, [ path; rank; List (_, loops); from; store; List (_, second); List (_, writes); List (_, reads) ]) ->
    let sc_path = read_path path in
    let sc_rank = read_nat rank in
    let sc_loops = List.map (read_order names) loops in
    let sc_from = read_iexps names from in
    let sc_store = read_store names store in
    let sc_second = List.map (read_spelling names) second in
    let sc_writes = List.map (read_wit names) writes in
    { sc_path; sc_rank; sc_loops; sc_from; sc_store; sc_second; sc_writes; sc_reads = List.map (read_wit names) reads }
  | e ->
    refuse (place e) "a path, a rank, loops, which iteration each event is, a store, names of a second event and the witnesses of \
writes and of reads are expected here, not %s" (describe e)

let read_input names e =
  match e with
  | List (_, t :: extents) -> let t = read_id names t in (t, List.map (read_iexp names) extents)
  | _ -> refuse (place e) "a name with its extents is expected here, not %s" (describe e)

(* That an input is declared twice would leave open which of its extents count. *)
let read_inputs names items =
  List.rev (List.fold_left (fun inputs item ->
    let (t, _) as input = read_input names item in
    if List.mem_assoc t inputs then refuse (place item) "the input '%s' has extents already" (word_of names t);
    input :: inputs) [] items)

(* The sections of a certificate, each once, in this order; those in brackets may be missing. *)
let read text =
  let names = new_names () in
  match Sexp.read text with
  | [] -> refuse { line = 1; column = 1 } "the text is empty"
  | [ List (p, Atom (_, "fluorite_certificate") :: Atom (vp, v) :: sections) ] ->
    if v <> version then refuse vp "this reader knows version %s of certificates, not '%s'" version v;
    let rest = ref sections and places = ref [] in
    let optional name = match !rest with
      | List (at, Atom (_, head) :: items) :: others when head = name ->
        rest := others;
        places := (name, at :: List.map place items) :: !places;
        Some items
      | _ -> None in
    let required name = match optional name with
      | Some items -> items
      | None ->
        (match !rest with
         | e :: _ -> refuse (place e) "the section '%s' is expected here, not %s" name (describe e)
         | [] -> refuse p "the certificate has no section '%s'" name) in
    let program name = match required name with
      | [ e ] -> read_exp names e
      | items -> refuse (match items with e :: _ -> place e | [] -> p) "the section '%s' holds one program, not %d" name (List.length items) in
    let c_facts = List.map (read_bexp names) (required "facts") in
    let inputs = read_inputs names (required "inputs") in
    let c_source = program "source" in
    let c_target = program "target" in
    let forth_places, c_forth = List.split (List.map (read_step names) (required "forth")) in
    let back_places, c_back = List.split (List.map (read_step names) (required "back")) in
    let reads name = Option.map (List.map (read_wit names)) (optional name) in
    let source_reads = reads "source_reads" in
    let target_reads = reads "target_reads" in
    let target_stores = Option.map (List.map (read_store names)) (optional "target_stores") in
    let target_slides = Option.map (List.map (read_sliding names)) (optional "target_slides") in
    let target_joined = Option.map (List.map (read_joined names)) (optional "target_joined") in
    let slidings = Option.fold ~none:0 ~some:List.length target_slides in
    let target_beside = Option.map (List.map (read_beside names slidings)) (optional "target_beside") in
    let target_scans = Option.map (List.map (read_scan names)) (optional "target_scans") in
    (match !rest with
     | [] -> ()
     | e :: _ -> refuse (place e) "there is no section %s here" (describe e));
    names, { certificate = { c_facts; c_source; c_target; c_forth; c_back }; places = !places; forth_places; back_places; inputs; source_reads; target_reads; target_stores; target_slides; target_joined; target_beside;
             target_scans }
  | e :: _ -> refuse (place e) "a text is one list, which begins with 'fluorite_certificate' and its version"

(* ---- Printing ---- *)
let nowhere = { line = 0; column = 0 }
let atom a = Atom (nowhere, a)
let list items = List (nowhere, items)
let call head items = list (atom head :: items)

let print_id names x = atom (word_of names x)
let print_operator names o = atom (operator_of names o)
let print_z z = atom (Numbers.z_to_text z)
let print_positive p = atom (Numbers.positive_to_text p)
let print_nat n = atom (string_of_int (Numbers.int_of_nat n))
let print_path path = list (List.map print_nat path)

let rec print_iexp names e =
  let i = print_iexp names in
  match e with
  | IC z -> print_z z
  | IV x -> print_id names x
  | IAdd (a, b) -> call "+" [ i a; i b ]
  | ISub (a, b) -> call "-" [ i a; i b ]
  | IMul (a, b) -> call "*" [ i a; i b ]
  | IDiv (a, b) -> call "/" [ i a; i b ]
  | IMod (a, b) -> call "%" [ i a; i b ]
  | IMin (a, b) -> call "min" [ i a; i b ]
  | IMax (a, b) -> call "max" [ i a; i b ]

let rec print_bexp names e =
  let i = print_iexp names and b = print_bexp names in
  match e with
  | BTrue -> atom "true"
  | BLe (x, y) -> call "<=" [ i x; i y ]
  | BLt (x, y) -> call "<" [ i x; i y ]
  | BEq (x, y) -> call "=" [ i x; i y ]
  | BAnd (x, y) -> call "and" [ b x; b y ]
  | BOr (x, y) -> call "or" [ b x; b y ]
  | BNot x -> call "not" [ b x ]

let print_iexps names items = list (List.map (print_iexp names) items)
let print_nest names loops = list (List.map (fun (x, n) -> list [ print_id names x; print_iexp names n ]) loops)

let print_mark names = function
  | Parallel -> atom "parallel"
  | Vector -> atom "vector"
  | Unroll -> atom "unroll"
  | Slide x -> call "slide" [ print_id names x ]
  | FoldStorage m -> call "fold_storage" [ print_iexp names m ]

let print_view names v a =
  let i = print_iexp names in
  match v with
  | Transpose -> call "transpose" [ a ]
  | Flatten (n, m) -> call "flatten" [ i n; i m; a ]
  | Split (q, k) -> call "split" [ i q; i k; a ]
  | TruncR n -> call "trunc_r" [ i n; a ]
  | TruncL k -> call "trunc_l" [ i k; a ]
  | PadR (n, k) -> call "pad_r" [ i n; i k; a ]
  | PadL k -> call "pad_l" [ i k; a ]
  | Reindex (xs, ts) -> call "reindex" [ print_nest names xs; print_iexps names ts; a ]

let rec print_exp names e =
  let id = print_id names and op = print_operator names and i = print_iexp names and b = print_bexp names and r = print_exp names in
  match e with
  | Lit (Num z) -> print_z z
  | Lit (UnitOf o) -> call "unit" [ op o ]
  | Var t -> id t
  | Gen (x, n, a) -> call "gen" [ id x; i n; r a ]
  | Fold (o, x, n, a) -> call "fold" [ op o; id x; i n; r a ]
  | If (p, x, y) -> call "if" [ b p; r x; r y ]
  | Let (t, x, y) -> call "let" [ id t; r x; r y ]
  | Get _ ->
    let rec gather indices = function Get (a, j) -> gather (i j :: indices) a | a -> call "get" (r a :: indices) in
    gather [] e
  | Op1 (o, x) -> call "op1" [ op o; r x ]
  | Op2 (o, x, y) -> call "op2" [ op o; r x; r y ]
  | Op3 (o, x, y, z) -> call "op3" [ op o; r x; r y; r z ]
  | Cat (n, x, y) -> call "cat" [ i n; r x; r y ]
  | View (v, a) -> print_view names v (r a)
  | Mark (m, a) -> call "mark" [ print_mark names m; r a ]
  | Bind (x, a, c) -> call "bind" [ id x; r a; r c ]
  | Iter (t, x, n, a, c) -> call "iter" [ id t; id x; i n; r a; r c ]

let rec print_pol = function
  | Pc c -> call "c" [ print_z c ]
  | Pinj (j, p) -> call "inj" [ print_positive j; print_pol p ]
  | PX (p, j, q) -> call "px" [ print_pol p; print_positive j; print_pol q ]

let rec print_psatz = function
  | PsatzZ -> atom "zero"
  | PsatzIn n -> print_nat n
  | PsatzLet (a, b) -> call "with" [ print_psatz a; print_psatz b ]
  | PsatzSquare p -> call "square" [ print_pol p ]
  | PsatzMulC (p, a) -> call "times" [ print_pol p; print_psatz a ]
  | PsatzMulE (a, b) -> call "*" [ print_psatz a; print_psatz b ]
  | PsatzAdd (a, b) -> call "+" [ print_psatz a; print_psatz b ]
  | PsatzC c -> call "constant" [ print_z c ]

let rec print_arith = function
  | DoneProof -> atom "done"
  | RatProof (w, pf) -> call "rat" [ print_psatz w; print_arith pf ]
  | CutProof (w, pf) -> call "cut" [ print_psatz w; print_arith pf ]
  | SplitProof (p, a, b) -> call "split" [ print_pol p; print_arith a; print_arith b ]
  | EnumProof (u, v, pfs) -> call "enum" [ print_psatz u; print_psatz v; list (List.map print_arith pfs) ]
  | ExProof (x, pf) -> call "ex" [ print_positive x; print_arith pf ]

let print_lemma names l =
  let c head operands = call head (List.map (print_iexp names) operands) in
  match l with
  | DivOfSum (x, y, z) -> c "div_of_sum" [ x; y; z ]
  | ModOfSum (x, y, z) -> c "mod_of_sum" [ x; y; z ]
  | DivDiv (x, y, z) -> c "div_div" [ x; y; z ]
  | DivMod (x, y) -> c "div_mod" [ x; y ]
  | ModBound (x, y) -> c "mod_bound" [ x; y ]
  | DivMono (x, y, z) -> c "div_mono" [ x; y; z ]
  | DivBound (x, y, z) -> c "div_bound" [ x; y; z ]
  | CeilCover (x, y) -> c "ceil_cover" [ x; y ]
  | MulMono (x, y, z) -> c "mul_mono" [ x; y; z ]
  | MinLeft (x, y) -> c "min_left" [ x; y ]
  | MinRight (x, y) -> c "min_right" [ x; y ]
  | MaxLeft (x, y) -> c "max_left" [ x; y ]
  | MaxRight (x, y) -> c "max_right" [ x; y ]

let rec print_wit names e =
  let w = print_wit names in
  match e with
  | WTrue -> atom "true"
  | WFact -> atom "fact"
  | WSearch -> atom "search"
  | WLinear (opaque, pf) -> call "linear" [ list (List.map (print_iexp names) opaque); print_arith pf ]
  | WAnd (x, y) -> call "and" [ w x; w y ]
  | WOr x -> call "or" [ w x ]
  | WNot x -> call "not" [ w x ]
  | WCase (q, x, y) -> call "case" [ print_bexp names q; w x; w y ]
  | WHave (q, x, y) -> call "have" [ print_bexp names q; w x; w y ]
  | WLemma (l, x, y) -> call "lemma" [ print_lemma names l; w x; w y ]

let rec print_rule names rule =
  let printers : Rule_text.printers = {
    Rule_text.wit = print_wit names; iexp = print_iexp names; id = print_id names; nat = print_nat; mark = print_mark names;
    bexp = print_bexp names; exp = print_exp names; rule = print_rule names; path = print_path;
    nest = print_nest names; iexps = print_iexps names } in
  match Rule_text.write printers rule with
  | head, [] -> atom head
  | head, operands -> call head operands

let print_step names step = list [ print_path step.s_path; print_rule names step.s_rule ]

let print_store names q =
  list [ print_iexps names q.st_at; print_bexp names q.st_guard; print_wit names q.st_shown; print_wit names q.st_stored ]

let print_slide names = function
  | None -> atom "none"
  | Some s ->
    list [ print_nat s.sl_dim; print_iexp names s.sl_rows; print_iexp names s.sl_upto; print_store names s.sl_store;
           print_wit names s.sl_grows ]

let print_sliding names g =
  list [ print_path g.sg_path; print_id names g.sg_loop; print_iexp names g.sg_extent;
         list (List.map (print_slide names) g.sg_slides); list (List.map (print_wit names) g.sg_finds) ]

let print_scan names g =
  list [ print_path g.sc_path; print_nat g.sc_rank;
         list (List.map (fun ((x, n), in_order) ->
           list [ print_id names x; print_iexp names n; atom (if in_order then "in_order" else "at_once") ]) g.sc_loops);
         print_iexps names g.sc_from; print_store names g.sc_store;
         list (List.map (fun (x, y) -> list [ print_id names x; print_id names y ]) g.sc_second);
         list (List.map (print_wit names) g.sc_writes); list (List.map (print_wit names) g.sc_reads) ]

let print_joined names g = list [ print_path g.jn_path; list (List.map (print_store names) g.jn_stores) ]

(* What the section claims, of the windows that slide by its number. *)
let beside_ok t (k, b) =
  check_beside t.certificate.c_facts t.certificate.c_target (List.nth (Option.value t.target_slides ~default:[]) k) b

let print_beside names (k, b) =
  list [ atom (string_of_int k); print_path b.bs_path; list (List.map (print_id names) b.bs_windows);
         list (List.map (print_store names) b.bs_stores) ]

let print names t =
  let buffer = Buffer.create 4096 in
  let section head items =
    Buffer.add_string buffer "\n (";
    Buffer.add_string buffer head;
    List.iter (fun item -> Buffer.add_string buffer "\n  "; Sexp.write ~indent:2 buffer item) items;
    Buffer.add_char buffer ')' in
  let c = t.certificate in
  Buffer.add_string buffer ("(fluorite_certificate " ^ version);
  section "facts" (List.map (print_bexp names) c.c_facts);
  section "inputs" (List.map (fun (u, extents) -> list (print_id names u :: List.map (print_iexp names) extents)) t.inputs);
  section "source" [ print_exp names c.c_source ];
  section "target" [ print_exp names c.c_target ];
  section "forth" (List.map (print_step names) c.c_forth);
  section "back" (List.map (print_step names) c.c_back);
  Option.iter (fun reads -> section "source_reads" (List.map (print_wit names) reads)) t.source_reads;
  Option.iter (fun reads -> section "target_reads" (List.map (print_wit names) reads)) t.target_reads;
  Option.iter (fun stores -> section "target_stores" (List.map (print_store names) stores)) t.target_stores;
  Option.iter (fun slides -> section "target_slides" (List.map (print_sliding names) slides)) t.target_slides;
  Option.iter (fun groups -> section "target_joined" (List.map (print_joined names) groups)) t.target_joined;
  Option.iter (fun groups -> section "target_beside" (List.map (print_beside names) groups)) t.target_beside;
  Option.iter (fun scans -> section "target_scans" (List.map (print_scan names) scans)) t.target_scans;
  Buffer.add_string buffer ")\n";
  Buffer.contents buffer
