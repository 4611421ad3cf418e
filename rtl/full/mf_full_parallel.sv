// SPDX-License-Identifier: Apache-2.0
//
// Full-word Montgomery multiplier, all of it combinational between two registers.
//
// Source:   Montgomery 1985, the algorithm as it stands; "fully parallel" in Grale, Swartzlander,
//           "Improved Montgomery Multiplication", Section V.
// Computes: p = a * b * R^-1 mod n, R = 2^Width: T = A B, Q = T0 M' mod R, U = Q M,
//           P = T1 + U1 + (T0 != 0), P - n if that is not negative.
// Takes:    n_prime_i = -n^-1 mod R.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed).
// Latency:  1 cycle for all operands. Interval: 3.
// Constant time: yes.
// Changed:  T0 + U0 is not added: it is 0 if T0 is, else exactly R.

module mf_full_parallel #(
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
    $fatal(1, "mf_full_parallel: Width must be 3 to 8192");
  end

  typedef enum logic [1:0] {StIdle, StCompute, StDone} state_e;
  state_e state_d, state_q;

  logic [Width-1:0]   a_q, b_q, n_q, n_prime_q, p_q;
  logic [2*Width-1:0] t, u;
  logic [Width-1:0]   q;
  logic [Width:0]     sum;
  logic [Width+1:0]   difference;

  assign t          = a_q * b_q;
  assign q          = t[Width-1:0] * n_prime_q;
  assign u          = q * n_q;
  assign sum        = {1'b0, t[2*Width-1:Width]} + {1'b0, u[2*Width-1:Width]} +
                      (Width + 1)'(|t[Width-1:0]);
  assign difference = {1'b0, sum} - {2'b00, n_q};

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (req_valid_i) state_d = StCompute;
      StCompute: state_d = StDone;
      StDone:    if (rsp_ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      a_q       <= a_i;
      b_q       <= b_i;
      n_q       <= n_i;
      n_prime_q <= n_prime_i;
    end
    if (state_q == StCompute) begin
      p_q <= difference[Width+1] ? sum[Width-1:0] : difference[Width-1:0];
    end
  end

  assign req_ready_o = state_q == StIdle;
  assign rsp_valid_o = state_q == StDone;
  assign p_o         = p_q;

  // The low half of U is known; the reduced sum is below n.
  logic unused_low_u;
  assign unused_low_u = ^{u[Width-1:0], difference[Width]};

endmodule
