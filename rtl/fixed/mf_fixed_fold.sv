// SPDX-License-Identifier: Apache-2.0
//
// Reduction modulo n = 2^Width - c, c small, by folding twice.
//
// Computes: X = t mod 2^Width + c floor(t / 2^Width);  p = X mod 2^Width + c floor(X / 2^Width).
// Contract: 0 <= t_i < 2^(2 Width + 2); p_o = t_i modulo n, 0 <= p_o < 2n, since
//           X < (4 c + 1) 2^Width and p < 2^Width + 4 c^2 <= 2n if 4 c^2 + 2 c <= 2^Width.
// Latency:  mf_fixed_pkg::fold_cycles: two sums (mf_pipelined_sum).

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
  logic [FirstW-1:0]           x;
  logic [Rows-1:0][Width:0]    second_rows;
  logic [Width-1:0]            t_low, x_low;
  logic [Width+1:0]            t_high;
  logic [TopW-1:0]             x_high;

  assign {t_high, t_low} = t_i;
  assign {x_high, x_low} = x;

  mf_constant_rows #(.InW(Width + 2), .OutW(FirstW), .Plus(Plus), .Minus(Minus)) u_first_rows (
    .x_i(t_high), .rows_o(first_rows)
  );
  mf_pipelined_sum #(.Width(FirstW), .Rows(Rows + 1), .Levels(Levels)) u_first (
    .clk_i(clk_i), .rows_i({first_rows, FirstW'(t_low)}), .sum_o(x)
  );

  mf_constant_rows #(.InW(TopW), .OutW(Width + 1), .Plus(Plus), .Minus(Minus)) u_second_rows (
    .x_i(x_high), .rows_o(second_rows)
  );
  mf_pipelined_sum #(.Width(Width + 1), .Rows(Rows + 1), .Levels(Levels)) u_second (
    .clk_i(clk_i), .rows_i({second_rows, {1'b0, x_low}}), .sum_o(p_o)
  );

endmodule
