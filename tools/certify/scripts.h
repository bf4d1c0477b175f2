#pragma once
// Derivations by hand, as texts: fluorite_certify prints their certificates, and tests say what they arrive at.

namespace fluorite::certify_tool {

/// A convolution becomes a product of matrices.
inline constexpr const char *im2col_script = R"(
        (facts (<= 1 B) (<= 1 K) (<= 1 W) (<= 1 C) (<= 1 R))
        (inputs (w K C R) (x B C (+ W R)))
        (program (gen n B (gen k K (gen p W (fold add c C (fold add r R (op2 mul (get w k c r) (get x n c (+ p r)))))))))
        reschedule
        rw back let_inline to (let a (get x n c (+ p r)) (op2 mul (get w k c r) a)) at 0 0 0 0 0
        rw let_lift_fold around r
        rw let_lift_fold around c
        rw let_lift_gen around p
        rw let_lift_invariant around k
        rw let_lift_gen around n
        done
    )";

/// A convolution that scatters each input becomes one that gathers.
inline constexpr const char *scatter_to_gather_script = R"(
        (facts (<= 1 B) (<= 1 K) (<= 1 W) (<= 1 C) (<= 1 R))
        (inputs (w K C R) (x B C W))
        (program (fold add i W (gen n B (gen k K (gen p W (fold add c C
                   (op2 mul (get x n c i) (if (and (<= 0 (- i p)) (< (- i p) R)) (get w k c (- i p)) 0))))))))
        reschedule
        rw fold_gen
        rw fold_gen
        rw fold_gen
        rw fold_swap
        rw guard_annihilates_right
        rw back unit_null to (unit add) at 0 0 0 0 0 1
        rw back fold_indicator to (fold add r R (if (= r (- i p)) (op2 mul (get x n c i) (get w k c r)) (unit add))) at 0 0 0 0 0
        rw fold_swap around i
        rw (if_equiv (= i (+ p r))) at 0 0 0 0 0 0
        rw fold_indicator around i
        done
    )";

/// The sum over two dimensions of a filter whose weights are products: the inner one becomes a tensor of rows.
inline constexpr const char *separable_filter_script = R"(
        (facts (<= 1 W) (<= 1 H))
        (inputs (a 3) (b 3) (in (+ H 2) (+ W 2)))
        (program (gen y H (gen x W (fold add i 3 (fold add j 3
                   (op2 mul (get a i) (op2 mul (get b j) (get in (+ y i) (+ x j)))))))))
        reschedule
        rw fold_factor around j
        rw back (seq let_inline (at (0 0 0 1) (seq (at (0) get_gen) get_gen))) to (let rows (gen v (+ H 2) (gen u W (fold add j 3 (op2 mul (get b j) (get in v (+ u j)))))) (gen y H (gen x W (fold add i 3 (op2 mul (get a i) (get rows (+ y i) x)))))) at
        done
    )";

} // namespace fluorite::certify_tool
