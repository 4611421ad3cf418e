// SPDX-License-Identifier: Apache-2.0
//
// Multiplication by a power of two modulo q = 2^Bits + 1: y_o = +-x_i 2^shift_i, not yet reduced.
//
// Source:   Dai 2018, Section 5.2 (multiplication by a power of omega or phi is a shift).
// How:      x is rotated; bits that passed the top count with the other sign, as 2^Bits = -1. The
//           value 2^Bits enters as 1, with the other sign.
// Range:    0 <= x_i <= 2^Bits, shift_i < Bits; -2^Bits < y_o < 2^Bits.
// Latency:  Registers + 1 cycles: Registers in the levels of the rotation, one after the
//           difference.

module mf_ring_shift #(
  /// Bits of the ring; at least 4.
  parameter int unsigned Bits      = 64,
  /// Registers in the rotation; at least 1.
  parameter int unsigned Registers = 3,

  localparam int unsigned ShiftW = $clog2(Bits)
) (
  input  logic                clk_i,
  input  logic [Bits:0]       x_i,
  input  logic [ShiftW-1:0]   shift_i,
  input  logic                negative_i,
  output logic signed [Bits:0] y_o
);

  if (Bits < 4) begin : gen_illegal_bits
    $fatal(1, "mf_ring_shift: Bits must be at least 4");
  end
  if (Registers < 1) begin : gen_illegal_registers
    $fatal(1, "mf_ring_shift: Registers must be at least 1");
  end

  localparam int unsigned Levels = (ShiftW + Registers - 1) / Registers;  // between two registers

  // Inputs and registers of the rotation; a shift has no bits above ShiftW.
  logic [Registers:0][Bits-1:0]   x;
  logic [Registers:0][ShiftW-1:0] shift;
  logic [Registers:0]             negative;

  assign x[0]        = {x_i[Bits-1:1], x_i[0] | x_i[Bits]};
  assign shift[0]    = shift_i;
  assign negative[0] = negative_i ^ x_i[Bits];

  function automatic logic [Bits-1:0] rotated(logic [Bits-1:0] word, int unsigned distance);
    return (word << (distance % Bits)) | (word >> (Bits - distance % Bits));
  endfunction

  for (genvar g = 0; g < Registers; g++) begin : gen_registers
    logic [Bits-1:0] word;

    always_comb begin
      word = x[g];
      for (int unsigned l = g * Levels; l < (g + 1) * Levels; l++) begin
        if (l < ShiftW && shift[g][l]) word = rotated(word, 1 << l);
      end
    end

    always_ff @(posedge clk_i) begin
      x[g+1]        <= word;
      shift[g+1]    <= shift[g];
      negative[g+1] <= negative[g];
    end
  end

  // The bits that passed the top are the lowest ones.
  logic [Bits-1:0] passed, kept;
  assign passed = x[Registers] & ~({Bits{1'b1}} << shift[Registers]);
  assign kept   = x[Registers] & ({Bits{1'b1}} << shift[Registers]);

  always_ff @(posedge clk_i) begin
    y_o <= negative[Registers] ? {1'b0, passed} - {1'b0, kept} : {1'b0, kept} - {1'b0, passed};
  end

endmodule
