// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 Montgomery multiplier that never subtracts n.
//
// Source:   C. D. Walter, Electronics Letters 35(21), 1999.
// Computes: p with p = a * b * R^-1 (mod n), R = 2^(Width + 2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < 2n; 0 <= p < 2n (closed).
// Latency:  Width + 2 cycles for all operands; rsp_valid_o is high right after. A new request can
//           be accepted every Width + 4 cycles.
// Constant time: yes.
//
// State   s_q                 a_q
// Idle    last result         next operand
// Loop    S[i] < 3n           a >> i
// Done    p < 2n              0

module walter #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width:0]   a_i,
  input  logic [Width:0]   b_i,
  input  logic [Width-1:0] n_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width:0]   p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "walter: Width must be 3 to 8192");
  end

  localparam int unsigned CountW = $clog2(Width + 2);

  typedef enum logic [1:0] {StIdle, StLoop, StDone} state_e;

  state_e            state_d, state_q;
  logic [CountW-1:0] count_q;

  logic [Width:0]    a_q, b_q;
  logic [Width-1:0]  n_q;
  logic [Width+1:0]  s_q;

  // S + A_i * B + q_i * N < 3n + 2n + n, even by the choice of the quotient digit q_i.
  logic             quotient_digit;
  logic [Width+2:0] sum;
  assign quotient_digit = s_q[0] ^ (a_q[0] & b_q[0]);
  assign sum = {1'b0, s_q} + {2'b00, b_q & {(Width+1){a_q[0]}}} +
               {3'b000, n_q & {Width{quotient_digit}}};

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (req_valid_i) state_d = StLoop;
      StLoop:  if (count_q == CountW'(Width + 1)) state_d = StDone;
      StDone:  if (rsp_ready_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      count_q <= (state_q == StLoop) ? count_q + CountW'(1) : '0;
    end
  end

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle && req_valid_i) begin
      a_q <= a_i;
      b_q <= b_i;
      n_q <= n_i;
      s_q <= '0;
    end else if (state_q == StLoop) begin
      a_q <= a_q >> 1;
      s_q <= sum[Width+2:1];
    end
  end

  assign req_ready_o = state_q == StIdle;
  assign rsp_valid_o = state_q == StDone;
  assign p_o         = s_q[Width:0];

  // The sum's lowest bit is 0, and so is the result's highest.
  logic unused_bits;
  assign unused_bits = sum[0] ^ s_q[Width+1];

endmodule
