// SPDX-License-Identifier: Apache-2.0
//
// Kinds of a multiplier's constants, for mf_modexp_setup.

package mf_modexp_setup_pkg;

  /// How a multiplier's constant follows from n and the results of mf_modexp_setup's steps.
  localparam int unsigned NoConstant      = 0;
  localparam int unsigned InverseConstant = 1;  // m
  localparam int unsigned ScaledConstant  = 2;  // t = (n m + 1) / 2^InverseBits
  localparam int unsigned RaisedConstant  = 3;  // n m + 1
  localparam int unsigned WordsConstant   = 4;  // n 2^InverseBits + m

endpackage
