// SPDX-License-Identifier: Apache-2.0
//
// Element of mf_fios_systolic: the word j of the modulus and of one operand, one multiplier.
//
// Computes: with sum_i {high_o, low_o} = p + x_i n + t_i + carry, p being the product of the cycle
//           before; else {high_o, low_o} = x_i b, which is kept as p. Carry is c_i, or with First
//           s_i + c_i + one_i - 2^Word.
// Operands: load_i takes b_i and n_i. From then on the factor of x_i is b and n in turn, with
//           ModulusFirst n first.
// Range:    p, x_i n < 2^(2 Word), t_i < 2^Word and a carry of at most 2^(Word+1) - 2 give the same
//           bound of the carry high_o.

module mf_fios_systolic_element #(
  /// Bits of a word; at least 3.
  parameter int unsigned Word         = 16,
  /// The carry in is a pair of vectors and arrives late.
  parameter bit          First        = 1'b0,
  /// The first factor is the word of the modulus.
  parameter bit          ModulusFirst = 1'b0
) (
  input  logic            clk_i,
  input  logic            load_i,
  input  logic [Word-1:0] b_i,
  input  logic [Word-1:0] n_i,
  input  logic            sum_i,
  input  logic [Word-1:0] x_i,
  input  logic [Word-1:0] t_i,
  /// 0 without First.
  input  logic [Word+1:0] s_i,
  input  logic [Word+1:0] c_i,
  input  logic            one_i,
  output logic [Word-1:0] low_o,
  output logic [Word:0]   high_o
);

  localparam int unsigned SumW = 2 * Word + 1;
  localparam int unsigned Rows = Word / 2 + 1;
  localparam int unsigned Adds = First ? 2 : 3;  // rows beside those of the product

  logic [Word-1:0]           y_q, z_q;
  logic [2*Word-1:0]         p_q;
  logic [Rows-1:0][SumW-1:0] rows;
  logic [Adds-1:0][SumW-1:0] adds;
  logic [1:0][SumW-1:0]      pair;
  logic [SumW-1:0]           addend, value;

  mf_booth_rows #(.Width(Word)) u_rows (
    .x_i(x_i), .y_i(y_q), .rows_o(rows)
  );

  // The rows are larger than the product by 2^(2 Word), and the carry pair by 2^Word: a constant
  // above t_i makes up for both.
  assign adds[0] = SumW'(p_q & {(2 * Word){sum_i}});
  assign adds[1] = {~First, {Word{First & sum_i}}, t_i & {Word{sum_i}}};

  mf_compressor_tree #(.Width(SumW), .Rows(Rows + Adds)) u_tree (
    .rows_i({adds, rows}), .bits_i('0), .rows_o(pair)
  );

  if (First) begin : gen_late
    logic [1:0][SumW-1:0] late;

    mf_compressor_tree #(.Width(SumW), .Rows(4)) u_late (
      .rows_i({SumW'(c_i & {(Word + 2){sum_i}}), SumW'(s_i & {(Word + 2){sum_i}}), pair}),
      .bits_i({one_i & sum_i, 1'b0}),
      .rows_o(late)
    );

    assign addend = late[1];
    mf_adder #(.Width(SumW), .Style(1)) u_adder (.a_i(late[0]), .b_i(addend), .sum_o(value));
  end else begin : gen_early
    assign adds[2] = SumW'(c_i & {(Word + 2){sum_i}});
    assign addend  = pair[1];
    mf_adder #(.Width(SumW), .Style(1)) u_adder (.a_i(pair[0]), .b_i(addend), .sum_o(value));

    logic unused_late;
    assign unused_late = ^{s_i, one_i};
  end

  always_ff @(posedge clk_i) begin
    p_q <= value[2*Word-1:0];
    if (load_i) begin
      y_q <= ModulusFirst ? n_i : b_i;
      z_q <= ModulusFirst ? b_i : n_i;
    end else begin
      y_q <= z_q;
      z_q <= y_q;
    end
  end

  assign {high_o, low_o} = value;

endmodule
