// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin exponentiation (FMLE), native form: two elements in lockstep.
//
// Source:   Dai 2018, Algorithm 5, Fig. 1, 2, 7; with Ladder Fig. 8 and 9, whose last step must be
//           FMLM(t, 1), not FMLM(t, t).
// Computes: x^e mod n; the result is below n, but n for x^e = 0 (mod n) with x other than 0.
// Takes:    constants of s ring words each: the transforms of n' for r, of n for h, of r1 n' mod r
//           for r and of r1 for h, r1 = r^2 mod n; and the digits of r mod n.
// Contract: n coprime to r, 2 <= n, r > 4n; 0 <= x < n. Constants and digits are there at start_i.
// Latency:  T_common + e_len_i T + T_last, from the schedules of the micro-programs
//           (montforge.fft.program). Constant time: the length of e is public, its bits change
//           neither cycles nor addresses. Without Ladder a bit tells whether element B's result is
//           kept; with Ladder both elements do the same for each bit.
//
// State     element A              element B                        bits of e
// Enter     y = x r1               (its result is dropped)
// Loop      y = y y                t = t y, kept if the bit is 1    from the lowest (no Ladder)
//           y = y y | y t          t = t y | t t  for bit 1 | 0     from the highest (Ladder)
// Leave     (dropped)              t 1: the result

module mf_fmle #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits       = 64,
  /// Bits u of a digit; u + v + 3 < 2u, Digits = 2^v.
  parameter int unsigned DigitW       = 17,
  /// Bits N of the ring, c s.
  parameter int unsigned Bits         = 64,
  /// Digits of a segment of the adder: 2 or 4.
  parameter int unsigned Segment      = 4,
  /// Karatsuba levels of the ring multiplier; 1 to 5.
  parameter int unsigned Levels       = 2,
  /// Bits of the longest exponent; 1 to 65535.
  parameter int unsigned ExponentBits = 1024,
  /// Montgomery's ladder.
  parameter bit          Ladder       = 1'b0,
  /// x y n' in one.
  parameter bit          AllAtOnce    = 1'b1,
  /// m may exceed r, but for the last multiplication.
  parameter bit          Relaxed      = 1'b0,
  /// Coefficients above q / 2 are negative, in place of the published threshold.
  parameter bit          Single       = 1'b0,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped      = 1'b0,
  /// Streamed steps, mf_fft_pkg.
  parameter bit          Fast         = 1'b0,

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
  output logic [Segment-1:0][DigitW-1:0] y_o
);

  import mf_fft_pkg::*;

  localparam int unsigned Stages = $clog2(Digits);

  if (Digits < 16 || Digits > 512 || Digits != 1 << Stages) begin : gen_illegal_digits
    $fatal(1, "mf_fmle: Digits must be a power of two, 16 to 512");
  end
  if (DigitW < Stages + 4 || DigitW > 253) begin : gen_illegal_digit_width
    $fatal(1, "mf_fmle: DigitW must be log2(Digits) + 4 (E8) to 253");
  end
  if (Bits > 512) begin : gen_wide_bits
    $fatal(1, "mf_fmle: Bits must be at most 512");
  end
  if (2 * Bits % Digits != 0 || (2 * Bits / Digits % 2 == 1 && Bits % 4 != 0)) begin : gen_illegal_c
    $fatal(1, "mf_fmle: Bits must be c Digits, and 4 must divide it for a half-integer c (E2)");
  end
  if (Bits < 2 * DigitW + Stages + (Relaxed ? 2 : 1)) begin : gen_illegal_bits
    $fatal(1, "mf_fmle: Bits must be more, for the sum of two products (E3)");
  end
  if (AllAtOnce && Bits < 3 * DigitW + 2 * Stages + (Swapped ? 1 : 0)) begin : gen_illegal_at_once
    $fatal(1, "mf_fmle: Bits must be more, for a product of three at once (E4)");
  end
  if (Segment != 2 && Segment != 4) begin : gen_illegal_segment
    $fatal(1, "mf_fmle: Segment must be 2 or 4");
  end
  if (Levels < 1 || Levels > 5) begin : gen_illegal_levels
    $fatal(1, "mf_fmle: Levels must be 1 to 5");
  end
  if (ExponentBits < 1 || ExponentBits > 65535) begin : gen_illegal_exponent_bits
    $fatal(1, "mf_fmle: ExponentBits must be 1 to 65535");
  end
  if (Swapped && Relaxed) begin : gen_illegal_relaxed
    $fatal(1, "mf_fmle: Relaxed must be 0 with Swapped");
  end

  // The programs of mf_fft_pkg.
  localparam int unsigned Mode   = Swapped ? 2 : (Relaxed ? 1 : 0);
  localparam int unsigned FastOffset = Fast ? FastPrograms : 0;
  localparam program_t    Enter  = program_t'(18 + Mode + FastOffset);
  localparam program_t    Square = program_t'((AllAtOnce ? 6 : 12) + 2 * Mode + (Ladder ? 1 : 0) +
                                           FastOffset);
  localparam program_t    Leave  = program_t'(21 + (Swapped ? 1 : 0) + FastOffset);

  localparam int unsigned Plain     = DigitW + Stages + 1;
  localparam int unsigned AtOnce    = 2 * DigitW + 2 * Stages;
  localparam int unsigned CarryW    = (AllAtOnce ? AtOnce : Plain) + 2;
  localparam int unsigned ShortRows = (CarryW - 1 + Segment * DigitW - 1) / (Segment * DigitW);
  localparam int unsigned Sqrt2     = 2 * Bits / Digits % 2 == 1 ? 2 : 0;

  // ---------------------------------------------------------------- control

  localparam int unsigned PlaceW = ExponentBits > 1 ? $clog2(ExponentBits) : 1;

  typedef enum logic [1:0] {StEnter, StLoop, StLeave} state_e;

  state_e             state_q, state_d;
  logic [LengthW-1:0] count_q;  // bits of e that are done
  logic [PlaceW-1:0]  place;
  logic               run_start, run_done, e_bit, bits_done;
  program_t           program_number;
  control_t           control;

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
      StLoop:  program_number = Square;
      StLeave: program_number = Leave;
      default: program_number = Enter;
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

  mf_fft_control #(
    .Digits           (Digits),
    .Bits             (Bits),
    .Segment          (Segment),
    .ShortRows        (ShortRows),
    .ButterflyLatency (11 + Sqrt2),
    .MultiplierLatency(5 + (Levels > 2 ? 2 * Levels : Levels)),
    .AccumulateLatency(8 + Sqrt2),
    .Swapped          (Swapped)
  ) u_control (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (run_start),
    .program_i(program_number),
    .done_o   (run_done),
    .control_o(control)
  );

  // ---------------------------------------------------------------- constants, for both elements

  logic [Bits:0]        constant;
  logic [ConstantW-1:0] constant_index;

  assign constant_index = {control.product_read.constant, control.product_read.index[Stages-1:0]};

  mf_ram #(.Width(Bits + 1), .Depth(4 * Digits)) u_constants (
    .clk_i          (clk_i),
    .write_i        (constant_valid_i),
    .write_address_i(constant_index_i),
    .word_i         (constant_i),
    .read_i         (control.product_read.valid && control.product_read.factor == Constant),
    .read_address_i (constant_index),
    .word_o         (constant)
  );

  // ---------------------------------------------------------------- elements: A has y, B has t

  logic [1:0][Bits:0]                     forward;
  logic [1:0]                             from_partner, keep, result_valid;
  logic [1:0][Segment-1:0][DigitW-1:0]    result;
  logic [1:0][RowW:0]                     result_row;

  assign from_partner = state_q != StLoop ? 2'b00 : {!Ladder || e_bit, Ladder && !e_bit};
  assign keep         = state_q == StEnter ? 2'b01 :
                        state_q == StLoop ? {Ladder || e_bit, 1'b1} : 2'b00;

  for (genvar k = 0; k < 2; k++) begin : gen_elements
    logic                   write;
    logic [RowW-1:0]        row;
    logic [3:0][DigitW-1:0] four, unused_x;

    // A result becomes the operand: four digits at a time.
    if (Segment == 4) begin : gen_four
      assign write = result_valid[k] && keep[k];
      assign row   = result_row[k][RowW-1:0];
      assign four  = result[k];
      logic unused_row;
      assign unused_row = result_row[k][RowW];
    end else begin : gen_two
      logic [1:0][DigitW-1:0] lower_q;
      always_ff @(posedge clk_i) if (result_valid[k]) lower_q <= result[k];
      assign write = result_valid[k] && keep[k] && result_row[k][0];
      assign row   = result_row[k][RowW:1];
      assign four  = {result[k], lower_q};
    end
    assign unused_x = '0;

    mf_fft_element #(
      .Digits  (Digits),
      .DigitW  (DigitW),
      .Bits    (Bits),
      .Segment (Segment),
      .CarryW  (CarryW),
      .Levels  (Levels),
      .OperandX(1'b0),
      .Single  (Single),
      .Relaxed (Relaxed),
      .Swapped (Swapped)
    ) u_element (
      .clk_i         (clk_i),
      .control_i     (control),
      .load_x_i      (1'b0),
      .load_y_i      (digits_valid_i || write),
      .load_row_i    (digits_valid_i ? digits_row_i : row),
      .x_i           (unused_x),
      .y_i           (!digits_valid_i ? four : (k == 0 ? x_i : r_mod_n_i)),
      .constant_i    (constant),
      .partner_i     (forward[1-k]),
      .from_partner_i(from_partner[k]),
      .forward_o     (forward[k]),
      .result_valid_o(result_valid[k]),
      .result_row_o  (result_row[k]),
      .result_o      (result[k])
    );
  end

  assign y_valid_o = result_valid[1] && state_q == StLeave;
  assign y_o       = result[1];

endmodule
