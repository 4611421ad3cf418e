// SPDX-License-Identifier: Apache-2.0
//
// One step of a Montgomery reduction whose modulus is a parameter, in pipeline stages.
//
// Computes: v_o = (v_i + q n) / 2^w, w = Word, by n modulo 2^w, t = v mod 2^w:
//             n = -1:  q = t;           v_o = floor(v / 2^w) + t (n + 1) / 2^w
//             n = 1:   q = 2^w - t;     v_o = floor(v / 2^w) + 1 + (2^w - t) (n - 1) / 2^w
//             else     q = t n' mod 2^w, n' = -n^-1 mod 2^w, by rows of signed digits of n'.
//           In the last case v + q n is a multiple of 2^w, and of its columns below w only the g
//           topmost are added. Each row is rounded down and loses less than 2^(w-g); there are
//           fewer than 2^g rows, so that with (2^g - 1) 2^(w-g) added the sum is right from column
//           w on.
// Latency:  mf_fixed_pkg::step_cycles: a sum for q, unless n is 1 or -1, and a sum for v_o.

module mf_fixed_step #(
  /// Bits of v_i; more than Word.
  parameter int unsigned         InW     = 18,
  /// Bits of v_o.
  parameter int unsigned         OutW    = 9,
  /// n; odd.
  parameter mf_fixed_pkg::wide_t Modulus = 199,
  /// Bits that are cleared; at least 2.
  parameter int unsigned         Word    = 10,
  /// Levels of full adders between registers; at least 1.
  parameter int unsigned         Levels  = 3
) (
  input  logic            clk_i,
  input  logic [InW-1:0]  v_i,
  output logic [OutW-1:0] v_o
);

  localparam int unsigned Unit  = mf_fixed_pkg::unit(Modulus, Word);
  localparam int unsigned Guard = mf_fixed_pkg::guard_bits(Modulus, Word);
  localparam int unsigned Low   = (Unit != 0) ? 0 : Word - Guard;
  localparam int unsigned Kept  = (Unit != 0) ? InW - Word : InW - Low;
  localparam int unsigned SumW  = OutW + Guard;

  localparam mf_fixed_pkg::wide_t Multiple = mf_fixed_pkg::multiple(Modulus, Word);
  localparam mf_fixed_pkg::wide_t Plus     = mf_fixed_pkg::plus(Multiple);
  localparam mf_fixed_pkg::wide_t Minus    = mf_fixed_pkg::minus(Multiple);
  localparam mf_fixed_pkg::wide_t One      = 1;
  localparam mf_fixed_pkg::wide_t Constant = (Unit == 1) ? Multiple + One :
      (Unit == 2) ? '0 : ((One << Guard) - One) << Low;
  localparam int unsigned Rows = mf_fixed_pkg::constant_rows(Plus, Minus);

  logic [Word-1:0]           q;
  logic [Kept-1:0]           kept;
  logic [Rows-1:0][SumW-1:0] rows;
  logic [SumW-1:0]           sum;

  if (Unit == 1) begin : gen_complement
    assign q = ~v_i[Word-1:0];
  end else if (Unit == 2) begin : gen_digit
    assign q = v_i[Word-1:0];
  end else begin : gen_quotient
    localparam mf_fixed_pkg::wide_t Inverse = mf_fixed_pkg::negative_inverse(Modulus, Word);
    localparam mf_fixed_pkg::wide_t QPlus =
        mf_fixed_pkg::low_bits(mf_fixed_pkg::plus(Inverse), Word);
    localparam mf_fixed_pkg::wide_t QMinus =
        mf_fixed_pkg::low_bits(mf_fixed_pkg::minus(Inverse), Word);
    localparam int unsigned QRows = mf_fixed_pkg::constant_rows(QPlus, QMinus);

    logic [QRows-1:0][Word-1:0] q_rows;

    mf_constant_rows #(.InW(Word), .OutW(Word), .Plus(QPlus), .Minus(QMinus)) u_q_rows (
      .x_i(v_i[Word-1:0]), .rows_o(q_rows)
    );
    mf_pipelined_sum #(.Width(Word), .Rows(QRows), .Levels(Levels)) u_q (
      .clk_i(clk_i), .rows_i(q_rows), .sum_o(q)
    );
  end

  mf_delay_line #(
    .Width(Kept),
    .Depth(mf_fixed_pkg::quotient_cycles(Modulus, Word, Levels))
  ) u_kept (
    .clk_i(clk_i), .d_i(v_i[InW-1-:Kept]), .q_o(kept)
  );

  mf_constant_rows #(
    .InW(Word), .OutW(SumW), .Low(Low), .Plus(Plus), .Minus(Minus), .Constant(Constant)
  ) u_rows (
    .x_i(q), .rows_o(rows)
  );
  mf_pipelined_sum #(.Width(SumW), .Rows(Rows + 1), .Levels(Levels)) u_sum (
    .clk_i(clk_i), .rows_i({rows, SumW'(kept)}), .sum_o(sum)
  );

  assign v_o = sum[SumW-1:Guard];

  if (Guard > 0) begin : gen_guard
    logic unused_guard;
    assign unused_guard = ^sum[Guard-1:0];
  end

endmodule
