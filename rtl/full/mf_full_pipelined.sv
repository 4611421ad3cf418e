// SPDX-License-Identifier: Apache-2.0
//
// Full-word Montgomery multiplier in four pipeline stages: one product a cycle.
//
// Source:   Montgomery 1985; the "pipelined version" in Grale, Swartzlander, "Improved Montgomery
//           Multiplication", Section V.
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Takes:    n_prime_i = -n^-1 mod R. Each request has a modulus of its own.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed).
// Latency:  4 cycles for all operands. Interval: 1; up to five operations are under way. While a
//           response waits to be taken, the whole pipeline waits.
// Paths:    rsp_ready_i to req_ready_o, within a cycle.
// Constant time: yes.
//
// Stage  registers after it
// 0      A, B, n, M' (loaded on acceptance)
// 1      T = A B, n, M'
// 2      Q = T0 M' mod R, T1, T0 != 0, n
// 3      U1 of U = Q n, T1, T0 != 0, n
// 4      P = T1 + U1 + (T0 != 0), less n if that is not negative

module mf_full_pipelined #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,
  input  logic [Width-1:0] n_prime_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_full_pipelined: Width must be 3 to 8192");
  end

  logic [4:0]            valid_q;
  logic                  advance;
  logic [Width-1:0]      a_q, b_q, q_q, u_high_q, p_q;
  logic [1:0][Width-1:0] n_prime_q;     // stages 0 and 1
  logic [3:0][Width-1:0] n_q;           // stages 0 to 3
  logic [2*Width-1:0]    t_q, u;
  logic [3:2][Width-1:0] t_high_q;      // stages 2 and 3
  logic [3:2]            low_not_zero_q;
  logic [Width:0]        sum;
  logic [Width+1:0]      difference;

  assign advance = !valid_q[4] || rsp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (advance) valid_q <= {valid_q[3:0], req_valid_i};
  end

  assign u          = q_q * n_q[2];
  assign sum        = {1'b0, t_high_q[3]} + {1'b0, u_high_q} + (Width + 1)'(low_not_zero_q[3]);
  assign difference = {1'b0, sum} - {2'b00, n_q[3]};

  always_ff @(posedge clk_i) begin
    if (advance) begin
      a_q            <= a_i;
      b_q            <= b_i;
      n_q            <= {n_q[2:0], n_i};
      n_prime_q      <= {n_prime_q[0], n_prime_i};
      t_q            <= a_q * b_q;
      q_q            <= t_q[Width-1:0] * n_prime_q[1];
      t_high_q       <= {t_high_q[2], t_q[2*Width-1:Width]};
      low_not_zero_q <= {low_not_zero_q[2], |t_q[Width-1:0]};
      u_high_q       <= u[2*Width-1:Width];
      p_q            <= difference[Width+1] ? sum[Width-1:0] : difference[Width-1:0];
    end
  end

  assign req_ready_o = advance;
  assign rsp_valid_o = valid_q[4];
  assign p_o         = p_q;

  // The low half of U is known; the reduced sum is below n.
  logic unused_low_u;
  assign unused_low_u = ^{u[Width-1:0], difference[Width]};

endmodule
