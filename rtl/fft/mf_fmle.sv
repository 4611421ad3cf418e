// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin exponentiation (FMLE), native form: two elements in lockstep, or one.
//
// Source:   Dai 2018, Algorithm 5, Fig. 1, 2, 7; with Ladder Fig. 8 and 9, whose last step must be
//           FMLM(t, 1), not FMLM(t, t).
// Computes: x^e mod n, 0 to n - 1. FMLM(t, 1) is n, not 0, for t = n alone, where m is r - 1: then
//           the result is made 0.
// Takes:    constants of s ring words each: the transforms of n' for r, of n for h, of r1 n' mod r
//           for r and of r1 for h, r1 = r^2 mod n; and the digits of r mod n.
// Contract: n coprime to r, 2 <= n, r > 4n; 0 <= x < n. Constants and digits are written before
//           start_i.
// Latency:  T_common + e_len_i T + T_last, from the schedules of the micro-programs
//           (montforge.programs.fft). Constant time: the length of e is public, its bits change
//           neither cycles nor addresses (with one element and Ladder, the half of the memories).
//           Without Ladder a bit decides whether element B's result is kept; with Ladder both
//           elements do the same for each bit.
//
// Elements = 1 (not in the paper): the element has the contexts A and B, whose transforms take
//           turns, so that its butterflies are busy nearly all the time; it needs Fast and
//           AllAtOnce. A enters, B leaves; the loop squares the first context.
//
// State     element A              element B                        bits of e
// Enter     y = x r1               (its result is dropped)
// Loop      y = y y                t = t y, kept if the bit is 1    from the lowest (no Ladder)
//           y = y y | y t          t = t y | t t  for bit 1 | 0     from the highest (Ladder)
// Leave     (dropped)              t 1: the result

module mf_fmle #(
  /// As in mf_fmlm:
  parameter int unsigned Digits       = 64,
  parameter int unsigned DigitW       = 17,
  parameter int unsigned Bits         = 64,
  parameter int unsigned Segment      = 4,
  parameter int unsigned Levels       = 2,
  /// Bits of the longest exponent; 1 to 65535.
  parameter int unsigned ExponentBits = 1024,
  /// 2, or 1 with two contexts.
  parameter int unsigned Elements     = 2,
  /// Montgomery's ladder.
  parameter bit          Ladder       = 1'b0,
  /// As in mf_fmlm:
  parameter bit          AllAtOnce    = 1'b1,
  /// m may exceed r, but for the last multiplication.
  parameter bit          Relaxed      = 1'b0,
  /// As in mf_fmlm:
  parameter bit          Single       = 1'b0,
  parameter bit          Swapped      = 1'b0,
  parameter bit          Fast         = 1'b0,
  parameter bit          Fused        = 1'b0,
  parameter bit          Balanced     = 1'b0,
  /// A redundant digit of results, mf_fft_direct; needs Fast, AllAtOnce, Relaxed, Segment = 4.
  parameter bit          Redundant    = 1'b0,

  localparam int unsigned Rows      = Digits / 4,
  localparam int unsigned RowW      = $clog2(Rows),
  localparam int unsigned ConstantW = $clog2(4 * Digits),
  localparam int unsigned LengthW   = $clog2(ExponentBits + 1)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  /// Digits 4 row to 4 row + 3 of x and of r mod n.
  input  logic                           digits_valid_i,
  input  logic [RowW-1:0]                digits_row_i,
  input  logic [3:0][DigitW-1:0]         x_i,
  input  logic [3:0][DigitW-1:0]         r_mod_n_i,

  input  logic                           constant_valid_i,
  input  logic [ConstantW-1:0]           constant_index_i,
  input  logic [Bits:0]                  constant_i,

  /// The exponent; constant until done_o. At most ExponentBits long.
  input  logic [ExponentBits-1:0]        e_i,
  input  logic [LengthW-1:0]             e_len_i,

  input  logic                           start_i,
  /// With the last segment of the result.
  output logic                           done_o,
  output logic                           y_valid_o,
  output logic [RowW:0]                  y_row_o,
  output logic [Segment-1:0][DigitW-1:0] y_o
);

  import mf_fft_pkg::*;

  if (ExponentBits < 1 || ExponentBits > 65535) begin : gen_illegal_exponent_bits
    $fatal(1, "mf_fmle: ExponentBits must be 1 to 65535");
  end
  if (Elements != 2 && !(Elements == 1 && Fast && AllAtOnce)) begin : gen_illegal_elements
    $fatal(1, "mf_fmle: Elements must be 2, or 1 with Fast and AllAtOnce");
  end

  // ---------------------------------------------------------------- control

  localparam int unsigned PlaceW = ExponentBits > 1 ? $clog2(ExponentBits) : 1;

  typedef enum logic [1:0] {StEnter, StLoop, StLeave} state_e;

  state_e             state_q, state_d;
  logic [LengthW-1:0] count_q;  // finished bits of e
  logic [PlaceW-1:0]  place;
  logic               run_start, run_done, e_bit, bits_done;
  form_e              form;

  assign place     = PlaceW'(Ladder ? e_len_i - count_q - LengthW'(1) : count_q);
  assign e_bit     = e_i[place];
  assign bits_done = count_q + LengthW'(state_q == StLoop) == e_len_i;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StEnter: if (run_done) state_d = bits_done ? StLeave : StLoop;
      StLoop:  if (run_done && bits_done) state_d = StLeave;
      StLeave: if (run_done) state_d = StEnter;
      default: state_d = StEnter;
    endcase
    unique case (state_q)
      StLoop:  form = Elements == 1 ? Pair : Squaring;
      StLeave: form = Last;
      default: form = Common;
    endcase
  end

  assign done_o    = run_done && state_q == StLeave;
  assign run_start = start_i || (run_done && state_q != StLeave);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StEnter;
      count_q <= '0;
    end else begin
      state_q <= state_d;
      if (start_i) count_q <= '0;
      else if (run_done && state_q == StLoop) count_q <= count_q + LengthW'(1);
    end
  end

  // ---------------------------------------------------------------- elements: A has y, B has t

  logic [1:0]                                   from_partner, keep, of_result, write;
  logic                                         result_valid, result_owner, exchanged;
  logic [RowW:0]                                result_row;
  logic [Elements-1:0][Segment-1:0][DigitW-1:0] result;
  logic [1:0][Segment-1:0][DigitW-1:0]          results;
  logic [Elements-1:0]                          over, zero, largest;
  logic [RowW-1:0]                              row;
  logic [1:0][3:0][DigitW-1:0]                  four;

  assign from_partner = state_q != StLoop ? 2'b00 : {!Ladder || e_bit, Ladder && !e_bit};
  assign keep         = state_q == StEnter ? 2'b01 :
                        state_q == StLoop ? {Ladder || e_bit, 1'b1} : 2'b00;
  // One element: the first context is t if y takes words of t, and at the end.
  assign exchanged    = state_q == StLeave || from_partner[0];
  assign of_result    = Elements == 2 ? 2'b11 : {result_owner, !result_owner};
  assign results      = {result[Elements-1], result[0]};

  logic unused_partner;
  assign unused_partner = from_partner[1];

  // A result becomes the operand: four digits at a time.
  if (Segment == 4) begin : gen_four
    assign write = keep & of_result & {2{result_valid}};
    assign row   = result_row[RowW-1:0];
    assign four  = results;
  end else begin : gen_two
    logic [1:0][1:0][DigitW-1:0] lower_q;
    always_ff @(posedge clk_i) if (result_valid) lower_q <= results;
    assign write = keep & of_result & {2{result_valid && result_row[0]}};
    assign row   = result_row[RowW:1];
    assign four  = {results[1], lower_q[1], results[0], lower_q[0]};
  end

  mf_fft_engine #(
    .Digits       (Digits),
    .DigitW       (DigitW),
    .Bits         (Bits),
    .Segment      (Segment),
    .Levels       (Levels),
    .Elements     (Elements),
    .Contexts     (Elements == 1 ? 2 : 1),
    .Constants    (4),
    .FirstConstant(0),
    .OperandX     (1'b0),
    .AllAtOnce    (AllAtOnce),
    .Relaxed      (Relaxed),
    .Single       (Single),
    .Swapped      (Swapped),
    .Fast         (Fast),
    .Fused        (Fused),
    .Balanced     (Balanced),
    .Redundant    (Redundant)
  ) u_engine (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .constant_valid_i(constant_valid_i),
    .constant_index_i(constant_index_i),
    .constant_i      (constant_i),
    .load_x_i        (1'b0),
    .load_y_i        ({2{digits_valid_i}} | write),
    .load_row_i      (digits_valid_i ? digits_row_i : row),
    .x_i             ('0),
    .y_i             (digits_valid_i ? {r_mod_n_i, x_i} : four),
    .load_over_i     (digits_valid_i ? '0 : {over[Elements-1], over[0]}),
    .load_zero_i     (digits_valid_i ? '0 : {zero[Elements-1], zero[0]}),
    .from_partner_i  (from_partner[Elements-1:0]),
    .start_i         (run_start),
    .form_i          (form),
    .ladder_i        (Ladder),
    .exchanged_i     (exchanged),
    .done_o          (run_done),
    .result_valid_o  (result_valid),
    .result_owner_o  (result_owner),
    .result_row_o    (result_row),
    .result_o        (result),
    .over_o          (over),
    .zero_o          (zero),
    .largest_o       (largest)
  );

  assign y_valid_o = result_valid && state_q == StLeave;
  assign y_row_o   = result_row;
  assign y_o       = largest[Elements-1] ? '0 : results[1];

endmodule
