// SPDX-License-Identifier: Apache-2.0
//
// Systolic FIOS multiplier on DSP blocks with parallel ports: mf_fios_dsp with word readers of the
// operands and a buffer of results.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Algorithm 3 and Section III.
// Computes: p = a * b * R^-1 mod n, R = 2^(WordWidth Words), without a final subtraction.
// Contract: Variant 0, 1: R > 4n, 0 <= a, b, p < 2n; takes {n, n0'}, n0' = -n^-1 mod 2^WordWidth.
//           Variant 2: R > 4n 2^WordWidth, 0 <= a, b, p < 2n 2^WordWidth; takes
//           (n n0' + 1) / 2^WordWidth. Closed for every odd n.
// Latency:  fixed: that of the core and 3 cycles of the sequencer before the first step, and two
//           more if operations start in different elements in turn. Variant 0: 11 Words - 1, of
//           which the paper counts 11 Words - 4.
// Results:  a request is accepted only if the buffer has an entry for its result, since the array
//           can't stall.
// Constant time: yes.

module mf_fios_dsp_par #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width     = 256,
  /// Bits of a word; 16 to 23.
  parameter int unsigned WordWidth = 17,
  /// Words of an operand, 4 to 1024; R must be large enough (see the contract).
  parameter int unsigned Words     = 16,
  /// Processing elements; Words if Expanded.
  parameter int unsigned Elements  = 5,
  /// One element for each iteration.
  parameter bit          Expanded  = 1'b0,
  /// Results that can be under way or wait to be taken; 1 to 200.
  parameter int unsigned Results   = 2,
  /// 0: published, 1: fast, 2: unit modulus.
  parameter int unsigned Variant   = 0,
  /// Cycles from operands to result of the multiplier-accumulator: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C in the multiplier-accumulator.
  parameter bit          CRegister = 1'b1,
  /// Multiplier-accumulator: 0 behavioural, 1 DSP48E2, 2 ECP5.
  parameter int unsigned Block     = 0,

  localparam bit          IsUnit   = Variant == mf_fios_pkg::Unit,
  localparam int unsigned OperandW = IsUnit ? Width + 1 + WordWidth : Width + 1,
  localparam int unsigned ModulusW = IsUnit ? Width : Width + WordWidth
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [ModulusW-1:0] n_words_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (WordWidth < 16 || WordWidth > 23) begin : gen_illegal_word_width
    $fatal(1, "mf_fios_dsp_par: WordWidth must be 16 to 23");
  end else if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fios_dsp_par: Width must be 3 to 8192");
  end else if (Words < 4 || Words > 1024) begin : gen_illegal_number_of_words
    $fatal(1, "mf_fios_dsp_par: Words must be 4 to 1024");
  end else if (WordWidth * Words < OperandW + 1) begin : gen_illegal_words
    $fatal(1, "mf_fios_dsp_par: Words must be enough for R > 4n (unit: 4n 2^WordWidth)");
  end else if (Results < 1 || Results > 200) begin : gen_illegal_results
    $fatal(1, "mf_fios_dsp_par: Results must be 1 to 200");
  end

  localparam int unsigned TotalW = WordWidth * Words;
  localparam int unsigned NWords = IsUnit ? Words : Words + 1;
  localparam int unsigned Beats  = Variant == mf_fios_pkg::Fast ? Words - 1 : Words;
  localparam int unsigned CountW = $clog2(Results + 1);
  localparam int unsigned PlaceW = Results > 1 ? $clog2(Results) : 1;

  // ---------------------------------------------------------------- acceptance

  logic              room_q, accepted_q, finish, take;
  logic [CountW-1:0] under_way_d, under_way_q;  // accepted before this cycle, and not taken
  logic [CountW-1:0] waiting_q;                 // finished and not taken

  // The core is not ready in the two cycles after an acceptance.
  assign under_way_d = under_way_q + CountW'(accepted_q) - CountW'(take);
  assign rsp_valid_o = waiting_q != '0;
  assign take        = rsp_valid_o && rsp_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      accepted_q  <= 1'b0;
      room_q      <= 1'b1;
      under_way_q <= '0;
      waiting_q   <= '0;
    end else begin
      accepted_q  <= req_valid_i && req_ready_o;
      room_q      <= under_way_d != CountW'(Results);
      under_way_q <= under_way_d;
      waiting_q   <= waiting_q + CountW'(finish) - CountW'(take);
    end
  end

  // ---------------------------------------------------------------- operands

  // While the core is ready, it has taken the words of the operation before, the last one in this
  // cycle at the latest, so that operands are loaded with or without a request.
  logic                 req_ready_next, x_next, y_next, n_next;
  logic [WordWidth-1:0] x_word, y_word, n_word;

  mf_word_reader #(.WordWidth(WordWidth), .Words(Words)) u_x (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_next_i(req_ready_next), .load_i(req_ready_o),
    .d_i(TotalW'(a_i)), .next_i(x_next), .word_o(x_word)
  );

  mf_word_reader #(.WordWidth(WordWidth), .Words(Words)) u_y (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_next_i(req_ready_next), .load_i(req_ready_o),
    .d_i(TotalW'(b_i)), .next_i(y_next), .word_o(y_word)
  );

  mf_word_reader #(.WordWidth(WordWidth), .Words(NWords)) u_n (
    .clk_i(clk_i), .rst_ni(rst_ni), .load_next_i(req_ready_next), .load_i(req_ready_o),
    .d_i((NWords * WordWidth)'(n_words_i)), .next_i(n_next), .word_o(n_word)
  );

  // ---------------------------------------------------------------- core

  logic                 p_valid;
  logic [WordWidth-1:0] p_word, p_top;

  mf_fios_dsp #(
    .WordWidth(WordWidth), .Words(Words), .Elements(Elements), .Expanded(Expanded),
    .Variant(Variant), .Pipeline(Pipeline), .CRegister(CRegister), .Block(Block)
  ) u_core (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_room_next_i (room_q),
    .op_valid_i     (req_valid_i),
    .op_ready_o     (req_ready_o),
    .op_ready_next_o(req_ready_next),
    .x_next_o       (x_next),
    .x_word_i       (x_word),
    .y_next_o       (y_next),
    .y_word_i       (y_word),
    .n_next_o       (n_next),
    .n_word_i       (n_word),
    .p_valid_o      (p_valid),
    .p_last_o       (finish),
    .p_word_o       (p_word),
    .p_top_o        (p_top)
  );

  // ---------------------------------------------------------------- results

  logic [Beats-1:1][WordWidth-1:0] words_q;  // words of the result so far, the latest on top
  logic [TotalW-1:0]               p;
  logic [PlaceW-1:0]               put_q, get_q;
  logic [OperandW-1:0]             results_q[Results];

  if (Variant == mf_fios_pkg::Fast) begin : gen_two_words
    assign p = {p_top, p_word, words_q};
  end else begin : gen_one_word
    logic unused_top;
    assign unused_top = ^p_top;
    assign p          = {p_word, words_q};
  end

  always_ff @(posedge clk_i) begin
    if (p_valid) words_q <= {p_word, words_q[Beats-1:2]};
    if (finish) results_q[put_q] <= p[OperandW-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      put_q <= '0;
      get_q <= '0;
    end else begin
      if (finish) put_q <= put_q == PlaceW'(Results - 1) ? '0 : put_q + PlaceW'(1);
      if (take) get_q <= get_q == PlaceW'(Results - 1) ? '0 : get_q + PlaceW'(1);
    end
  end

  assign p_o = results_q[get_q];

  // The result is below 2n (or its multiple).
  logic unused_high;
  assign unused_high = ^{1'b0, p >> OperandW};

endmodule
