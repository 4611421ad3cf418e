// SPDX-License-Identifier: Apache-2.0
//
// Multiplier-accumulator of the FIOS multiplier, behavioural: for any device and word width.
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Fig. 2 and Table I.
// Computes: p = z + c + a * b as op_i says (mf_fios_pkg::op_e), z = 0, p or p >> WordWidth.
// Timing:   op_i, a_i, b_i in cycle t give p_o in cycle t + Pipeline; c_i belongs to them in cycle
//           t + Pipeline - 1, or t + Pipeline - 2 with the C register.
// Range:    sums must stay below 2^(2 WordWidth + 1); FIOS sums do.
//
// Pipeline  registers of a, b     register of a * b
// 1         -                     -
// 2         yes                   -
// 3         yes                   yes

module mf_mac_generic #(
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
  /// Cycles from operands to result: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C.
  parameter bit          CRegister = 1'b1,

  localparam int unsigned ProductW = 2 * WordWidth,
  localparam int unsigned AccW     = ProductW + 1
) (
  input  logic                   clk_i,
  input  mf_fios_pkg::op_e       op_i,
  input  logic [WordWidth-1:0]   a_i,
  input  logic [WordWidth-1:0]   b_i,
  input  logic [ProductW-1:0]  c_i,
  output logic [AccW-1:0]        p_o
);

  logic [3:0]             op;
  logic [ProductW-1:0]    m, c;
  logic [AccW-1:0]        z, p_q;

  // ---------------------------------------------------------------- operands and product

  if (Pipeline == 1) begin : gen_direct
    assign op = op_i;
    assign m  = ProductW'(a_i) * ProductW'(b_i);
  end else begin : gen_operands
    logic [3:0]             op_q;
    logic [WordWidth-1:0]   a_q, b_q;
    logic [ProductW-1:0]  product;

    always_ff @(posedge clk_i) begin
      op_q <= op_i;
      a_q  <= a_i;
      b_q  <= b_i;
    end

    assign product = ProductW'(a_q) * ProductW'(b_q);

    mf_delay_line #(.Width(ProductW + 4), .Depth(Pipeline - 2)) u_product (
      .clk_i(clk_i), .d_i({op_q, product}), .q_o({op, m})
    );
  end

  mf_delay_line #(.Width(ProductW), .Depth(32'(CRegister))) u_c (
    .clk_i(clk_i), .d_i(c_i), .q_o(c)
  );

  // ---------------------------------------------------------------- accumulator

  always_comb begin
    unique case (op[3:2])
      2'b01:   z = p_q;
      2'b10:   z = p_q >> WordWidth;
      default: z = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    p_q <= z + (op[1] ? AccW'(c) : '0) + (op[0] ? AccW'(m) : '0);
  end

  assign p_o = p_q;

endmodule
