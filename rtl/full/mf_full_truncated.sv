// SPDX-License-Identifier: Apache-2.0
//
// Full-word Montgomery multiplier of truncated products in pipeline stages: one result a cycle.
//
// Source:   Montgomery 1985 on full words; the truncation and the stages are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2): T = a b; Q = T n' mod R, without the columns
//           above; p = (T + Q n) / R, without the columns below a few guard bits.
// Takes:    n_prime_i = -n^-1 mod R. Each request has a modulus of its own.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  that of T (mf_fixed_product), then that of Q and of p (mf_pipelined_product), for all
//           operands. Interval: 1.
// Constant time: yes.
//
// T + Q n is a multiple of R, and of its columns below Width + 2 only the g topmost are added. Each
// row is rounded down and loses less than R / 2^g; there are fewer than 2^g rows, T among them, so
// that with (2^g - 1) R / 2^g added the sum is right from column Width + 2 on.
//
// The pipeline never stalls: results wait in a buffer, in which each request has a place.

module mf_full_truncated #(
  /// Bits of the widest modulus; 3 to 768.
  parameter int unsigned Width     = 8,
  /// Levels of full adders between registers; 1 to 16.
  parameter int unsigned Levels    = 3,
  /// Karatsuba levels of T; 0 to 4.
  parameter int unsigned Karatsuba = 0,

  localparam int unsigned LegalWidth = Width < 3 || Width > 768 ? 3 : Width,
  localparam int unsigned FactorW    = LegalWidth + 2
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [Width:0]     a_i,
  input  logic [Width:0]     b_i,
  input  logic [Width-1:0]   n_i,
  input  logic [FactorW-1:0] n_prime_i,

  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [Width:0]     p_o
);

  if (Width < 3 || Width > 768) begin : gen_illegal_width
    $fatal(1, "mf_full_truncated: Width must be 3 to 768");
  end else if (Levels < 1 || Levels > 16) begin : gen_illegal_levels
    $fatal(1, "mf_full_truncated: Levels must be 1 to 16");
  end else if (Karatsuba > 4) begin : gen_illegal_karatsuba
    $fatal(1, "mf_full_truncated: Karatsuba must be 0 to 4");
  end

  localparam int unsigned Rows  = FactorW / 2 + 1;
  localparam int unsigned Guard = $clog2(Rows + 2);
  localparam int unsigned Low   = FactorW - Guard;  // columns below it are left out
  localparam int unsigned TW    = 2 * LegalWidth + 2;
  localparam int unsigned SumW  = LegalWidth + 1 + Guard;

  localparam int unsigned CyclesT =
      mf_product_pkg::product_cycles(LegalWidth + 1, Karatsuba, Levels, 1'b0);
  localparam int unsigned CyclesQ = 1 + mf_pipeline_pkg::sum_cycles(Rows, Levels);
  localparam int unsigned CyclesP = 1 + mf_pipeline_pkg::sum_cycles(Rows + 2, Levels);
  localparam int unsigned Cycles  = CyclesT + CyclesQ + CyclesP;

  logic [Cycles-1:0]    valid_q;
  logic [TW-1:0]        t;
  logic [FactorW-1:0]   n_prime, q;
  logic [LegalWidth-1:0] n;
  logic [TW-Low-1:0]    t_kept;
  logic [SumW-1:0]      sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Cycles-2:0], req_valid_i && req_ready_o};
  end

  mf_fixed_product #(
    .Width(LegalWidth + 1), .Karatsuba(Karatsuba), .Levels(Levels)
  ) u_t (
    .clk_i(clk_i), .x_i(a_i), .y_i(b_i), .product_o(t)
  );

  mf_delay_line #(.Width(FactorW), .Depth(CyclesT)) u_n_prime (
    .clk_i(clk_i), .d_i(n_prime_i), .q_o(n_prime)
  );
  mf_pipelined_product #(.Width(FactorW), .High(FactorW), .Levels(Levels)) u_q (
    .clk_i(clk_i), .x_i(t[FactorW-1:0]), .y_i(n_prime), .addends_i('0), .sum_o(q)
  );

  mf_delay_line #(.Width(LegalWidth), .Depth(CyclesT + CyclesQ)) u_n (
    .clk_i(clk_i), .d_i(n_i), .q_o(n)
  );
  mf_delay_line #(.Width(TW - Low), .Depth(CyclesQ)) u_t_kept (
    .clk_i(clk_i), .d_i(t[TW-1:Low]), .q_o(t_kept)
  );
  mf_pipelined_product #(
    .Width(FactorW), .Low(Low), .High(Low + SumW), .Addends(2), .Levels(Levels)
  ) u_p (
    .clk_i    (clk_i),
    .x_i      ({2'b00, n}),
    .y_i      (q),
    .addends_i({SumW'(t_kept), SumW'({Guard{1'b1}})}),
    .sum_o    (sum)
  );

  mf_credit_buffer #(.Width(Width + 1), .Depth(Cycles + 2)) u_buffer (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .put_i      (valid_q[Cycles-1]),
    .result_i   (sum[Guard+:LegalWidth+1]),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .result_o   (p_o)
  );

  // The guard columns are 0 in T + Q n, and what was added to them is dropped.
  logic unused_guard;
  assign unused_guard = ^sum[Guard-1:0];

endmodule
