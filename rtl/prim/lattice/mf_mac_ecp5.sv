// SPDX-License-Identifier: Apache-2.0
//
// Multiplier-accumulator of the FIOS multiplier on a Lattice ECP5: a MULT18X18D with its input
// registers, and the accumulator in logic (one carry-save level and a carry chain).
//
// Source:   "Scalable DSP optimized Montgomery Multiplier", Table I (operations).
// Twin:     mf_mac_generic has the same ports, operations, timing and results.
// Pipeline: 1: register of the accumulator; 2: and the multiplier's input registers; 3: and a
//           register of the product, in logic and not in the block, so that it is near the adder.
//
// The longest path goes from the registers below through a full adder and the carry chain to P. The
// only choice in it is that of Z, for the low bits between P >> WordWidth and 0.
// low_q     (Pipeline > 1) P's low bits if Z is P in the next operation, else 0
// c_q       (Pipeline > 1) C if the next operation adds it, else 0

module mf_mac_ecp5 #(
  /// Bits of a word; 1 to 18.
  parameter int unsigned WordWidth = 18,
  /// Cycles from operands to result: 1, 2 or 3.
  parameter int unsigned Pipeline  = 3,
  /// Register for C.
  parameter bit          CRegister = 1'b1,

  localparam int unsigned ProductW = 2 * WordWidth,
  localparam int unsigned AccW     = ProductW + 1
) (
  input  logic                 clk_i,
  input  mf_fios_pkg::op_e     op_i,
  input  logic [WordWidth-1:0] a_i,
  input  logic [WordWidth-1:0] b_i,
  input  logic [ProductW-1:0]  c_i,
  output logic [AccW-1:0]      p_o
);

  if (WordWidth < 1 || WordWidth > 18) begin : gen_illegal_word_width
    $fatal(1, "mf_mac_ecp5: WordWidth must be 1 to 18");
  end else if (Pipeline < 1 || Pipeline > 3) begin : gen_illegal_pipeline
    $fatal(1, "mf_mac_ecp5: Pipeline must be 1, 2 or 3");
  end

  // ---------------------------------------------------------------- multiplier

  logic [ProductW-1:0] product;

  // Without a product the operand is 0.
  mf_word_multiplier_ecp5 #(.Width(WordWidth), .Registers(Pipeline > 1)) u_multiplier (
    .clk_i(clk_i), .a_i(op_i[0] ? a_i : '0), .b_i(b_i), .p_o(product)
  );

  // ---------------------------------------------------------------- accumulator

  logic [3:0]          op;
  logic [ProductW-1:0] m, c;
  logic [AccW-1:0]     z, z_m_c_sum, z_m_c_carry, p_d, p_q;

  mf_delay_line #(.Width(4), .Depth(Pipeline - 1)) u_op (.clk_i(clk_i), .d_i(op_i), .q_o(op));

  mf_delay_line #(.Width(ProductW), .Depth(Pipeline > 2 ? 1 : 0)) u_product (
    .clk_i(clk_i), .d_i(product), .q_o(m)
  );

  if (Pipeline == 1) begin : gen_late_choice
    logic [ProductW-1:0] late_c;

    mf_delay_line #(.Width(ProductW), .Depth(32'(CRegister))) u_c (
      .clk_i(clk_i), .d_i(c_i), .q_o(late_c)
    );
    assign c = op[1] ? late_c : '0;

    always_comb begin
      unique case (op[3:2])
        2'b01:   z = p_q;
        2'b10:   z = p_q >> WordWidth;
        default: z = '0;
      endcase
    end
  end else begin : gen_early_choice
    // The operation is known a cycle before.
    localparam int unsigned LowW = AccW - WordWidth;
    logic [3:0]      next_op;
    logic [LowW-1:0] low_q;
    logic            unused_next_op;  // some of its bits are not needed early
    assign unused_next_op = ^next_op;

    mf_delay_line #(.Width(4), .Depth(Pipeline - 2)) u_next_op (
      .clk_i(clk_i), .d_i(op_i), .q_o(next_op)
    );

    if (CRegister) begin : gen_c_register
      logic [ProductW-1:0] c_q;
      always_ff @(posedge clk_i) c_q <= next_op[1] ? c_i : '0;
      assign c = c_q;
    end else begin : gen_no_c_register
      assign c = op[1] ? c_i : '0;
    end

    always_ff @(posedge clk_i) low_q <= next_op[2] ? p_d[LowW-1:0] : '0;

    assign z[LowW-1:0]    = low_q | (op[3] ? p_q[AccW-1:WordWidth] : '0);
    assign z[AccW-1:LowW] = op[2] ? p_q[AccW-1:LowW] : '0;
  end

  mf_full_adder_row #(.Width(AccW)) u_row (
    .s_i    (z),
    .c_i    (AccW'(m)),
    .x_i    (AccW'(c)),
    .sum_o  (z_m_c_sum),
    .carry_o(z_m_c_carry)
  );

  assign p_d = z_m_c_sum + z_m_c_carry;

  always_ff @(posedge clk_i) p_q <= p_d;

  assign p_o = p_q;

  // op[0] acts on the operand.
  logic unused_op;
  assign unused_op = ^op;

endmodule
