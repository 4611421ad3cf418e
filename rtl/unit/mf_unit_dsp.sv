// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier for DSP blocks and a scaled (unit) modulus: one multiplier for each word of
// an operand, all on one bus, which has a word of a in one cycle and a quotient word, the lowest
// word of the accumulator, in the next. Back to back, every multiplier has a product in every
// cycle.
//
// Source:   the quotient without a product and its delay are Orup's (ARITH-12, 1995); the schedule
//           of one bus, its overlap, and carries of words in two halves, are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w K), w = WordW, K = ceil((Width + 2 w + 2) / w).
// Takes:    n-bar = (n n' + 1) / 2^(2 w), n' = -n^-1 mod 2^(2 w), 0 < n-bar <= n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2^(2 w + 1) n (closed).
// Latency:  2 K + 10 cycles for all operands. Interval: 2 K, but at least 12.
// Constant time: yes.
//
// Y(0) = 0; u(t) = Y(t) mod 2^w; Y(t+1) = floor(Y(t) / 2^w) + a(t) b + u(t-1) n-bar for t = 0 to
// K + 1, a(t) the words of a, 0 from K on, u(-1) = 0; p = 2^w Y(K+2) + u(K+1).
//
// Cycle c is the one before edge c + 1; the request is accepted at edge 1.
// Bus                        a(t) in cycle 2 t + 1, t < K; u(t) in cycle 2 t + 4, 1 <= t <= K
// Multipliers                registers of operands in the next cycle, of products in the one after,
//                            of sums of product words in the third
// Columns                    Y(t) in cycle 2 t + 4, which starts the step to Y(t+1)
// Tail                       Y(K) to Y(K+2), as above, in registers of its own
// Result                     words of Y(K+2) plus their carries in sum_q in cycle 2 K + 9, p in
//                            result_q from 2 K + 11 on
//
// The next request may be accepted at edge 2 K + 1. Its columns hold in cycles 5 and 7, which would
// add products of u(-1) and u(0); the bus has u(K-1) and u(K) of the operation before there, and
// the adders do its tail. Y(K+2) stays in the tail while result_q is not free. Two operations may
// be under way.

module mf_unit_dsp
  import mf_unit_dsp_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word; 3 to 24, at most 17 with Block = 1, 18 with Block = 2.
  parameter int unsigned WordW = 18,
  /// Multipliers: 0 behavioural, 1 DSP48E2, 2 ECP5 MULT18X18D (the numbers of mf_mac).
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
    $fatal(1, "mf_unit_dsp: Width must be 3 to 8192");
  end else if (WordW < 3 || WordW > 24) begin : gen_illegal_word
    $fatal(1, "mf_unit_dsp: WordW must be 3 to 24");
  end

  localparam int unsigned Words  = (OperandW + LegalWordW - 1) / LegalWordW;
  localparam int unsigned Digits = (OperandW + LegalWordW) / LegalWordW;  // K, at least 3
  localparam int unsigned SumW   = Words * LegalWordW;
  localparam int unsigned Cycles = (Digits < 6 ? 12 : 2 * Digits) + 4;  // interval, and the tail
  localparam int unsigned Tail   = Cycles - 2 * Digits;
  localparam int unsigned LeftW  = $clog2(Cycles);

  // ---------------------------------------------------------------- control

  logic             accept, start, take;
  logic [LeftW-1:0] left_q;          // Cycles - c, or 0
  logic             open;            // in the next cycle: interval, 2 or at least 4 cycles later
  logic             ready_q;
  logic             move_q;          // ready_q or bus_a_q
  logic             bus_a_q;         // odd cycles
  logic             busy_q;          // cycles 1 to 2 K
  logic             young_q;         // cycles 1 to 5
  logic             first_q;         // cycle 1
  logic             fourth_q;        // cycle 4
  logic             last_a_q;        // cycle 2 K - 1
  logic             last_q;          // cycle 2 K
  logic [1:0]       ways_q;          // operations accepted whose results are not taken
  logic             occupied_q;      // result_q is not free
  logic             done_q;          // Y(K+2) is in the tail
  logic             summed_q, carried_q;
  logic [6:0]       finish_q;        // bit i: i + 1 cycles after cycle 2 K

  assign req_ready_o = ready_q;
  assign accept      = req_valid_i && ready_q;
  assign start       = done_q && !occupied_q;
  assign take        = rsp_valid_o && rsp_ready_i;
  assign open        = left_q == LeftW'(5) || left_q == LeftW'(3) || left_q < LeftW'(2);

  logic ready_d, bus_a_d;
  assign ready_d = open && !accept && (!ways_q[1] || take);
  assign bus_a_d = accept || (!left_q[0] && left_q != '0);

  // Controls of the columns are known in the cycle of the bus and needed three cycles later.
  addend_e    addend;
  addend_e    addend_1_q, addend_2_q;
  logic [2:0] take_q, pass_q, save_q;
  logic       tail_step, take_tail_q;

  // The tail has its steps in cycles 2 K + 5 and 2 K + 7.
  assign tail_step = finish_q[1] || finish_q[3];

  always_comb begin
    if (tail_step) addend = TailAbove;
    else if (first_q) addend = Nothing;
    else if (bus_a_q) addend = Above;
    else addend = Word;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q      <= '0;
      ready_q     <= 1'b1;
      move_q      <= 1'b1;
      bus_a_q     <= 1'b0;
      busy_q      <= 1'b0;
      young_q     <= 1'b0;
      first_q     <= 1'b0;
      fourth_q    <= 1'b0;
      last_a_q    <= 1'b0;
      last_q      <= 1'b0;
      ways_q      <= '0;
      occupied_q  <= 1'b0;
      done_q      <= 1'b0;
      summed_q    <= 1'b0;
      carried_q   <= 1'b0;
      rsp_valid_o <= 1'b0;
      finish_q    <= '0;
      addend_1_q  <= Nothing;
      addend_2_q  <= Nothing;
      take_q      <= '0;
      pass_q      <= '0;
      save_q      <= '0;
      take_tail_q <= 1'b0;
    end else begin
      left_q      <= accept ? LeftW'(Cycles - 1) : left_q - LeftW'(left_q != '0);
      ready_q     <= ready_d;
      move_q      <= ready_d || bus_a_d;
      bus_a_q     <= bus_a_d;
      busy_q      <= accept || left_q > LeftW'(Tail);
      young_q     <= accept || left_q > LeftW'(Cycles - 5);
      first_q     <= accept;
      fourth_q    <= left_q == LeftW'(Cycles - 3);
      last_a_q    <= left_q == LeftW'(Tail + 2);
      last_q      <= last_a_q;
      ways_q      <= ways_q + 2'(accept) - 2'(take);
      occupied_q  <= start || (occupied_q && !take);
      done_q      <= finish_q[6] || (done_q && !start);
      summed_q    <= start;
      carried_q   <= summed_q;
      rsp_valid_o <= carried_q || (rsp_valid_o && !rsp_ready_i);
      finish_q    <= {finish_q[5:0], last_q};
      addend_1_q  <= addend;
      addend_2_q  <= addend_1_q;
      take_q      <= {take_q[1:0], busy_q && (bus_a_q || !young_q)};
      pass_q      <= {pass_q[1:0], (busy_q && !fourth_q && !last_a_q) || finish_q[1]};
      save_q      <= {save_q[1:0], last_a_q};
      take_tail_q <= finish_q[1] || finish_q[3] || finish_q[5];
    end
  end

  // ---------------------------------------------------------------- operands and bus

  logic [SumW-1:0]            a_q, b_q, next_modulus_q, modulus_q;
  logic [WordW-1:0]           bus;
  logic [Words:0][WordW-1:0]  words, tail_words;

  // Values without a request have no effect. n-bar waits until u(K) of the operation before was on
  // the bus.
  always_ff @(posedge clk_i) begin
    if (move_q) a_q <= ready_q ? SumW'(a_i) : a_q >> WordW;
    if (ready_q) begin
      b_q            <= SumW'(b_i);
      next_modulus_q <= SumW'(n_scaled_i);
    end
    if (fourth_q) modulus_q <= next_modulus_q;
  end

  assign bus = bus_a_q ? a_q[WordW-1:0] : words[0];

  // ---------------------------------------------------------------- columns

  logic [Words:0][WordW-1:0] low, high;  // high[i] is of the product at i - 1
  logic [Words:0][1:0]       tail_carries, shifted_carries;
  logic [Words:0][WordW-1:0] above, tail_above;  // word i is that of column i + 1

  assign above      = {WordW'(0), words[Words:1]};
  assign tail_above = {WordW'(0), tail_words[Words:1]};
  assign low[Words] = '0;
  assign high[0]    = '0;

  for (genvar i = 0; i < Words; i++) begin : gen_multiplier
    logic [WordW-1:0]   other;
    logic [2*WordW-1:0] product;

    assign other = bus_a_q ? b_q[i*WordW+:WordW] : modulus_q[i*WordW+:WordW];

    mf_word_multiplier #(.Width(LegalWordW), .Block(Block)) u_multiplier (
      .clk_i(clk_i), .a_i(bus), .b_i(other), .p_o(product)
    );

    assign {high[i+1], low[i]} = product;
  end

  for (genvar i = 0; i <= Words; i++) begin : gen_column
    mf_unit_column #(.WordW(LegalWordW)) u_column (
      .clk_i          (clk_i),
      .low_i          (low[i]),
      .high_i         (high[i]),
      .above_i        (above[i]),
      .tail_above_i   (tail_above[i]),
      .addend_i       (addend_2_q),
      .take_i         (take_q[2]),
      .take_tail_i    (take_tail_q),
      .pass_i         (pass_q[2]),
      .save_i         (save_q[2]),
      .word_o         (words[i]),
      .tail_word_o    (tail_words[i]),
      .tail_carry_o   (tail_carries[i]),
      .shifted_carry_o(shifted_carries[i])
    );
  end

  // ---------------------------------------------------------------- result

  logic [WordW-1:0] lowest_q;  // u(K+1)
  logic [SumW-1:0]  result_q, carry_words, sum, sum_q, increment;

  // x + y, each 0 to 2, without a carry chain, which would be in the longest path of an FPGA.
  function automatic logic [2:0] both_carries(logic [1:0] x, logic [1:0] y);
    return {x[1] & y[1], (x[1] ^ y[1]) | (x[0] & y[0]), x[0] ^ y[0]};
  endfunction

  // Carries of the last shift before the tail, by now two words lower, and of Y(K+2).
  always_comb begin
    carry_words = '0;
    for (int unsigned i = 0; i < Words; i++) begin
      carry_words[i*WordW+:3] =
          both_carries(shifted_carries[i], i < 2 ? 2'b00 : tail_carries[i-2]);
    end
  end

  mf_group_converter #(.Width(SumW), .GroupW(LegalWordW), .Style(0)) u_convert (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start),
    .taken_i    (1'b0),
    .s_i        ({tail_words[Words-2:0], lowest_q}),
    .c_i        (carry_words),
    .carry_i    (1'b0),
    .sum_o      (sum),
    .value_i    (sum_q),
    .increment_o(increment)
  );

  always_ff @(posedge clk_i) begin
    if (take_tail_q) lowest_q <= tail_words[0];
    // The tail stays for the three cycles.
    sum_q <= sum;
    if (carried_q) result_q <= increment;
  end

  assign p_o = result_q[OperandW-1:0];

  // 0 at the end, by the result's bound.
  logic unused_top;
  assign unused_top = ^{result_q, tail_carries, shifted_carries};

endmodule
