// SPDX-License-Identifier: Apache-2.0
//
// Carry-save Montgomery multiplier of radix 64 with Booth recoding, whose quotient digits take
// effect one cycle after they were found; operands and result are binary.
//
// Source, latency, phases, n-bar: see mf_booth_csa_core.
// Computes: p = a * b * R^-1 mod n, R = 2^(6 ceil((Width + 3) / 6)).
// Contract: n odd, 3 <= n < 2^Width; two's complement, |a|, |b|, |p| < n (closed).
//           Nonnegative: n is added to a negative p, 0 <= p < n.
// Constant time: yes.

module mf_booth_csa_binary_pipelined #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width       = 256,
  /// 0 <= p < n instead of |p| < n.
  parameter bit          Nonnegative = 1'b0,
  /// Bits of a word of the conversion to binary; 1 to 256; more than Width + 1 act as Width + 1.
  parameter int unsigned ConverterW  = 32,

  localparam int unsigned OperandW = Width + 1,
  localparam int unsigned ResultW  = Nonnegative ? Width : Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  /// The scaled modulus n-bar, two's complement.
  input  logic [Width-1:0]    n_scaled_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [ResultW-1:0]  p_o
);

  logic [OperandW-1:0] p;

  mf_booth_csa_core #(
    .Width(Width), .Radix(64), .Pipelined(1'b1), .Nonnegative(Nonnegative), .ConverterW(ConverterW)
  ) u_core (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_i, .rsp_valid_o, .rsp_ready_i,
    .n_scaled_i(n_scaled_i),
    .p_o       (p)
  );

  assign p_o = p[ResultW-1:0];

  if (Nonnegative) begin : gen_no_sign
    logic unused_sign;
    assign unused_sign = p[OperandW-1];
  end

endmodule
