(* Prints the certificates of the examples, with the names that they have in Coq, into a folder. *)
open Checker
open Certificate_text

let named words operators =
  let names = new_names () in
  List.iteri (fun i word -> Hashtbl.replace names.words (i + 1) word) words;
  List.iteri (fun i word -> Hashtbl.replace names.operators (i + 1) word) operators;
  names

let write folder file words operators certificate inputs target_reads =
  let text = print (named words operators) { certificate; places = []; forth_places = []; back_places = []; inputs; source_reads = None; target_reads = Some target_reads;
    target_stores = None; target_slides = None; target_joined = None; target_beside = None; target_scans = None } in
  let channel = open_out (Filename.concat folder file) in
  output_string channel text;
  close_out channel

let () =
  let write = write Sys.argv.(1) in
  write "fusion.cert" [ "input"; "producer"; "x"; "y"; "n" ] [ "add" ] fusion extents [ both; both; both; both ];
  write "tiled_blur.cert" [ "input"; "blur_x"; "tile_x"; "h"; "w"; "y"; "x"; "yo"; "yi"; "xo"; "xi"; "j"; "i" ] [ "add" ] blur extents0 reads;
  write "matmul.cert" [ "a"; "b"; "n"; "tiles"; "y"; "x"; "k"; "ko"; "ki" ] [ "add"; "mul" ] matmul extents1 product_reads;
  write "boundary.cert" [ "input"; "n"; "y" ] [ "add" ] boundary extents2 boundary_reads;
  write "moved_tile.cert" [ "input"; "n"; "y" ] [ "add" ] moving extents2 moved_reads
