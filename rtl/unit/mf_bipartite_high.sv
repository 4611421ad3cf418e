// SPDX-License-Identifier: Apache-2.0
//
// Upper half of a bipartite multiplier: modular multiplication from the highest digit on. The bits
// of the pair above column F are a digit h, found without a product; the next step replaces them by
// h times a power of two modulo n.
//
// Computes: Z(0) = 0; Z(t+1) = 2^w (Z(t) less h(t) 2^F) + d(t) b + h(t-1) fold, h(-1) = 0;
//           w = DigitW, F = OperandW - 2, fold = 2^(F+2w) mod n. So Z(T) + h(T-1) 2^(F+w) is
//           congruent to b times the digits d(0) to d(T-1), the highest one first.
// Contract: |b| < 2^(F+1), |d| <= 2^(w-1), 0 <= fold < n <= 2^(F+2-2w); DigitW is at least 3.
//
// s and c are both cut at column F: h is the sum of the parts above, two's complement; the parts
// below, whose sum is 0 to 2^(F+1) - 2, stay a pair. So Z is exact and h no estimate. The pair is
// modulo 2^(F+w+3): |Z| < 2^(F+w+2), and h has TopW = w + 3 bits.
//
// Cycle c (as in mf_bipartite)  selects of d  P         pair    selects of h
// 0                             d(0)          not used  0       not used
// 1 ..                          d(c)          d(c-1) b  Z(c-1)  h(c-2)

module mf_bipartite_high
  import mf_booth_pkg::*;
#(
  /// Bits of a digit; 3 to 24.
  parameter int unsigned DigitW   = 4,
  /// Bits of b_i; at least 2 DigitW + 3.
  parameter int unsigned OperandW = 16,
  /// Bits of the modulus; OperandW - 2 DigitW.
  parameter int unsigned ModulusW = 8,

  localparam int unsigned Terms    = (DigitW + 1) / 2,
  localparam int unsigned FoldW    = OperandW - 2,  // F
  localparam int unsigned TopW     = DigitW + 3,
  localparam int unsigned TopTerms = (TopW + 1) / 2,
  localparam int unsigned StateW   = FoldW + TopW
) (
  input  logic                clk_i,
  /// Clears the pair; high in the cycle before cycle 0, and in cycle 0.
  input  logic                clear_i,
  /// Two's complement.
  input  logic [OperandW-1:0] b_i,
  input  term_t [Terms-1:0]   d_i,
  input  logic [ModulusW-1:0] fold_i,
  /// Z = s_low_o + c_low_o + h_o 2^F.
  output logic [FoldW-1:0]    s_low_o,
  output logic [FoldW-1:0]    c_low_o,
  /// Two's complement.
  output logic [TopW-1:0]     h_o
);

  logic [StateW-1:0]               s_q, c_q, s_d, c_d;
  logic [1:0][StateW-1:0]          p_vectors;
  logic [1:0]                      p_ones;
  term_t [TopTerms-1:0]            h, h_q;
  logic [TopTerms-1:0][StateW-1:0] h_rows;
  logic [TopTerms-1:0]             h_ones;

  mf_unit_product #(.Width(StateW), .DigitW(DigitW), .OperandW(OperandW)) u_p (
    .clk_i    (clk_i),
    .x_i      (b_i),
    .terms_i  (d_i),
    .load_i   (1'b0),
    .other_s_i('0),
    .other_c_i('0),
    .vectors_o(p_vectors),
    .ones_o   (p_ones)
  );

  // ---------------------------------------------------------------- the digit on top

  assign s_low_o = s_q[FoldW-1:0];
  assign c_low_o = c_q[FoldW-1:0];
  assign h_o     = s_q[StateW-1:FoldW] + c_q[StateW-1:FoldW];

  mf_booth_recoder #(.DigitW(TopW)) u_top (
    .digit_i(h_o), .transfer_i(1'b0), .terms_o(h)
  );

  always_ff @(posedge clk_i) h_q <= h;

  mf_unit_rows #(.Width(StateW), .DigitW(TopW), .OperandW(ModulusW + 1)) u_rows (
    .x_i({1'b0, fold_i}), .terms_i(h_q), .rows_o(h_rows), .ones_o(h_ones)
  );

  // ---------------------------------------------------------------- the pair

  mf_compressor_tree #(
    .Width   (StateW),
    .Rows    (TopTerms + 4),
    .Late    (TopTerms),
    .Lateness(4)
  ) u_tree (
    .rows_i({h_rows, p_vectors, StateW'(c_low_o) << DigitW, StateW'(s_low_o) << DigitW}),
    .bits_i({p_ones, h_ones}),
    .rows_o({c_d, s_d})
  );

  // No reset: the pair is cleared before it is used.
  always_ff @(posedge clk_i) begin
    s_q <= s_d & {StateW{~clear_i}};
    c_q <= c_d & {StateW{~clear_i}};
  end

endmodule
