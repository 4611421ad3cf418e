// SPDX-License-Identifier: Apache-2.0
//
// Format of the plan of mf_rmm, and sizes that follow from its parameters.
//
// A plan says for each step and multiplier which product is issued: `issue_t`, 11 bits. An
// operand of mf_rmm has K digits; the products of an operation are
//   T(i, j) = A[i] B[j],   Q(i, j) = T[i] M'[j] with i + j < K,   U(i, j) = Q[i] N[j].

package mf_rmm_pkg;

  // Values of Variant: the published sequence, sums in place, a truncated product, an estimated
  // column; of Multiplier, that of mf_digit_multiplier whose products are pairs; of Accumulator.
  localparam int unsigned VariantPublished = 0;
  localparam int unsigned VariantInPlace = 1;
  localparam int unsigned VariantTruncated = 2;
  localparam int unsigned VariantEstimated = 3;
  localparam int unsigned MultiplierPairs = 2;
  localparam int unsigned AccumulatorBinary = 0;
  localparam int unsigned AccumulatorCarrySave = 1;
  localparam int unsigned AccumulatorRegistered = 2;

  typedef enum logic [1:0] {PhaseNone, PhaseT, PhaseQ, PhaseU} phase_e;

  /// A product on a multiplier, for operation 0 or 1; no product with PhaseNone.
  typedef struct packed {
    logic       owner;
    logic [1:0] phase;
    logic [3:0] i;
    logic [3:0] j;
  } issue_t;
  localparam int unsigned IssueW = $bits(issue_t);

  /// A product of a column of an accumulator: the step of its issue, its multiplier, and the lanes
  /// of its parts (mf_rmm_lanes).
  typedef struct packed {
    logic            used;
    logic [11:0]     step;
    logic [7:0]      slot;
    logic [2:0][7:0] lane;
  } arrival_t;
  localparam int unsigned ArrivalW = $bits(arrival_t);

  // Where parameters are illegal, the sizes of ports are small, so that elaboration gets to the
  // message.

  /// Bits of a plan: its issues, and a 1 above them.
  function automatic int unsigned plan_bits(int unsigned steps, int unsigned multipliers);
    return steps > 4096 || multipliers > 256 ? 1 : steps * multipliers * IssueW + 1;
  endfunction

  /// Bits g of the estimate's factors: 4^g W >= 2 ((k-1) (2 2^g - 1) W + (k-2) 4^g), W large.
  function automatic int unsigned top_bits(int unsigned k);
    return k == 2 ? 2 : k == 3 ? 3 : k <= 5 ? 4 : k <= 9 ? 5 : 6;
  endfunction

  /// Bits of a digit: at least three, and enough for the columns that the variant leaves out.
  function automatic int unsigned digit_bits(int unsigned width, int unsigned k,
                                             int unsigned variant);
    int unsigned least, needed;
    least  = variant == VariantEstimated ? top_bits(k) + 1 + 32'($clog2(k)) :
             (variant == VariantTruncated && k > 4) ? 1 + 32'($clog2(k)) : 3;
    needed = k < 2 || k > 16 ? 3 : ((variant == VariantPublished ? width : width + 2) + k - 1) / k;
    return needed < least ? least : needed;
  endfunction

  /// Bits of an operand and of the result.
  function automatic int unsigned operand_bits(int unsigned width, int unsigned variant);
    return variant == VariantPublished ? width : width + 1;
  endfunction

  /// Bits of R.
  function automatic int unsigned r_bits(int unsigned width, int unsigned k, int unsigned variant);
    return (k > 16 ? 16 : k) * digit_bits(width, k, variant) + (k == 0 ? 3 : 0);
  endfunction

  /// Lowest column i + j of U that the variant computes.
  function automatic int unsigned kept_column(int unsigned k, int unsigned variant);
    return variant == VariantEstimated ? k - 1 : variant == VariantTruncated ? k - 2 : 0;
  endfunction

  /// Whether an accumulator of an operation sums the products of `owner` and `phase`. Accumulator
  /// 0 is that of T (and of U, unless `published`), 1 that of Q, 2 that of U.
  function automatic bit adds_to(logic owner, logic [1:0] phase, int unsigned of_owner,
                                 int unsigned accumulator, bit published);
    int unsigned number;
    number = phase == PhaseQ ? 1 : phase == PhaseU && published ? 2 : 0;
    return phase != PhaseNone && 32'(owner) == of_owner && number == accumulator;
  endfunction

endpackage
