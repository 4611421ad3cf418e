// SPDX-License-Identifier: Apache-2.0
//
// Adder on a carry chain of a Lattice ECP5, whose tables also make the operands.
// Twin:     the generic form of mf_chain_adder.
//
// An odd Width leaves a bit, which passes the carry.

module mf_chain_adder_ecp5 #(
  /// Bits; at least 1.
  parameter int unsigned Width = 16,
  /// Table of each bit, with the address {d, c, b, a}: the exclusive or of the operands' bits. With
  /// c = d = 0 it is a bit of an operand, which is the carry where the operands' bits agree.
  parameter logic [15:0] Table = 16'h7888
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  input  logic [Width-1:0] d_i,
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  output logic             carry_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_chain_adder_ecp5: Width must be at least 1");
  end

  localparam logic [15:0] PassCarry = 16'hFFFF;

  localparam int unsigned Cells  = (Width + 1) / 2;
  localparam int unsigned CellsW = 2 * Cells;

  logic [CellsW-1:0] a, b, c, d, sum;
  logic [Cells:0]    carries;

  assign a          = CellsW'(a_i);
  assign b          = CellsW'(b_i);
  assign c          = CellsW'(c_i);
  assign d          = CellsW'(d_i);
  assign carries[0] = carry_i;

  for (genvar i = 0; i < Cells; i++) begin : gen_cell
    CCU2C #(.INIT0(Table), .INIT1(2 * i + 1 < Width ? Table : PassCarry)) u_cell (
      .CIN (carries[i]),
      .A0  (a[2*i]), .B0(b[2*i]), .C0(c[2*i]), .D0(d[2*i]),
      .A1  (a[2*i+1]), .B1(b[2*i+1]), .C1(c[2*i+1]), .D1(d[2*i+1]),
      .S0  (sum[2*i]), .S1(sum[2*i+1]),
      .COUT(carries[i+1])
    );
  end

  assign sum_o   = sum[Width-1:0];
  assign carry_o = carries[Cells];

  if (Width % 2 == 1) begin : gen_odd
    logic unused_bit;
    assign unused_bit = sum[Width];
  end

endmodule
