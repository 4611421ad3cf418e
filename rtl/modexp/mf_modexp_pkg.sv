// SPDX-License-Identifier: Apache-2.0
//
// What the exponentiators share: numbers of the algorithms, codes of errors.

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

endpackage
