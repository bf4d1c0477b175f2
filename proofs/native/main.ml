(* fluorite_check: does the proved checker accept these certificates? See docs/certificates.md. *)
open Checker
open Certificate_text

let usage = "usage: fluorite_check [--values-only] [--seconds N] FILE...\n\
\n\
Checks certificates that two tensor programs mean the same and read within the bounds of their tensors. Prints a line\n\
for each file and exits with 0 if all are accepted, with 1 if one is rejected, and with 2 if it is used wrongly.\n\
--values-only does not ask for the section target_reads; --seconds bounds the time for each file (60).\n"

(* Processor time: other work on the machine does not count. *)
let milliseconds f =
  let begin_ = Sys.time () in
  let result = f () in
  result, 1000. *. (Sys.time () -. begin_)

let read_file path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
    let size = in_channel_length channel in
    if size > Sexp.most_bytes then
      Sexp.refuse { Sexp.line = 1; column = 1 } "the file has %d bytes, more than %d" size Sexp.most_bytes;
    really_input_string channel size)

let print_law names = function
  | Assoc o -> "assoc " ^ operator_of names o
  | Comm o -> "comm " ^ operator_of names o
  | UnitL o -> "unit_left " ^ operator_of names o
  | UnitNull o -> "unit_null " ^ operator_of names o
  | NullNull o -> "null_null " ^ operator_of names o
  | Null1 o -> "null1 " ^ operator_of names o
  | AnnihL o -> "annihilates_left " ^ operator_of names o
  | AnnihR o -> "annihilates_right " ^ operator_of names o
  | DistrL (m, o) -> "distributes " ^ operator_of names m ^ " " ^ operator_of names o
  | FirstOf (f, p) -> "first_of " ^ operator_of names f ^ " " ^ operator_of names p
  | SecondOf (f, p) -> "second_of " ^ operator_of names f ^ " " ^ operator_of names p

(* The verdict is [check]'s; that a step fails is found out again, one by one, only to say which. *)
let failing_step names t =
  let rec first facts e = function
    | [], _ -> None
    | step :: steps, place :: places ->
      (match run facts [ step ] e with
       | Some (_, e) -> first facts e (steps, places)
       | None ->
         let line text = String.concat " " (List.filter (( <> ) "") (String.split_on_char ' ' (String.map (function '\n' -> ' ' | c -> c) text))) in
        let rule = match line (Sexp.to_string (print_rule names step.s_rule)) with
           | text when String.length text <= 60 -> text
           | text -> String.sub text 0 57 ^ "..." in
         Some (place, Printf.sprintf "the rule %s does not apply there, or a witness does not prove its side condition" rule))
    | _ -> None in
  let c = t.certificate in
  match first c.c_facts c.c_source (c.c_forth, t.forth_places) with
  | Some failure -> Some failure
  | None -> first c.c_facts c.c_target (c.c_back, t.back_places)

let end_of = function [] -> { Sexp.line = 1; column = 1 } | places -> List.nth places (List.length places - 1)

let reads_ok t program reads = check_safe t.inputs t.certificate.c_facts program [] reads = Some []

let stores_ok t stores = check_stores t.certificate.c_facts t.certificate.c_target stores

(* The number of the first item that the check does not accept. *)
let failing check items =
  let rec first k = function
    | [] -> None
    | item :: rest -> if check item then first (k + 1) rest else Some k in
  first 1 (Option.value items ~default:[])

let count_slides t =
  List.fold_left (fun n g -> n + List.length (List.filter Option.is_some g.sg_slides)) 0 (Option.value t.target_slides ~default:[])

type verdict = Accepted of string | Rejected of Sexp.place * string

let judge values_only text =
  match milliseconds (fun () -> Certificate_text.read text) with
  | exception Sexp.Refused (place, reason) -> Rejected (place, reason)
  | (names, t), reading ->
    let c = t.certificate in
    match milliseconds (fun () -> check c) with
    | None, _ ->
      (match failing_step names t with
       | Some (place, reason) -> Rejected (place, reason)
       | None -> Rejected (end_of t.forth_places, "the two derivations arrive at different programs"))
    | Some laws, checking ->
      let (safe, stored, unslid, unjoined, unshared, unordered), bounds = milliseconds (fun () ->
        (Option.fold ~none:true ~some:(reads_ok t c.c_source) t.source_reads &&
         Option.fold ~none:values_only ~some:(reads_ok t c.c_target) t.target_reads),
        Option.fold ~none:true ~some:(stores_ok t) t.target_stores, failing (check_sliding c.c_facts c.c_target) t.target_slides,
        failing (check_joined c.c_facts c.c_target) t.target_joined,
        failing (beside_ok t) t.target_beside,
        failing (check_scan c.c_facts c.c_target) t.target_scans) in
      let item name k = List.nth (List.assoc name t.places) k in (* of a section, 0 is the section itself *)
      if unslid <> None then
        Rejected (item "target_slides" (Option.get unslid),
          Printf.sprintf "nothing proves of the windows of section 'target_slides', number %d, that iterations find the rows that \
they read: a witness does not, or the bindings there are others" (Option.get unslid))
      else if unjoined <> None then
        Rejected (item "target_joined" (Option.get unjoined),
          Printf.sprintf "the bindings of section 'target_joined', number %d, may not share loops: one reads another, the bindings \
there are others, or a witness does not prove where they store" (Option.get unjoined))
      else if unshared <> None then
        Rejected (item "target_beside" (Option.get unshared),
          Printf.sprintf "the windows and bindings of section 'target_beside', number %d, may not share loops: one reads another, the \
bindings there are others, or a witness does not prove where they store" (Option.get unshared))
      else if unordered <> None then
        Rejected (item "target_scans" (Option.get unordered),
          Printf.sprintf "nothing proves of the loops of section 'target_scans', number %d, that they keep the order of the update: a \
witness does not, or there is no such update" (Option.get unordered))
      else if not stored then
        Rejected (item "target_stores" 0,
          "a witness does not prove that the stores of a nest are those that the target says, or there are too few of them")
      else if not safe then
        Rejected ((match t.source_reads with
          | Some reads when not (reads_ok t c.c_source reads) -> item "source_reads" 0
          | _ -> if t.target_reads = None then { Sexp.line = 1; column = 1 } else item "target_reads" 0),
          if t.target_reads = None then "there is no section 'target_reads', hence nothing says that reads are in bounds"
          else "a witness does not prove that a read is in bounds, or there are too few or too many witnesses")
      else
        let exact = match laws with
          | [] -> "bit for bit"
          | _ ->
            let words = List.sort_uniq compare (List.map (print_law names) laws) in
            Printf.sprintf "%s (%s)" (if reassociates laws then "up to reassociation" else "under laws that keep the order")
              (String.concat ", " words) in
        Accepted (Printf.sprintf "equal %s; reads %s%s%s%s%s; %d steps; read in %.2f ms, checked in %.2f ms" exact
          (if t.target_reads = None then "not checked" else "in bounds") (if t.target_stores = None then "" else "; each element stored once")
          (match count_slides t with 0 -> "" | 1 -> "; a window slides" | n -> Printf.sprintf "; %d windows slide" n)
          (match Option.fold ~none:0 ~some:List.length t.target_joined + Option.fold ~none:0 ~some:List.length t.target_beside with
           | 0 -> "" | 1 -> "; a loop is shared" | n -> Printf.sprintf "; %d loops are shared" n)
          (match Option.fold ~none:0 ~some:List.length t.target_scans with
           | 0 -> "" | 1 -> "; a scan is in order" | n -> Printf.sprintf "; %d scans are in order" n)
          (List.length c.c_forth + List.length c.c_back) reading
          (checking +. bounds))

(* In a process of its own: whatever exhausts memory, stack or time is one more reason to reject. *)
let in_child seconds f =
  let input, output = Unix.pipe () in
  match Unix.fork () with
  | 0 ->
    Unix.close input;
    ignore (Unix.alarm seconds);
    let verdict =
      try f () with
      | Stack_overflow -> Rejected ({ Sexp.line = 1; column = 1 }, "the stack is exhausted")
      | Out_of_memory -> Rejected ({ Sexp.line = 1; column = 1 }, "the memory is exhausted") in
    let channel = Unix.out_channel_of_descr output in
    Marshal.to_channel channel (verdict : verdict) [];
    flush channel;
    Unix._exit 0
  | child ->
    Unix.close output;
    let channel = Unix.in_channel_of_descr input in
    let verdict = try Some (Marshal.from_channel channel : verdict) with _ -> None in
    close_in channel;
    match snd (Unix.waitpid [] child), verdict with
    | Unix.WEXITED 0, Some verdict -> verdict
    | Unix.WSIGNALED s, _ when s = Sys.sigalrm ->
      Rejected ({ Sexp.line = 1; column = 1 }, Printf.sprintf "checking takes more than %d seconds" seconds)
    | _ -> Rejected ({ Sexp.line = 1; column = 1 }, "checking exhausts the memory or the stack")

let () =
  (* Certificates are read once and thrown away: a large young generation spares the collector most of its work. *)
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 4 * 1024 * 1024; space_overhead = 400 };
  let values_only = ref false and seconds = ref 60 and files = ref [] in
  let wrong text = prerr_endline ("fluorite_check: " ^ text); prerr_string usage; exit 2 in
  let rec parse = function
    | [] -> ()
    | ("--help" | "-h") :: _ -> print_string usage; exit 0
    | "--values-only" :: rest -> values_only := true; parse rest
    | "--seconds" :: n :: rest ->
      (match int_of_string_opt n with
       | Some n when n > 0 -> seconds := n; parse rest
       | _ -> wrong "--seconds takes a positive number")
    | option :: _ when String.length option > 1 && option.[0] = '-' -> wrong ("there is no option " ^ option)
    | file :: rest -> files := file :: !files; parse rest in
  parse (List.tl (Array.to_list Sys.argv));
  if !files = [] then wrong "no file is named";
  let check_one path =
    match in_child !seconds (fun () ->
      match read_file path with
      | text -> judge !values_only text
      | exception Sexp.Refused (place, reason) -> Rejected (place, reason)
      | exception (Sys_error reason | Invalid_argument reason) -> Rejected ({ Sexp.line = 0; column = 0 }, reason)
      | exception End_of_file -> Rejected ({ Sexp.line = 0; column = 0 }, "the file could not be read to its end")) with
    | Accepted text -> Printf.printf "%s: accepted: %s\n" path text; true
    | Rejected (p, reason) -> Printf.printf "%s:%d:%d: rejected: %s\n" path p.Sexp.line p.Sexp.column reason; false in
  exit (if List.for_all Fun.id (List.map check_one (List.rev !files)) then 0 else 1)
