// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin exponentiation, parallel form: mf_fmle with vectors.
//
// Source:   Dai 2018, Algorithm 5; Fig. 8 with Ladder.
// Computes: y = x^e mod n; e_len_i bits of e, leading zeros included. y is below n, but n for x^e =
//           0 (mod n) with x other than 0.
// Takes:    spectra of the constants (mf_fmle), r_mod_n_i = r mod n.
// Contract: n coprime to r, r > 4n; 0 <= x < n; e < 2^e_len_i, e_len_i <= ExponentBits, 0 too. For
//           a longer e_len_i error_o is 2 and y is 0.
// Latency:  4 Digits cycles, in which digits and constants are loaded, and those of mf_fmle.

module mf_fmle_par #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width        = 1024,
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits       = 64,
  /// Bits u of a digit.
  parameter int unsigned DigitW       = 17,
  /// Bits N of the ring.
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
  /// Steps begin before their data are complete, mf_fft_control.
  parameter bit          Fast         = 1'b0,
  /// Four butterflies, two stages of a transform at once; log2(Digits) must be even.
  parameter bit          Fused        = 1'b0,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [Width-1:0]          x_i,
  input  logic [ExponentBits-1:0]   e_i,
  input  logic [LengthW-1:0]        e_len_i,
  input  logic [Digits-1:0][Bits:0] n_prime_spectrum_i,
  input  logic [Digits-1:0][Bits:0] n_spectrum_i,
  input  logic [Digits-1:0][Bits:0] a_spectrum_i,
  input  logic [Digits-1:0][Bits:0] r1_spectrum_i,
  input  logic [Width-1:0]          r_mod_n_i,

  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [Width-1:0]          y_o,
  output logic [3:0]                error_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fmle_par: Width must be 3 to 8192");
  end
  if (Digits * DigitW < Width + 2) begin : gen_illegal_digits
    $fatal(1, "mf_fmle_par: Width must be at most Digits DigitW - 2 (E5)");
  end

  localparam int unsigned Rows      = Digits / 4;
  localparam int unsigned RowW      = $clog2(Rows);
  localparam int unsigned TotalW    = Digits * DigitW;
  localparam int unsigned SegmentW  = Segment * DigitW;
  localparam int unsigned ConstantW = $clog2(4 * Digits);
  localparam logic [3:0]  ErrorLength = 4'd2;

  typedef enum logic [1:0] {StIdle, StLoad, StRun, StDone} phase_e;

  phase_e                      phase_d, phase_q;
  logic [ConstantW-1:0]        constant_q;
  logic                        digits_q, loaded, finished, y_valid, too_long, too_long_q;
  logic [TotalW-1:0]           x_q, t_q, y_q;
  logic [ExponentBits-1:0]     e_q;
  logic [LengthW-1:0]          e_len_q;
  logic [4*Digits-1:0][Bits:0] words_q;
  logic [SegmentW-1:0]         y_segment;

  assign loaded   = phase_q == StLoad && constant_q == ConstantW'(4 * Digits - 1);
  assign too_long = 32'(e_len_i) > ExponentBits;

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = too_long ? StDone : StLoad;
      StLoad:  if (loaded) phase_d = StRun;
      StRun:   if (finished) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q    <= StIdle;
      constant_q <= '0;
      digits_q   <= 1'b0;
      too_long_q <= 1'b0;
    end else begin
      phase_q    <= phase_d;
      constant_q <= phase_q == StLoad ? constant_q + ConstantW'(1) : '0;
      if (phase_q == StIdle) begin
        digits_q   <= req_valid_i;
        too_long_q <= req_valid_i && too_long;
      end else if (constant_q == ConstantW'(Rows - 1)) begin
        digits_q <= 1'b0;
      end
    end
  end

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        x_q     <= TotalW'(x_i);
        t_q     <= TotalW'(r_mod_n_i);
        e_q     <= e_i;
        e_len_q <= e_len_i;
        words_q <= {r1_spectrum_i, a_spectrum_i, n_spectrum_i, n_prime_spectrum_i};
      end
      StLoad: begin
        x_q <= x_q >> (4 * DigitW);
        t_q <= t_q >> (4 * DigitW);
      end
      default: ;
    endcase
    if (y_valid) y_q <= {y_segment, y_q[TotalW-1:SegmentW]};
  end

  mf_fmle #(
    .Digits      (Digits),
    .DigitW      (DigitW),
    .Bits        (Bits),
    .Segment     (Segment),
    .Levels      (Levels),
    .ExponentBits(ExponentBits),
    .Ladder      (Ladder),
    .AllAtOnce   (AllAtOnce),
    .Relaxed     (Relaxed),
    .Single      (Single),
    .Swapped     (Swapped),
    .Fast        (Fast),
    .Fused       (Fused)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .digits_valid_i  (phase_q == StLoad && digits_q),
    .digits_row_i    (constant_q[RowW-1:0]),
    .x_i             (x_q[4*DigitW-1:0]),
    .r_mod_n_i       (t_q[4*DigitW-1:0]),
    .constant_valid_i(phase_q == StLoad),
    .constant_index_i(constant_q),
    .constant_i      (words_q[constant_q]),
    .e_i             (e_q),
    .e_len_i         (e_len_q),
    .start_i         (loaded),
    .done_o          (finished),
    .y_valid_o       (y_valid),
    .y_o             (y_segment)
  );

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign y_o         = too_long_q ? '0 : y_q[Width-1:0];
  assign error_o     = too_long_q ? ErrorLength : '0;

  // The result is at most n.
  logic unused_high;
  assign unused_high = ^{1'b0, y_q >> Width};

endmodule
