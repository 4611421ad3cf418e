// SPDX-License-Identifier: Apache-2.0
//
// Memory of an exponent in words, and a reader that gives its bits one after the other.
//
// Contract: load_i takes e_i and its public length; the length_i low bits are given, from the
//           highest down or, with LowestFirst, from the lowest up. A length of 0 gives one bit, 0.
//           The first bit is there 3 cycles after load_i, each further one right after take_i.
// Constant time: the reader follows take_i and the length only.
//
// bit_q: the present bit; word_q, select_q: the word of the next one and its place there; at_q: the
// bit after that.

module mf_modexp_exponent #(
  /// Bits of the longest exponent; at least 1.
  parameter int unsigned Bits        = 256,
  /// Order of the bits.
  parameter bit          LowestFirst = 1'b0,

  localparam int unsigned LengthW = $clog2(Bits + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               load_i,
  /// Overwrites the exponent with zeros; no bit is valid then.
  input  logic               wipe_i,
  input  logic [Bits-1:0]    e_i,
  /// At most Bits.
  input  logic [LengthW-1:0] length_i,

  output logic               valid_o,
  output logic               bit_o,
  input  logic               take_i
);

  localparam int unsigned WordW   = 32;
  localparam int unsigned Words   = (Bits + WordW - 1) / WordW;
  localparam int unsigned SelectW = $clog2(WordW);
  localparam int unsigned IndexW  = (Words > 1) ? $clog2(Words) : 1;
  localparam int unsigned AtW     = IndexW + SelectW;

  logic [Words-1:0][WordW-1:0] e_q;
  logic [WordW-1:0]            word_q;
  logic [SelectW-1:0]          select_q;
  logic [AtW-1:0]              at_q;
  logic [LengthW-1:0]          left_q;  // bits from at_q on
  logic                        valid_q, bit_q;      // of the present bit
  logic                        found_q, empty_q;    // a word is there; there is no bit of e
  logic                        advance, fetch;

  assign advance = !valid_q || take_i;
  assign fetch   = !found_q || advance;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      e_q     <= (Words * WordW)'(e_i);
      at_q    <= (LowestFirst || length_i == '0) ? '0 : AtW'(length_i - LengthW'(1));
      empty_q <= length_i == '0;
    end else begin
      if (wipe_i) e_q <= '0;
      if (advance) bit_q <= word_q[select_q] && !empty_q;
      if (fetch) begin
        at_q     <= LowestFirst ? at_q + AtW'(1) : at_q - AtW'(1);
        word_q   <= e_q[at_q[AtW-1:SelectW]];
        select_q <= at_q[SelectW-1:0];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      found_q <= 1'b0;
      left_q  <= '0;
    end else if (load_i) begin
      valid_q <= 1'b0;
      found_q <= 1'b0;
      left_q  <= (length_i == '0) ? LengthW'(1) : length_i;
    end else if (wipe_i) begin
      valid_q <= 1'b0;
      found_q <= 1'b0;
      left_q  <= '0;
    end else begin
      if (advance) valid_q <= found_q;
      if (fetch) begin
        found_q <= left_q != '0;
        if (left_q != '0) left_q <= left_q - LengthW'(1);
      end
    end
  end

  assign valid_o = valid_q;
  assign bit_o   = bit_q;

endmodule
