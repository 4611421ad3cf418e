// SPDX-License-Identifier: Apache-2.0
//
// Quotient of the exact tail, digit by digit: Q = v * n' modulo 2^(DigitW Digits). v_i has the
// Booth terms of the digits of v, q_o those of Q, one digit a cycle, the lowest first.
//
// Cycle 0 (first_i is high): v_q, which is v_i of the cycle before, has the lowest digit of v.
// Cycles 1 to Digits: q_o has a digit of Q; 0 in all others.
//
// In each cycle a pair is shifted by a digit, and the next digit of v times n' is added. carry_q is
// the carry of the digit that the shift drops.

module mf_unit_exact_quotient
  import mf_booth_pkg::*;
#(
  /// Bits of a digit; at least 2.
  parameter int unsigned DigitW = 4,
  /// Number of digits; at least 2.
  parameter int unsigned Digits = 2,

  localparam int unsigned Terms = (DigitW + 1) / 2,
  localparam int unsigned Width = DigitW * Digits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /// n_i is valid.
  input  logic             load_i,
  input  logic             first_i,
  /// n' modulo 2^Width.
  input  logic [Width-1:0] n_i,
  input  term_t [Terms-1:0] v_i,
  output term_t [Terms-1:0] q_o
);

  logic [Width-1:0]            n_q, s_q, c_q, s_d, c_d;
  term_t [Terms-1:0]           v_q, q;
  logic [Terms-1:0][Width-1:0] rows;
  logic [Terms-1:0]            ones;
  logic [DigitW-1:0]           digit;
  logic [Digits-1:0]           valid_q;
  logic                        carry, carry_q, transfer_q;

  for (genvar j = 0; j < Terms; j++) begin : gen_term
    logic [Width+2*j:0] multiple;

    mf_booth_multiple #(.Width(Width + 2 * j + 1), .OperandW(Width), .Shift(2 * j)) u_multiple (
      .x_i(n_q), .term_i(v_q[j]), .multiple_o(multiple)
    );

    assign rows[j] = multiple[Width-1:0];
    assign ones[j] = v_q[j].negative;

    // Modulo 2^Width.
    logic unused_high;
    assign unused_high = ^multiple[Width+2*j:Width];
  end

  mf_compressor_tree #(.Width(Width), .Rows(Terms + 2)) u_tree (
    .rows_i({rows, (c_q >> DigitW) & {Width{~first_i}}, (s_q >> DigitW) & {Width{~first_i}}}),
    .bits_i(ones),
    .rows_o({c_d, s_d})
  );

  assign {carry, digit} = {1'b0, s_q[DigitW-1:0]} + {1'b0, c_q[DigitW-1:0]} +
                          (DigitW + 1)'(carry_q);

  mf_booth_recoder #(.DigitW(DigitW)) u_recoder (
    .digit_i(digit), .transfer_i(transfer_q), .terms_o(q)
  );

  assign q_o = q & {$bits(q){|valid_q}};

  // No reset: first_i comes before the first digit.
  always_ff @(posedge clk_i) begin
    if (load_i) n_q <= n_i;
    v_q        <= v_i;
    s_q        <= s_d;
    c_q        <= c_d;
    carry_q    <= carry & ~first_i;
    transfer_q <= digit[DigitW-1] & ~first_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Digits-2:0], first_i};
  end

endmodule
