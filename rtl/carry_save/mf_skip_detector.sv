// SPDX-License-Identifier: Apache-2.0
//
// Skip detector "Skip_D": in iteration i, finds the quotient digits of iterations i+1 and i+2 and
// whether the addition of iteration i+1 can be skipped, and selects the operand of the next cycle.
//
// Source:   Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 12 and equations (5), (7), (8).
// Contract: s_i, c_i are the lowest bits of the pair that enters the adder in iteration i, whose
//           third operand has its two lowest bits 0 and its third lowest bit q_i & n2_i.
// Changed:  last_iteration_i masks the skip. In Fig. 10 the last iteration can skip one that does
//           not exist, and the result is shifted once too often.

module mf_skip_detector (
  input  logic [2:0] s_i,
  input  logic [2:0] c_i,
  /// Bit 2 of N-hat.
  input  logic       n2_i,
  /// Quotient digit of iteration i.
  input  logic       q_i,
  /// Multiplier bits of iterations i+1 and i+2.
  input  logic       a_next_i,
  input  logic       a_after_next_i,
  input  logic       last_iteration_i,
  output logic       skip_o,
  output logic       q_o,
  output logic       a_o
);

  logic delta0, delta1, q_next, q_after_next;

  assign delta0       = s_i[0] & c_i[0];
  assign delta1       = s_i[1] ^ c_i[1];
  assign q_next       = delta1 ^ delta0;                                          // (5)
  assign q_after_next = s_i[2] ^ c_i[2] ^ (q_i & n2_i) ^ (s_i[1] & c_i[1]);       // (7)
  assign skip_o       = ~(a_next_i | delta1 | delta0 | last_iteration_i);         // (8)

  assign q_o = skip_o ? q_after_next : q_next;
  assign a_o = skip_o ? a_after_next_i : a_next_i;

endmodule
