(* S-expressions with the places where they stand. The reader keeps its own stack, so that no input, however deep, exhausts the
   machine's; what is larger than the limits is refused like any other mistake, by place and reason. *)

type place = { line : int; column : int }
type t = Atom of place * string | List of place * t list

exception Refused of place * string

let refuse place format = Printf.ksprintf (fun text -> raise (Refused (place, text))) format
let place = function Atom (p, _) | List (p, _) -> p

(* Certificates of a hundred stages stay a hundred times below these limits. *)
let most_bytes = 64 * 1024 * 1024
let deepest = 4000
let longest = 100_000
let longest_atom = 1000

let is_space c = c = ' ' || c = '\n' || c = '\t' || c = '\r'
let is_atom c =
  (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || String.contains "_.$+-*/%<=" c

type frame = { opened : place; mutable items : t list; mutable count : int }

(* The expressions of a text. A semicolon begins a comment, which ends with its line. *)
let read text =
  let size = String.length text in
  let line = ref 1 and start = ref 0 and at = ref 0 in
  let here () = { line = !line; column = !at - !start + 1 } in
  let newline () = incr line; start := !at + 1 in
  let outermost = { opened = { line = 1; column = 1 }; items = []; count = 0 } in
  let stack = ref [ outermost ] and depth = ref 0 in
  let add p item =
    match !stack with
    | [] -> assert false
    | frame :: _ ->
      if frame.count >= longest then refuse p "a list has more than %d elements" longest;
      frame.items <- item :: frame.items;
      frame.count <- frame.count + 1 in
  if size > most_bytes then refuse (here ()) "the text has %d bytes, more than %d" size most_bytes;
  while !at < size do
    let c = text.[!at] in
    if c = ';' then begin
      while !at < size && text.[!at] <> '\n' do incr at done
    end else if is_space c then begin
      if c = '\n' then newline ();
      incr at
    end else if c = '(' then begin
      incr depth;
      if !depth > deepest then refuse (here ()) "parentheses are nested more than %d deep" deepest;
      stack := { opened = here (); items = []; count = 0 } :: !stack;
      incr at
    end else if c = ')' then begin
      (match !stack with
       | frame :: (_ :: _ as rest) ->
         stack := rest;
         decr depth;
         add frame.opened (List (frame.opened, List.rev frame.items))
       | _ -> refuse (here ()) "this parenthesis closes none");
      incr at
    end else if is_atom c then begin
      let p = here () and from = !at in
      while !at < size && is_atom text.[!at] do incr at done;
      if !at - from > longest_atom then refuse p "a word or number has more than %d characters" longest_atom;
      add p (Atom (p, String.sub text from (!at - from)))
    end else refuse (here ()) "the character with the code %d occurs in no certificate" (Char.code c)
  done;
  match !stack with
  | [ frame ] -> List.rev frame.items
  | frame :: _ -> refuse frame.opened "the text ends before this parenthesis is closed"
  | [] -> assert false

(* A text of at most [width] columns where that is possible without breaking atoms. *)
let write ?(width = 120) ?(indent = 0) buffer expression =
  let rec flat_size budget = function
    | Atom (_, a) -> budget - String.length a
    | List (_, items) ->
      List.fold_left (fun left item -> if left < 0 then left else flat_size (left - 1) item) (budget - 1) items in
  let rec flat = function
    | Atom (_, a) -> Buffer.add_string buffer a
    | List (_, items) ->
      Buffer.add_char buffer '(';
      List.iteri (fun i item -> if i > 0 then Buffer.add_char buffer ' '; flat item) items;
      Buffer.add_char buffer ')' in
  let newline indent =
    Buffer.add_char buffer '\n';
    Buffer.add_string buffer (String.make (min indent 40) ' ') in
  let rec broken indent expression =
    if flat_size (width - min indent 40) expression >= 0 then flat expression
    else match expression with
      | Atom _ -> flat expression
      | List (_, items) ->
        Buffer.add_char buffer '(';
        let inline = ref true in
        List.iteri (fun i item ->
          (match item with
           | Atom _ when !inline -> if i > 0 then Buffer.add_char buffer ' '
           | _ -> if i > 0 then newline (indent + 2);
             inline := false);
          broken (indent + 2) item) items;
        Buffer.add_char buffer ')' in
  broken indent expression

let to_string expression =
  let buffer = Buffer.create 1024 in
  write buffer expression;
  Buffer.contents buffer
