// SPDX-License-Identifier: Apache-2.0
//
// The result of a context of mf_rmm, and the correction that is added with the last products.
//
// Variant 0: P = T1 + U1 + (T0 != 0), and P - n if that is not negative, in two more cycles.
// Others:    P = the accumulator's high part, one cycle later if it is a carry-save pair.
// Variant 1: the correction is Constant. Variant 2: Constant, one half of R, rounds.
// Variant 3: the correction is one half of R and an estimate of column K-2 of U, the products of
//            the top bits of its digits. Q is final a cycle before it is needed.

module mf_rmm_result #(
  /// Bits of the widest modulus.
  parameter int unsigned Width     = 16,
  /// Digits; 2 to 16.
  parameter int unsigned K         = 2,
  /// Bits of a digit.
  parameter int unsigned DigitBits = 9,
  /// Variant of mf_rmm.
  parameter int unsigned Variant   = 3,
  /// Accumulators are carry-save pairs.
  parameter bit          CarrySave = 1'b0,
  /// The correction of variants 1 and 2.
  parameter logic [(K*DigitBits+mf_rmm_pkg::operand_bits(Width, Variant))-1:0] Constant = '0,

  localparam int unsigned RBits        = K * DigitBits,
  localparam int unsigned OperandW     = mf_rmm_pkg::operand_bits(Width, Variant),
  localparam int unsigned AccumulatorW = RBits + OperandW
) (
  input  logic                        clk_i,
  input  logic [K-1:0][DigitBits-1:0] n_i,
  /// Accumulators' registers; u_i is that of variant 0.
  input  logic [AccumulatorW-1:0]     t_i,
  input  logic [RBits-1:0]            q_i,
  input  logic [AccumulatorW-1:0]     u_i,

  /// The correction is added in this cycle; it is 0 in others.
  input  logic                        correct_i,
  output logic [AccumulatorW-1:0]     correction_o,
  output logic [OperandW-1:0]         p_o
);

  import mf_rmm_pkg::*;

  if (Variant == VariantPublished) begin : gen_published
    logic             low_is_not_zero_q;
    logic [Width:0]   sum_q;
    logic [Width+1:0] difference;
    logic [Width-1:0] reduced_q;
    assign difference = {1'b0, sum_q} - {2'b00, Width'(n_i)};
    always_ff @(posedge clk_i) begin
      low_is_not_zero_q <= |t_i[RBits-1:0];
      sum_q             <= {1'b0, t_i[RBits+:Width]} + {1'b0, u_i[RBits+:Width]} +
                           (Width + 1)'(low_is_not_zero_q);
      reduced_q         <= difference[Width+1] ? sum_q[Width-1:0] : difference[Width-1:0];
    end
    assign p_o = reduced_q;
  end else if (CarrySave) begin : gen_register
    always_ff @(posedge clk_i) p_o <= t_i[RBits+:OperandW];
  end else begin : gen_accumulator_register
    assign p_o = t_i[RBits+:OperandW];
  end

  if (Variant == VariantEstimated) begin : gen_estimate
    localparam int unsigned TopBits    = top_bits(K);
    localparam int unsigned EstimateW  = 2 * TopBits + $clog2(K) + 1;
    localparam int unsigned EstimateAt = RBits - 2 * TopBits;

    logic [K-2:0][TopBits-1:0] q_top;
    logic [EstimateW-1:0]      estimate, estimate_q;
    for (genvar i = 0; i < K - 1; i++) begin : gen_top
      if (CarrySave) begin : gen_pair
        always_ff @(posedge clk_i) q_top[i] <= q_i[(i+1)*DigitBits-1 -: TopBits];
      end else begin : gen_binary
        assign q_top[i] = q_i[(i+1)*DigitBits-1 -: TopBits];
      end
    end
    always_comb begin
      estimate = EstimateW'(1) << (2 * TopBits - 1);
      for (int unsigned i = 0; i < K - 1; i++) begin
        for (int unsigned bit_of_q = 0; bit_of_q < TopBits; bit_of_q++) begin
          estimate += EstimateW'(n_i[K-2-i][DigitBits-1 -: TopBits] &
                                 {TopBits{q_top[i][bit_of_q]}}) << bit_of_q;
        end
      end
    end
    always_ff @(posedge clk_i) estimate_q <= estimate;
    assign correction_o = AccumulatorW'(estimate_q & {EstimateW{correct_i}}) << EstimateAt;
  end else begin : gen_constant
    assign correction_o = Constant & {AccumulatorW{correct_i}};
  end

  // Of U only the high half is used, Q for the estimate only, n for that or the subtraction; some
  // forms have no register.
  logic unused_inputs;
  assign unused_inputs = ^{clk_i, n_i, t_i, q_i, u_i, correct_i};

endmodule
