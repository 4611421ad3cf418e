// SPDX-License-Identifier: Apache-2.0
//
// Full-carry-save Montgomery multiplier ("FCS-MM-1"): operands and result are carry-save pairs, and
// a five-to-two (three-level) carry-save adder does an iteration of the radix-2 algorithm.
//
// Source:   McIvor, McLoone, McCanny, IEE Proc. CDT 151(6), 2004, as described in
//           Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 5 (algorithm), Fig. 6 (datapath).
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2); a = a_s_i + a_c_i, and so for b and p.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed), each the sum of its pair.
// Latency:  Width + 2 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Phase   cycles       ss_q, sc_q (after the phase's edges)   a_bit
// Idle    -            0, 0                                   operands are loaded, A_0
// Loop    Width + 2    S[i+1] < 3n as a carry-save pair       A_(i+1)
// Done    until taken  the result                             0
//
// Widths, by value: S + a_bit * b + q * n < 6n < 2^(Width+3), S < 3n < 2^(Width+2) and
// p < 2^(Width+1); neither vector of a pair can exceed the pair's value.

module mf_fcs_mm1 #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,

  localparam int unsigned OperandW = Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_s_i,
  input  logic [OperandW-1:0] a_c_i,
  input  logic [OperandW-1:0] b_s_i,
  input  logic [OperandW-1:0] b_c_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_s_o,
  output logic [OperandW-1:0] p_c_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fcs_mm1: Width must be 3 to 8192");
  end

  localparam int unsigned StateW     = Width + 2;
  localparam int unsigned AdderW     = Width + 3;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [1:0] {StIdle, StLoop, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of StLoop
  logic [1:0]          select_q;    // of the next state: the present one, the sum

  logic [OperandW-1:0] bs_q, bc_q;
  logic [Width-1:0]    n_q;
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath (Fig. 6)

  logic              a_bit, quotient_digit;
  logic [AdderW-1:0] sum1, carry1, sum2, carry2, sum3, carry3;

  mf_barrel_register_full_adder #(.Width(OperandW)) u_brfa (
    .clk_i (clk_i),
    .load_i(phase_q == StIdle),
    .s_i   (a_s_i),
    .c_i   (a_c_i),
    .bit_o (a_bit)
  );

  assign quotient_digit = ss_q[0] ^ sc_q[0] ^ (a_bit & (bs_q[0] ^ bc_q[0]));

  mf_full_adder_row #(.Width(AdderW)) u_row1 (
    .s_i    ({1'b0, ss_q}),
    .c_i    ({1'b0, sc_q}),
    .x_i    ({2'b00, bs_q & {OperandW{a_bit}}}),
    .sum_o  (sum1),
    .carry_o(carry1)
  );

  mf_full_adder_row #(.Width(AdderW)) u_row2 (
    .s_i    (sum1),
    .c_i    (carry1),
    .x_i    ({2'b00, bc_q & {OperandW{a_bit}}}),
    .sum_o  (sum2),
    .carry_o(carry2)
  );

  mf_full_adder_row #(.Width(AdderW)) u_row3 (
    .s_i    (sum2),
    .c_i    (carry2),
    .x_i    ({3'b000, n_q & {Width{quotient_digit}}}),
    .sum_o  (sum3),
    .carry_o(carry3)
  );

  // Next value of the state; nothing is selected in the idle phase, which clears the state.
  logic [StateW-1:0] ss_d, sc_d;

  mf_one_hot_mux #(.Width(2 * StateW), .Inputs(2)) u_state (
    .select_i(select_q),
    .data_i  ({{ss_q, sc_q}, {sum3[AdderW-1:1], carry3[AdderW-1:1]}}),
    .data_o  ({ss_d, sc_d})
  );

  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= sc_d;
    if (phase_q == StIdle) begin
      bs_q <= b_s_i;
      bc_q <= b_c_i;
      n_q  <= n_i;
    end
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StLoop;
      StLoop:  if (last_cycle) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (phase_q != StLoop),
    .after_i(CountW'(Iterations - 1)),
    .last_o (last_cycle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q  <= StIdle;
      select_q <= '0;
    end else begin
      phase_q  <= phase_d;
      select_q <= {phase_d == StDone, phase_d == StLoop};
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_s_o       = ss_q[OperandW-1:0];
  assign p_c_o       = sc_q[OperandW-1:0];

  // The quotient digit makes the lowest bit of the sum 0.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum3[0], carry3[0]};

endmodule
