// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplier on one pipelined full-word multiplier of small blocks and one adder.
//
// Source:   McIvor, McLoone, McCanny, IEEE TCAS-I 53(9), 2006 (arithmetic processor); a comparison
//           design of Grale, Swartzlander, Section V. Reconstructed: block multipliers, time-shared
//           for T, Q and U; the papers give no cycle count.
// Computes: p = a * b * R^-1 mod n, R = 2^Width.
// Takes:    n_prime_i = -n^-1 mod R.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b < n; 0 <= p < n (closed).
// Latency:  3 * Stages + 2 cycles for all operands (mf_multiplier_passes). Interval: 2 more.
//           Constant time: yes.

module mf_mcivor #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Bits of a block multiplier; 2 to 64.
  parameter int unsigned Block  = 16,
  /// Register levels of the multiplier; 2 or 3.
  parameter int unsigned Stages = 3
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
    $fatal(1, "mf_mcivor: Width must be 3 to 8192");
  end else if (Block < 2 || Block > 64) begin : gen_illegal_block
    $fatal(1, "mf_mcivor: Block must be 2 to 64");
  end else if (Stages < 2 || Stages > 3) begin : gen_illegal_stages
    $fatal(1, "mf_mcivor: Stages must be 2 or 3");
  end

  logic [Width-1:0]   x, y;
  logic [2*Width-1:0] product;

  mf_multiplier_passes #(.Width(Width), .MultiplierLatency(Stages)) u_passes (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_i, .n_prime_i,
    .rsp_valid_o, .rsp_ready_i, .p_o,
    .x_o(x), .y_o(y), .product_i(product)
  );

  mf_block_multiplier #(.Width(Width), .Block(Block), .Stages(Stages)) u_multiplier (
    .clk_i, .x_i(x), .y_i(y), .product_o(product)
  );

endmodule
