// SPDX-License-Identifier: Apache-2.0
//
// Accumulator of a Booth carry-save multiplier: one iteration a cycle.
//
// Computes: (s_o, c_o) <= S + 2^Offset * d * b + q * modulus + one_i, modulo 2^Width. S is the pair
//           (s_o, c_o) shifted by a digit (shift_i), as it is (hold_i), or shifted by WordW bits
//           above the lowest digit, which becomes 0 (word_i); 0 without a select.
// Contract: |s_o + c_o| < 2^(Width-2) before a shift by a digit, s_o being signed. The user allows
//           for the value of the dropped digit (mf_booth_quotient).
//
// The multiples of b's vectors and of the modulus go straight into the compressor tree. Only a pair
// whose sign is in s_o alone can be shifted arithmetically: the fold adds the two topmost bits of
// c_o to those of s_o, modulo 4. It comes before the shift, while the tree waits for the digits.

module mf_booth_accumulator
  import mf_booth_pkg::*;
#(
  /// Bits of the pair.
  parameter int unsigned Width     = 16,
  /// Bits of a digit; 2 to 6.
  parameter int unsigned DigitW    = 2,
  /// Vectors that b consists of.
  parameter int unsigned Vectors   = 2,
  /// Bits of a vector of b, two's complement.
  parameter int unsigned OperandW  = 8,
  /// Bits of the modulus, two's complement.
  parameter int unsigned ModulusW  = 8,
  /// Weight of b, as a power of two.
  parameter int unsigned Offset    = 0,
  /// Delay by which the quotient is late, in XOR gates (see mf_compressor_tree).
  parameter int unsigned Lateness  = 0,
  /// Bits of the shift by a word; 0 for none.
  parameter int unsigned WordW     = 0,

  localparam int unsigned Terms    = (DigitW + 1) / 2
) (
  input  logic                             clk_i,
  /// Clears the two lowest digits of the next pair, for the quotient.
  input  logic                             clear_i,
  input  logic                             shift_i,
  input  logic                             hold_i,
  input  logic                             word_i,
  input  logic [Vectors-1:0][OperandW-1:0] b_i,
  input  term_t [Terms-1:0]                d_i,
  input  logic [ModulusW-1:0]              modulus_i,
  input  term_t [Terms-1:0]                q_i,
  /// Only in a cycle where d = 0.
  input  logic                             one_i,
  output logic [Width-1:0]                 s_o,
  output logic [Width-1:0]                 c_o,
  /// The lowest digit of the next pair, if 0 modulo 2^DigitW, is 2^DigitW and not 0.
  output logic                             pending_next_o
);

  localparam int unsigned Multiples = Terms * Vectors;
  localparam int unsigned Inputs    = 2 + Multiples + Terms;

  logic [Inputs-1:0][Width-1:0] vectors;
  logic [Inputs-3:0]            ones;
  logic [Width-1:0]             s_d, c_d;
  logic [1:0]                   fold;

  // ---------------------------------------------------------------- the pair

  assign fold = s_o[Width-1:Width-2] + c_o[Width-1:Width-2];

  logic [Width-1:0] s_digit, c_digit, s_word, c_word;

  assign s_digit = {{DigitW{fold[1]}}, fold, s_o[Width-3:DigitW]};
  assign c_digit = {{(DigitW + 2){1'b0}}, c_o[Width-3:DigitW]};

  if (WordW != 0) begin : gen_word
    assign s_word = {{WordW{1'b0}}, s_o[Width-1:WordW+DigitW], {DigitW{1'b0}}};
    assign c_word = {{WordW{1'b0}}, c_o[Width-1:WordW+DigitW], {DigitW{1'b0}}};
  end else begin : gen_no_word
    assign s_word = '0;
    assign c_word = '0;
  end

  mf_one_hot_mux #(.Width(2 * Width), .Inputs(3)) u_pair (
    .select_i({word_i, hold_i, shift_i}),
    .data_i  ({{c_word, s_word}, {c_o, s_o}, {c_digit, s_digit}}),
    .data_o  (vectors[1:0])
  );

  // ---------------------------------------------------------------- multiples

  for (genvar j = 0; j < Terms; j++) begin : gen_term
    for (genvar v = 0; v < Vectors; v++) begin : gen_vector
      localparam int unsigned Index = j * Vectors + v;

      mf_booth_multiple #(.Width(Width), .OperandW(OperandW), .Shift(Offset + 2 * j)) u_b (
        .x_i(b_i[v]), .term_i(d_i[j]), .multiple_o(vectors[2+Index])
      );

      assign ones[Index] = d_i[j].negative | ((Index == 0) & one_i);
    end

    mf_booth_multiple #(.Width(Width), .OperandW(ModulusW), .Shift(2 * j)) u_n (
      .x_i(modulus_i), .term_i(q_i[j]), .multiple_o(vectors[2+Multiples+j])
    );

    assign ones[Multiples+j] = q_i[j].negative;
  end

  // ---------------------------------------------------------------- their sum

  mf_compressor_tree #(
    .Width(Width), .Rows(Inputs), .Late(Terms), .Lateness(Lateness)
  ) u_tree (
    .rows_i(vectors), .bits_i(ones), .rows_o({c_d, s_d})
  );

  // No reset: nothing is selected for the first iteration.
  always_ff @(posedge clk_i) begin
    s_o <= s_d;
    c_o <= c_d;
    if (clear_i) begin
      s_o[2*DigitW-1:0] <= '0;
      c_o[2*DigitW-1:0] <= '0;
    end
  end

  assign pending_next_o = s_d[DigitW-1] | c_d[DigitW-1];

endmodule
