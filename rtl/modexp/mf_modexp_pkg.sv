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

  /// The destination of a word of a chain's operands: shifted into a register, or a word of the
  /// exponent.
  typedef struct packed {
    logic power;      // t: x
    logic factor;     // acc: r2
    logic modulus;
    logic constants;
    logic one;        // no word: t holds r1
    logic exponent;   // the word with the index
  } feed_t;

  /// Steps of a power: each is a turn, or several of one kind.
  typedef enum logic [2:0] {
    StEnter,    // x enters the domain
    StTable,    // an entry of the table
    StSquare,
    StProduct,
    StBoth,     // a square and a product in lockstep
    StLeave     // the result leaves the domain
  } step_e;

  /// Terms whose OR the registers t and acc of a chain load: results of a squaring and a product,
  /// the word of the table, acc (for t), the factor that leaves the domain (for acc), words of a
  /// pass.
  typedef struct packed {
    logic t_square;
    logic t_product;
    logic t_read;
    logic t_acc;
    logic t_words;
    logic acc_square;
    logic acc_product;
    logic acc_read;
    logic acc_leave;
    logic acc_words;
  } terms_t;

  /// A pass of the word-serial unit. Passes subtract 2^(Passes - 1) n, then half of that each.
  typedef struct packed {
    logic run;       // it has a word in this cycle
    logic next;      // it has a word in the next cycle, for which the others hold:
    logic subtract;  // n is subtracted, not added
    logic wide;      // n is not halved yet: the first pass at the end
    logic halve;     // n returns halved
    logic top;       // the word is the last one
  } pass_t;

  /// Words of a pass of the word-serial unit, and of a chain's registers.
  function automatic int unsigned words(int unsigned width, int unsigned sum_bits, bit is_signed,
                                        int unsigned adder);
    int unsigned bits;
    bits = (is_signed || sum_bits < width + 2) ? width + 2 : sum_bits;
    return (bits + adder - 1) / adder;
  endfunction

endpackage
