// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier on one pipelined Karatsuba-Ofman multiplier.
//
// Source:   Karatsuba, Ofman 1962; a comparison design of Grale, Swartzlander, "Improved
//           Montgomery Multiplication", Section V, which does not give its levels or cycles.
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Takes:    n_prime_i = -n^-1 mod R.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed).
// Latency:  3 * (2 * Levels + 1) + 2 cycles for all operands (mf_multiplier_passes). Interval: 2
//           more. Constant time: yes.

module mf_karatsuba #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Levels of splitting; 0 to 6.
  parameter int unsigned Levels = 2,

  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  input  logic             req_valid_i,
  output logic             req_ready_o,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] n_i,
  input  logic [Width-1:0] n_prime_i,

  output logic             rsp_valid_o,
  input  logic             rsp_ready_i,
  output logic [Width-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_karatsuba: Width must be 3 to 8192");
  end else if (Levels > 6) begin : gen_illegal_levels
    $fatal(1, "mf_karatsuba: Levels must be 0 to 6");
  end

  logic [Width-1:0]   x, y;
  logic [2*Width-1:0] product;

  mf_multiplier_passes #(.Width(LegalWidth), .MultiplierLatency(2 * Levels + 1)) u_passes (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_i, .n_prime_i,
    .rsp_valid_o, .rsp_ready_i, .p_o,
    .x_o(x), .y_o(y), .product_i(product)
  );

  mf_karatsuba_multiplier #(.Width(LegalWidth), .Levels(Levels)) u_multiplier (
    .clk_i, .x_i(x), .y_i(y), .product_o(product)
  );

endmodule
