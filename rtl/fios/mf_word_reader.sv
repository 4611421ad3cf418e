// SPDX-License-Identifier: Apache-2.0
//
// Word reader: takes an operand in one cycle and gives it word by word, the lowest first.
//
// Computes: word_o is word 0 in the cycle after load_i, and the next one in the cycle after each
//           next_i; after the last word it is not defined.
// Load:     load_i is load_next_i of the cycle before. In the first cycle with load_i the last word
//           of the operand before can still be taken.
// How:      front_q has the next two words. When both have been taken it takes two more, and rest_q
//           shifts by two words a cycle later, so that the enable and the select of its many
//           flip-flops come straight from registers.
// Constant time: yes.

module mf_word_reader #(
  /// Bits of a word.
  parameter int unsigned WordWidth = 17,
  /// Words of the operand; at least 3.
  parameter int unsigned Words     = 16
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,

  /// Load in the next cycle; load in this cycle. Both are 1 out of reset: load_i is a register.
  input  logic                            load_next_i,
  input  logic                            load_i,
  input  logic [Words-1:0][WordWidth-1:0] d_i,

  input  logic                            next_i,
  output logic [WordWidth-1:0]            word_o
);

  if (Words < 3) begin : gen_illegal_words
    $fatal(1, "mf_word_reader: Words must be at least 3");
  end

  localparam int unsigned PairW = 2 * WordWidth;
  localparam int unsigned RestW = PairW * ((Words - 1) / 2);  // pairs after the first

  logic [1:0][WordWidth-1:0] front_q;
  logic [RestW-1:0]          rest_q;
  logic                      half_q;  // one word of front_q has been taken
  logic                      refill, rest_shift_d, rest_shift_q, rest_enable_q;

  assign refill       = next_i && half_q;
  assign rest_shift_d = refill && !load_i && !load_next_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      half_q        <= 1'b0;
      rest_enable_q <= 1'b1;
      rest_shift_q  <= 1'b0;
    end else begin
      half_q        <= !load_i && (half_q ^ next_i);
      rest_shift_q  <= rest_shift_d;
      rest_enable_q <= rest_shift_d || load_next_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) front_q <= d_i[1:0];
    else if (next_i) front_q <= half_q ? rest_q[PairW-1:0] : {2{front_q[1]}};

    if (rest_enable_q) begin
      rest_q <= rest_shift_q ? RestW'((RestW + PairW)'(rest_q) >> PairW) : RestW'(d_i[Words-1:2]);
    end
  end

  assign word_o = front_q[0];

endmodule
