// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplication in three passes over one pipelined full-word multiplier, the user's:
// T = A B, then Q = T0 M' mod R, then U = Q M, then two additions.
//
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed). product_i is x_o * y_o as
//           they were MultiplierLatency cycles before.
// Latency:  3 * MultiplierLatency + 2 cycles for all operands. Constant time: yes.
//
// Phase     cycles               multiplier's operands        registers after it
// Idle      -                    -                            a_q, b_q, n_q, n_prime_q loaded
// Product   MultiplierLatency    A, B                         -
// Quotient  MultiplierLatency    T0 (held product), M'        t_high_q = T1, low_not_zero_q
// Reduce    MultiplierLatency    Q (held product), n          -
// Add       1                    -                            sum_q = T1 + U1 + (T0 != 0) < 2n
// Subtract  1                    -                            p_q: less n if not negative
// Done      until taken

module mf_multiplier_passes #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width             = 256,
  /// Cycles from operands to product; at least 1.
  parameter int unsigned MultiplierLatency = 3
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [Width-1:0]   a_i,
  input  logic [Width-1:0]   b_i,
  input  logic [Width-1:0]   n_i,
  input  logic [Width-1:0]   n_prime_i,

  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [Width-1:0]   p_o,

  output logic [Width-1:0]   x_o,
  output logic [Width-1:0]   y_o,
  input  logic [2*Width-1:0] product_i
);

  localparam int unsigned CountW = MultiplierLatency > 1 ? $clog2(MultiplierLatency) : 1;

  typedef enum logic [2:0] {
    StIdle, StProduct, StQuotient, StReduce, StAdd, StSubtract, StDone
  } phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] count_q;
  logic              pass_ends, in_pass;

  // x and y are the operand registers of the present pass: the multiplier's operands.
  logic [Width-1:0]  x_q, y_q, n_q, n_prime_q, t_high_q, p_q;
  logic              low_not_zero_q;
  logic [Width:0]    sum_q;
  logic [Width+1:0]  difference;

  assign pass_ends = count_q == CountW'(MultiplierLatency - 1);
  assign in_pass   = phase_q == StProduct || phase_q == StQuotient || phase_q == StReduce;

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:     if (req_valid_i) phase_d = StProduct;
      StProduct:  if (pass_ends) phase_d = StQuotient;
      StQuotient: if (pass_ends) phase_d = StReduce;
      StReduce:   if (pass_ends) phase_d = StAdd;
      StAdd:      phase_d = StSubtract;
      StSubtract: phase_d = StDone;
      StDone:     if (rsp_ready_i) phase_d = StIdle;
      default:    phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      count_q <= '0;
    end else begin
      phase_q <= phase_d;
      count_q <= (in_pass && !pass_ends) ? count_q + CountW'(1) : '0;
    end
  end

  // A pass begins with the product of the pass before it on product_i.
  always_comb begin
    unique case (phase_q)
      StQuotient: {x_o, y_o} = {product_i[Width-1:0], n_prime_q};
      StReduce:   {x_o, y_o} = {product_i[Width-1:0], n_q};
      default:    {x_o, y_o} = {x_q, y_q};
    endcase
  end

  assign difference = {1'b0, sum_q} - {2'b00, n_q};

  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      x_q       <= a_i;
      y_q       <= b_i;
      n_q       <= n_i;
      n_prime_q <= n_prime_i;
    end
    if (phase_q == StQuotient) begin
      t_high_q       <= product_i[2*Width-1:Width];
      low_not_zero_q <= |product_i[Width-1:0];
    end
    if (phase_q == StAdd) begin
      sum_q <= {1'b0, t_high_q} + {1'b0, product_i[2*Width-1:Width]} + (Width + 1)'(low_not_zero_q);
    end
    if (phase_q == StSubtract) begin
      p_q <= difference[Width+1] ? sum_q[Width-1:0] : difference[Width-1:0];
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q;

  // The reduced sum is below n.
  logic unused_difference;
  assign unused_difference = difference[Width];

endmodule
