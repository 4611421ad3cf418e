// SPDX-License-Identifier: Apache-2.0
//
// Barrett's modular multiplier with truncated products, in three pipeline stages: one product a
// cycle, of plain residues.
//
// Source:   Barrett, CRYPTO '86 (the quotient by a product with a constant). The stages, and which
//           columns are left out, are this library's.
// Computes: p = a * b mod n. T = a b; q = floor(floor(T / 2^(Width-3)) mu / 2^(Width+7)), without
//           the lowest columns of that product; p = T - q n.
// Takes:    mu_i = floor(2^(2 Width + 4) / n). Each request has a modulus of its own.
// Contract: n odd or even, 2^(Width-1) < n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  3 cycles for all operands. Interval: 1; up to four operations are under way. While a
//           response waits to be taken, the whole pipeline waits.
// Paths:    rsp_ready_i to req_ready_o, within a cycle.
// Constant time: yes.
//
// T / n - q is at least 0 and less than 1 + 1/4 (bits of T below 2^(Width-3)) + 1/4 (mu's fraction)
// + 1/4 (columns left out: each row loses less than 2^Cut). So 0 <= p < 2n, and Width + 1 bits of T
// and q n are enough. q may be -1.
//
// Stage  registers after it
// 0      a, b, n, mu (loaded on acceptance)
// 1      T, n, mu
// 2      q, T mod 2^(Width+1), n
// 3      p

module mf_barrett #(
  /// Bits of the modulus; 3 to 576.
  parameter int unsigned Width = 256,

  localparam int unsigned LegalWidth = Width < 3 || Width > 576 ? 3 : Width,
  localparam int unsigned OperandW   = LegalWidth + 1,
  localparam int unsigned FactorW    = LegalWidth + 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [FactorW-1:0]  mu_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 576) begin : gen_illegal_width
    $fatal(1, "mf_barrett: Width must be 3 to 576");
  end

  localparam int unsigned Rows  = FactorW / 2 + 1;
  localparam int unsigned Point = LegalWidth + 7;           // of q in its product
  localparam int unsigned Cut   = Point - 2 - $clog2(Rows);  // columns below it are left out

  logic [3:0]                valid_q;
  logic                      advance;
  logic [OperandW-1:0]       a_q, b_q, t_low_q, q_q, difference, p_q;
  logic [2:0][Width-1:0]     n_q;  // stages 0 to 2
  logic [1:0][FactorW-1:0]   mu_q;  // stages 0 and 1
  logic [2*OperandW-1:0]     t, t_q;
  logic [Point+Width-Cut:0]  q;

  assign advance = !valid_q[3] || rsp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (advance) valid_q <= {valid_q[2:0], req_valid_i};
  end

  mf_truncated_product #(.Width(OperandW), .High(2 * OperandW)) u_t (
    .x_i(a_q), .y_i(b_q), .addend_i('0), .sum_o(t)
  );
  mf_truncated_product #(.Width(FactorW), .Low(Cut), .High(Point + OperandW)) u_q (
    .x_i(mu_q[1]), .y_i(t_q[Width-3+:FactorW]), .addend_i('0), .sum_o(q)
  );
  // ~(~T + q n) = T - q n.
  mf_truncated_product #(.Width(OperandW), .High(OperandW), .Adds(1'b1)) u_p (
    .x_i({1'b0, n_q[2]}), .y_i(q_q), .addend_i(~t_low_q), .sum_o(difference)
  );

  always_ff @(posedge clk_i) begin
    if (advance) begin
      a_q     <= a_i;
      b_q     <= b_i;
      n_q     <= {n_q[1:0], n_i};
      mu_q    <= {mu_q[0], mu_i};
      t_q     <= t;
      t_low_q <= t_q[OperandW-1:0];
      q_q     <= q[Point-Cut+:OperandW];
      p_q     <= ~difference;
    end
  end

  assign req_ready_o = advance;
  assign rsp_valid_o = valid_q[3];
  assign p_o         = p_q;

  // The fraction of q is dropped.
  logic unused_fraction;
  assign unused_fraction = ^q[Point-Cut-1:0];

endmodule
