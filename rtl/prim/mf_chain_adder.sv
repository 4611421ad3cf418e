// SPDX-License-Identifier: Apache-2.0
//
// Adder in words, each on a carry chain of its own: carries between words are for the user to save.
// An FPGA's logic cell of four inputs and a carry makes the operands' bits and adds them, too.
//
// Computes: of each word sum_o + 2^bits carry_o = x + y + carry_i, with
//           Operands 0: x = a_i & b_i, y = c_i & d_i
//           Operands 1: x = a_i, y = c_i | (b_i & d_i)
//           Operands 2: x = a_i, y = b_i ? c_i : d_i, bit by bit

module mf_chain_adder #(
  /// Bits; at least 1.
  parameter int unsigned Width    = 64,
  /// Bits of a word; at least 1. The topmost word has the rest.
  parameter int unsigned WordW    = 16,
  /// 0: two products; 1: a sum with an or; 2: a sum with a choice.
  parameter int unsigned Operands = 0,
  /// 0: behavioural, 1: ECP5 CCU2C.
  parameter int unsigned Block    = 0,

  localparam int unsigned LegalWordW = ($signed(WordW) < 1) ? 1 : WordW,
  localparam int unsigned Words      = (Width + LegalWordW - 1) / LegalWordW
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] d_i,
  input  logic [Words-1:0] carry_i,
  output logic [Width-1:0] sum_o,
  output logic [Words-1:0] carry_o
);

  if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_chain_adder: Width must be at least 1");
  end else if ($signed(WordW) < 1) begin : gen_illegal_word
    $fatal(1, "mf_chain_adder: WordW must be at least 1");
  end else if (Operands > 2) begin : gen_illegal_operands
    $fatal(1, "mf_chain_adder: Operands must be 0 to 2");
  end else if (Block > 1) begin : gen_illegal_block
    $fatal(1, "mf_chain_adder: Block must be 0 (generic) or 1 (ECP5)");
  end

  for (genvar i = 0; i < Words; i++) begin : gen_word
    localparam int unsigned Low  = i * LegalWordW;
    localparam int unsigned Bits = (Width - Low < LegalWordW) ? Width - Low : LegalWordW;

    if (Block == 1) begin : gen_ecp5
      localparam logic [15:0] Table = (Operands == 0) ? 16'h7888 :
                                      (Operands == 1) ? 16'h565A : 16'h596A;

      mf_chain_adder_ecp5 #(.Width(Bits), .Table(Table)) u_word (
        .a_i    (a_i[Low+:Bits]),
        .b_i    (b_i[Low+:Bits]),
        .c_i    (c_i[Low+:Bits]),
        .d_i    (d_i[Low+:Bits]),
        .carry_i(carry_i[i]),
        .sum_o  (sum_o[Low+:Bits]),
        .carry_o(carry_o[i])
      );
    end else begin : gen_generic
      logic [Bits-1:0] a, b, c, d, x, y;

      assign a = a_i[Low+:Bits];
      assign b = b_i[Low+:Bits];
      assign c = c_i[Low+:Bits];
      assign d = d_i[Low+:Bits];
      assign x = (Operands == 0) ? a & b : a;
      assign y = (Operands == 0) ? c & d :
                 (Operands == 1) ? c | (b & d) : (b & c) | (~b & d);

      assign {carry_o[i], sum_o[Low+:Bits]} = {1'b0, x} + {1'b0, y} + (Bits + 1)'(carry_i[i]);
    end
  end

endmodule
