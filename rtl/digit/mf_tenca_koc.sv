// SPDX-License-Identifier: Apache-2.0
//
// Scalable radix-2 Montgomery multiplier: a row of processing elements, a word in each cycle.
// Operands and result are streams of words; mf_tenca_koc_par has parallel ports.
//
// Source:   Tenca, Koc, IEEE TC 52(9), 2003 (multiple-word radix-2, MWR2MM). Offset = 1: elements
//           one cycle apart, as in Huang, Gaj, El-Ghazawi, IEEE TC 60(7), 2011.
// Computes: p = a * b * R^-1 mod n, R = 2^Iterations; element i: bits i, i + Elements, ... of a.
// Contract: n odd, 3 <= n < 2^Width.
//           Closed = 1: R = 2^(Width+2), a, b, p < 2n, closed.
//           Closed = 0: R = 2^Width, a, b < n, p < 2n: the published form, not closed.
// Latency:  iteration i starts in cycle s(i) = max(s(i-1) + Offset, s(i-Elements) + Words + 1); the
//           result's last word comes in the cycle of the last one's start + Words + 1. With enough
//           elements that is Offset * (Iterations - 1) + Words + 1. Constant time: yes.
// Streams:  in each cycle with word_taken_o, b_word_i and n_word_i are the next words of b and n,
//           the lowest first, and after the last words the first again. In each cycle with
//           a_taken_o, a_bit_i is the next bit of a, the lowest first. The sources are memories,
//           not channels: words can't be late. p_word_o has the words of the result, the lowest
//           first, in the Words consecutive cycles with p_valid_o.
// Paths:    a_bit_i to p_word_o, within a cycle.
//
// Round: the elements start one after the other; element 0 starts again after Round cycles, with
// the words of the last element, which a delay line holds back where they come early. Words of b
// and n move along with S. Word number Words is 0, for the last carry, that of S as well: behind it
// the words of the next iteration of an element may follow at once.
//
// Changed: with Offset = 1 the top bit of a word, which is the lowest bit of the next word in the
// element before, is used in the cycle in which it is formed. It depends on three XORs, so that
// Huang's computation of both cases and selection is not needed.

module mf_tenca_koc #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width    = 256,
  /// Bits of a word; 2 to 256.
  parameter int unsigned Word     = 16,
  /// Processing elements; 1 to 1024.
  parameter int unsigned Elements = 8,
  /// Cycles between the starts of neighbours: 1 or 2.
  parameter int unsigned Offset   = 2,
  /// Two more iterations, so that results are legal operands.
  parameter bit          Closed   = 1'b1,

  localparam int unsigned LegalElements = Elements < 1 || Elements > 1024 ? 1 : Elements,

  localparam int unsigned Iterations = Closed ? Width + 2 : Width,
  // S < 2n, or < 3n where operands are below 2n.
  localparam int unsigned SumW       = Closed ? Width + 2 : Width + 1,
  localparam int unsigned Words      = (SumW + Word - 1) / (Word == 0 ? 1 : Word)
) (
  input  logic            clk_i,
  input  logic            rst_ni,

  input  logic            req_valid_i,
  output logic            req_ready_o,

  output logic            a_taken_o,
  input  logic            a_bit_i,
  output logic            word_taken_o,
  input  logic [Word-1:0] b_word_i,
  input  logic [Word-1:0] n_word_i,

  output logic            p_valid_o,
  output logic            p_last_o,
  output logic [Word-1:0] p_word_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_tenca_koc: Width must be 3 to 8192");
  end else if (Word < 2 || Word > 256) begin : gen_illegal_word
    $fatal(1, "mf_tenca_koc: Word must be 2 to 256");
  end else if (Elements < 1 || Elements > 1024) begin : gen_illegal_elements
    $fatal(1, "mf_tenca_koc: Elements must be 1 to 1024");
  end else if (Offset < 1 || Offset > 2) begin : gen_illegal_offset
    $fatal(1, "mf_tenca_koc: Offset must be 1 or 2");
  end

  localparam int unsigned Round      = Words + 1 > Offset * LegalElements ? Words + 1
                                                                          : Offset * LegalElements;
  localparam int unsigned Wait       = Round - Offset * LegalElements;
  localparam int unsigned Rounds      = (Iterations - 1) / LegalElements + 1;
  localparam int unsigned LastElement = (Iterations - 1) % LegalElements;
  localparam int unsigned Latency     = Round * (Rounds - 1) + Offset * LastElement + Words + 1;
  localparam int unsigned CountW      = $clog2(Latency);
  localparam int unsigned RoundW      = $clog2(Round);

  logic [CountW-1:0] count_q;
  logic [RoundW-1:0] place_q;  // in the round of element 0
  logic              running_q, first_round_q;
  logic              last_round_q;  // each element has its last bit of a, or none
  logic              starts_q;      // element 0 starts an iteration
  logic              words_left_q;  // element 0 takes a word

  // ---------------------------------------------------------------- elements

  logic [Elements-1:0]           first, v_low;
  logic [Elements-1:0][Word-1:1] v;
  logic [Elements-1:0][Word-1:0] s, y, n;
  logic [Word-1:0]               returned;

  assign first[0] = running_q && starts_q;
  assign y[0]     = b_word_i & {Word{words_left_q}};
  assign n[0]     = n_word_i & {Word{words_left_q}};
  assign s[0]     = returned & {Word{!first_round_q && words_left_q}};

  for (genvar i = 0; i < LegalElements; i++) begin : gen_element
    mf_tenca_koc_pe #(.Word(Word)) u_element (
      .clk_i  (clk_i),
      .first_i(first[i]),
      .a_bit_i(a_bit_i),
      .s_top_i(s[i][Word-1]),
      .s_low_i(s[i][Word-2:0]),
      .y_i    (y[i]),
      .n_i    (n[i]),
      .v_low_o(v_low[i]),
      .v_q    (v[i])
    );
  end

  // From one element to the next: Offset cycles for b, n and the start; S takes a cycle in the
  // element, and one more here if the offset is 2.
  for (genvar i = 1; i < LegalElements; i++) begin : gen_link
    logic [Offset-1:0]           first_q;
    logic [Offset-1:0][Word-1:0] y_link_q, n_link_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) first_q <= '0;
      else first_q <= Offset'({first_q, first[i-1]}) & {Offset{running_q}};
    end
    always_ff @(posedge clk_i) begin
      y_link_q <= (Offset * Word)'({y_link_q, y[i-1]});
      n_link_q <= (Offset * Word)'({n_link_q, n[i-1]});
    end
    assign first[i] = first_q[Offset-1];
    assign y[i]     = y_link_q[Offset-1];
    assign n[i]     = n_link_q[Offset-1];

    if (Offset == 1) begin : gen_at_once
      assign s[i] = {v_low[i-1], v[i-1]};
    end else begin : gen_one_later
      always_ff @(posedge clk_i) s[i] <= {v_low[i-1], v[i-1]};
    end
  end

  // The last element's words return to the first, Wait cycles later than to a neighbour.
  localparam int unsigned ReturnStages = Wait + Offset - 1;
  if (ReturnStages == 0) begin : gen_return_at_once
    assign returned = {v_low[Elements-1], v[Elements-1]};
  end else begin : gen_return
    logic [ReturnStages-1:0][Word-1:0] waiting_q;
    always_ff @(posedge clk_i) begin
      waiting_q[0] <= {v_low[Elements-1], v[Elements-1]};
      for (int unsigned w = 1; w < ReturnStages; w++) waiting_q[w] <= waiting_q[w-1];
    end
    assign returned = waiting_q[ReturnStages-1];
  end

  // ---------------------------------------------------------------- control

  logic last_cycle;
  assign last_cycle = count_q == CountW'(Latency - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q     <= 1'b0;
      count_q       <= '0;
      place_q       <= '0;
      first_round_q <= 1'b1;
      last_round_q  <= Rounds == 1;
      starts_q      <= 1'b1;
      words_left_q  <= 1'b1;
      p_valid_o     <= 1'b0;
    end else if (!running_q) begin
      running_q     <= req_valid_i;
      count_q       <= '0;
      place_q       <= '0;
      first_round_q <= 1'b1;
      last_round_q  <= Rounds == 1;
      starts_q      <= 1'b1;
      words_left_q  <= 1'b1;
      p_valid_o     <= 1'b0;
    end else begin
      running_q <= !last_cycle;
      count_q   <= count_q + CountW'(1);
      if (place_q == RoundW'(Round - 1)) begin
        place_q       <= '0;
        first_round_q <= 1'b0;
        starts_q      <= !last_round_q;
        words_left_q  <= !last_round_q;
        if (Rounds > 1 && count_q == CountW'(Round * (Rounds - 1) - 1)) last_round_q <= 1'b1;
      end else begin
        place_q  <= place_q + RoundW'(1);
        starts_q <= 1'b0;
        if (place_q == RoundW'(Words - 1)) words_left_q <= 1'b0;
      end
      // The words of the last iteration are the last ones.
      p_valid_o <= (p_valid_o || count_q == CountW'(Latency - Words - 1)) && !last_cycle;
    end
  end

  assign req_ready_o  = !running_q;
  assign a_taken_o    = last_round_q ? |first[LastElement:0] : |first;
  assign word_taken_o = running_q && words_left_q;
  assign p_last_o     = running_q && last_cycle;
  assign p_word_o     = {v_low[LastElement], v[LastElement]};

endmodule
