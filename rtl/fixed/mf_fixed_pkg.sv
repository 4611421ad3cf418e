// SPDX-License-Identifier: Apache-2.0
//
// Functions of mf_fixed_prime's files: signed digits of constants, and latencies of the blocks.
//
// A constant is written in its non-adjacent form (Reitwiesner, 1960), the signed digits -1, 0, 1
// with the fewest nonzero ones: `plus` and `minus` are the masks of the digits 1 and -1.

package mf_fixed_pkg;

  // Functions of an illegal width return small numbers, so that elaboration gets to the message.

  /// Bits of the parameter that holds a modulus of `width` bits: an integer's if they are fewer.
  function automatic int unsigned modulus_bits(int unsigned width);
    return width < 32 || width > 768 ? 32 : width;
  endfunction

  /// A constant; a sum of rows has at most 2 Width + 12 bits.
  typedef logic [1599:0] wide_t;

  function automatic wide_t plus(wide_t x);
    return ((x + (x << 1)) & ~x) >> 1;
  endfunction

  function automatic wide_t minus(wide_t x);
    return (~(x + (x << 1)) & x) >> 1;
  endfunction

  function automatic wide_t low_bits(wide_t x, int unsigned bits);
    return x & ((wide_t'(1) << bits) - wide_t'(1));
  endfunction

  /// Rows of mf_constant_rows.
  function automatic int unsigned constant_rows(wide_t plus_mask, wide_t minus_mask);
    return $countones(plus_mask | minus_mask) + 1;
  endfunction

  /// Place of a one of a mask, the `which` one from 0 on from below: the largest number of low bits
  /// with no more than `which` ones.
  function automatic int unsigned place(wide_t mask, int unsigned which);
    int unsigned bits;
    bits = 0;
    for (int unsigned more = 1024; more != 0; more = more / 2) begin
      if ($countones(low_bits(mask, bits + more)) <= which) bits = bits + more;
    end
    return bits;
  endfunction

  /// -n^-1 mod 2^bits, n odd, by Newton's iteration: x = n^-1 modulo 8, then doubled bits.
  function automatic wide_t negative_inverse(wide_t n, int unsigned bits);
    wide_t x;
    x = n;
    for (int unsigned right = 3; right < bits; right = 2 * right) begin
      x = low_bits(x * (wide_t'(2) - n * x), bits);
    end
    return low_bits(-x, bits);
  endfunction

  /// 1 if n = 1, 2 if n = -1 modulo 2^word, else 0.
  function automatic int unsigned unit(wide_t n, int unsigned word);
    return low_bits(n, word) == wide_t'(1) ? 1 : low_bits(n + wide_t'(1), word) == '0 ? 2 : 0;
  endfunction

  /// Guard bits g of a step: columns below the word that are added (mf_fixed_step).
  function automatic int unsigned guard_bits(wide_t n, int unsigned word);
    int unsigned bits;
    bits = $clog2(constant_rows(plus(n), minus(n)) + 1);
    return unit(n, word) != 0 ? 0 : bits < word ? bits : word;
  endfunction

  /// Constant whose product with the quotient digit a step adds.
  function automatic wide_t multiple(wide_t n, int unsigned word);
    return unit(n, word) == 1 ? (n - wide_t'(1)) >> word :
           unit(n, word) == 2 ? (n + wide_t'(1)) >> word : n;
  endfunction

  /// Bits that a step clears; an illegal `word` counts as 0.
  function automatic int unsigned word_bits(int unsigned width, int unsigned word);
    return word < 2 || word > width + 2 ? width + 2 : word;
  endfunction

  /// Steps of `word` bits: R > 4n, or 8n where quotient digits may be 2^word.
  function automatic int unsigned steps(wide_t n, int unsigned width, int unsigned word);
    return (width + (unit(n, word) == 1 ? 3 : 2) + word - 1) / word;
  endfunction

  /// Cycles from a step's operand to its quotient digit.
  function automatic int unsigned quotient_cycles(wide_t n, int unsigned word, int unsigned levels);
    wide_t inverse;
    inverse = negative_inverse(n, word);
    return unit(n, word) != 0 ? 0 : mf_pipeline_pkg::sum_cycles(
        constant_rows(low_bits(plus(inverse), word), low_bits(minus(inverse), word)), levels);
  endfunction

  /// Cycles of mf_fixed_step.
  function automatic int unsigned step_cycles(wide_t n, int unsigned word, int unsigned levels);
    wide_t times;
    times = multiple(n, word);
    return quotient_cycles(n, word, levels) +
           mf_pipeline_pkg::sum_cycles(constant_rows(plus(times), minus(times)) + 1, levels);
  endfunction

  /// Cycles of mf_fixed_fold.
  function automatic int unsigned fold_cycles(wide_t n, int unsigned width, int unsigned levels);
    wide_t c;
    c = (wide_t'(1) << width) - n;
    return 2 * mf_pipeline_pkg::sum_cycles(constant_rows(plus(c), minus(c)) + 1, levels);
  endfunction

  /// Cycles of mf_fixed_core.
  function automatic int unsigned core_cycles(wide_t n, int unsigned width, int unsigned karatsuba,
                                              int unsigned levels, int unsigned word, bit fold,
                                              bit square);
    int unsigned bits;
    if (width < 3 || width > 768) return 2;
    bits = word_bits(width, word);
    return mf_product_pkg::product_cycles(width + 1, karatsuba, levels, square) +
           (fold ? fold_cycles(n, width, levels) :
            steps(n, width, bits) * step_cycles(n, bits, levels));
  endfunction

endpackage
