// SPDX-License-Identifier: Apache-2.0
//
// Definitions of the files of mf_fixed_prime: digits of constants, and cycles of the blocks.
//
// A constant is written in non-adjacent signed digits -1, 0, 1, the fewest that differ from 0
// (Reitwiesner, 1960): `plus` and `minus` are the places of ones and of minus ones.

package mf_fixed_pkg;

  /// Fewest bits of operands that a Karatsuba level splits.
  localparam int unsigned FewestSplit = 6;

  /// Rows of a product of `width` bits without Karatsuba levels, or of a square; few where `width`
  /// is illegal, so that elaboration gets to the message.
  function automatic int unsigned product_rows(int unsigned width, bit square);
    if (width < 1 || width > 1024) return 1;
    return square ? (width - 1) / 2 + 3 : width / 2 + 1;
  endfunction

  /// Cycles of mf_fixed_product.
  function automatic int unsigned product_cycles(int unsigned width, int unsigned karatsuba,
                                                 int unsigned levels, bit square);
    int unsigned bits, split, cycles;
    bits   = width;
    split  = 0;
    cycles = 0;
    while (split < karatsuba && bits >= FewestSplit) begin
      bits   = (bits + 1) / 2 + 1;
      cycles = cycles + mf_pipeline_pkg::tree_cycles(5, levels) + 2 * mf_pipeline_pkg::AdderCycles;
      split++;
    end
    return cycles + 1 + mf_pipeline_pkg::tree_cycles(product_rows(bits, square), levels) +
           mf_pipeline_pkg::AdderCycles;
  endfunction

  /// Bits of a modulus of `width` bits as a parameter, which is an integer if it is short; small
  /// where `width` is illegal, so that elaboration gets to the message.
  function automatic int unsigned modulus_bits(int unsigned width);
    return width < 32 || width > 768 ? 32 : width;
  endfunction

  /// A constant; a sum of rows has at most 2 Width + 12 bits.
  localparam int unsigned WideW = 1600;
  typedef logic [WideW-1:0] wide_t;

  function automatic wide_t plus(wide_t x);
    return ((x + (x << 1)) & ~x) >> 1;
  endfunction

  function automatic wide_t minus(wide_t x);
    return (~(x + (x << 1)) & x) >> 1;
  endfunction

  function automatic wide_t low_bits(wide_t x, int unsigned bits);
    return x & ((wide_t'(1) << bits) - wide_t'(1));
  endfunction

  /// Ones of a mask.
  function automatic int unsigned weight(wide_t mask);
    return 32'($countones(mask));
  endfunction

  /// Rows of mf_constant_rows.
  function automatic int unsigned constant_rows(wide_t plus_mask, wide_t minus_mask);
    return weight(plus_mask | minus_mask) + 1;
  endfunction

  /// Place of one number `which` of a mask, from the lowest one on: the most bits from the lowest
  /// bit on that have no more than `which` ones.
  function automatic int unsigned place(wide_t mask, int unsigned which);
    int unsigned bits;
    bits = 0;
    for (int unsigned more = 1024; more != 0; more = more / 2) begin
      if (weight(low_bits(mask, bits + more)) <= which) bits = bits + more;
    end
    return bits;
  endfunction

  /// -n^-1 mod 2^bits; n is odd. x = n has three bits right, each round doubles them.
  function automatic wide_t negative_inverse(wide_t n, int unsigned bits);
    wide_t x;
    x = n;
    for (int unsigned right = 3; right < bits; right = 2 * right) begin
      x = low_bits(x * (wide_t'(2) - n * x), bits);
    end
    return low_bits(-x, bits);
  endfunction

  /// 1 if n is 1, 2 if n is -1 modulo 2^word, else 0.
  function automatic int unsigned unit(wide_t n, int unsigned word);
    return low_bits(n, word) == wide_t'(1) ? 1 : low_bits(n + wide_t'(1), word) == '0 ? 2 : 0;
  endfunction

  /// Bits below a word that are added, too, so that the rest is known: see mf_fixed_step.
  function automatic int unsigned guard_bits(wide_t n, int unsigned word);
    int unsigned bits;
    bits = 32'($clog2(weight(plus(n) | minus(n)) + 2));
    return unit(n, word) != 0 ? 0 : bits < word ? bits : word;
  endfunction

  /// Values whose multiples a step adds.
  function automatic wide_t multiple(wide_t n, int unsigned word);
    return unit(n, word) == 1 ? (n - wide_t'(1)) >> word :
           unit(n, word) == 2 ? (n + wide_t'(1)) >> word : n;
  endfunction

  /// Bits that one step clears; those of Word = 0 where `word` is illegal.
  function automatic int unsigned word_bits(int unsigned width, int unsigned word);
    return word < 2 || word > width + 2 ? width + 2 : word;
  endfunction

  /// Steps of `word` bits: R > 4n, or 8n where quotient digits may be 2^word.
  function automatic int unsigned steps(wide_t n, int unsigned width, int unsigned word);
    return (width + (unit(n, word) == 1 ? 3 : 2) + word - 1) / word;
  endfunction

  /// Cycles from a step's operand to the digit of the quotient.
  function automatic int unsigned quotient_cycles(wide_t n, int unsigned word, int unsigned levels);
    wide_t inverse;
    inverse = negative_inverse(n, word);
    return unit(n, word) != 0 ? 0 : mf_pipeline_pkg::AdderCycles + mf_pipeline_pkg::tree_cycles(
        constant_rows(low_bits(plus(inverse), word), low_bits(minus(inverse), word)), levels);
  endfunction

  /// Cycles of mf_fixed_step.
  function automatic int unsigned step_cycles(wide_t n, int unsigned word, int unsigned levels);
    wide_t times;
    times = multiple(n, word);
    return quotient_cycles(n, word, levels) + mf_pipeline_pkg::AdderCycles +
           mf_pipeline_pkg::tree_cycles(constant_rows(plus(times), minus(times)) + 1, levels);
  endfunction

  /// Cycles of mf_fixed_fold.
  function automatic int unsigned fold_cycles(wide_t n, int unsigned width, int unsigned levels);
    wide_t c;
    c = (wide_t'(1) << width) - n;
    return 2 * (mf_pipeline_pkg::AdderCycles + mf_pipeline_pkg::tree_cycles(
        constant_rows(plus(c), minus(c)) + 1, levels));
  endfunction

  /// Cycles of mf_fixed_core; few where `width` is illegal, as above.
  function automatic int unsigned core_cycles(wide_t n, int unsigned width, int unsigned karatsuba,
                                              int unsigned levels, int unsigned word, bit fold,
                                              bit square);
    int unsigned bits;
    if (width < 3 || width > 768) return 2;
    bits = word_bits(width, word);
    return product_cycles(width + 1, karatsuba, levels, square) +
           (fold ? fold_cycles(n, width, levels) :
            steps(n, width, bits) * step_cycles(n, bits, levels));
  endfunction

endpackage
