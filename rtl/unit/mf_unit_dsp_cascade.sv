// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier for DSP blocks and a scaled (unit) modulus: as mf_unit_dsp, but the words
// of the bus, products and carries go from block to block by the cascades, each a cycle later than
// the word below. A block also adds the word above, so that little logic remains beside the blocks.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); two sums in
//           turn in one column of blocks, and their overlap, are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = WordW, K = ceil((Width + 2 w + 2) / w).
// Takes:    n-bar = (n n' + 1) / 2^(2 w), n' = -n^-1 mod 2^(2 w), 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2^(2 w + 1) n (closed).
// Latency:  2 K + M + 6 cycles for all operands, M = ceil((Width + 2 w + 1) / w).
//           Interval: 2 K, but at least (2 K + M + 8) / 2, rounded up to an even number.
// Constant time: yes.
//
// V(t+1) = floor(V(t) / 2^w) + a(t) b, W(t+2) = floor(W(t+1) / 2^w) + u(t) n-bar, in exact words;
// {g(t+1), u(t)} = V(t)'s lowest word + W(t)'s + g(t); V(0) = W(0) = W(1) = W(2) = 0, g(1) = 0.
// Y(t) = V(t) + W(t) + g(t) is that of mf_unit_dsp. p = floor(V(K) / 2^w) + W(K+1) mod 2^w + g(K+1)
// + 2^w W(K+2).
//
// Cycle c is the one before edge c + 1; the request is accepted at edge 1.
// Bus              a(t) in cycle 2 t + 1, t < K; u(t) in cycle 2 t + 4, 1 <= t <= K
// Element i        word i of V(t) in cycle 2 t + 2 + i, of W(t) in cycle 2 t + 3 + i
// Result           word i of V(K) waits from cycle 2 K + 3 + i on, in kept_q; p's word 0 is in
//                  words_q from cycle 2 K + 6 on, word i > 0 from 2 K + 7 + i on, the whole in
//                  p_o from 2 K + M + 7 on
//
// The next request may be accepted at edge 2 K + 1. In its cycles 5 and 7 element 0 has words of
// W(K+1) and W(K+2) of the operation before. Two operations may be under way.

module mf_unit_dsp_cascade #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word; 3 to 24, 17 with Block = 1.
  parameter int unsigned WordW = 17,
  /// Multipliers: 0 behavioural, 1 DSP48E2 (the numbers of mf_mac).
  parameter int unsigned Block = 0,

  localparam int unsigned LegalWordW = WordW < 3 || WordW > 24 ? 3 : WordW,
  localparam int unsigned OperandW   = Width + 2 * LegalWordW + 1
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
    $fatal(1, "mf_unit_dsp_cascade: Width must be 3 to 8192");
  end else if (WordW < 3 || WordW > 24) begin : gen_illegal_word
    $fatal(1, "mf_unit_dsp_cascade: WordW must be 3 to 24");
  end

  localparam int unsigned Words     = (OperandW + LegalWordW - 1) / LegalWordW;  // M, at least 3
  localparam int unsigned Digits    = (OperandW + LegalWordW) / LegalWordW;      // K, at least 3
  localparam int unsigned OperandsW = Words * LegalWordW;
  localparam int unsigned Least     = 2 * ((2 * Digits + Words + 11) / 4);
  localparam int unsigned Interval  = 2 * Digits > Least ? 2 * Digits : Least;
  localparam int unsigned Cycles    = Interval + 4;
  localparam int unsigned Tail      = Cycles - 2 * Digits;
  localparam int unsigned LeftW     = $clog2(Cycles);
  localparam int unsigned BusW      = Block == 1 ? 18 : LegalWordW;
  localparam int unsigned SumW      = Block == 1 ? 48 : 2 * LegalWordW;

  // ---------------------------------------------------------------- control

  logic             accept, start, take;
  logic [LeftW-1:0] left_q;      // Cycles - c, or 0
  logic             open;        // in the next cycle: interval, 2 or at least 4 cycles later
  logic             ready_q;
  logic             move_q;      // ready_q or bus_a
  logic [Words:0]   bus_a_q;     // bit 0: odd cycles; bit i: i cycles later
  logic [Words+5:0] head_q;      // bit i: cycle i + 1
  logic             last_a_q;    // cycle 2 K - 1
  logic             last_q;      // cycle 2 K
  logic [Words+5:0] tail_q;      // bit i: cycle 2 K + i + 1
  logic [1:0]       ways_q;      // operations accepted whose results are not taken
  logic             waiting_q;   // the words of a result are whole, p_q is not free

  assign req_ready_o = ready_q;
  assign accept      = req_valid_i && ready_q;
  assign start       = (tail_q[Words+5] || waiting_q) && !rsp_valid_o;
  assign take        = rsp_valid_o && rsp_ready_i;
  assign open        = left_q == LeftW'(5) || left_q == LeftW'(3) || left_q < LeftW'(2);

  logic ready_d, bus_a_d;
  assign ready_d = open && !accept && (!ways_q[1] || take);
  assign bus_a_d = accept || (!left_q[0] && left_q != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q      <= '0;
      ready_q     <= 1'b1;
      move_q      <= 1'b1;
      bus_a_q     <= '0;
      head_q      <= '0;
      last_a_q    <= 1'b0;
      last_q      <= 1'b0;
      tail_q      <= '0;
      ways_q      <= '0;
      waiting_q   <= 1'b0;
      rsp_valid_o <= 1'b0;
    end else begin
      left_q      <= accept ? LeftW'(Cycles - 1) : left_q - LeftW'(left_q != '0);
      ready_q     <= ready_d;
      move_q      <= ready_d || bus_a_d;
      bus_a_q     <= {bus_a_q[Words-1:0], bus_a_d};
      head_q      <= {head_q[Words+4:0], accept};
      last_a_q    <= left_q == LeftW'(Tail + 2);
      last_q      <= last_a_q;
      tail_q      <= {tail_q[Words+4:0], last_q};
      ways_q      <= ways_q + 2'(accept) - 2'(take);
      waiting_q   <= (tail_q[Words+5] || waiting_q) && !start;
      rsp_valid_o <= start || (rsp_valid_o && !rsp_ready_i);
    end
  end

  // ---------------------------------------------------------------- operands and bus

  logic [OperandsW-1:0]      a_q, b;
  logic [OperandsW-1:0]      next_modulus_q;
  logic [WordW-1:0]          bus, u_q;
  logic [WordW:0]            half_q;   // V(t)'s lowest word and the carry
  logic                      carry_q;  // g
  logic [Words:0][WordW-1:0] words;    // of V and W in turn

  assign b = OperandsW'(b_i);

  // Values without a request have no effect. n-bar waits until u(K) of the operation before was on
  // the bus.
  always_ff @(posedge clk_i) begin
    if (move_q) a_q <= ready_q ? OperandsW'(a_i) : a_q >> WordW;
    if (ready_q) next_modulus_q <= OperandsW'(n_scaled_i);
    // W(1) and W(2) are 0.
    if (bus_a_q[0]) begin
      {carry_q, u_q} <= half_q + (head_q[4] || head_q[6] ? '0 : (WordW + 1)'(words[0]));
    end else begin
      half_q <= (WordW + 1)'(words[0]) + (WordW + 1)'(carry_q && !head_q[3]);
    end
  end

  assign bus = bus_a_q[0] ? a_q[WordW-1:0] : u_q;

  // ---------------------------------------------------------------- elements

  logic [Words:0][BusW-1:0]    buses;
  logic [Words:0][SumW-1:0]    sums;
  logic [Words-1:0][WordW-1:0] highs;

  assign buses[0] = BusW'(bus);
  assign sums[0]  = '0;

  for (genvar i = 0; i < Words; i++) begin : gen_element
    mf_unit_cascade #(.WordW(LegalWordW), .Block(Block), .First(i == 0)) u_element (
      .clk_i     (clk_i),
      .load_i    (ready_q),
      .move_i    (i == 0 ? 1'b0 : head_q[i == 0 ? 0 : i-1]),
      .b_i       (b[i*WordW+:WordW]),
      .take_n_i  (head_q[i+4]),
      .n_i       (next_modulus_q[i*WordW+:WordW]),
      .quotient_i(!bus_a_q[i]),
      .keep_i    (!head_q[i+1] && !head_q[i+6]),
      .above_i   (words[i+1]),
      .bus_i     (buses[i]),
      .bus_o     (buses[i+1]),
      .sum_i     (sums[i]),
      .sum_o     (sums[i+1]),
      .word_o    (words[i]),
      .high_o    (highs[i])
    );
  end

  // Above the operands there is no product.
  always_ff @(posedge clk_i) words[Words] <= highs[Words-1];

  // ---------------------------------------------------------------- result

  logic [Words-1:0][WordW-1:0] kept_q;   // word i of V(K), i > 0, at i - 1
  logic [Words-1:0][WordW-1:0] words_q;  // of p
  logic [Words-1:0]            carries_q;
  logic [OperandsW-1:0]        p_q;

  for (genvar i = 0; i < Words; i++) begin : gen_word
    logic             add;
    logic [WordW:0]   terms, sum;
    logic [WordW-1:0] quotient_word;

    if (i == 0) begin : gen_lowest
      assign add           = tail_q[4];
      assign quotient_word = words[0];
      assign terms         = (WordW + 1)'(carry_q);
    end else begin : gen_next
      assign add           = tail_q[i+5];
      assign quotient_word = words[i-1];
      assign terms         = (WordW + 1)'(carries_q[i-1]);
    end

    assign sum = (WordW + 1)'(kept_q[i]) + (WordW + 1)'(quotient_word) + terms;

    always_ff @(posedge clk_i) begin
      if (tail_q[i+2]) kept_q[i] <= words[i+1];
      if (add) {carries_q[i], words_q[i]} <= sum;
    end
  end

  always_ff @(posedge clk_i) if (start) p_q <= words_q;

  assign p_o = p_q[OperandW-1:0];

  // 0 at the end, by the result's bound.
  logic unused_top;
  assign unused_top = ^{p_q, carries_q[Words-1], buses[Words], sums[Words], highs, bus_a_q[Words]};

endmodule
