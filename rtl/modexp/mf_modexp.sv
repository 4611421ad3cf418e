// SPDX-License-Identifier: Apache-2.0
//
// Modular exponentiation over any closed Montgomery multiplier: y = x^e mod n, 0 <= y < n.
//
// Source:   montforge; the algorithms are textbook ones (Menezes, van Oorschot, Vanstone, Handbook
//           of Applied Cryptography, 14.6).
// Contract: n is legal for the multiplier; x < n; e < 2^e_len_i, e_len_i <= ExponentBits and
//           public. r1_i = R mod n, r2_i = R^2 mod n, constants_i are the multiplier's, the first
//           one lowest. All operands are sampled on acceptance. e = 0 gives 1. An e_len_i of 0 is
//           run as 1. error_o is 0, or an error of mf_modexp_pkg with y_o = 0.
// Multiplier: module mf_modexp_multiplier, a wrapper of the contract's ports: a_i and b_i are
//           OperandBits wide, p_o ResultBits; a carry-save pair is {carry, sum}.
//
// T is the turn, the cycles between two dependent multiplications (latency + handover + 2), tau =
// max(e_len_i, 1), D = ceil(tau / DigitW); entering by r2 and leaving by 1 are turns, too.
//
// Algorithm             turns S                                           multipliers
// R2l                   tau + 2; with one multiplier 2 tau + 2            1, 2
// L2r                   tau + HW(e) + 2                                   1
// SquareMultiplyAlways  2 tau + 2                                         1
// Ladder                tau + 2; with one multiplier 2 tau + 2            1, 2
// Window                DigitW (D - 1) + 2^DigitW - 2 + D + 1             1
// Sliding               depends on e                                      1
// F4                    18; e is 65537, e_i is ignored                    1
//
// Latency:  S T + (D - 1) max(0, 2^DigitW + 1 - DigitW T) + reduction, the middle term with Window
//           only, reduction = Passes (1 + Words), Words = ceil((Width + 2) / Adder); the first turn
//           lasts at least max(Words + 2, DigitW + 6) cycles. rsp_valid_o is high then.
// Constant time: R2l, SquareMultiplyAlways, Ladder, Window over a multiplier of fixed latency:
//           cycles and table addresses depend on e_len_i only. L2r, Sliding: no.
// Paths:    abort_i to req_ready_o, within a cycle.
// Abort:    abort_i ends the operation at the next response of the multiplier, overwrites table,
//           exponent and registers with zeros, and answers with ErrorAborted; while idle it only
//           overwrites. A response that waits stays until it is taken; then all is overwritten.
//           The same wipe follows a reset.
//
// Window:   the scan of a digit reads all entries in one order beside the squarings, and keeps the
//           entry of the digit; the entry of the first digit is kept as the table is computed.
// Dummies:  SquareMultiplyAlways and R2l drop products of digits 0: a fault in a dropped product
//           does not change the result, and so reveals the digit.

module mf_modexp #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width        = 256,
  /// Bits of the longest exponent; 1 to 65535.
  parameter int unsigned ExponentBits = 256,
  /// 0 R2l, 1 L2r, 2 SquareMultiplyAlways, 3 Ladder, 4 Window, 5 Sliding, 6 F4.
  parameter int unsigned Algorithm    = mf_modexp_pkg::Window,
  /// Bits of a digit; 1 to 6, 1 unless Window or Sliding.
  parameter int unsigned DigitW       = 4,
  /// 1, or 2 to 8 in turn on one multiplier: see mf_modexp_chains.
  parameter int unsigned Chains       = 1,
  /// Multipliers in lockstep: 1, or 2 for Ladder and R2l.
  parameter int unsigned Multipliers  = 1,
  /// Bits of a word of the final subtraction; 4 to 1024, and at least Passes.
  parameter int unsigned Adder        = 32,
  /// Bits of an operand's sum vector (of the operand itself, if binary).
  parameter int unsigned SumBits      = Width + 1,
  /// Bits of an operand's carry vector; 0: binary.
  parameter int unsigned CarryBits    = 0,
  /// Bits of a result's sum vector.
  parameter int unsigned ResultSumBits   = SumBits,
  /// Bits of a result's carry vector, at most CarryBits; 0: binary.
  parameter int unsigned ResultCarryBits = CarryBits,
  /// Results are signed, |v| < n.
  parameter bit          Signed       = 1'b0,
  /// Unsigned results are below 2^Passes n; 1 if signed.
  parameter int unsigned Passes       = 1,
  /// Bits of the multiplier's constants; at least 1.
  parameter int unsigned ConstantBits = 1,
  /// The table is a block RAM of an FPGA; for multipliers whose turn has 11 cycles or more.
  parameter bit          TableBlock   = 1'b0,
  /// Parameters of the multiplier and requirements of both: see mf_modexp_chains.
  parameter bit          Closed       = 1'b1,
  parameter bit          FixedLatency = 1'b1,
  parameter int unsigned Leakage      = 0,
  /// Parameters of several chains: see mf_modexp_chains.
  parameter int unsigned Period       = 16,
  parameter int unsigned Offset       = 8,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  /// Public length of the exponent.
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,

  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  input  logic                    abort_i
);

  mf_modexp_chains #(
    .Width          (Width),
    .ExponentBits   (ExponentBits),
    .Algorithm      (Algorithm),
    .DigitW         (DigitW),
    .Chains         (Chains),
    .Multipliers    (Multipliers),
    .Adder          (Adder),
    .SumBits        (SumBits),
    .CarryBits      (CarryBits),
    .ResultSumBits  (ResultSumBits),
    .ResultCarryBits(ResultCarryBits),
    .Signed         (Signed),
    .Passes         (Passes),
    .ConstantBits   (ConstantBits),
    .Closed         (Closed),
    .FixedLatency   (FixedLatency),
    .TableBlock     (TableBlock),
    .Leakage        (Leakage),
    .Period         (Period),
    .Offset         (Offset)
  ) u_chains (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid_i),
    .req_ready_o (req_ready_o),
    .x_i         (x_i),
    .e_i         (e_i),
    .e_len_i     (e_len_i),
    .n_i         (n_i),
    .constants_i (constants_i),
    .r1_i        (r1_i),
    .r2_i        (r2_i),
    .product_i   (1'b0),
    .feed_i      ('0),
    .feed_index_i('0),
    .feed_word_i ('0),
    .rsp_valid_o (rsp_valid_o),
    .rsp_ready_i (rsp_ready_i),
    .y_o         (y_o),
    .error_o     (error_o),
    .abort_i     (abort_i)
  );

endmodule
