// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. mf_fmlm_harness around the native form mf_fmle (ports core_*), with the ports of
// mf_fmle_par, and registers for the exponent, which is unknown while no power runs. e_len_i is at
// most ExponentBits, and error_o is 0.

module mf_fmle_harness #(
  /// Parameters of mf_fmle_par, as far as they decide the ports.
  parameter int unsigned Width        = 1024,
  parameter int unsigned Digits       = 64,
  parameter int unsigned DigitW       = 17,
  parameter int unsigned Bits         = 64,
  parameter int unsigned Segment      = 4,
  parameter int unsigned ExponentBits = 1024,

  localparam int unsigned LengthW   = $clog2(ExponentBits + 1),
  localparam int unsigned RowW      = $clog2(Digits / 4),
  localparam int unsigned ConstantW = $clog2(4 * Digits),
  localparam int unsigned SegmentW  = Segment * DigitW
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
  output logic [3:0]                error_o,

  output logic                      core_digits_valid_o,
  output logic [RowW-1:0]           core_digits_row_o,
  output logic [4*DigitW-1:0]       core_x_o,
  output logic [4*DigitW-1:0]       core_r_mod_n_o,
  output logic                      core_constant_valid_o,
  output logic [ConstantW-1:0]      core_constant_index_o,
  output logic [Bits:0]             core_constant_o,
  output logic [ExponentBits-1:0]   core_e_o,
  output logic [LengthW-1:0]        core_e_len_o,
  output logic                      core_start_o,
  input  logic                      core_done_i,
  input  logic                      core_y_valid_i,
  input  logic [RowW:0]             core_y_row_i,
  input  logic [SegmentW-1:0]       core_y_i
);

  logic [Width:0]          y;
  logic                    running_q;  // from the start to the last segment
  logic [ExponentBits-1:0] e_q;
  logic [LengthW-1:0]      e_len_q;

  mf_fmlm_harness #(
    .Width  (Width),
    .Digits (Digits),
    .DigitW (DigitW),
    .Bits   (Bits),
    .Segment(Segment),
    .Spectra(4)
  ) u_harness (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .req_valid_i          (req_valid_i),
    .req_ready_o          (req_ready_o),
    .x_i                  ({1'b0, x_i}),
    .y_i                  ({1'b0, r_mod_n_i}),
    .constants_i          ({r1_spectrum_i, a_spectrum_i, n_spectrum_i, n_prime_spectrum_i}),
    .rsp_valid_o          (rsp_valid_o),
    .rsp_ready_i          (rsp_ready_i),
    .p_o                  (y),
    .core_digits_valid_o  (core_digits_valid_o),
    .core_digits_row_o    (core_digits_row_o),
    .core_x_o             (core_x_o),
    .core_y_o             (core_r_mod_n_o),
    .core_constant_valid_o(core_constant_valid_o),
    .core_constant_index_o(core_constant_index_o),
    .core_constant_o      (core_constant_o),
    .core_start_o         (core_start_o),
    .core_done_i          (core_done_i),
    .core_p_valid_i       (core_y_valid_i),
    .core_p_row_i         (core_y_row_i),
    .core_p_i             (core_y_i)
  );

  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) begin
      e_q     <= e_i;
      e_len_q <= e_len_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) running_q <= 1'b0;
    else running_q <= core_start_o || (running_q && !core_done_i);
  end

  assign core_e_o     = core_start_o || running_q ? e_q : 'x;
  assign core_e_len_o = core_start_o || running_q ? e_len_q : 'x;

  assign y_o     = y[Width-1:0];
  assign error_o = '0;

  // The result is at most n.
  logic unused_high;
  assign unused_high = y[Width];

endmodule
