(** * The theorems that users rely on, and that they rest on no axiom; [check.py] reads what this prints. *)
From Fluorite Require Import Meaning Subst Solver Equal Rewrite Derivation Safety RulesUpdate Stores Slides Joined Beside Scans ScansSound.

Print Assumptions prove_ok.
Print Assumptions apply_sound.
Print Assumptions run_sound.
Print Assumptions check_sound.
Print Assumptions bit_exact_sound.
Print Assumptions check_safe_sound.
Print Assumptions check_stores_sound.
Print Assumptions check_sliding_sound.
Print Assumptions check_joined_sound.
Print Assumptions check_beside_sound.
Print Assumptions add_events_one.
Print Assumptions any_order_ok.
Print Assumptions check_scan_sound.
