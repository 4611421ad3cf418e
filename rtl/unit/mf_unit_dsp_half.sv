// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier for DSP blocks and a scaled (unit) modulus with half a row of multipliers:
// each has two words of an operand, H words apart, and a word stays on the bus for both. A quotient
// word is the lowest word of the accumulator in the same step.
//
// Source:   the quotient without a product is Orup's (ARITH-12, 1995); the schedule and the shifts
//           of the halves are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = WordW, K = ceil((Width + w + 2) / w).
// Takes:    n-bar = (n n' + 1) / 2^w, n' = -n^-1 mod 2^w, 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2^(w + 1) n (closed).
// Latency:  4 K + 10 cycles for all operands. Interval: 2 more.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; Y(t+1) = floor(Y(t) / 2^w) + a(t) b + u(t) n-bar for t = 0 to K,
// a(t) the words of a, 0 for t = K; p = Y(K+1).
//
// Cycle c is the one before edge c + 1; the request is accepted at edge 1. Columns 0 to H - 1 are
// the lower ones. From the bus to the columns there are three registers: of operands, of products,
// of sums of product words.
//
// Cycle    Bus, other operand   Lower columns                  Upper columns
// 4 t + 1  a(t), b low          column H - 1 adds the link     add those of a(t-1)
// 4 t + 2  a(t), b high         add the sums of u(t-1)         -
// 4 t + 3  u(t), n-bar low      shift, 0 from above            add those of u(t-1): Y(t)
// 4 t + 4  u(t), n-bar high     add the sums of a(t)           shift; their lowest goes to the link
//
// In cycle 4 t + 3 the lower columns are those of Y(t), and column 0 is u(t). The word that crosses
// from the upper columns to the lower ones comes two cycles after the others, by the link. A shift
// adds a column's own carry, whose place is the same column again, instead of a sum, so that no
// adder has more than two operands. Columns are below 5 * 2^w. The last shift is left out; Y(K+1)
// is in the columns in cycle 4 K + 8, p at the output in cycle 4 K + 11.

module mf_unit_dsp_half #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word; 3 to 24, at most 17 with Block = 1, 18 with Block = 2.
  parameter int unsigned WordW = 18,
  /// Multipliers: 0 behavioural, 1 DSP48E2, 2 ECP5 MULT18X18D (the numbers of mf_mac).
  parameter int unsigned Block = 0,

  localparam int unsigned LegalWordW = WordW < 3 || WordW > 24 ? 3 : WordW,
  localparam int unsigned OperandW   = Width + LegalWordW + 1
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
    $fatal(1, "mf_unit_dsp_half: Width must be 3 to 8192");
  end else if (WordW < 3 || WordW > 24) begin : gen_illegal_word
    $fatal(1, "mf_unit_dsp_half: WordW must be 3 to 24");
  end

  localparam int unsigned Half   = (OperandW + 2 * LegalWordW - 1) / (2 * LegalWordW);  // H
  localparam int unsigned Words  = 2 * Half;
  localparam int unsigned SumW   = Words * LegalWordW;
  localparam int unsigned Digits = (OperandW + LegalWordW) / LegalWordW;                    // K
  localparam int unsigned Cycles = 4 * Digits + 11;
  localparam int unsigned LeftW  = $clog2(Cycles);
  localparam int unsigned ColumnW = LegalWordW + 3;

  // ---------------------------------------------------------------- control

  logic             accept;
  logic             ready_q;
  logic [LeftW-1:0] left_q;              // Cycles - c, or 0
  logic [1:0]       turn_d, turn_q;      // c - 1 modulo 4
  logic             clear_q;             // all but cycles 4 to 4 K + 10
  logic             low_take_q, high_take_q, low_shift_q, high_shift_q, link_turn_q;
  logic             start_q;             // cycle 4 K + 8

  assign req_ready_o = ready_q;
  assign accept      = req_valid_i && ready_q;
  assign turn_d      = accept ? 2'd0 : turn_q + 2'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q      <= 1'b1;
      rsp_valid_o  <= 1'b0;
      left_q       <= '0;
      turn_q       <= '0;
      clear_q      <= 1'b1;
      low_take_q   <= 1'b0;
      high_take_q  <= 1'b0;
      low_shift_q  <= 1'b0;
      high_shift_q <= 1'b0;
      link_turn_q  <= 1'b0;
      start_q      <= 1'b0;
    end else begin
      ready_q      <= !accept && (ready_q || (rsp_valid_o && rsp_ready_i));
      rsp_valid_o  <= left_q == LeftW'(1) || (rsp_valid_o && !rsp_ready_i);
      left_q       <= accept ? LeftW'(Cycles - 1) : left_q - LeftW'(left_q != '0);
      turn_q       <= turn_d;
      clear_q      <= accept || left_q == '0 || left_q > LeftW'(Cycles - 3);
      low_take_q   <= turn_d != 2'd0 && left_q != LeftW'(5);
      high_take_q  <= turn_d != 2'd1;
      low_shift_q  <= turn_d == 2'd2;
      high_shift_q <= turn_d == 2'd3;
      link_turn_q  <= turn_d == 2'd0;
      start_q      <= left_q == LeftW'(4);
    end
  end

  // ---------------------------------------------------------------- operands and bus

  logic [SumW-1:0]            a_q, b_q, modulus_q;
  logic [WordW-1:0]           bus_q, bus;
  logic [Words:0][WordW-1:0]  words;

  // Values without a request have no effect.
  always_ff @(posedge clk_i) begin
    if (ready_q) begin
      a_q       <= SumW'(a_i) >> WordW;
      bus_q     <= a_i[WordW-1:0];
      b_q       <= SumW'(b_i);
      modulus_q <= SumW'(n_scaled_i);
    end else if (turn_q == 2'd2) begin
      bus_q <= words[0];
    end else if (turn_q == 2'd3) begin
      a_q   <= a_q >> WordW;
      bus_q <= a_q[WordW-1:0];
    end
  end

  assign bus = turn_q == 2'd2 ? words[0] : bus_q;

  // ---------------------------------------------------------------- products

  logic [Half:0][WordW-1:0] low, high;  // high[i] is of the product at i - 1
  logic [Half:0][WordW:0]   sums_q;
  logic [WordW-1:0]         between_q;  // of the lower half, for the upper one

  assign low[Half] = '0;
  assign high[0]   = turn_q[0] ? between_q : '0;

  for (genvar i = 0; i < Half; i++) begin : gen_multiplier
    logic [WordW-1:0]   other;
    logic [2*WordW-1:0] product;

    always_comb begin
      unique case (turn_q)
        2'd0:    other = b_q[i*WordW+:WordW];
        2'd1:    other = b_q[(Half+i)*WordW+:WordW];
        2'd2:    other = modulus_q[i*WordW+:WordW];
        default: other = modulus_q[(Half+i)*WordW+:WordW];
      endcase
    end

    mf_word_multiplier #(.Width(LegalWordW), .Block(Block)) u_multiplier (
      .clk_i(clk_i), .a_i(bus), .b_i(other), .p_o(product)
    );

    assign {high[i+1], low[i]} = product;
  end

  always_ff @(posedge clk_i) begin
    between_q <= high[Half];
    for (int unsigned i = 0; i <= Half; i++) begin
      sums_q[i] <= (WordW + 1)'(low[i]) + (WordW + 1)'(high[i]);
    end
  end

  // ---------------------------------------------------------------- columns

  logic [Words:0][2:0] carries;
  logic [WordW-1:0]    link_q;

  always_ff @(posedge clk_i) link_q <= words[Half];

  for (genvar i = 0; i <= Words; i++) begin : gen_column
    localparam bit Upper = i >= Half;
    localparam bit Last  = i == Half - 1;   // of the lower ones
    localparam int unsigned Sum = Upper ? i - Half : i;

    logic               take, shift;
    logic [WordW-1:0]   above;
    logic [WordW:0]     addend;
    logic [ColumnW-1:0] column_q;

    assign take  = Upper ? high_take_q : low_take_q || (Last && link_turn_q);
    assign shift = Upper ? high_shift_q : low_shift_q;
    assign above = (Last || i == Words) ? '0 : words[(i == Words) ? i : i + 1];

    always_comb begin
      if (Last && link_turn_q) addend = (WordW + 1)'(link_q);
      else if (shift) addend = (WordW + 1)'(carries[i]);
      else addend = sums_q[Sum];
    end

    always_ff @(posedge clk_i) begin
      if (clear_q) column_q <= '0;
      else if (take) column_q <= (shift ? ColumnW'(above) : column_q) + ColumnW'(addend);
    end

    assign {carries[i], words[i]} = column_q;
  end

  // ---------------------------------------------------------------- result

  logic [SumW-1:0] p_q, carry_words, sum, increment;

  // The carry of column i belongs to word i + 1.
  always_comb begin
    carry_words = '0;
    for (int unsigned i = 1; i < Words; i++) carry_words[i*WordW+:3] = carries[i-1];
  end

  mf_group_converter #(.Width(SumW), .GroupW(LegalWordW), .Style(0)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_q),
    .taken_i    (1'b0),
    .s_i        (words[Words-1:0]),
    .c_i        (carry_words),
    .carry_i    (1'b0),
    .sum_o      (sum),
    .value_i    (p_q),
    .increment_o(increment)
  );

  always_ff @(posedge clk_i) p_q <= start_q ? sum : increment;

  assign p_o = p_q[OperandW-1:0];

  // 0 at the end, by the result's bound.
  logic unused_top;
  assign unused_top = ^{p_q, words[Words], carries};

endmodule
