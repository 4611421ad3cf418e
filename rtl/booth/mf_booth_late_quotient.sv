// SPDX-License-Identifier: Apache-2.0
//
// Quotient digits of a Booth carry-save iteration, registered: they take effect one cycle later.
//
// Source:   Orup, "Simplifying quotient determination in high-radix modular multiplication",
//           ARITH-12, 1995, with signed digits and a delay of one.
// Computes: scaled_i: the digit u = S mod 2^DigitW, recoded. The recoding's transfer into the
//           next digit (the highest bit of u) is kept. The next cycle adds q times n-bar.
//           exact_i: q = (u + transfer) * (-n^-1) mod 2^DigitW of the digit two cycles ago, taken
//           as two's complement. The next cycle adds q times n, and one_o, the kept bit.
//           Neither: no quotient in the next cycle.
//
// S is the accumulated pair after its shift by a digit. The dropped digit has as a pair the value u
// of the iteration before, or 2^DigitW more: the pending carry. Its topmost bits and u's tell
// which.

module mf_booth_late_quotient
  import mf_booth_pkg::*;
#(
  /// Bits of a digit; 2 to 6.
  parameter int unsigned DigitW = 2,

  localparam int unsigned Terms = (DigitW + 1) / 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                load_i,
  input  logic                shift_i,
  input  logic                scaled_i,
  input  logic                exact_i,
  /// Low bits of n; sampled with load_i.
  input  logic [DigitW-1:0]   n_i,
  /// The two lowest digits of the pair before its shift; 0 in the first iteration.
  input  logic [2*DigitW-1:0] s_i,
  input  logic [2*DigitW-1:0] c_i,
  output logic                pending_o,
  output logic                one_o,
  output term_t [Terms-1:0]   terms_o
);

  logic [DigitW-1:0] n_inverse, n_inverse_q, digit, digit_q, exact_q, chosen;
  logic              transfer_q, exact_now_q;
  term_t [Terms-1:0] terms;

  mf_negative_inverse #(.Width(DigitW)) u_n_inverse (
    .n_i(n_i), .inverse_o(n_inverse)
  );

  assign pending_o = (s_i[DigitW-1] == c_i[DigitW-1]) ? s_i[DigitW-1] : ~digit_q[DigitW-1];
  assign digit     = s_i[2*DigitW-1:DigitW] + c_i[2*DigitW-1:DigitW] + DigitW'(pending_o);
  assign chosen    = (digit & {DigitW{scaled_i}}) | (exact_q & {DigitW{exact_i}});

  mf_booth_recoder #(.DigitW(DigitW)) u_recoder (
    .digit_i(chosen), .transfer_i(transfer_q & scaled_i), .terms_o(terms)
  );

  // exact_q has taken a digit that is held; a cancelled digit is 0.
  always_ff @(posedge clk_i) begin
    digit_q <= digit & {DigitW{shift_i}};
    exact_q <= (digit_q + DigitW'(transfer_q)) * n_inverse_q;
    terms_o <= terms;
    if (load_i) n_inverse_q <= n_inverse;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      transfer_q  <= 1'b0;
      exact_now_q <= 1'b0;
    end else begin
      transfer_q  <= scaled_i ? digit[DigitW-1] : (transfer_q && !exact_now_q);
      exact_now_q <= exact_i;
    end
  end

  assign one_o = transfer_q && exact_now_q;

  logic unused_dropped;
  assign unused_dropped = ^{s_i[DigitW-2:0], c_i[DigitW-2:0]};

endmodule
