// SPDX-License-Identifier: Apache-2.0
//
// Word-systolic FIOS multiplier for cells: a line of elements, one for each word of b and n,
// through which the words of a and of the quotient move.
//
// Source:   FIOS: Koc, Acar, Kaliski, IEEE Micro 16(3), 1996. Line of elements, element j in
//           iteration i at time 2 i + j: Walter, "Systolic modular multiplication", IEEE TC 42(3),
//           1993. One multiplier for both products of an element, and the carry of the lowest word,
//           which stays a pair, are this library's.
// Computes: p = a * b * R^-1 mod n, R = 2^(w s), w = Word, s = max(2, ceil((Width + 2) / w)):
//           for each word of a: q = (t + a(i) b) n0' mod 2^w, t = (t + a(i) b + q n) / 2^w.
// Takes:    n0_prime_i = -n^-1 mod 2^w.
// Contract: n odd, 3 <= n < 2^Width; a, b, p < 2n (closed): R >= 4n.
// Latency:  3 s - 1 cycles. Interval: 2 more. Constant time: yes.
//
// Element j multiplies a(i) b(j) in one cycle and q(i) n(j) in the next, and then adds both
// products, its word of t and the carry of element j - 1; the low word becomes t(j-1). Element 0
// takes a(i) two cycles earlier, so that its product is ready for the quotient; with q(i) its sum
// is a multiple of 2^w, whose carry element 1 adds in the same cycle. t < 3n, in s words.
//
// Cycle k is the one that follows edge k; the request is accepted at edge 0.
// Cycle          element 0      quotient  element 1                element j > 1, j - 1 later
// 0              a(0) b(0)      -         -                        -
// 2 i + 1        a(i+1) b(0)    q(i)      a(i) b(1)                a(i) b(j)
// 2 i + 2        q(i) n(0)      -         q(i) n(1), t(0) written  q(i) n(j), t(j-1) written
// Done: t is p.

module mf_fios_systolic #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a word; 3 to 128.
  parameter int unsigned Word  = 16,

  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalWord  = Word < 3 || Word > 128 ? 3 : Word,
  localparam int unsigned OperandW   = LegalWidth + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [Word-1:0]     n0_prime_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fios_systolic: Width must be 3 to 8192");
  end else if (Word < 3 || Word > 128) begin : gen_illegal_word
    $fatal(1, "mf_fios_systolic: Word must be 3 to 128");
  end

  localparam int unsigned Fewest = (LegalWidth + 1 + LegalWord) / LegalWord;
  localparam int unsigned Words  = Fewest < 2 ? 2 : Fewest;  // s
  localparam int unsigned StoreW = Words * LegalWord;
  localparam int unsigned Cycles = 3 * Words - 1;
  localparam int unsigned CountW = $clog2(Cycles);
  localparam int unsigned SumW   = 2 * LegalWord + 2;  // of element 0, with the excess of its rows
  localparam int unsigned Rows   = LegalWord / 2 + 1;

  typedef enum logic [1:0] {StIdle, StRun, StDone} phase_e;

  // ---------------------------------------------------------------- control

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] cycle_d, cycle_q;
  logic              idle_q, first_q;
  logic              take_q;           // the next cycle has words of a, not of the quotient
  logic [Words-1:1]  sum_q;            // the element has a word of the quotient

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StRun;
      StRun:   if (cycle_q == CountW'(Cycles - 1)) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  assign cycle_d = (phase_q == StRun && phase_d == StRun) ? cycle_q + CountW'(1) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= StIdle;
      cycle_q <= '0;
      idle_q  <= 1'b1;
      first_q <= 1'b0;
      take_q  <= 1'b1;
      sum_q   <= '0;
    end else begin
      phase_q <= phase_d;
      cycle_q <= cycle_d;
      idle_q  <= phase_d == StIdle;
      first_q <= phase_q == StIdle && phase_d == StRun;
      take_q  <= ~cycle_d[0];
      for (int unsigned j = 1; j < Words; j++) begin
        if (j == 1) begin
          sum_q[j] <= !cycle_d[0] && cycle_d != '0 && cycle_d <= CountW'(2 * Words);
        end else begin
          sum_q[j] <= sum_q[j-1] && phase_d == StRun;
        end
      end
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;

  // ---------------------------------------------------------------- words of a and of the quotient

  logic [StoreW-1:0]         b, n;
  logic [StoreW-1:0]         a_q;              // the lowest word is the next one of element 0
  logic [Word-1:0]           a_held_q;         // the next one of element 1
  logic [Word-1:0]           x_0_q, n0_prime_q, quotient, low_0;
  logic [Words-1:1][Word-1:0] x_q;
  logic [Words-1:0][Word-1:0] t_q;

  assign b = StoreW'(b_i);
  assign n = StoreW'(n_i);

  always_ff @(posedge clk_i) begin
    if (idle_q) begin
      a_q        <= StoreW'(a_i) >> Word;
      a_held_q   <= Word'(a_i);
      x_0_q      <= Word'(a_i);
      n0_prime_q <= n0_prime_i;
    end else if (take_q) begin
      a_q      <= a_q >> Word;
      a_held_q <= a_q[Word-1:0];
      x_0_q    <= a_q[Word-1:0];
    end else begin
      x_0_q    <= quotient;
    end
    for (int unsigned j = 1; j < Words; j++) begin
      x_q[j] <= (j > 1) ? x_q[(j>1)?j-1 : 1] : take_q ? a_held_q : quotient;
    end
  end

  // ---------------------------------------------------------------- element 0

  logic [Word-1:0]                b_0_q, n_0_q, y_0;
  logic [2*Word-1:0]              p_0_q, p_0_late_q, product_0;
  logic [Rows-1:0][2*Word:0]      rows_0;
  logic [Rows+1:0][SumW-1:0]      terms_0;
  logic [1:0][SumW-1:0]           pair_0;
  logic                           one_0;

  mf_booth_rows #(.Width(LegalWord)) u_rows_0 (
    .x_i(x_0_q), .y_i(y_0), .rows_o(rows_0)
  );

  always_comb begin
    for (int unsigned r = 0; r < Rows; r++) terms_0[r] = SumW'(rows_0[r]);
    terms_0[Rows]   = SumW'(p_0_late_q & {(2 * Word){sum_q[1]}});
    terms_0[Rows+1] = SumW'(t_q[0] & {Word{sum_q[1]}});
  end

  mf_compressor_tree #(.Width(SumW), .Rows(Rows + 2)) u_tree_0 (
    .rows_i(terms_0), .bits_i('0), .rows_o(pair_0)
  );
  mf_adder #(.Width(2 * LegalWord), .Style(1)) u_product_0 (
    .a_i(pair_0[0][2*Word-1:0]), .b_i(pair_0[1][2*Word-1:0]), .sum_o(product_0)
  );

  // With a quotient word the low words are 0, or 2^Word in all.
  assign one_0 = pair_0[0][Word-1] | pair_0[1][Word-1];

  assign y_0 = sum_q[1] ? n_0_q : b_0_q;

  always_ff @(posedge clk_i) begin
    if (idle_q) begin
      b_0_q <= b[Word-1:0];
      n_0_q <= n[Word-1:0];
    end
    if (first_q || !take_q) begin
      p_0_q      <= product_0;
      p_0_late_q <= p_0_q;
    end
  end

  // ---------------------------------------------------------------- quotient

  mf_adder #(.Width(LegalWord), .Style(1)) u_low (
    .a_i(p_0_q[Word-1:0]), .b_i(t_q[0]), .sum_o(low_0)
  );
  mf_truncated_product #(.Width(LegalWord), .High(LegalWord)) u_quotient (
    .x_i(low_0), .y_i(n0_prime_q), .addend_i('0), .sum_o(quotient)
  );

  // ---------------------------------------------------------------- other elements

  logic [Words-1:1][Word-1:0] low;
  logic [Words-1:1][Word:0]   high, carry_q;

  for (genvar j = 1; j < Words; j++) begin : gen_element
    mf_fios_systolic_element #(
      .Word        (LegalWord),
      .First       (j == 1),
      .ModulusFirst(j % 2 == 1)
    ) u_element (
      .clk_i (clk_i),
      .load_i(idle_q),
      .b_i   (b[j*Word+:Word]),
      .n_i   (n[j*Word+:Word]),
      .sum_i (sum_q[j]),
      .x_i   (x_q[j]),
      .t_i   (t_q[j]),
      .s_i   ((j == 1) ? pair_0[0][SumW-1:Word] : '0),
      .c_i   ((j == 1) ? pair_0[1][SumW-1:Word] : (Word + 2)'(carry_q[(j>1)?j-1 : 1])),
      .one_i ((j == 1) && one_0),
      .low_o (low[j]),
      .high_o(high[j])
    );
  end

  always_ff @(posedge clk_i) begin
    carry_q <= high;
    for (int unsigned j = 1; j < Words; j++) begin
      t_q[j-1] <= (sum_q[j] ? low[j] : t_q[j-1]) & {Word{~idle_q}};
    end
    // The output of the last element is a word.
    t_q[Words-1] <= (sum_q[Words-1] ? high[Words-1][Word-1:0] : t_q[Words-1]) & {Word{~idle_q}};
  end

  assign p_o = OperandW'(t_q);

  // The product of element 0 fits, and no carry leaves the last element.
  logic unused_bits;
  assign unused_bits = ^{pair_0, carry_q[Words-1], high[Words-1][Word], t_q};

endmodule
