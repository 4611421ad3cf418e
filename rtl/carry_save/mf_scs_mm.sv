// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier ("SCS-based MM") with a two-level carry-save adder and a
// full-width carry-propagate adder for the format conversion.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 2.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  Width + 3 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Phase   cycles       ss_q, sc_q (after the phase's edges)   a_q
// Idle    -            0, 0                                   operands are loaded
// Loop    Width + 2    S[i+1] < 3n as a carry-save pair       a >> (i+1)
// Add     1            the result, 0                          0
// Done    until taken  the result, 0                          0
//
// Widths: the pair after the shift has bits Width:0. Two rows of full adders add vectors of these
// bits and n of Width bits; only the first row's carry reaches bit Width+1, so none leaves it.

module mf_scs_mm #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,

  localparam int unsigned OperandW = Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_scs_mm: Width must be 3 to 8192");
  end

  localparam int unsigned StateW     = Width + 1;
  localparam int unsigned AdderW     = Width + 2;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [1:0] {StIdle, StLoop, StAdd, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of StLoop
  logic                select_loop_q, select_add_q;

  logic [OperandW-1:0] a_q, b_q;
  logic [Width-1:0]    n_q;
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath

  logic [AdderW-1:0] sum, carry;

  mf_two_level_csa #(.Width(AdderW)) u_csa (
    .a_i    (a_q[0]),
    .s_i    ({1'b0, ss_q}),
    .c_i    ({1'b0, sc_q}),
    .b_i    ({1'b0, b_q}),
    .n_i    ({2'b00, n_q}),
    .sum_o  (sum),
    .carry_o(carry)
  );

  // Next value of the sum vector; nothing is selected in the idle phase, which clears it. The carry
  // vector is 0 after the addition, so that further additions keep the result.
  logic [StateW-1:0] ss_d;

  mf_one_hot_mux #(.Width(StateW), .Inputs(2)) u_state_s (
    .select_i({select_add_q, select_loop_q}),
    .data_i  ({ss_q + sc_q, sum[AdderW-1:1]}),
    .data_o  (ss_d)
  );

  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= {StateW{select_loop_q}} & carry[AdderW-1:1];
    if (phase_q == StIdle) begin
      a_q <= a_i;
      b_q <= b_i;
      n_q <= n_i;
    end else begin
      a_q <= a_q >> 1;
    end
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StLoop;
      StLoop:  if (last_cycle) phase_d = StAdd;
      StAdd:   phase_d = StDone;
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
      phase_q       <= StIdle;
      select_loop_q <= 1'b0;
      select_add_q  <= 1'b0;
    end else begin
      phase_q       <= phase_d;
      select_loop_q <= phase_d == StLoop;
      select_add_q  <= (phase_d == StAdd) || (phase_d == StDone);
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = ss_q;

  // The quotient digit makes the lowest bit of the sum 0.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum[0], carry[0]};

endmodule
