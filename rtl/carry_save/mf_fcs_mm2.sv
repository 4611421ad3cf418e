// SPDX-License-Identifier: Apache-2.0
//
// Full-carry-save Montgomery multiplier ("FCS-MM-2"): operands and result are carry-save pairs, and
// with D = B + N precomputed, a four-to-two (two-level) carry-save adder does an iteration.
//
// Source:   McIvor, McLoone, McCanny, IEE Proc. CDT 151(6), 2004, as described in
//           Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, section II-C.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2); a = a_s_i + a_c_i, and so for b and p.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed), each the sum of its pair.
// Latency:  Width + 3 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Phase       cycles       ss_q, sc_q (after the phase's edges)   ds_q, dc_q
// Idle        -            BS, BC                                 -
// Precompute  1            0, 0                                   D = BS + BC + N as a pair
// Loop        Width + 2    S[i+1] < 3n as a carry-save pair       D
// Done        until taken  the result                             D
//
// The first row computes D in Precompute: the state is BS, BC and the forced q = 1 selects N. The
// barrel register holds 2a, so that its bit is 0 in Precompute and A_0 in the first iteration.
// Widths: the pair after the shift, BS, BC, DS, DC have bits Width:0 (the carry of DC into bit
// Width+1 would need BS + BC >= 2^(Width+1)). Of the two rows only the first one's carry reaches
// bit Width+1, so none leaves it.

module mf_fcs_mm2 #(
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
    $fatal(1, "mf_fcs_mm2: Width must be 3 to 8192");
  end

  localparam int unsigned StateW     = Width + 1;
  localparam int unsigned AdderW     = Width + 2;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [1:0] {StIdle, StPrecompute, StLoop, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of StLoop
  logic                precompute_q;
  logic [2:0]          select_q;    // of the next state: the present one, the sum, b

  logic [OperandW-1:0] bs_q, bc_q, ds_q, dc_q;
  logic [Width-1:0]    n_q;
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath

  logic              a_bit, quotient_digit;
  logic [AdderW-1:0] x1, x2, sum1, carry1, sum2, carry2;

  mf_barrel_register_full_adder #(.Width(OperandW + 1)) u_brfa (
    .clk_i (clk_i),
    .load_i(phase_q == StIdle),
    .s_i   ({a_s_i, 1'b0}),
    .c_i   ({a_c_i, 1'b0}),
    .bit_o (a_bit)
  );

  assign quotient_digit = precompute_q | (ss_q[0] ^ sc_q[0] ^ (a_bit & (bs_q[0] ^ bc_q[0])));

  mf_sm3 #(.Width(AdderW)) u_mux_s (
    .a_i(a_bit),
    .q_i(quotient_digit),
    .n_i({2'b00, n_q}),
    .b_i({1'b0, bs_q}),
    .d_i({1'b0, ds_q}),
    .x_o(x1)
  );

  mf_sm3 #(.Width(AdderW)) u_mux_c (
    .a_i(a_bit),
    .q_i(quotient_digit),
    .n_i('0),
    .b_i({1'b0, bc_q}),
    .d_i({1'b0, dc_q}),
    .x_o(x2)
  );

  mf_full_adder_row #(.Width(AdderW)) u_row1 (
    .s_i    ({1'b0, ss_q}),
    .c_i    ({1'b0, sc_q}),
    .x_i    (x1),
    .sum_o  (sum1),
    .carry_o(carry1)
  );

  mf_full_adder_row #(.Width(AdderW)) u_row2 (
    .s_i    (sum1),
    .c_i    (carry1),
    .x_i    (x2),
    .sum_o  (sum2),
    .carry_o(carry2)
  );

  // Next value of the state; nothing is selected in the precomputation, which clears the state.
  logic [StateW-1:0] ss_d, sc_d;

  mf_one_hot_mux #(.Width(2 * StateW), .Inputs(3)) u_state (
    .select_i(select_q),
    .data_i  ({{ss_q, sc_q}, {sum2[AdderW-1:1], carry2[AdderW-1:1]}, {b_s_i, b_c_i}}),
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
    if (precompute_q) begin
      ds_q <= sum1[OperandW-1:0];
      dc_q <= carry1[OperandW-1:0];
    end
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:       if (req_valid_i) phase_d = StPrecompute;
      StPrecompute: phase_d = StLoop;
      StLoop:       if (last_cycle) phase_d = StDone;
      StDone:       if (rsp_ready_i) phase_d = StIdle;
      default:      phase_d = StIdle;
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
      phase_q      <= StIdle;
      precompute_q <= 1'b0;
      select_q     <= 3'b001;
    end else begin
      phase_q      <= phase_d;
      precompute_q <= phase_d == StPrecompute;
      select_q     <= {phase_d == StDone, phase_d == StLoop, phase_d == StIdle};
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_s_o       = ss_q;
  assign p_c_o       = sc_q;

  // The quotient digit makes the lowest bit of the sum 0.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum2[0], carry2[0]};

endmodule
