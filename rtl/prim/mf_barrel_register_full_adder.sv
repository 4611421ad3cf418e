// SPDX-License-Identifier: Apache-2.0
//
// Barrel register full adder ("BRFA"): the bits of a value that is held as a carry-save pair, the
// lowest first, one a cycle.
//
// Source:   McIvor, McLoone, McCanny, IEE Proc. CDT 151(6), 2004.
// Contract: bit_o is bit 0 of s_i + c_i in the cycle after load_i, and the next bit in each later
//           cycle. The sum has at most Width bits; the bits above them are 0.
// Changed:  the full adder's output is registered, so that it is known when the cycle begins.

module mf_barrel_register_full_adder #(
  /// Bits of the vectors; at least 2.
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             load_i,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  output logic             bit_o
);

  if (Width < 2) begin : gen_illegal_width
    $fatal(1, "mf_barrel_register_full_adder: Width must be at least 2");
  end

  logic [Width-1:1] s_q, c_q;
  logic             carry_q, bit_q;
  logic             s_low, c_low, carry;

  assign s_low = load_i ? s_i[0] : s_q[1];
  assign c_low = load_i ? c_i[0] : c_q[1];
  assign carry = load_i ? 1'b0   : carry_q;

  always_ff @(posedge clk_i) begin
    s_q     <= load_i ? s_i[Width-1:1] : s_q >> 1;
    c_q     <= load_i ? c_i[Width-1:1] : c_q >> 1;
    bit_q   <= s_low ^ c_low ^ carry;
    carry_q <= (s_low & c_low) | ((s_low ^ c_low) & carry);
  end

  assign bit_o = bit_q;

endmodule
