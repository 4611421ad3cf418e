// SPDX-License-Identifier: Apache-2.0
//
// Memory of an exponent in words, and a reader that gives its bits one after the other.
//
// Contract: the last cycle without busy_i takes the public length, and with load_i e_i; the low
//           length_i bits are given, from the highest down or, with LowestFirst, from the lowest
//           up. A length of 0 gives one bit, 0. Without busy_i, after one cycle, no bit is valid,
//           and e is overwritten with zeros. The first bit is valid 3 cycles after the load, each
//           further bit in the cycle after take_i, which has no effect while no bit is valid.
// Serial:   e_i has no effect; words are written by write_i before the load, and stay.
// Constant time: the reader follows take_i and the length only.
//
// bit_q: the present bit; word, select_q: the word of the next bit, and its place in the word;
// at_q: the place of the bit after the next one.

module mf_modexp_exponent #(
  /// Bits of the longest exponent; at least 1.
  parameter int unsigned Bits        = 256,
  /// Order of the bits.
  parameter bit          LowestFirst = 1'b0,
  /// Bits of a word; a power of two, at least 4.
  parameter int unsigned WordW       = 32,
  /// Words come one by one, not all at once.
  parameter bit          Serial      = 1'b0,

  localparam int unsigned LengthW = $clog2(Bits + 1),
  localparam int unsigned Words   = (Bits + WordW - 1) / WordW,
  localparam int unsigned IndexW  = (Words > 1) ? $clog2(Words) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               busy_i,
  input  logic               load_i,
  input  logic [Bits-1:0]    e_i,
  /// At most Bits.
  input  logic [LengthW-1:0] length_i,

  input  logic               write_i,
  input  logic [IndexW-1:0]  index_i,
  input  logic [WordW-1:0]   word_i,

  output logic               valid_o,
  output logic               bit_o,
  input  logic               take_i
);

  localparam int unsigned SelectW = $clog2(WordW);
  localparam int unsigned AtW     = IndexW + SelectW;

  logic [WordW-1:0]   word;
  logic [SelectW-1:0] select_q;
  logic [AtW-1:0]     at_q;
  logic               any_q, last;       // there is a bit at at_q; it is the last one
  logic               valid_q, bit_q;    // the present bit
  logic               found_q, empty_q;  // word is valid; the length is 0
  logic               advance, fetch;

  assign advance = !valid_q || take_i;
  assign fetch   = !found_q || advance;

  always_ff @(posedge clk_i) begin
    if (!busy_i) begin
      at_q    <= (LowestFirst || length_i == '0) ? '0 : AtW'(length_i - LengthW'(1));
      empty_q <= length_i == '0;
    end else begin
      if (advance) bit_q <= word[select_q] && !empty_q;
      if (fetch) begin
        at_q     <= LowestFirst ? at_q + AtW'(1) : at_q - AtW'(1);
        select_q <= at_q[SelectW-1:0];
      end
    end
  end

  if (LowestFirst) begin : gen_up
    logic [LengthW-1:0] left_q;  // bits from at_q on, if there are any

    always_ff @(posedge clk_i) begin
      if (!busy_i) left_q <= length_i;
      else if (fetch) left_q <= left_q - LengthW'(1);
    end

    assign last = (left_q >> 1) == '0;  // 0 or 1
  end else begin : gen_down
    assign last = at_q == '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      found_q <= 1'b0;
      any_q   <= 1'b0;
    end else if (!busy_i) begin
      valid_q <= 1'b0;
      found_q <= 1'b0;
      any_q   <= 1'b1;
    end else begin
      if (advance) valid_q <= found_q;
      if (fetch) begin
        found_q <= any_q;
        any_q   <= any_q && !last;
      end
    end
  end

  if (Serial) begin : gen_memory
    logic [IndexW-1:0] index, index_q;  // of the word

    assign index = fetch ? at_q[AtW-1:SelectW] : index_q;

    always_ff @(posedge clk_i) begin
      index_q <= index;
    end

    mf_modexp_table #(.Width(WordW), .Depth((Words > 1) ? Words : 2)) u_words (
      .clk_i    (clk_i),
      .wr_en_i  (write_i),
      .wr_addr_i(index_i),
      .wr_data_i(word_i),
      .rd_addr_i(index),
      .rd_data_o(word)
    );

    logic unused_e;
    assign unused_e = ^{e_i, load_i};
  end else begin : gen_registers
    logic [Words-1:0][WordW-1:0] e_q;
    logic [WordW-1:0]            word_q;

    always_ff @(posedge clk_i) begin
      e_q <= ((Words * WordW)'(e_i) & {(Words * WordW) {load_i}}) |
             (e_q & {(Words * WordW) {busy_i}});
      if (fetch) word_q <= e_q[at_q[AtW-1:SelectW]];
    end
    assign word = word_q;

    logic unused_write;
    assign unused_write = ^{write_i, index_i, word_i};
  end

  assign valid_o = valid_q;
  assign bit_o   = bit_q;

endmodule
