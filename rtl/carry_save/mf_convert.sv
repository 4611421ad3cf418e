// SPDX-License-Identifier: Apache-2.0
//
// Format converter: a carry-save pair to binary, word by word, for results that are pairs.
//
// Source:   "CPA_FC" of Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 3.
// Computes: p = s + c.
// Contract: s + c < 2^Width.
// Latency:  Words = ceil(Width / Converter) cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Phase    cycles       s_q (after the phase's edges)      c_q
// Idle     -            s                                  c
// Convert  Words        the result, shifted in from above  0, shifted out
// Done     until taken  the result                         -

module mf_convert #(
  /// Bits of each vector and of the result; 1 to 8194.
  parameter int unsigned Width     = 256,
  /// Bits of the adder; 8 to 8194. Width or more: one cycle.
  parameter int unsigned Converter = 32,

  localparam int unsigned LegalWidth     = Width < 1 || Width > 8194 ? 1 : Width,
  localparam int unsigned LegalConverter = Converter < 8 || Converter > 8194 ? 8 : Converter
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  if (Width < 1 || Width > 8194) begin : gen_illegal_width
    $fatal(1, "mf_convert: Width must be 1 to 8194");
  end else if (Converter < 8 || Converter > 8194) begin : gen_illegal_converter
    $fatal(1, "mf_convert: Converter must be 8 to 8194");
  end

  localparam int unsigned WordW   = (LegalConverter < LegalWidth) ? LegalConverter : LegalWidth;
  localparam int unsigned Words   = (LegalWidth + WordW - 1) / WordW;
  localparam int unsigned PaddedW = Words * WordW;
  localparam int unsigned CountW  = $clog2(Words + 1);

  typedef enum logic [1:0] {StIdle, StConvert, StDone} phase_e;

  phase_e             phase_d, phase_q;
  logic               last_word;
  logic [PaddedW-1:0] s_q;
  logic [Width-1:0]   c_q;
  logic [WordW-1:0]   word;
  logic               carry_out;

  mf_word_serial_adder #(.Width(WordW)) u_cpa_fc (
    .clk_i        (clk_i),
    .start_i      (phase_q == StIdle),
    .start_carry_i(1'b0),
    .x_i          (s_q[WordW-1:0]),
    .y_i          (c_q[WordW-1:0]),
    .word_o       (word),
    .carry_o      (carry_out)
  );

  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      s_q <= PaddedW'(s_i);
      c_q <= c_i;
    end else if (phase_q == StConvert) begin
      s_q <= PaddedW'({word, s_q} >> WordW);
      c_q <= Width'({{WordW{1'b0}}, c_q} >> WordW);
    end
  end

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:    if (req_valid_i) phase_d = StConvert;
      StConvert: if (last_word) phase_d = StDone;
      StDone:    if (rsp_ready_i) phase_d = StIdle;
      default:   phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
    end else begin
      phase_q <= phase_d;
    end
  end

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (phase_q != StConvert),
    .after_i(CountW'(Words - 1)),
    .last_o (last_word)
  );

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = s_q[Width-1:0];

  // The sum fits.
  logic unused_carry;
  assign unused_carry = carry_out;

endmodule
