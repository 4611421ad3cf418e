// SPDX-License-Identifier: Apache-2.0
//
// Reduction modulo n = 2^Width - c, c small, by folding twice: p_o is t_i modulo n, below 2n.
//
// X = t mod 2^Width + c floor(t / 2^Width);  p = X mod 2^Width + c floor(X / 2^Width).
// With t < 2^(2 Width + 2): X < (4 c + 1) 2^Width, so p < 2^Width + 4 c^2 <= 2n if
// 4 c^2 + 2 c <= 2^Width.
// Latency:  mf_fixed_pkg::fold_cycles: twice a tree and an adder.

module mf_fixed_fold #(
  /// Bits of the modulus; at least 3.
  parameter int unsigned         Width   = 8,
  /// n; 4 c^2 + 2 c <= 2^Width.
  parameter mf_fixed_pkg::wide_t Modulus = 251,
  /// Levels of full adders between registers; at least 1.
  parameter int unsigned         Levels  = 3
) (
  input  logic               clk_i,
  input  logic [2*Width+1:0] t_i,
  output logic [Width:0]     p_o
);

  localparam mf_fixed_pkg::wide_t C     = (mf_fixed_pkg::wide_t'(1) << Width) - Modulus;
  localparam mf_fixed_pkg::wide_t Plus  = mf_fixed_pkg::plus(C);
  localparam mf_fixed_pkg::wide_t Minus = mf_fixed_pkg::minus(C);
  localparam int unsigned         Rows  = mf_fixed_pkg::constant_rows(Plus, Minus);
  localparam int unsigned         TopW  = 32'($clog2(C)) + 3;  // of X above 2^Width
  localparam int unsigned         FirstW = Width + TopW;

  logic [Rows-1:0][FirstW-1:0] first_rows;
  logic [FirstW-1:0]           first_s, first_c, x;
  logic [Rows-1:0][Width:0]    second_rows;
  logic [Width:0]              second_s, second_c;
  logic [Width-1:0]            t_low, x_low;
  logic [Width+1:0]            t_high;
  logic [TopW-1:0]             x_high;

  assign {t_high, t_low} = t_i;
  assign {x_high, x_low} = x;

  mf_constant_rows #(.InW(Width + 2), .OutW(FirstW), .Plus(Plus), .Minus(Minus)) u_first_rows (
    .x_i   (t_high),
    .rows_o(first_rows)
  );
  mf_pipelined_tree #(.Width(FirstW), .Rows(Rows + 1), .Levels(Levels)) u_first_tree (
    .clk_i (clk_i),
    .rows_i({first_rows, FirstW'(t_low)}),
    .s_o   (first_s),
    .c_o   (first_c)
  );
  mf_pipelined_adder #(.Width(FirstW)) u_first_adder (
    .clk_i(clk_i),
    .a_i  (first_s),
    .b_i  (first_c),
    .sum_o(x)
  );

  mf_constant_rows #(.InW(TopW), .OutW(Width + 1), .Plus(Plus), .Minus(Minus)) u_second_rows (
    .x_i   (x_high),
    .rows_o(second_rows)
  );
  mf_pipelined_tree #(.Width(Width + 1), .Rows(Rows + 1), .Levels(Levels)) u_second_tree (
    .clk_i (clk_i),
    .rows_i({second_rows, {1'b0, x_low}}),
    .s_o   (second_s),
    .c_o   (second_c)
  );
  mf_pipelined_adder #(.Width(Width + 1)) u_second_adder (
    .clk_i(clk_i),
    .a_i  (second_s),
    .b_i  (second_c),
    .sum_o(p_o)
  );

endmodule
