// SPDX-License-Identifier: Apache-2.0
//
// Scalable radix-2 Montgomery multiplier: a row of processing elements, a word in each cycle.
//
// Source:   Tenca, Koc, IEEE TC 52(9), 2003 (multiple-word radix-2, MWR2MM). Offset = 1: elements
//           one cycle apart, as in Huang, Gaj, El-Ghazawi, IEEE TC 60(7), 2011.
// Computes: p = a * b * R^-1 mod n, R = 2^Iterations; element i: bits i, i + Elements, ... of a.
// Contract: n odd, 3 <= n < 2^Width.
//           Closed = 1: R = 2^(Width+2), a, b, p < 2n, closed.
//           Closed = 0: R = 2^Width, a, b < n, p < 2n: the published form, not closed.
// Latency:  iteration i starts in cycle s(i) = max(s(i-1) + Offset, s(i-Elements) + Words + 1); the
//           last one's start + Words + 1. With enough elements that is Offset * (Iterations - 1) +
//           Words + 1. Constant time: yes.
//
// Round: the elements start one after the other; element 0 starts again after Round cycles, with
// the words that the last element gives, which wait in a delay line where they come too early.
// Words of b and n turn in y_q and n_q and move along with S. Word number Words is 0: it brings
// the last carry out.
//
// Changed: with Offset = 1 the top bit of a word, which is the lowest bit of the next word in the
// element before, is used in the cycle in which it is formed. It depends on three XORs, so that
// Huang's computation of both cases and selection is not needed.

module mf_tenca_koc #(
  /// Bits of the widest modulus; at least 3.
  parameter int unsigned Width    = 256,
  /// Bits of a word; at least 2.
  parameter int unsigned Word     = 16,
  /// Processing elements; at least 1.
  parameter int unsigned Elements = 8,
  /// Cycles between the starts of neighbours: 1 or 2.
  parameter int unsigned Offset   = 2,
  /// Two more iterations, so that results are legal operands.
  parameter bit          Closed   = 1'b1,

  localparam int unsigned OperandW = Closed ? Width + 1 : Width
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
  output logic [Width:0]      p_o
);

  if (Width < 3) begin : gen_illegal_width
    $fatal(1, "mf_tenca_koc: Width must be at least 3");
  end
  if (Word < 2) begin : gen_illegal_word
    $fatal(1, "mf_tenca_koc: Word must be at least 2");
  end
  if (Elements < 1) begin : gen_illegal_elements
    $fatal(1, "mf_tenca_koc: Elements must be at least 1");
  end
  if (Offset < 1 || Offset > 2) begin : gen_illegal_offset
    $fatal(1, "mf_tenca_koc: Offset must be 1 or 2");
  end

  localparam int unsigned Iterations = Closed ? Width + 2 : Width;
  // S < 2n, or < 3n where operands are below 2n.
  localparam int unsigned SumW       = Closed ? Width + 2 : Width + 1;
  localparam int unsigned Words      = (SumW + Word - 1) / Word;
  localparam int unsigned StoreW     = Words * Word;
  localparam int unsigned Round      = Words + 1 > Offset * Elements ? Words + 1
                                                                     : Offset * Elements;
  localparam int unsigned Wait       = Round - Offset * Elements;
  localparam int unsigned LastElement = (Iterations - 1) % Elements;
  localparam int unsigned Latency    = Round * ((Iterations - 1) / Elements) +
                                       Offset * LastElement + Words + 1;
  localparam int unsigned CountW     = $clog2(Latency);
  localparam int unsigned RoundW     = $clog2(Round);

  typedef enum logic [1:0] {StIdle, StRun, StDone} phase_e;

  phase_e            phase_d, phase_q;
  logic [CountW-1:0] count_q;
  logic [RoundW-1:0] place_q;  // in the round of element 0
  logic              first_round_q, running, words_left;

  logic [OperandW-1:0] a_q;
  logic [StoreW-1:0]   y_q, n_q, result_q;

  assign running    = phase_q == StRun;
  assign words_left = place_q < RoundW'(Words);

  // ---------------------------------------------------------------- elements

  logic [Elements-1:0]           first, v_low;
  logic [Elements-1:0][Word-1:1] v;
  logic [Elements-1:0][Word-1:0] s, y, n;
  logic [Word-1:0]               returned;

  assign first[0] = running && place_q == '0;
  assign y[0]     = y_q[Word-1:0] & {Word{words_left}};
  assign n[0]     = n_q[Word-1:0] & {Word{words_left}};
  assign s[0]     = returned & {Word{!first_round_q}};

  for (genvar i = 0; i < Elements; i++) begin : gen_element
    mf_tenca_koc_pe #(.Word(Word)) u_element (
      .clk_i  (clk_i),
      .first_i(first[i]),
      .a_bit_i(a_q[0]),
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
  for (genvar i = 1; i < Elements; i++) begin : gen_link
    logic [Offset-1:0]           first_q;
    logic [Offset-1:0][Word-1:0] y_link_q, n_link_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) first_q <= '0;
      else first_q <= Offset'({first_q, first[i-1]}) & {Offset{running}};
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

  // ---------------------------------------------------------------- control and storage

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StRun;
      StRun:   if (count_q == CountW'(Latency - 1)) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q       <= StIdle;
      count_q       <= '0;
      place_q       <= '0;
      first_round_q <= 1'b1;
    end else begin
      phase_q <= phase_d;
      count_q <= running ? count_q + CountW'(1) : '0;
      if (!running) begin
        place_q       <= '0;
        first_round_q <= 1'b1;
      end else if (place_q == RoundW'(Round - 1)) begin
        place_q       <= '0;
        first_round_q <= 1'b0;
      end else begin
        place_q <= place_q + RoundW'(1);
      end
    end
  end

  logic [StoreW-1:0] b, modulus;
  always_comb begin
    b                  = '0;
    modulus            = '0;
    b[OperandW-1:0]    = b_i;
    modulus[Width-1:0] = n_i;
  end

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      a_q <= a_i;
      y_q <= b;
      n_q <= modulus;
    end else begin
      if (|first) a_q <= a_q >> 1;
      if (words_left) begin
        y_q <= StoreW'({y_q[Word-1:0], y_q} >> Word);
        n_q <= StoreW'({n_q[Word-1:0], n_q} >> Word);
      end
    end
    // The words of the last iteration are the last that enter.
    if (running) begin
      result_q <= StoreW'({v_low[LastElement], v[LastElement], result_q} >> Word);
    end
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = result_q[Width:0];

  // The result is below 2n.
  if (StoreW > Width + 1) begin : gen_padding
    logic unused_result;
    assign unused_result = ^result_q[StoreW-1:Width+1];
  end

endmodule
