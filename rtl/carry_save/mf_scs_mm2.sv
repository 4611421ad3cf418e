// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier ("SCS-MM-2") whose two-level carry-save adder also does the
// format conversion.
//
// Source:   Zhang et al., Microprocessors and Microsystems 31(7), 2007, as described in
//           Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 4.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  Width + 2 + ceil(L / 2) cycles, L the half-adder rows that the final pair's longest
//           carry chain needs (data dependent, 0 to Width + 1); rsp_valid_o one cycle later.
// Constant time: no; the format conversion depends on the result.
//
// Phase    cycles          ss_q, sc_q (after the phase's edges)   a_q
// Idle     -               last result, 0                         operands are loaded
// Loop     Width + 2       S[i+1] < 3n as a carry-save pair       a >> (i+1)
// Convert  until SC = 0    the result, 0                          0
// Done     until taken     the result, 0                          0
//
// Changed: the adder's output is always halved. M1 and M2 feed the adder with the pair in the loop
// and with twice the pair in the conversion; the lowest bits are 0 there, so that q = 0 and the
// adder is two rows of half adders, without a gate for q. In the first iteration M1 and M2 select
// nothing: S = 0. Widths: as in mf_scs_mm; twice the final pair is below 4n.

module mf_scs_mm2 #(
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
    $fatal(1, "mf_scs_mm2: Width must be 3 to 8192");
  end

  localparam int unsigned StateW     = Width + 1;
  localparam int unsigned AdderW     = Width + 2;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [1:0] {StIdle, StLoop, StConvert, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of StLoop
  logic                select_pair_q, select_twice_q;

  logic [OperandW-1:0] a_q, b_q;
  logic [Width-1:0]    n_q;
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath (Fig. 4)

  logic [AdderW-1:0] s, c, sum, carry;
  logic              carry_is_zero;

  mf_one_hot_mux #(.Width(2 * AdderW), .Inputs(2)) u_m1_m2 (
    .select_i({select_twice_q, select_pair_q}),
    .data_i  ({{sc_q, 1'b0, ss_q, 1'b0}, {1'b0, sc_q, 1'b0, ss_q}}),
    .data_o  ({c, s})
  );

  mf_two_level_csa #(.Width(AdderW)) u_csa (
    .a_i    (a_q[0]),
    .s_i    (s),
    .c_i    (c),
    .b_i    ({1'b0, b_q}),
    .n_i    ({2'b00, n_q}),
    .sum_o  (sum),
    .carry_o(carry)
  );

  mf_zero_detector #(.Width(StateW)) u_zero_d (
    .vector_i(sc_q), .zero_o(carry_is_zero)
  );

  // After the loop a_q is 0.
  always_ff @(posedge clk_i) begin
    ss_q <= sum[AdderW-1:1];
    sc_q <= carry[AdderW-1:1];
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
      StIdle:    if (req_valid_i) phase_d = StLoop;
      StLoop:    if (last_cycle) phase_d = StConvert;
      StConvert: if (carry_is_zero) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
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
      phase_q        <= StIdle;
      select_pair_q  <= 1'b0;
      select_twice_q <= 1'b0;
    end else begin
      phase_q        <= phase_d;
      select_pair_q  <= (phase_q == StLoop) && (phase_d == StLoop);
      select_twice_q <= (phase_d == StConvert) || (phase_d == StDone);
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = ss_q;

  // The quotient digit makes the lowest bit of the sum 0.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum[0], carry[0]};

endmodule
