// SPDX-License-Identifier: Apache-2.0
//
// Checks that the twins of mf_mac are equal, cycle by cycle, on random sequences of operations, and
// that they compute what the operations' names say.

module mac_twins_check #(
  parameter int unsigned WordWidth  = 17,
  parameter int unsigned Pipeline   = 3,
  parameter bit          CRegister  = 1'b1,
  parameter int unsigned Operations = 20000
) (
  input  logic clk,
  output logic done
);

  import mf_fios_pkg::*;

  localparam int unsigned ProductW = 2 * WordWidth;
  localparam int unsigned AccW     = ProductW + 1;
  localparam int unsigned CCycle   = Pipeline - 1 - 32'(CRegister) + 1;

  op_e                  op = OpHold, op_now = OpMul;
  logic [WordWidth-1:0] a = '0, b = '0, a_now = '0, b_now = '0;
  logic [ProductW-1:0]  c;
  logic [AccW-1:0]      p_generic, p_dsp48e2, p_ecp5;

  // C of an operation comes CCycle - 1 cycles after its operands, which here are one cycle late.
  logic [ProductW-1:0] c_now = '0;
  mf_delay_line #(.Width(ProductW), .Depth(CCycle)) u_c (.clk_i(clk), .d_i(c_now), .q_o(c));
  always_ff @(posedge clk) begin
    op <= op_now;
    a  <= a_now;
    b  <= b_now;
  end

  mf_mac #(.Block(0), .WordWidth(WordWidth), .Pipeline(Pipeline), .CRegister(CRegister)) u_generic (
    .clk_i(clk), .op_i(op), .a_i(a), .b_i(b), .c_i(c), .p_o(p_generic)
  );
  mf_mac #(.Block(2), .WordWidth(WordWidth), .Pipeline(Pipeline), .CRegister(CRegister)) u_ecp5 (
    .clk_i(clk), .op_i(op), .a_i(a), .b_i(b), .c_i(c), .p_o(p_ecp5)
  );
  if (WordWidth == 17) begin : gen_dsp48e2
    mf_mac #(.Block(1), .WordWidth(17), .Pipeline(Pipeline), .CRegister(CRegister)) u_dsp48e2 (
      .clk_i(clk), .op_i(op), .a_i(a), .b_i(b), .c_i(c), .p_o(p_dsp48e2)
    );
  end else begin : gen_no_dsp48e2
    assign p_dsp48e2 = p_generic;
  end

  function automatic logic [63:0] result_of(op_e operation, logic [63:0] p);
    logic [63:0] product;
    product = 64'(a_now) * 64'(b_now);
    case (operation)
      OpHold:      return p;
      OpMul:       return product;
      OpMulC:      return product + 64'(c_now);
      OpAccMul:    return p + product;
      OpAccMulC:   return p + product + 64'(c_now);
      OpShift:     return p >> WordWidth;
      OpShiftMul:  return (p >> WordWidth) + product;
      OpShiftMulC: return (p >> WordWidth) + product + 64'(c_now);
      default:     return '0;
    endcase
  endfunction

  function automatic op_e random_operation();
    case ($urandom_range(7))
      0:       return OpHold;
      1:       return OpMul;
      2:       return OpMulC;
      3:       return OpAccMul;
      4:       return OpAccMulC;
      5:       return OpShift;
      6:       return OpShiftMul;
      default: return OpShiftMulC;
    endcase
  endfunction

  function automatic logic [WordWidth-1:0] random_word();
    case ($urandom_range(3))
      0:       return '1;
      1:       return WordWidth'($urandom_range(3));
      default: return WordWidth'($urandom);
    endcase
  endfunction

  logic [63:0]     p_model = '0;
  logic [63:0]     expected[Operations];
  logic [63:0]     next;

  initial begin
    done = 1'b0;
    for (int unsigned i = 0; i < Operations; i++) begin
      a_now  = random_word();
      b_now  = random_word();
      c_now  = {random_word(), random_word()};
      op_now = i == 0 ? OpMul : random_operation();
      next   = result_of(op_now, p_model);
      // The sums of the multiplier stay below 2^AccW.
      if (next >> AccW != '0) op_now = OpShift;
      p_model     = result_of(op_now, p_model);
      expected[i] = p_model;
      @(posedge clk);
      #1;
      if (i >= Pipeline) begin
        assert (64'(p_generic) == expected[i-Pipeline] && p_dsp48e2 == p_generic
                && p_ecp5 == p_generic)
        else $fatal(1, "operation %0d: expected %h, generic %h, dsp48e2 %h, ecp5 %h", i - Pipeline,
                    expected[i-Pipeline], p_generic, p_dsp48e2, p_ecp5);
      end
    end
    done = 1'b1;
  end

endmodule

module mac_twins_tb;

  logic        clk = 1'b0;
  logic [11:0] done;

  always #5 clk = !clk;

  for (genvar i = 0; i < 12; i++) begin : gen_checks
    mac_twins_check #(.WordWidth(17 + i / 6), .Pipeline(1 + i % 3), .CRegister(i % 6 > 2)) u_check (
      .clk(clk), .done(done[i])
    );
  end

  always @(posedge clk) begin
    if (done == '1) begin
      $display("PASS");
      $finish;
    end
  end

endmodule
