// SPDX-License-Identifier: Apache-2.0
//
// Booth rows of a digit of 2 Terms bits times an operand, added to the remainder of the digits
// before: in each cycle A' = floor(A / 4^Terms) + d * y + injected, as a pair, and low + high = A'.
//
// Two stages: selects -> tree, the delay of Levels full adders -> registers -> tree -> pair.
//
// cycle   0              1                          2
//         selects, y_i   vectors_q                  low_s_o, low_c_o; high_s_q, high_c_q
//                                                   (0 after clear_i in cycle 1)
//
// Signs: a row d_j * y, y of OperandW bits, has its sign bit complemented, that is, it is larger by
//        2^OperandW. All vectors are nonnegative then, their sum is below 2^SumW, and no carry is
//        lost: a pair moves down without a sign. A product of OperandW / (2 Terms) digits is too
//        large by (4^(digits Terms) - 1) / 3 * 2^OperandW; its lowest OperandW bits are right.
// Carry:  the user adds the lowest 2 Terms bits of A, which leave the array, and keeps their carry.

module mf_pass_array
  import mf_booth_pkg::*;
#(
  /// Bits of y_i, two's complement; at least 2.
  parameter int unsigned OperandW = 8,
  /// Booth terms of a digit; at least 1.
  parameter int unsigned Terms    = 2,
  /// Bits of injected vectors above the digit; at most OperandW.
  parameter int unsigned HighW    = 8,
  /// Levels of full adders that have the delay of the first stage; at least 1.
  parameter int unsigned Levels   = 4,
  /// More than one digit in a product; else A is 0.
  parameter bit          Repeats  = 1'b1,

  localparam int unsigned DigitW = 2 * Terms
) (
  input  logic                clk_i,

  input  logic [OperandW-1:0] y_i,
  input  term_t [Terms-1:0]   terms_i,

  /// Added above the digit, and one_i as well.
  input  logic [HighW-1:0]    first_i,
  input  logic [HighW-1:0]    second_i,
  input  logic                one_i,

  /// A of the next cycle is 0.
  input  logic                clear_i,

  output logic [DigitW-1:0]   low_s_o,
  output logic [DigitW-1:0]   low_c_o,
  /// Before the registers.
  output logic [HighW-1:0]    high_s_o,
  output logic [HighW-1:0]    high_c_o
);

  localparam int unsigned SumW = OperandW + DigitW;
  localparam int unsigned Rows = Terms + 2;
  localparam int unsigned Kept = mf_tree_stage_pkg::rows_after(Rows, 2 * Levels);

  logic [Rows-1:0][SumW-1:0] rows;
  logic [Kept-1:0][SumW-1:0] vectors_d, vectors_q;
  logic [SumW-1:0]           s, c;
  logic [DigitW-1:0]         ones;

  for (genvar j = 0; j < Terms; j++) begin : gen_row
    logic [OperandW:0] multiple;

    mf_booth_multiple #(.Width(OperandW + 1), .OperandW(OperandW)) u_multiple (
      .x_i(y_i), .term_i(terms_i[j]), .multiple_o(multiple)
    );

    assign rows[j] = SumW'({~multiple[OperandW], multiple[OperandW-1:0]}) << (2 * j);

    // The ones that complete negative rows, and two halves of one_i.
    assign ones[2*j+:2] = {one_i && j == Terms - 1, terms_i[j].negative};
  end

  assign rows[Terms]   = (SumW'(first_i) << DigitW) | SumW'(ones);
  assign rows[Terms+1] = SumW'({second_i, one_i}) << (DigitW - 1);

  mf_compressor_tree #(.Width(SumW), .Rows(Rows), .Outputs(Kept)) u_first (
    .rows_i(rows), .bits_i('0), .rows_o(vectors_d)
  );

  always_ff @(posedge clk_i) vectors_q <= vectors_d;

  if (Repeats) begin : gen_repeats
    logic [OperandW-1:0] high_s_q, high_c_q;

    mf_compressor_tree #(.Width(SumW), .Rows(Kept + 2), .Outputs(2)) u_second (
      .rows_i({SumW'(high_c_q), SumW'(high_s_q), vectors_q}), .bits_i('0), .rows_o({c, s})
    );

    always_ff @(posedge clk_i) begin
      high_s_q <= s[SumW-1:DigitW] & {OperandW{~clear_i}};
      high_c_q <= c[SumW-1:DigitW] & {OperandW{~clear_i}};
    end
  end else begin : gen_once
    mf_compressor_tree #(.Width(SumW), .Rows(Kept), .Outputs(2)) u_second (
      .rows_i(vectors_q), .bits_i('0), .rows_o({c, s})
    );

    logic unused;
    assign unused = ^{clear_i, s[SumW-1:DigitW], c[SumW-1:DigitW]};
  end

  always_ff @(posedge clk_i) begin
    low_s_o <= s[DigitW-1:0];
    low_c_o <= c[DigitW-1:0];
  end

  assign high_s_o = s[DigitW+:HighW];
  assign high_c_o = c[DigitW+:HighW];

endmodule
