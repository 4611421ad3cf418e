// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the ways in which a multiplier's constant follows from n, as in
// montforge.contract.Derivation;
// m = -n^-1 mod 2^InverseBits.

package mf_derivation_pkg;

  typedef enum int unsigned {
    NoConstant      = 0,
    InverseConstant = 1,  // m
    ScaledConstant  = 2,  // t = (n m + 1) / 2^InverseBits
    RaisedConstant  = 3,  // n m + 1; with InverseBits = 1 n + 1
    WordsConstant   = 4   // n 2^InverseBits + m
  } derivation_e;

endpackage
