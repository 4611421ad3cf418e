// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 Montgomery multiplier with carry-propagate addition ("MM").
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 1 (algorithm MM).
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed).
// Latency:  Width + 1 cycles for all operands. Interval: 2 more.
// Constant time: yes. Step 6 of Fig. 1 subtracts only if S >= N; here the subtraction is always
//           executed and its borrow selects the result, by AND and OR: a multiplexer that kept
//           s_q would be an enable of the register, which power follows.
//
// State   s_q                              a_q
// Idle    0                                next operand
// Loop    S[i] < 2n                        a >> i
// Reduce  S[Width] < 2n                    0
// Done    p < n                            0

module mf_mm_r2 #(
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

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_mm_r2: Width must be 3 to 8192");
  end

  localparam int unsigned CountW = $clog2(Width);

  typedef enum logic [1:0] {StIdle, StLoop, StReduce, StDone} state_e;

  state_e            state_d, state_q;
  logic [CountW-1:0] count_q;
  logic              last_iteration;

  logic [Width-1:0]  a_q, b_q, n_q;
  logic [Width:0]    s_q;

  // Step 3: the quotient digit makes the sum even.
  logic quotient_digit;
  assign quotient_digit = s_q[0] ^ (a_q[0] & b_q[0]);

  // Step 4: S + A_i * B + q_i * N < 2n + n + n. Its lowest bit is 0 and is dropped.
  logic [Width+1:0] sum;
  assign sum = {1'b0, s_q} + {2'b00, b_q & {Width{a_q[0]}}} +
               {2'b00, n_q & {Width{quotient_digit}}};

  // Step 6: always subtracted; a set top bit is a borrow.
  logic [Width+1:0] difference;
  logic             borrow;
  assign difference = {1'b0, s_q} - {2'b00, n_q};
  assign borrow     = difference[Width+1];

  assign last_iteration = count_q == CountW'(Width - 1);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:   if (req_valid_i) state_d = StLoop;
      StLoop:   if (last_iteration) state_d = StReduce;
      StReduce: state_d = StDone;
      StDone:   if (rsp_ready_i) state_d = StIdle;
      default:  state_d = StIdle;
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

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: if (req_valid_i) begin
        a_q <= a_i;
        b_q <= b_i;
        n_q <= n_i;
        s_q <= '0;
      end
      StLoop: begin
        a_q <= a_q >> 1;
        s_q <= sum[Width+1:1];
      end
      StReduce: s_q <= (s_q & {(Width + 1){borrow}}) |
                       (difference[Width:0] & {(Width + 1){!borrow}});
      StDone: if (rsp_ready_i) s_q <= '0;
      default: ;
    endcase
  end

  assign req_ready_o = state_q == StIdle;
  assign rsp_valid_o = state_q == StDone;
  assign p_o         = s_q[Width-1:0];

  // The sum's lowest bit is 0 by the choice of the quotient digit.
  logic unused_sum_lsb;
  assign unused_sum_lsb = sum[0];

endmodule
