// SPDX-License-Identifier: Apache-2.0
//
// Watches the words that the elements of mf_fios_dsp drop, for a check of the product: the lowest
// word of a sum with m_i n_0 in it is 0, or else m_i is wrong. The check alone may not see that, as
// 2^WordWidth - 2^j is 0 modulo 2^r - 1 if r divides WordWidth - j.
//
// The sum is in P Delay cycles after m_i is taken.

module mf_fios_dropped #(
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
  /// Processing elements.
  parameter int unsigned Elements  = 5,
  /// Cycles from operands to result of the multiplier-accumulator; at least 1.
  parameter int unsigned Delay     = 3
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  /// An element takes m_i.
  input  logic [Elements-1:0]                digits_i,
  /// Lowest words of P.
  input  logic [Elements-1:0][WordWidth-1:0] words_i,
  /// A word that was dropped since the reset was not 0.
  output logic                               wrong_o
);

  if ($signed(Delay) < 1) begin : gen_illegal_delay
    $fatal(1, "mf_fios_dropped: Delay must be at least 1");
  end

  localparam int unsigned LegalDelay = $signed(Delay) < 1 ? 1 : Delay;

  logic [LegalDelay-1:0][Elements-1:0] digits_q;
  logic                                wrong;

  always_comb begin
    wrong = 1'b0;
    for (int unsigned g = 0; g < Elements; g++) begin
      wrong |= digits_q[LegalDelay-1][g] && |words_i[g];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      digits_q <= '0;
      wrong_o  <= 1'b0;
    end else begin
      digits_q <= (LegalDelay * Elements)'({digits_q, digits_i});
      wrong_o  <= wrong_o || wrong;
    end
  end

endmodule
