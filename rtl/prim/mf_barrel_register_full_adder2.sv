// SPDX-License-Identifier: Apache-2.0
//
// Two-step barrel register full adder: the bits of a value that is held as a carry-save pair, the
// lowest first, two at a time; a cycle uses none, one or two of them.
//
// Source:   reconstructed from Kuang et al., IEEE TVLSI 21(11), 2013: two full adders in series, of
//           which one's carry is kept.
// Contract: load_i, then at once step2_i: next_o and after_next_o are bits 0 and 1 of s_i + c_i.
//           step1_i or step2_i moves on by one or two bits (not both at once, nor with load_i).
// Changed:  the bits come from registers; the full adders find the two bits above them. The vectors
//           are shifted one cycle after the step, so that a late step signal never drives the whole
//           width.

module mf_barrel_register_full_adder2 #(
  /// Bits of the vectors; at least 4.
  parameter int unsigned Width = 8
) (
  input  logic             clk_i,
  input  logic             load_i,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  input  logic             step1_i,
  input  logic             step2_i,
  output logic             next_o,
  output logic             after_next_o
);

  if (Width < 4) begin : gen_illegal_width
    $fatal(1, "mf_barrel_register_full_adder2: Width must be at least 4");
  end

  logic [Width-1:0] s_q, c_q;
  logic             shift1_q, shift2_q;
  logic             carry_q, next_q, after_next_q;

  // The lowest two bits after the shift that is due.
  logic [1:0] s_low, c_low;
  always_comb begin
    unique case ({shift2_q, shift1_q})
      2'b01:   {s_low, c_low} = {s_q[2:1], c_q[2:1]};
      2'b10:   {s_low, c_low} = {s_q[3:2], c_q[3:2]};
      default: {s_low, c_low} = {s_q[1:0], c_q[1:0]};
    endcase
  end

  logic half0, half1, bit0, bit1, carry0, carry1;
  assign half0  = s_low[0] ^ c_low[0];
  assign half1  = s_low[1] ^ c_low[1];
  assign bit0   = half0 ^ carry_q;
  assign carry0 = (s_low[0] & c_low[0]) | (half0 & carry_q);
  assign bit1   = half1 ^ carry0;
  assign carry1 = (s_low[1] & c_low[1]) | (half1 & carry0);

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      s_q <= s_i;
      c_q <= c_i;
    end else if (shift1_q) begin
      s_q <= s_q >> 1;
      c_q <= c_q >> 1;
    end else if (shift2_q) begin
      s_q <= s_q >> 2;
      c_q <= c_q >> 2;
    end
    shift1_q <= step1_i;
    shift2_q <= step2_i;
    if (load_i) begin
      carry_q <= 1'b0;
    end else if (step1_i) begin
      carry_q      <= carry0;
      next_q       <= after_next_q;
      after_next_q <= bit0;
    end else if (step2_i) begin
      carry_q      <= carry1;
      next_q       <= bit0;
      after_next_q <= bit1;
    end
  end

  assign next_o       = next_q;
  assign after_next_o = after_next_q;

endmodule
