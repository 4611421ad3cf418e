// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier ("SCS-MM-1") with a two-level carry-save adder and a
// word-serial format converter.
//
// Source:   Kim, Kang, Choi, 2nd IEEE Asia-Pacific Conf. on ASIC, 2000, as described in
//           Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 3.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  Width + 2 + Words cycles for all operands, Words = ceil((Width + 1) / Converter).
//           Interval: 2 more.
// Constant time: yes.
//
// Phase    cycles       ss_q (after the phase's edges)    sc_q             a_q
// Idle     -            0                                 0                operands are loaded
// Loop     Width + 2    S[i+1] < 3n as a carry-save pair  its carry vector a >> (i+1)
// Convert  Words        the result, shifted in from above 0, shifted out   0
// Done     until taken  the result                        -                0
//
// Changed: Words holds the Width + 1 bits of a result below 2n; the paper's Width / Converter words
// do not where Converter divides Width. Widths: as in mf_scs_mm; ss_q is padded to whole words.

module mf_scs_mm1 #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width     = 256,
  /// Bits of the converter's adder; 8 to 128.
  parameter int unsigned Converter = 32,

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
    $fatal(1, "mf_scs_mm1: Width must be 3 to 8192");
  end else if (Converter < 8 || Converter > 128) begin : gen_illegal_converter
    $fatal(1, "mf_scs_mm1: Converter must be 8 to 128");
  end

  localparam int unsigned StateW     = Width + 1;
  localparam int unsigned AdderW     = Width + 2;
  localparam int unsigned WordW      = (Converter < StateW) ? Converter : StateW;
  localparam int unsigned Words      = (StateW + WordW - 1) / WordW;
  localparam int unsigned PaddedW    = Words * WordW;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [1:0] {StIdle, StLoop, StConvert, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of the phase
  logic                select_loop_q, select_convert_q, select_hold_q;

  logic [OperandW-1:0] a_q, b_q;
  logic [Width-1:0]    n_q;
  logic [PaddedW-1:0]  ss_q;
  logic [StateW-1:0]   sc_q;

  // ---------------------------------------------------------------- datapath (Fig. 3)

  logic [AdderW-1:0] sum, carry;
  logic [WordW-1:0]  word;
  logic              carry_out;

  mf_two_level_csa #(.Width(AdderW)) u_csa (
    .a_i    (a_q[0]),
    .s_i    ({1'b0, ss_q[StateW-1:0]}),
    .c_i    ({1'b0, sc_q}),
    .b_i    ({1'b0, b_q}),
    .n_i    ({2'b00, n_q}),
    .sum_o  (sum),
    .carry_o(carry)
  );

  mf_word_serial_adder #(.Width(WordW)) u_cpa_fc (
    .clk_i        (clk_i),
    .start_i      (!select_convert_q),
    .start_carry_i(1'b0),
    .x_i          (ss_q[WordW-1:0]),
    .y_i          (sc_q[WordW-1:0]),
    .word_o       (word),
    .carry_o      (carry_out)
  );

  // Next value of the state; nothing is selected in the idle phase, which clears the state.
  logic [PaddedW-1:0] ss_d, ss_shifted;
  logic [StateW-1:0]  sc_d, sc_shifted;

  assign ss_shifted = PaddedW'({word, ss_q} >> WordW);
  assign sc_shifted = StateW'({{WordW{1'b0}}, sc_q} >> WordW);

  mf_one_hot_mux #(.Width(PaddedW), .Inputs(3)) u_state_s (
    .select_i({select_hold_q, select_convert_q, select_loop_q}),
    .data_i  ({ss_q, ss_shifted, PaddedW'(sum[AdderW-1:1])}),
    .data_o  (ss_d)
  );

  mf_one_hot_mux #(.Width(StateW), .Inputs(2)) u_state_c (
    .select_i({select_convert_q, select_loop_q}),
    .data_i  ({sc_shifted, carry[AdderW-1:1]}),
    .data_o  (sc_d)
  );

  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= sc_d;
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
      StConvert: if (last_cycle) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (last_cycle || phase_q == StIdle),
    .after_i((phase_q == StIdle) ? CountW'(Iterations - 1) : CountW'(Words - 1)),
    .last_o (last_cycle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q          <= StIdle;
      select_loop_q    <= 1'b0;
      select_convert_q <= 1'b0;
      select_hold_q    <= 1'b0;
    end else begin
      phase_q          <= phase_d;
      select_loop_q    <= phase_d == StLoop;
      select_convert_q <= phase_d == StConvert;
      select_hold_q    <= phase_d == StDone;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = ss_q[OperandW-1:0];

  // The quotient digit makes the lowest bit of the sum 0; the last word has no carry out.
  logic unused_bits;
  assign unused_bits = ^{sum[0], carry[0], carry_out};

endmodule
