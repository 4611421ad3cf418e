// SPDX-License-Identifier: Apache-2.0
//
// Accumulator of the unit-modulus recurrence: one digit of an operand and one digit of the quotient
// a cycle.
//
// Computes: (s_o, c_o) <= floor(s_o / 2^ShiftW) + floor(c_o / 2^ShiftW) + d * b + q * modulus,
//           modulo 2^Width, or 0 with clear_i; with load_i d * b is v in the next cycle. d_i comes
//           two cycles before its result, q_i one cycle, with Delay = 3 two. The user adds the
//           carry out of the dropped digit.
// Contract: |s_o + c_o| <= 2^(Width-2), s_o being signed.
//
// Registers (P) hold d * b as two vectors, with Delay = 3 also q * modulus. The pair, folded and
// shifted by a digit, and P are reduced to two vectors while the terms of q reach all columns; then
// the rows of the modulus join. Only a pair whose sign is in s_o alone can be shifted
// arithmetically: the fold adds the two topmost bits of c_o to those of s_o, modulo 4. The sign is
// complemented, not extended, and ones above c_o make up for it. Ones that complete negative rows
// take the free lowest places of the carry vectors. The last row takes one of P's, so that c_o[0]
// is 0 in the cycle of a digit d = 0.

module mf_unit_accumulator
  import mf_booth_pkg::*;
#(
  /// Bits of the pair; at least OperandW + DigitW and ModulusW + DigitW.
  parameter int unsigned Width    = 24,
  /// Bits of a digit; 2 to 24.
  parameter int unsigned DigitW   = 4,
  /// 3: the multiples of the modulus are reduced in a cycle of their own; 2: with the pair.
  parameter int unsigned Delay    = 2,
  /// Bits of b_i.
  parameter int unsigned OperandW = 16,
  /// Bits of modulus_i.
  parameter int unsigned ModulusW = 8,
  /// Bits of the shift: those of a digit, one less where digits are not signed.
  parameter int unsigned ShiftW   = DigitW,
  /// Columns of a region but the last; 1 or more.
  parameter int unsigned RegionW  = Width,

  localparam int unsigned Terms    = (DigitW + 1) / 2,
  localparam int unsigned DRegions = (OperandW + RegionW - 1) / RegionW,
  localparam int unsigned QRegions = (ModulusW + RegionW - 1) / RegionW
) (
  input  logic                            clk_i,
  input  logic                            clear_i,
  /// Two's complement.
  input  logic [OperandW-1:0]             b_i,
  /// The terms of d, equal in all regions.
  input  term_t [DRegions-1:0][Terms-1:0] d_i,
  /// Takes the pair v in a cycle with d = 0; with two or more terms only.
  input  logic                            load_i,
  input  logic [Width-1:0]                v_s_i,
  input  logic [Width-1:0]                v_c_i,
  /// Two's complement.
  input  logic [ModulusW-1:0]             modulus_i,
  /// The terms of q, equal in all regions.
  input  term_t [QRegions-1:0][Terms-1:0] q_i,
  output logic [Width-1:0]                s_o,
  output logic [Width-1:0]                c_o
);

  localparam int unsigned Vectors  = (Terms < 2) ? 1 : 2;          // of a reduced product
  localparam int unsigned QVectors = (Delay == 2) ? Terms : Vectors;
  localparam int unsigned Inputs   = 2 + Vectors + QVectors;

  logic [Vectors-1:0][Width-1:0]  p_vectors;
  logic [Vectors-1:0]             p_ones;
  logic [QVectors-1:0][Width-1:0] q_vectors;
  logic [QVectors-1:0]            q_ones;

  // ---------------------------------------------------------------- products

  mf_unit_product #(
    .Width(Width), .DigitW(DigitW), .OperandW(OperandW), .RegionW(RegionW)
  ) u_p (
    .clk_i    (clk_i),
    .x_i      (b_i),
    .terms_i  (d_i),
    .load_i   (load_i),
    .other_s_i(v_s_i),
    .other_c_i(v_c_i),
    .vectors_o(p_vectors),
    .ones_o   (p_ones)
  );

  if (Delay == 2) begin : gen_rows
    mf_unit_rows #(
      .Width(Width), .DigitW(DigitW), .OperandW(ModulusW), .RegionW(RegionW)
    ) u_q (
      .x_i(modulus_i), .terms_i(q_i), .rows_o(q_vectors), .ones_o(q_ones)
    );
  end else begin : gen_product
    mf_unit_product #(
      .Width(Width), .DigitW(DigitW), .OperandW(ModulusW), .RegionW(RegionW)
    ) u_q (
      .clk_i    (clk_i),
      .x_i      (modulus_i),
      .terms_i  (q_i),
      .load_i   (1'b0),
      .other_s_i('0),
      .other_c_i('0),
      .vectors_o(q_vectors),
      .ones_o   (q_ones)
    );
  end

  // ---------------------------------------------------------------- the pair

  logic [1:0]       fold;
  logic [Width-1:0] s_digit, c_digit, s_d, c_d;

  assign fold    = s_o[Width-1:Width-2] + c_o[Width-1:Width-2];
  assign s_digit = {{ShiftW{1'b0}}, ~fold[1], fold[0], s_o[Width-3:ShiftW]};
  assign c_digit = {{(ShiftW + 1){1'b1}}, 1'b0, c_o[Width-3:ShiftW]};

  // The terms of q have to reach all columns first.
  mf_compressor_tree #(
    .Width   (Width),
    .Rows    (Inputs),
    .Late    (QVectors),
    .Lateness((Delay == 2) ? 4 : 0)
  ) u_tree (
    .rows_i({q_vectors, p_vectors, c_digit, s_digit}),
    .bits_i({p_ones, q_ones}),
    .rows_o({c_d, s_d})
  );

  // No reset: the pair is cleared before it is used.
  always_ff @(posedge clk_i) begin
    s_o <= s_d & {Width{~clear_i}};
    c_o <= c_d & {Width{~clear_i}};
  end

  // The user adds the digit that the shift drops.
  logic unused_digit;
  assign unused_digit = ^{s_o[ShiftW-1:0], c_o[ShiftW-1:0]};

endmodule
