// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier with a one-level carry-save adder. A short carry-propagate
// adder does D = B + N and the format conversion word by word.
//
// Source:   Zhengbing, Al Shboul, Shirochin, IEEE IDAACS 2007, reconstructed from Kuang, Wu, Lu,
//           IEEE TVLSI 24(2), 2016, section II-B.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n (closed).
// Latency:  Width + 2 + 2 Words cycles for all operands, Words = ceil((Width+2) / Converter).
//           Interval: 2 more.
// Constant time: yes.
//
// Phase       cycles       ss_q, sc_q (after the phase's edges)   d_q          a_q
// Idle        -            b, n                                   last result  a
// Precompute  Words        0, 0 (shifted out)                     D = B + N    a
// Loop        Width + 2    S[i+1] < 3n as a carry-save pair       D            a >> (i+1)
// Convert     Words        0, 0 (shifted out)                     the result   0
// Done        until taken  0, 0                                   the result   0
//
// Both additions shift the words of the pair out of ss_q, sc_q and those of the sum into d_q.
// Widths: the pair after the shift has bits Width:0; D < 3n is the only vector with bit Width+1, so
// the row has no carry out of it. d_q is padded to whole words.

module mf_zhengbing #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width     = 256,
  /// Bits of the carry-propagate adder; 8 to 8194. Width+2 or more: one cycle an addition.
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
    $fatal(1, "mf_zhengbing: Width must be 3 to 8192");
  end else if (Converter < 8 || Converter > 8194) begin : gen_illegal_converter
    $fatal(1, "mf_zhengbing: Converter must be 8 to 8194");
  end

  localparam int unsigned StateW     = Width + 1;
  localparam int unsigned AdderW     = Width + 2;
  localparam int unsigned WordW      = (Converter < AdderW) ? Converter : AdderW;
  localparam int unsigned Words      = (AdderW + WordW - 1) / WordW;
  localparam int unsigned PaddedW    = Words * WordW;
  localparam int unsigned Iterations = Width + 2;
  localparam int unsigned CountW     = $clog2(Iterations);

  typedef enum logic [2:0] {StIdle, StPrecompute, StLoop, StConvert, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                last_cycle;  // of the phase
  logic                select_operand_q, select_loop_q, select_words_q;

  logic [OperandW-1:0] a_q, b_q;
  logic [Width-1:0]    n_q;
  logic [PaddedW-1:0]  d_q;
  logic [StateW-1:0]   ss_q, sc_q;

  // ---------------------------------------------------------------- datapath

  logic              quotient_digit;
  logic [AdderW-1:0] x, sum, carry;
  logic [WordW-1:0]  word;
  logic              carry_out;

  assign quotient_digit = ss_q[0] ^ sc_q[0] ^ (a_q[0] & b_q[0]);

  mf_sm3 #(.Width(AdderW)) u_mux (
    .a_i(a_q[0]),
    .q_i(quotient_digit),
    .n_i({2'b00, n_q}),
    .b_i({1'b0, b_q}),
    .d_i(d_q[AdderW-1:0]),
    .x_o(x)
  );

  mf_full_adder_row #(.Width(AdderW)) u_csa (
    .s_i    ({1'b0, ss_q}),
    .c_i    ({1'b0, sc_q}),
    .x_i    (x),
    .sum_o  (sum),
    .carry_o(carry)
  );

  mf_word_serial_adder #(.Width(WordW)) u_cpa (
    .clk_i        (clk_i),
    .start_i      (!select_words_q),
    .start_carry_i(1'b0),
    .x_i          (WordW'(ss_q)),
    .y_i          (WordW'(sc_q)),
    .word_o       (word),
    .carry_o      (carry_out)
  );

  // Next value of the state; nothing is selected in the last phase.
  logic [StateW-1:0] ss_d, ss_shifted, sc_d, sc_shifted;

  assign ss_shifted = StateW'({{WordW{1'b0}}, ss_q} >> WordW);
  assign sc_shifted = StateW'({{WordW{1'b0}}, sc_q} >> WordW);

  mf_one_hot_mux #(.Width(2 * StateW), .Inputs(3)) u_state (
    .select_i({select_words_q, select_loop_q, select_operand_q}),
    .data_i  ({{ss_shifted, sc_shifted}, {sum[AdderW-1:1], carry[AdderW-1:1]}, {b_i, 1'b0, n_i}}),
    .data_o  ({ss_d, sc_d})
  );

  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= sc_d;
    if (select_words_q) d_q <= PaddedW'({word, d_q} >> WordW);
    if (phase_q == StIdle) begin
      a_q <= a_i;
      b_q <= b_i;
      n_q <= n_i;
    end else if (phase_q == StLoop) begin
      a_q <= a_q >> 1;
    end
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:       if (req_valid_i) phase_d = StPrecompute;
      StPrecompute: if (last_cycle) phase_d = StLoop;
      StLoop:       if (last_cycle) phase_d = StConvert;
      StConvert:    if (last_cycle) phase_d = StDone;
      StDone:       if (rsp_ready_i) phase_d = StIdle;
      default:      phase_d = StIdle;
    endcase
  end

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (last_cycle || phase_q == StIdle),
    .after_i((phase_q == StPrecompute) ? CountW'(Iterations - 1) : CountW'(Words - 1)),
    .last_o (last_cycle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q          <= StIdle;
      select_operand_q <= 1'b1;
      select_loop_q    <= 1'b0;
      select_words_q   <= 1'b0;
    end else begin
      phase_q          <= phase_d;
      select_operand_q <= phase_d == StIdle;
      select_loop_q    <= phase_d == StLoop;
      select_words_q   <= (phase_d == StPrecompute) || (phase_d == StConvert);
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = d_q[OperandW-1:0];

  // The quotient digit makes the lowest bit of the sum 0; the last word has no carry out.
  logic unused_bits;
  assign unused_bits = ^{sum[0], carry[0], carry_out};

endmodule
