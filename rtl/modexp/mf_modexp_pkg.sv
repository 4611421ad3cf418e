// SPDX-License-Identifier: Apache-2.0
//
// What the exponentiators share: numbers of the algorithms, kinds of constants, codes of errors.

package mf_modexp_pkg;

  /// Values of the parameter Algorithm.
  localparam int unsigned R2l                  = 0;
  localparam int unsigned L2r                  = 1;
  localparam int unsigned SquareMultiplyAlways = 2;
  localparam int unsigned Ladder               = 3;
  localparam int unsigned Window               = 4;
  localparam int unsigned Sliding              = 5;
  localparam int unsigned F4                   = 6;

  /// How a multiplier's constant follows from n and the results of mf_modexp_setup's steps.
  localparam int unsigned NoConstant      = 0;
  localparam int unsigned InverseConstant = 1;  // m
  localparam int unsigned ScaledConstant  = 2;  // t = (n m + 1) / 2^InverseBits
  localparam int unsigned RaisedConstant  = 3;  // n m + 1
  localparam int unsigned WordsConstant   = 4;  // n 2^InverseBits + m

  /// Values of error_o.
  localparam logic [3:0] ErrorNone    = 4'd0;
  localparam logic [3:0] ErrorModulus = 4'd1;   // n even or below 3
  localparam logic [3:0] ErrorLength  = 4'd2;   // e_len_i above the exponent's memory
  localparam logic [3:0] ErrorMessage = 4'd3;   // x not below n
  localparam logic [3:0] ErrorAborted = 4'd15;

endpackage
