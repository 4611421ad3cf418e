// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier for DSP blocks and a scaled (unit) modulus with two rows of multipliers,
// which multiply b by a word of a, and n-bar by a quotient word, in each cycle. A quotient word is
// the lowest word of the accumulator.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); the schedule
//           and the carries of words are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = WordW, L = 4 w, K = ceil((Width + L + 2) / w).
// Takes:    n-bar = (n n' + 1) / 2^L, n' = -n^-1 mod 2^L, 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2^(L + 1) n (closed).
// Latency:  K + 11 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; Y(t+1) = floor(Y(t) / 2^w) + a(t) b + u(t-3) n-bar for t = 0 to
// K + 3, a(t) the words of a, 0 from K on, u(t) = 0 for t < 0; p has the words u(K+1), u(K+2),
// u(K+3) and above them Y(K+4).
//
// Cycle c is the one that follows edge c - 1; the request is accepted at edge 0.
// Idle      -               operands are taken; columns are 0, also in cycles 1 to 4
// Run       1 .. K + 8      a(t) on its bus in cycle t + 1, Y(t) in the columns in cycle t + 5, and
//                           u(t) on the bus of the other row
// Convert   K + 9 .. K + 11 Y(K+4), then p without and with carries between words
// Done      until taken
//
// From a bus to the columns: registers of operands, of products, of the sum of both product words
// (a's: x_q), of the sum with those of the quotient. A column is below 5 * 2^w: a word, and a carry
// of at most 4 that the next shift brings back to the same column.

module mf_unit_dsp_two #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word; 3 to 24, at most 17 with Block = 1, 18 with Block = 2.
  parameter int unsigned WordW = 18,
  /// Multipliers: 0 behavioural, 1 DSP48E2, 2 ECP5 MULT18X18D (the numbers of mf_mac).
  parameter int unsigned Block = 0,

  localparam int unsigned LegalWordW = WordW < 3 || WordW > 24 ? 3 : WordW,
  localparam int unsigned OperandW   = Width + 4 * LegalWordW + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  /// n-bar.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_unit_dsp_two: Width must be 3 to 8192");
  end else if (WordW < 3 || WordW > 24) begin : gen_illegal_word
    $fatal(1, "mf_unit_dsp_two: WordW must be 3 to 24");
  end

  localparam int unsigned Delay         = 4;
  localparam int unsigned Words         = (OperandW + LegalWordW - 1) / LegalWordW;
  localparam int unsigned ModulusWords  = (Width + LegalWordW - 1) / LegalWordW;
  localparam int unsigned Digits        = (OperandW + LegalWordW) / LegalWordW;  // K
  localparam int unsigned SumW          = Words * LegalWordW;
  localparam int unsigned LowW          = (Delay - 1) * LegalWordW;
  localparam int unsigned RunCycles     = Digits + 8;
  localparam int unsigned ConvertCycles = 3;
  localparam int unsigned LeftW         = $clog2(RunCycles);

  typedef enum logic [1:0] {StIdle, StRun, StConvert, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e           phase_d, phase_q;
  logic [LeftW-1:0] left_d, left_q;  // cycles of the phase after the present one
  logic             clear_q;         // all but cycles 5 to K + 8
  logic             start_q;         // cycle K + 9

  always_comb begin
    phase_d = phase_q;
    left_d  = left_q - LeftW'(1);
    unique case (phase_q)
      StIdle: begin
        left_d = LeftW'(RunCycles - 1);
        if (req_valid_i) phase_d = StRun;
      end
      StRun: begin
        if (left_q == '0) begin
          phase_d = StConvert;
          left_d  = LeftW'(ConvertCycles - 1);
        end
      end
      StConvert: if (left_q == '0) phase_d = StDone;
      default:   if (rsp_ready_i) phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      left_q  <= '0;
      clear_q <= 1'b1;
      start_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      left_q  <= left_d;
      clear_q <= phase_d != StRun || left_d > LeftW'(Digits + 3);
      start_q <= phase_q == StRun && phase_d == StConvert;
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- operands

  logic [SumW-1:0]               a_q, b_q;
  logic [ModulusWords*WordW-1:0] modulus_q;

  always_ff @(posedge clk_i) begin
    a_q <= req_ready_o ? SumW'(a_i) : a_q >> WordW;
    if (req_ready_o) begin
      b_q       <= SumW'(b_i);
      modulus_q <= (ModulusWords * WordW)'(n_scaled_i);
    end
  end

  // ---------------------------------------------------------------- columns

  logic [Words:0][WordW-1:0] a_low, a_high, u_low, u_high;  // high[i] is of the product at i - 1
  logic [Words:0][WordW-1:0] words_q, above;                // word i of above is that of i + 1
  logic [Words:0][2:0]       carries_q;

  assign a_low[Words] = '0;
  assign a_high[0]    = '0;
  assign u_high[0]    = '0;
  assign above        = {WordW'(0), words_q[Words:1]};

  for (genvar i = 0; i < Words; i++) begin : gen_operand
    logic [2*WordW-1:0] product;

    mf_word_multiplier #(.Width(LegalWordW), .Block(Block)) u_multiplier (
      .clk_i(clk_i), .a_i(a_q[WordW-1:0]), .b_i(b_q[i*WordW+:WordW]), .p_o(product)
    );

    assign {a_high[i+1], a_low[i]} = product;
  end

  for (genvar i = 0; i < ModulusWords; i++) begin : gen_modulus
    logic [2*WordW-1:0] product;

    mf_word_multiplier #(.Width(LegalWordW), .Block(Block)) u_multiplier (
      .clk_i(clk_i), .a_i(words_q[0]), .b_i(modulus_q[i*WordW+:WordW]), .p_o(product)
    );

    assign {u_high[i+1], u_low[i]} = product;
  end

  for (genvar i = ModulusWords; i <= Words; i++) begin : gen_above_modulus
    assign u_low[i] = '0;
    if (i > ModulusWords) begin : gen_high
      assign u_high[i] = '0;
    end
  end

  for (genvar i = 0; i <= Words; i++) begin : gen_column
    logic [WordW:0]   x_q;
    logic [WordW+1:0] sum_q;
    logic [WordW+2:0] column;

    assign column = (WordW + 3)'(above[i]) + (WordW + 3)'(sum_q) + (WordW + 3)'(carries_q[i]);

    always_ff @(posedge clk_i) begin
      x_q   <= (WordW + 1)'(a_low[i]) + (WordW + 1)'(a_high[i]);
      sum_q <= (WordW + 2)'(u_low[i]) + (WordW + 2)'(u_high[i]) + (WordW + 2)'(x_q);
      if (clear_q) {carries_q[i], words_q[i]} <= '0;
      else         {carries_q[i], words_q[i]} <= column;
    end
  end

  // ---------------------------------------------------------------- result

  logic [LowW-1:0] low_q;  // u(K+1) to u(K+3)
  logic [SumW-1:0] p_q, carry_words, sum, increment;

  // The carry of column i belongs to word i + 1 of Y, which is word i + 4 of p.
  always_comb begin
    carry_words = '0;
    for (int unsigned i = Delay; i < Words; i++) begin
      carry_words[i*WordW+:3] = carries_q[i-Delay];
    end
  end

  mf_group_converter #(.Width(SumW), .GroupW(LegalWordW), .Style(0)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .taken_i    (1'b0),
    .s_i        ({words_q[Words-Delay:0], low_q}),
    .c_i        (carry_words),
    .carry_i    (1'b0),
    .sum_o      (sum),
    .value_i    (p_q),
    .increment_o(increment)
  );

  always_ff @(posedge clk_i) begin
    low_q <= {words_q[0], low_q[LowW-1:WordW]};
    p_q   <= start_q ? sum : increment;
  end

  assign p_o = p_q[OperandW-1:0];

  // 0 at the end, by the result's bound.
  logic unused_top;
  assign unused_top = ^{p_q, words_q, carries_q};

endmodule
