// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier with a one-level carry-save adder. A short carry-propagate
// adder does D = B + N, the format conversion and the final subtraction word by word.
//
// Source:   Bunimov, Schimmler, Tolg, Workshop on Complexity Effective Designs, 2002, reconstructed
//           from Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, section II-B.
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < n (closed).
// Latency:  Width + 3 Words cycles for all operands, Words = ceil((Width+2) / Converter).
//           Interval: 2 more.
// Constant time: yes. The subtraction is always executed and its borrow selects the result.
//
// Phase       cycles       ss_q (after the phase's edges)     sc_q   d_q        a_q         n_q
// Idle        -            b                                  n      -          a           n
// Precompute  Words        0 (shifted out)                    0      D = B + N  a           n
// Loop        Width        S[i+1] < 2n as a carry-save pair   (SC)   D          a >> (i+1)  n
// Convert     Words        S (shifted in from above)          0      -          0           n
// Subtract    Words        S (rotated)                        0      S - n      0           0
// Done        until taken  S                                  0      S - n      0           0
//
// Widths: the pair after the shift has bits Width-1:0; D < 2n is the only vector with bit Width, so
// the row has no carry out of it. ss_q and d_q are padded to whole words.

module mf_bunimov #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width     = 256,
  /// Bits of the carry-propagate adder; 8 to 8194. Width+2 or more: one cycle an addition.
  parameter int unsigned Converter = 32
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
    $fatal(1, "mf_bunimov: Width must be 3 to 8192");
  end else if (Converter < 8 || Converter > 8194) begin : gen_illegal_converter
    $fatal(1, "mf_bunimov: Converter must be 8 to 8194");
  end

  localparam int unsigned AdderW  = Width + 1;
  localparam int unsigned SumW    = Width + 2;  // S - n with its sign
  localparam int unsigned WordW   = (Converter < SumW) ? Converter : SumW;
  localparam int unsigned Words   = (SumW + WordW - 1) / WordW;
  localparam int unsigned PaddedW = Words * WordW;
  localparam int unsigned CountW  = $clog2(Width);

  typedef enum logic [2:0] {StIdle, StPrecompute, StLoop, StConvert, StSubtract, StDone} phase_e;

  phase_e             phase_d, phase_q;
  logic               last_cycle;  // of the phase
  logic               select_operand_q, select_loop_q, select_words_q, select_hold_q;
  logic               no_borrow_q;

  logic [Width-1:0]   a_q, b_q, n_q, sc_q;
  logic [PaddedW-1:0] ss_q, d_q;

  // ---------------------------------------------------------------- datapath

  logic              quotient_digit;
  logic [AdderW-1:0] x, sum, carry;

  assign quotient_digit = ss_q[0] ^ sc_q[0] ^ (a_q[0] & b_q[0]);

  mf_sm3 #(.Width(AdderW)) u_mux (
    .a_i(a_q[0]),
    .q_i(quotient_digit),
    .n_i({1'b0, n_q}),
    .b_i({1'b0, b_q}),
    .d_i(d_q[AdderW-1:0]),
    .x_o(x)
  );

  mf_full_adder_row #(.Width(AdderW)) u_csa (
    .s_i    ({1'b0, ss_q[Width-1:0]}),
    .c_i    ({1'b0, sc_q}),
    .x_i    (x),
    .sum_o  (sum),
    .carry_o(carry)
  );

  // The word-serial adder: SS + SC, in the subtraction S - n as S + ~n + 1.
  logic             subtracts, start, carry_out;
  logic [WordW-1:0] low_word, addend, word;

  assign subtracts = phase_q == StSubtract;
  assign start     = !select_words_q || (phase_q == StConvert && last_cycle);
  assign low_word  = ss_q[WordW-1:0];
  assign addend    = subtracts ? ~WordW'(n_q) : WordW'(sc_q);

  mf_word_serial_adder #(.Width(WordW)) u_cpa (
    .clk_i        (clk_i),
    .start_i      (start),
    .start_carry_i(phase_q == StConvert),
    .x_i          (low_word),
    .y_i          (addend),
    .word_o       (word),
    .carry_o      (carry_out)
  );

  // Word that enters ss_q from above as its words are shifted out.
  logic [WordW-1:0] top_word;
  always_comb begin
    unique case (phase_q)
      StConvert:  top_word = word;
      StSubtract: top_word = low_word;
      default:    top_word = '0;
    endcase
  end

  logic [PaddedW-1:0] ss_d, ss_shifted;
  logic [Width-1:0]   sc_d, sc_shifted;

  assign ss_shifted = PaddedW'({top_word, ss_q} >> WordW);
  assign sc_shifted = Width'({{WordW{1'b0}}, sc_q} >> WordW);

  mf_one_hot_mux #(.Width(PaddedW), .Inputs(4)) u_state_s (
    .select_i({select_hold_q, select_words_q, select_loop_q, select_operand_q}),
    .data_i  ({ss_q, ss_shifted, PaddedW'(sum[AdderW-1:1]), PaddedW'(b_i)}),
    .data_o  (ss_d)
  );

  mf_one_hot_mux #(.Width(Width), .Inputs(3)) u_state_c (
    .select_i({select_words_q, select_loop_q, select_operand_q}),
    .data_i  ({sc_shifted, carry[AdderW-1:1], n_i}),
    .data_o  (sc_d)
  );

  always_ff @(posedge clk_i) begin
    ss_q <= ss_d;
    sc_q <= sc_d;
    if (select_words_q) d_q <= PaddedW'({word, d_q} >> WordW);
    if (subtracts) no_borrow_q <= carry_out;
    if (phase_q == StIdle) begin
      a_q <= a_i;
      b_q <= b_i;
      n_q <= n_i;
    end else begin
      if (phase_q == StLoop) a_q <= a_q >> 1;
      if (subtracts) n_q <= Width'({{WordW{1'b0}}, n_q} >> WordW);
    end
  end

  // ---------------------------------------------------------------- control

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:       if (req_valid_i) phase_d = StPrecompute;
      StPrecompute: if (last_cycle) phase_d = StLoop;
      StLoop:       if (last_cycle) phase_d = StConvert;
      StConvert:    if (last_cycle) phase_d = StSubtract;
      StSubtract:   if (last_cycle) phase_d = StDone;
      StDone:       if (rsp_ready_i) phase_d = StIdle;
      default:      phase_d = StIdle;
    endcase
  end

  mf_countdown #(.CountW(CountW)) u_countdown (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (last_cycle || phase_q == StIdle),
    .after_i((phase_q == StPrecompute) ? CountW'(Width - 1) : CountW'(Words - 1)),
    .last_o (last_cycle)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q          <= StIdle;
      select_operand_q <= 1'b1;
      select_loop_q    <= 1'b0;
      select_words_q   <= 1'b0;
      select_hold_q    <= 1'b0;
    end else begin
      phase_q          <= phase_d;
      select_operand_q <= phase_d == StIdle;
      select_loop_q    <= phase_d == StLoop;
      select_words_q   <= (phase_d != StIdle) && (phase_d != StLoop) && (phase_d != StDone);
      select_hold_q    <= phase_d == StDone;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = no_borrow_q ? d_q[Width-1:0] : ss_q[Width-1:0];

  // The quotient digit makes the lowest bit of the sum 0.
  logic unused_lsbs;
  assign unused_lsbs = ^{sum[0], carry[0]};

endmodule
