// SPDX-License-Identifier: Apache-2.0
//
// Definitions of all exponentiators: numbers of the algorithms, error codes, words of operands.

package mf_modexp_pkg;

  /// Values of the parameter Algorithm.
  localparam int unsigned R2l                  = 0;
  localparam int unsigned L2r                  = 1;
  localparam int unsigned SquareMultiplyAlways = 2;
  localparam int unsigned Ladder               = 3;
  localparam int unsigned Window               = 4;
  localparam int unsigned Sliding              = 5;
  localparam int unsigned F4                   = 6;

  /// Values of error_o.
  localparam logic [3:0] ErrorNone    = 4'd0;
  localparam logic [3:0] ErrorModulus = 4'd1;   // n even or below 3
  localparam logic [3:0] ErrorLength  = 4'd2;   // e_len_i above the exponent's memory
  localparam logic [3:0] ErrorMessage = 4'd3;   // x not below n
  localparam logic [3:0] ErrorAborted = 4'd15;

  /// Where a word of a chain's operands goes: shifted into a register, or into the exponent.
  typedef struct packed {
    logic power;      // t: x
    logic factor;     // acc: r2
    logic modulus;
    logic constants;
    logic one;        // no word: t holds r1
    logic exponent;   // the word of that index
  } feed_t;

  /// Words of a pass of the word-serial unit, and of a chain's registers.
  function automatic int unsigned words(int unsigned width, int unsigned sum_bits, bit is_signed,
                                        int unsigned adder);
    int unsigned bits;
    bits = (is_signed || sum_bits < width + 2) ? width + 2 : sum_bits;
    return (bits + adder - 1) / adder;
  endfunction

endpackage
