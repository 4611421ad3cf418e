// SPDX-License-Identifier: Apache-2.0
//
// Sizes of the trees that add words modulo 2^r - 1.

package mf_residue_pkg;

  // Words after a number of levels: a level makes two of three, and of a remaining pair a pair.
  function automatic int unsigned remaining(int unsigned words, int unsigned levels);
    remaining = words;
    for (int unsigned i = 0; i < levels; i++) remaining = 2 * (remaining / 3) + remaining % 3;
  endfunction

  // Levels that make at most two words.
  function automatic int unsigned depth(int unsigned words);
    depth = 0;
    for (int unsigned left = words; left > 2; left = 2 * (left / 3) + left % 3) depth++;
  endfunction

endpackage
