// SPDX-License-Identifier: Apache-2.0
//
// Pipelined multiplier-adder modulo q = 2^Bits + 1: y_o = x_i y_i + z_i, one product a cycle.
//
// Source:   Dai 2018, Section 6.1.1 (Karatsuba multiplier and conditional adder).
// How:      the upper half of the product of the lower Bits bits is subtracted from its lower half
//           (2^Bits = -1). An operand 2^Bits enters as 1, with the other sign.
// Range:    0 <= x_i, y_i, z_i, y_o <= 2^Bits, canonical.
// Latency:  Levels + 3 cycles, 2 Levels + 3 from three levels on, where each level has a second
//           register: operands, Karatsuba, fold with addition. z_i belongs to the last cycle.

module mf_ring_multiplier #(
  /// Bits of the ring; at least 4.
  parameter int unsigned Bits   = 64,
  /// Levels of Karatsuba splitting, 3^Levels multipliers of Bits / 2^Levels bits; 0 to 6.
  parameter int unsigned Levels = 2
) (
  input  logic          clk_i,
  input  logic [Bits:0] x_i,
  input  logic [Bits:0] y_i,
  input  logic [Bits:0] z_i,
  output logic [Bits:0] y_o
);

  if (Bits < 4) begin : gen_illegal_bits
    $fatal(1, "mf_ring_multiplier: Bits must be at least 4");
  end
  if (Levels > 6) begin : gen_illegal_levels
    $fatal(1, "mf_ring_multiplier: Levels must be 0 to 6");
  end

  localparam bit            RegisterSums = Levels > 2;
  localparam int unsigned   ProductDelay = RegisterSums ? 2 * Levels + 1 : Levels + 1;
  localparam logic [Bits:0] Q            = {1'b1, {(Bits - 1){1'b0}}, 1'b1};

  // ---------------------------------------------------------------- product

  logic [Bits-1:0]   x_q, y_q;
  logic              negative_q, negative;
  logic [2*Bits-1:0] product;

  always_ff @(posedge clk_i) begin
    x_q        <= {x_i[Bits-1:1], x_i[0] | x_i[Bits]};
    y_q        <= {y_i[Bits-1:1], y_i[0] | y_i[Bits]};
    negative_q <= x_i[Bits] ^ y_i[Bits];
  end

  mf_karatsuba_multiplier #(
    .Width(Bits), .Levels(Levels), .RegisterSums(RegisterSums)
  ) u_product (
    .clk_i    (clk_i),
    .x_i      (x_q),
    .y_i      (y_q),
    .product_o(product)
  );
  mf_delay_line #(.Width(1), .Depth(ProductDelay)) u_negative (
    .clk_i(clk_i),
    .d_i  (negative_q),
    .q_o  (negative)
  );

  // ---------------------------------------------------------------- fold and addition

  // Above -q and below 2q.
  logic [Bits-1:0] plus, minus;
  logic [Bits+1:0] sum, sum_less;
  logic [Bits:0]   result_q;

  assign {minus, plus} = negative ? {product[Bits-1:0], product[2*Bits-1:Bits]} : product;
  assign sum           = {2'b00, plus} - {2'b00, minus} + {1'b0, z_i};
  assign sum_less      = {2'b00, plus} - {2'b00, minus} + {1'b0, z_i} - {1'b0, Q};

  always_ff @(posedge clk_i) begin
    if (!sum_less[Bits+1]) begin
      result_q <= sum_less[Bits:0];
    end else begin
      result_q <= sum[Bits:0] + (sum[Bits+1] ? Q : '0);
    end
  end

  assign y_o = result_q;

endmodule
