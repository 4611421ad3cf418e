// SPDX-License-Identifier: Apache-2.0
//
// FFT-based McLaughlin exponentiation, parallel form: mf_fmle with vectors.
//
// Source:   Dai 2018, Algorithm 5; Fig. 8 with Ladder.
// Computes: y = x^e mod n, below n; e_len_i bits of e, leading zeros included.
// Takes:    spectra of the constants (mf_fmle), r_mod_n_i = r mod n.
// Contract: n coprime to r, r > 4n; 0 <= x < n; e < 2^e_len_i, 0 <= e_len_i <= ExponentBits. For a
//           larger e_len_i error_o is 2 and y is 0.
// Latency:  4 Digits cycles, in which digits and constants are loaded, and those of mf_fmle.

module mf_fmle_par #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width        = 1024,
  /// As in mf_fmle:
  parameter int unsigned Digits       = 64,
  parameter int unsigned DigitW       = 17,
  parameter int unsigned Bits         = 64,
  parameter int unsigned Segment      = 4,
  parameter int unsigned Levels       = 2,
  parameter int unsigned ExponentBits = 1024,
  parameter int unsigned Elements     = 2,
  parameter bit          Ladder       = 1'b0,
  parameter bit          AllAtOnce    = 1'b1,
  parameter bit          Relaxed      = 1'b0,
  parameter bit          Single       = 1'b0,
  parameter bit          Swapped      = 1'b0,
  parameter bit          Fast         = 1'b0,
  parameter bit          Fused        = 1'b0,
  parameter bit          Balanced     = 1'b0,
  parameter bit          Redundant    = 1'b0,

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
  if (Digits * DigitW < Width + 2 + 32'(Balanced)) begin : gen_illegal_digits
    $fatal(1, "mf_fmle_par: Width must be at most Digits DigitW - 2, - 3 if Balanced (E5)");
  end

  localparam int unsigned RowW        = $clog2(Digits / 4);
  localparam int unsigned ConstantW   = $clog2(4 * Digits);
  localparam logic [3:0]  ErrorLength = 4'd2;

  logic                      too_long, too_long_q;
  logic [ExponentBits-1:0]   e_q;
  logic [LengthW-1:0]        e_len_q;
  logic                      digits_valid, constant_valid, start, done, y_valid;
  logic [RowW-1:0]           digits_row;
  logic [4*DigitW-1:0]       x, r_mod_n;
  logic [ConstantW-1:0]      constant_index;
  logic [Bits:0]             constant;
  logic [Segment*DigitW-1:0] y_segment;
  logic [Width-1:0]          y;
  logic [RowW:0]             unused_row;

  assign too_long = 32'(e_len_i) > ExponentBits;

  // These registers need no reset: they are loaded before they are read.
  always_ff @(posedge clk_i) begin
    if (req_ready_o) begin
      e_q        <= e_i;
      e_len_q    <= e_len_i;
      too_long_q <= too_long;
    end
  end

  mf_fft_loader #(
    .OperandW     (Width),
    .Digits       (Digits),
    .DigitW       (DigitW),
    .Bits         (Bits),
    .Segment      (Segment),
    .Spectra      (4),
    .FirstSpectrum(0),
    .LoadFirst    (1'b1)
  ) u_loader (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .req_valid_i          (req_valid_i),
    .req_ready_o          (req_ready_o),
    .refuse_i             (too_long),
    .x_i                  (x_i),
    .y_i                  (r_mod_n_i),
    .constants_i          ({r1_spectrum_i, a_spectrum_i, n_spectrum_i, n_prime_spectrum_i}),
    .rsp_valid_o          (rsp_valid_o),
    .rsp_ready_i          (rsp_ready_i),
    .p_o                  (y),
    .core_digits_valid_o  (digits_valid),
    .core_digits_row_o    (digits_row),
    .core_x_o             (x),
    .core_y_o             (r_mod_n),
    .core_constant_valid_o(constant_valid),
    .core_constant_index_o(constant_index),
    .core_constant_o      (constant),
    .core_start_o         (start),
    .core_done_i          (done),
    .core_p_valid_i       (y_valid),
    .core_p_i             (y_segment)
  );

  mf_fmle #(
    .Digits      (Digits),
    .DigitW      (DigitW),
    .Bits        (Bits),
    .Segment     (Segment),
    .Levels      (Levels),
    .ExponentBits(ExponentBits),
    .Elements    (Elements),
    .Ladder      (Ladder),
    .AllAtOnce   (AllAtOnce),
    .Relaxed     (Relaxed),
    .Single      (Single),
    .Swapped     (Swapped),
    .Fast        (Fast),
    .Fused       (Fused),
    .Balanced    (Balanced),
    .Redundant   (Redundant)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .digits_valid_i  (digits_valid),
    .digits_row_i    (digits_row),
    .x_i             (x),
    .r_mod_n_i       (r_mod_n),
    .constant_valid_i(constant_valid),
    .constant_index_i(constant_index),
    .constant_i      (constant),
    .e_i             (e_q),
    .e_len_i         (e_len_q),
    .start_i         (start),
    .done_o          (done),
    .y_valid_o       (y_valid),
    .y_row_o         (unused_row),
    .y_o             (y_segment)
  );

  assign y_o     = too_long_q ? '0 : y;
  assign error_o = too_long_q ? ErrorLength : '0;

endmodule
