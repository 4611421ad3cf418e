// SPDX-License-Identifier: Apache-2.0
//
// Vector ports for a core with transforms (ports core_*): the loader writes digits and constants
// into the core's memories, starts the core, and joins the segments of the result.
//
// Source:   none; the paper's host does this.
// Takes:    two operands, and Spectra constants of s ring words each, in the core's order, the
//           first one lowest, and written from FirstSpectrum on. With refuse_i a request is
//           answered at once, without a run.
// Latency:  Digits / 4 cycles, in which the digits are written, and those of the core; the
//           constants are written beside its first transform. With LoadFirst Spectra Digits cycles,
//           in which all is written, and those of the core.

module mf_fft_loader #(
  /// Bits of an operand and of the result; Digits DigitW > OperandW.
  parameter int unsigned OperandW      = 1025,
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits        = 64,
  /// Bits u of a digit.
  parameter int unsigned DigitW        = 17,
  /// Bits N of the ring.
  parameter int unsigned Bits          = 64,
  /// Digits of a segment of the result: 2 or 4.
  parameter int unsigned Segment       = 4,
  /// Spectra of constants.
  parameter int unsigned Spectra       = 2,
  /// The spectrum that is written first; those below it are written last.
  parameter int unsigned FirstSpectrum = 0,
  /// The core starts when the constants have been written, not beside them.
  parameter bit          LoadFirst     = 1'b0,

  localparam int unsigned Constants = Spectra * Digits,
  localparam int unsigned RowW      = $clog2(Digits / 4),
  localparam int unsigned ConstantW = $clog2(Constants)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           req_valid_i,
  output logic                           req_ready_o,
  input  logic                           refuse_i,
  input  logic [OperandW-1:0]            x_i,
  input  logic [OperandW-1:0]            y_i,
  input  logic [Constants-1:0][Bits:0]   constants_i,

  output logic                           rsp_valid_o,
  input  logic                           rsp_ready_i,
  output logic [OperandW-1:0]            p_o,

  output logic                           core_digits_valid_o,
  output logic [RowW-1:0]                core_digits_row_o,
  output logic [4*DigitW-1:0]            core_x_o,
  output logic [4*DigitW-1:0]            core_y_o,
  output logic                           core_constant_valid_o,
  output logic [ConstantW-1:0]           core_constant_index_o,
  output logic [Bits:0]                  core_constant_o,
  output logic                           core_start_o,
  input  logic                           core_done_i,
  input  logic                           core_p_valid_i,
  input  logic [Segment*DigitW-1:0]      core_p_i
);

  localparam int unsigned Rows      = Digits / 4;
  localparam int unsigned TotalW    = Digits * DigitW;
  localparam int unsigned SegmentW  = Segment * DigitW;
  localparam int unsigned Last      = LoadFirst ? Constants - 1 : Rows - 1;
  localparam int unsigned FirstWord = FirstSpectrum * Digits;

  typedef enum logic [1:0] {StIdle, StLoad, StRun, StDone} phase_e;

  phase_e                       phase_d, phase_q;
  logic [ConstantW-1:0]         count_q, index;  // words of the constants that were written
  logic [31:0]                  place;
  logic                         digits_q, constants_q;
  logic [TotalW-1:0]            x_q, y_q, p_q;
  logic [Constants-1:0][Bits:0] words_q;

  assign place = 32'(count_q) + FirstWord;
  assign index = ConstantW'(place < Constants ? place : place - Constants);

  assign core_start_o = phase_q == StLoad && count_q == ConstantW'(Last);

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = refuse_i ? StDone : StLoad;
      StLoad:  if (core_start_o) phase_d = StRun;
      StRun:   if (core_done_i) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q     <= StIdle;
      count_q     <= '0;
      digits_q    <= 1'b0;
      constants_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      if (phase_q == StIdle) begin
        count_q     <= '0;
        digits_q    <= req_valid_i && !refuse_i;
        constants_q <= req_valid_i && !refuse_i;
      end else if (constants_q) begin
        count_q <= count_q + ConstantW'(1);
        if (count_q == ConstantW'(Rows - 1)) digits_q <= 1'b0;
        if (count_q == ConstantW'(Constants - 1)) constants_q <= 1'b0;
      end
    end
  end

  // These registers need no reset: they are loaded before they are read.
  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      x_q     <= TotalW'(x_i);
      y_q     <= TotalW'(y_i);
      words_q <= constants_i;
    end else if (digits_q) begin
      x_q <= x_q >> (4 * DigitW);
      y_q <= y_q >> (4 * DigitW);
    end
    if (core_p_valid_i) p_q <= {core_p_i, p_q[TotalW-1:SegmentW]};
  end

  assign core_digits_valid_o   = digits_q;
  assign core_digits_row_o     = count_q[RowW-1:0];
  assign core_x_o              = x_q[4*DigitW-1:0];
  assign core_y_o              = y_q[4*DigitW-1:0];
  assign core_constant_valid_o = constants_q;
  assign core_constant_index_o = index;
  assign core_constant_o       = words_q[index];

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q[OperandW-1:0];

  // The result is below its bound.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> OperandW};

endmodule
