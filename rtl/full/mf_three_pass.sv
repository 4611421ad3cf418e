// SPDX-License-Identifier: Apache-2.0
//
// Montgomery multiplication in three passes through one array of Booth rows: T = a b, then
// Q = T n' mod R, then U = -Q n, whose low half is that of T.
//
// Source:   Montgomery 1985 on full words; digits, pairs and schedule are this library's.
// Computes: p = (T - U) / R = (a b + Q n) / R, R = 4^(Terms Issues), Terms = ceil((Width + 1) /
//           (2 Issues)); Q in [-R/2, R/2).
// Contract: n odd, 3 <= n < 2^Width; |a|, |b|, |p| < n, two's complement (closed);
//           n_prime_i = -n^-1 mod R.
// Latency:  2 P + Issues + 2 cycles for all operands, P = max(3, Issues); a request can be accepted
//           every 2 P + Issues cycles. Constant time: yes.
//
// A pass has Issues digits of 2 Terms bits, one a cycle, the lowest first. The low bits of the pair
// that a digit leaves go through an adder and Booth recoding to the selects of the next pass, so
// that a pass begins P cycles after the one before. High halves stay pairs until the end.
//
// cycle                     values and actions
// 1 .. Issues               selects of digits of a; y_q = b
// P + 1 .. P + Issues       selects of digits of T; y_q = n'
// 2 P + 1 .. 2 P + Issues   selects of digits of -Q; y_q = n; in the last one kept_s_q, kept_c_q =
//                           T div R as a pair, whose negative is injected
// a cycle later             vectors in the array (mf_pass_array)
// two cycles later          low_s, low_c: the digit's lowest bits; after the last one high bits in
//                           kept_s_q, kept_c_q
// 2 P + Issues + 2          kept pair and low bits = (U - T) / R; p to the buffer
//
// Ones: -(T div R) = ~s + ~c + 2 - k, k the carry of the resolved low half: the array takes 1 - k.
//       Then (U - T) / R = s + c + h + 1, h the carry out of the lowest bits, and p = ~s + ~c +
//       (1 - h). h follows from their topmost bits, since the sum of all of them is T mod R.

module mf_three_pass #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width  = 256,
  /// Digits of a pass; 1 to 16.
  parameter int unsigned Issues = 3,
  /// Levels of full adders that have the delay of the array's first stage; 1 to 16.
  parameter int unsigned Levels = 3,

  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned Terms      = mf_three_pass_pkg::terms(LegalWidth, Issues),
  localparam int unsigned OperandW   = mf_three_pass_pkg::operand_bits(LegalWidth, Issues)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [Width:0]      a_i,
  input  logic [Width:0]      b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [OperandW-1:0] n_prime_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [Width:0]      p_o
);

  localparam int unsigned DigitW   = 2 * Terms;
  localparam int unsigned SumW     = LegalWidth + 1;
  localparam int unsigned Digits   = Issues == 0 ? 1 : Issues;
  localparam int unsigned Pass     = Digits < 3 ? 3 : Digits;
  localparam int unsigned Interval = 2 * Pass + Digits;
  localparam int unsigned Latency  = Interval + 2;
  localparam int unsigned Adders   = 2;  // Han-Carlson

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_three_pass: Width must be 3 to 8192");
  end else if (Issues < 1 || Issues > 16) begin : gen_illegal_issues
    $fatal(1, "mf_three_pass: Issues must be 1 to 16");
  end else if (Levels < 1 || Levels > 16) begin : gen_illegal_levels
    $fatal(1, "mf_three_pass: Levels must be 1 to 16");
  end

  // ---------------------------------------------------------------- control

  // Bit t is 1 in cycle t of an operation, of which two can be under way; cycle[0]: it is accepted.
  logic [Latency:1] cycle_q;
  logic [Latency:0] cycle;
  logic             has_place, accept;

  assign req_ready_o = has_place && cycle_q[Interval-1:1] == '0;
  assign accept      = req_valid_i && req_ready_o;
  assign cycle       = {cycle_q, accept};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else cycle_q <= cycle[Latency-1:0];
  end

  // ---------------------------------------------------------------- operands

  logic [OperandW-1:0] y_q, n_prime_q;
  logic [Width-1:0]    n_q;
  logic [DigitW-1:0]   a_digit, low_sum, fed_back, digit;

  always_ff @(posedge clk_i) begin
    if (accept) begin
      n_q       <= n_i;
      n_prime_q <= n_prime_i;
    end
    if (accept) y_q <= OperandW'(signed'(b_i));
    else if (cycle[Pass]) y_q <= n_prime_q;
    else if (cycle[2*Pass]) y_q <= OperandW'(n_q);
  end

  if (Digits > 1) begin : gen_digits
    localparam int unsigned RestW = OperandW - DigitW;

    logic [OperandW-1:0] a;
    logic [RestW-1:0]    a_q;

    assign a       = OperandW'(signed'(a_i));
    assign a_digit = accept ? a[DigitW-1:0] : a_q[DigitW-1:0];

    always_ff @(posedge clk_i) a_q <= accept ? a[OperandW-1:DigitW] : a_q >> DigitW;
  end else begin : gen_digit
    assign a_digit = DigitW'(signed'(a_i));
  end

  // ---------------------------------------------------------------- selects

  mf_booth_pkg::term_t [Terms-1:0] terms_d, terms_q;
  logic transfer_q, first_digit, to_quotient, to_multiple;

  assign first_digit = accept || cycle[Pass] || cycle[2*Pass];
  assign to_quotient = cycle[Pass+:Digits] != '0;
  assign to_multiple = cycle[2*Pass+:Digits] != '0;
  assign digit       = (to_quotient || to_multiple) ? fed_back : a_digit;

  mf_booth_recoder #(.DigitW(DigitW)) u_recoder (
    .digit_i(digit), .transfer_i(transfer_q && !first_digit), .terms_o(terms_d)
  );

  always_ff @(posedge clk_i) begin
    terms_q    <= terms_d ^ {Terms{2'b00, to_multiple}};
    transfer_q <= digit[DigitW-1];
  end

  // ---------------------------------------------------------------- array

  logic [DigitW-1:0] low_s, low_c;
  logic [SumW-1:0]   high_s, high_c, kept_s_q, kept_c_q;
  logic              clear_q, carry_d, carry_q, product_carry_q, product_top_q, inject_q;

  mf_pass_array #(
    .OperandW(OperandW), .Terms(Terms), .HighW(SumW), .Levels(Levels), .Repeats(Digits > 1)
  ) u_array (
    .clk_i     (clk_i),
    .y_i       (y_q),
    .terms_i   (terms_q),
    .first_i   (~kept_s_q & {SumW{inject_q}}),
    .second_i  (~kept_c_q & {SumW{inject_q}}),
    .one_i     (~product_carry_q & inject_q),
    .clear_i   (clear_q),
    .low_s_o   (low_s),
    .low_c_o   (low_c),
    .high_s_o  (high_s),
    .high_c_o  (high_c)
  );

  always_ff @(posedge clk_i) begin
    clear_q  <= first_digit;
    inject_q <= cycle[Interval-1];
    if (cycle[Digits+1] || cycle[Interval+1]) begin
      kept_s_q <= high_s;
      kept_c_q <= high_c;
    end
  end

  // ---------------------------------------------------------------- low half

  // Lowest bit: the carry of the digit before.
  logic unused_lowest;

  mf_adder #(.Width(DigitW + 2), .Style(Adders)) u_low (
    .a_i  ({1'b0, low_s, carry_q}),
    .b_i  ({1'b0, low_c, carry_q}),
    .sum_o({carry_d, low_sum, unused_lowest})
  );

  mf_delay_line #(.Width(DigitW), .Depth(Pass - 3)) u_feedback (
    .clk_i(clk_i), .d_i(low_sum), .q_o(fed_back)
  );

  always_ff @(posedge clk_i) begin
    carry_q <= carry_d && !(cycle[2] || cycle[Pass+2]);
    if (cycle[Digits+2]) begin
      product_carry_q <= carry_d;
      product_top_q   <= low_sum[DigitW-1];
    end
  end

  // ---------------------------------------------------------------- result

  logic [SumW-1:0] result;
  logic            low_carry, top_s, top_c, unused_bit;

  assign top_s     = low_s[DigitW-1];
  assign top_c     = low_c[DigitW-1];
  assign low_carry = (top_s && top_c) || ((top_s || top_c) && !product_top_q);

  mf_adder #(.Width(SumW + 1), .Style(Adders)) u_result (
    .a_i({~kept_s_q, 1'b1}), .b_i({~kept_c_q, ~low_carry}), .sum_o({result, unused_bit})
  );

  mf_credit_buffer #(.Width(SumW), .Depth(2)) u_buffer (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(accept),
    .req_ready_o(has_place),
    .put_i      (cycle[Latency]),
    .result_i   (result),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .result_o   (p_o)
  );

endmodule
