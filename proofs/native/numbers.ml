(* Decimal texts and machine integers to and from the binary numbers of the extracted checker, of any size. *)
open Checker

let rec positive_of_int i = if i = 1 then XH else if i land 1 = 1 then XI (positive_of_int (i / 2)) else XO (positive_of_int (i / 2))
let z_of_int i = if i = 0 then Z0 else if i > 0 then Zpos (positive_of_int i) else Zneg (positive_of_int (-i))
let rec nat_of_int i = if i = 0 then O else S (nat_of_int (i - 1))
let rec int_of_nat = function O -> 0 | S n -> 1 + int_of_nat n

let is_number text =
  let digits = if text <> "" && text.[0] = '-' then String.sub text 1 (String.length text - 1) else text in
  digits <> "" && String.for_all (fun c -> c >= '0' && c <= '9') digits

(* Halves a decimal number, the most significant digit first, in place; gives the remainder. *)
let halve digits =
  let carry = ref 0 in
  for i = 0 to Array.length digits - 1 do
    let value = (10 * !carry) + digits.(i) in
    digits.(i) <- value / 2;
    carry := value land 1
  done;
  !carry

let positive_of_digits text =
  let digits = Array.init (String.length text) (fun i -> Char.code text.[i] - Char.code '0') in
  let bits = ref [] in
  while Array.exists (fun d -> d > 0) digits do bits := halve digits :: !bits done;
  match !bits with
  | [] -> None
  | _ :: rest -> Some (List.fold_left (fun p bit -> if bit = 1 then XI p else XO p) XH rest)

let z_of_text text =
  let negative = text.[0] = '-' in
  let digits = if negative then String.sub text 1 (String.length text - 1) else text in
  match (if String.length digits <= 18 then None else Some (positive_of_digits digits)) with
  | None -> let value = int_of_string ("0u" ^ digits) in z_of_int (if negative then -value else value)
  | Some None -> Z0
  | Some (Some p) -> if negative then Zneg p else Zpos p

let rec bits = function XH -> [ 1 ] | XO p -> 0 :: bits p | XI p -> 1 :: bits p

let positive_to_text p =
  let digits = ref [ 0 ] in                           (* the least significant first *)
  let twice_plus bit =
    let rec go carry = function
      | [] -> if carry > 0 then [ carry ] else []
      | d :: ds -> let v = (2 * d) + carry in (v mod 10) :: go (v / 10) ds in
    digits := go bit !digits in
  List.iter twice_plus (List.rev (bits p));
  String.concat "" (List.rev_map string_of_int !digits)

let z_to_text = function Z0 -> "0" | Zpos p -> positive_to_text p | Zneg p -> "-" ^ positive_to_text p

(* Of a number that a machine integer holds. *)
let int_of_positive p = int_of_string (positive_to_text p)
