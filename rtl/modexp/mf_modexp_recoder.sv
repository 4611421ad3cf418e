// SPDX-License-Identifier: Apache-2.0
//
// Recodes an exponent's bits to digits: groups of squarings with at most one product at the end.
//
// Contract: a digit is valid until it is taken. The bits of the exponent come one a cycle.
//           Sliding: a digit is one zero bit (1 squaring, no product), or the longest string of at
//           most DigitW bits that begins and ends with 1 (a squaring for each bit, and the product
//           with the power of that odd value). Window: DigitW bits, but the first digit can have
//           fewer. Others: one bit (a squaring, and if it is 1 a product).
// Constant time: Window, and one bit: yes, digits come in a time that depends on the length only.
//           Sliding: no.

module mf_modexp_recoder
  import mf_modexp_pkg::*;
#(
  /// An algorithm of mf_modexp_pkg.
  parameter int unsigned Algorithm = Window,
  /// Bits of a digit; 1 to 6.
  parameter int unsigned DigitW    = 4,
  /// Bits of the exponent's length.
  parameter int unsigned LengthW   = 9,

  localparam int unsigned CountW = $clog2(DigitW + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  /// Idle or wipe; in the last such cycle the length is taken.
  input  logic               load_i,
  /// Bits of the exponent; used with load_i.
  input  logic [LengthW-1:0] length_i,

  input  logic               bit_valid_i,
  input  logic               bit_i,
  output logic               bit_take_o,

  output logic               valid_o,
  /// Another digit follows, valid or not; true from the cycle after take_i on.
  output logic               more_o,
  /// Squarings of the digit, 1 to DigitW.
  output logic [CountW-1:0]  squarings_o,
  output logic               product_o,
  /// Value of the digit.
  output logic [DigitW-1:0]  digit_o,
  input  logic               take_i
);

  if (Algorithm == Window && DigitW > 1) begin : gen_window
    // The first digit has ((length - 1) mod DigitW) + 1 bits. Two steps, each a table: the residues
    // of the two halves of length - 1, then that of their sum.
    localparam int unsigned HalfW = (LengthW + 1) / 2;

    logic [2**HalfW-1:0][CountW-1:0]      low, high;
    logic [2**(2*CountW)-1:0][CountW-1:0] firsts;

    for (genvar i = 0; i < 2 ** HalfW; i++) begin : gen_residues
      assign low[i]  = CountW'(i % DigitW);
      assign high[i] = CountW'((i * 2 ** HalfW) % DigitW);
    end
    for (genvar i = 0; i < 2 ** (2 * CountW); i++) begin : gen_firsts
      assign firsts[i] = CountW'((i % 2 ** CountW + i / 2 ** CountW) % DigitW + 1);
    end

    logic [LengthW-1:0] before_q;  // length - 1
    logic [2*HalfW-1:0] halves;
    logic [CountW-1:0]  high_q, low_q;
    logic [1:0]         wait_q;    // steps until bits are collected
    logic [CountW-1:0]  left_q;    // bits that the digit lacks
    logic [DigitW-1:0]  digit_q;
    logic               taken_q;   // the digit was taken in the cycle before
    logic               filling_q, filled, valid_q;

    assign halves = (2 * HalfW)'(before_q);

    always_ff @(posedge clk_i) begin
      if (load_i) before_q <= (length_i == '0) ? '0 : length_i - LengthW'(1);
      high_q <= high[halves[2*HalfW-1:HalfW]];
      low_q  <= low[halves[HalfW-1:0]];
      if (load_i || wait_q[1]) begin
        left_q  <= firsts[{high_q, low_q}];
        digit_q <= '0;
      end else if (taken_q) begin
        left_q  <= CountW'(DigitW);
      end else if (filled) begin
        left_q  <= left_q - CountW'(1);
        digit_q <= {digit_q[DigitW-2:0], bit_i};
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wait_q    <= '0;
        taken_q   <= 1'b0;
        filling_q <= 1'b0;
        valid_q   <= 1'b0;
      end else begin
        wait_q    <= load_i ? 2'b01 : {wait_q[0], 1'b0};
        taken_q   <= !load_i && take_i;
        filling_q <= !load_i && (wait_q[1] || taken_q || (filling_q && left_q != CountW'(1)) ||
                                 (filling_q && !bit_valid_i));
        valid_q   <= !load_i && ((filled && left_q == CountW'(1)) || (valid_q && !take_i));
      end
    end

    assign filled      = filling_q && bit_valid_i;
    assign bit_take_o  = filling_q;
    assign valid_o     = valid_q;
    assign more_o      = valid_q;
    assign squarings_o = CountW'(DigitW);
    assign product_o   = 1'b1;
    assign digit_o     = digit_q;
  end else if (Algorithm == Sliding && DigitW > 1) begin : gen_sliding
    logic [DigitW-1:0] bits_q;   // the next bits, the first one highest, then zeros
    logic [CountW-1:0] count_q;  // bits in bits_q
    logic [CountW-1:0] length, length_q;
    logic [DigitW-1:0] digit, digit_q;
    logic              valid_q, fill, full;

    // The string up to the last 1.
    always_comb begin
      length = CountW'(1);
      digit  = DigitW'(bits_q[DigitW-1]);
      for (int unsigned i = 1; i < DigitW; i++) begin
        if (bits_q[DigitW-1] && bits_q[DigitW-1-i]) begin
          length = CountW'(i + 1);
          digit  = bits_q >> (DigitW - 1 - i);
        end
      end
    end

    assign full = count_q == CountW'(DigitW);
    assign fill = bit_valid_i && !full && !take_i;

    always_ff @(posedge clk_i) begin
      if (load_i) bits_q <= '0;
      else if (take_i) bits_q <= bits_q << length_q;
      else if (fill) bits_q <= bits_q | (DigitW'(bit_i) << (CountW'(DigitW - 1) - count_q));
      length_q <= length;
      digit_q  <= digit;
    end

    // A digit is valid when bits_q is full or holds the last bits.
    logic waited_q;  // the exponent's first bit has come

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q  <= '0;
        valid_q  <= 1'b0;
        waited_q <= 1'b0;
      end else if (load_i) begin
        count_q  <= '0;
        valid_q  <= 1'b0;
        waited_q <= 1'b0;
      end else begin
        if (take_i) count_q <= count_q - length_q;
        else if (fill) count_q <= count_q + CountW'(1);
        waited_q <= waited_q || bit_valid_i;
        valid_q  <= !take_i && !fill && waited_q && (full || !bit_valid_i) && count_q != '0;
      end
    end

    assign bit_take_o  = fill;
    assign valid_o     = valid_q;
    assign more_o      = bit_valid_i || count_q != '0;
    assign squarings_o = length_q;
    assign product_o   = digit_q[0];
    assign digit_o     = digit_q;

    logic unused_length;
    assign unused_length = ^length_i;
  end else begin : gen_bit
    assign bit_take_o  = take_i;
    assign valid_o     = bit_valid_i;
    assign more_o      = bit_valid_i;
    assign squarings_o = CountW'(1);
    assign product_o   = bit_i || !(Algorithm == L2r || Algorithm == Sliding);
    assign digit_o     = DigitW'(bit_i);

    logic unused_inputs;
    assign unused_inputs = ^{clk_i, rst_ni, load_i, length_i};
  end

endmodule
