// SPDX-License-Identifier: Apache-2.0
//
// mf_fmlm with vectors: what its parallel forms, one for each Form, have in common.
//
// Source:   Dai 2018, Algorithm 4.
// Computes: p = x * y * r^-1 mod n (y^2 r^-1 in form 1), r = 2^(Digits DigitW) - 1 (+ 1 with
//           Swapped); in form 2 x is given by constants.
// Takes:    the constants of mf_fmlm, in its order, the first one lowest.
// Contract: that of mf_fmlm.
// Latency:  Digits / 4 cycles, in which the digits of x and y are loaded, and those of mf_fmlm. The
//           constants are loaded beside the first transform. Constant time: yes.

module mf_fmlm_loader #(
  /// Bits of the widest modulus; Digits DigitW >= Width + 2.
  parameter int unsigned Width     = 1024,
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits    = 64,
  /// Bits u of a digit.
  parameter int unsigned DigitW    = 17,
  /// Bits N of the ring.
  parameter int unsigned Bits      = 64,
  /// Digits of a segment of the adder: 2 or 4.
  parameter int unsigned Segment   = 4,
  /// Karatsuba levels of the ring multiplier; 1 to 5.
  parameter int unsigned Levels    = 2,
  /// 0: general, 1: squaring, 2: common multiplicand.
  parameter int unsigned Form      = 0,
  /// x y n' in one.
  parameter bit          AllAtOnce = 1'b1,
  /// m may exceed r.
  parameter bit          Relaxed   = 1'b0,
  /// Coefficients above q / 2 are negative, in place of the published threshold.
  parameter bit          Single    = 1'b0,
  /// r = 2^l + 1, h = 2^l - 1.
  parameter bit          Swapped   = 1'b0,
  /// Steps begin before their data are complete, mf_fft_control.
  parameter bit          Fast      = 1'b0,
  /// Four butterflies, two stages of a transform at once; log2(Digits) must be even.
  parameter bit          Fused     = 1'b0,

  localparam int unsigned OperandW  = Width + 1,
  localparam int unsigned Constants = (Form == 2 ? 3 : 2) * Digits
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           req_valid_i,
  output logic                           req_ready_o,
  /// Zero if the form has no x.
  input  logic [OperandW-1:0]            x_i,
  input  logic [OperandW-1:0]            y_i,
  input  logic [Constants-1:0][Bits:0]   constants_i,

  output logic                           rsp_valid_o,
  input  logic                           rsp_ready_i,
  output logic [OperandW-1:0]            p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_fmlm_loader: Width must be 3 to 8192");
  end
  if (Digits * DigitW < Width + 2) begin : gen_illegal_digits
    $fatal(1, "mf_fmlm_loader: Width must be at most Digits DigitW - 2 (E5)");
  end

  localparam int unsigned Rows      = Digits / 4;
  localparam int unsigned RowW      = $clog2(Rows);
  localparam int unsigned TotalW    = Digits * DigitW;
  localparam int unsigned SegmentW  = Segment * DigitW;
  localparam int unsigned ConstantW = $clog2(Constants);

  typedef enum logic [1:0] {StIdle, StLoad, StRun, StDone} phase_e;

  phase_e                    phase_d, phase_q;
  logic [RowW-1:0]           row_q;
  logic [ConstantW-1:0]      constant_q;
  logic                      constants_q, loaded, finished, p_valid;
  logic [TotalW-1:0]         x_q, y_q, p_q;
  logic [Constants-1:0][Bits:0] words_q;
  logic [SegmentW-1:0]       p_segment;
  logic [RowW:0]             unused_row;

  assign loaded = phase_q == StLoad && row_q == RowW'(Rows - 1);

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StLoad;
      StLoad:  if (loaded) phase_d = StRun;
      StRun:   if (finished) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q     <= StIdle;
      row_q       <= '0;
      constant_q  <= '0;
      constants_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      row_q   <= phase_q == StLoad ? row_q + RowW'(1) : '0;
      if (phase_q == StIdle) begin
        constants_q <= req_valid_i;
        constant_q  <= '0;
      end else begin
        constant_q <= constant_q + ConstantW'(1);
        if (constant_q == ConstantW'(Constants - 1)) constants_q <= 1'b0;
      end
    end
  end

  // The datapath needs no reset: it is loaded before it is read.
  always_ff @(posedge clk_i) begin
    unique case (phase_q)
      StIdle: begin
        x_q     <= TotalW'(x_i);
        y_q     <= TotalW'(y_i);
        words_q <= constants_i;
      end
      StLoad: begin
        x_q <= x_q >> (4 * DigitW);
        y_q <= y_q >> (4 * DigitW);
      end
      default: ;
    endcase
    if (p_valid) p_q <= {p_segment, p_q[TotalW-1:SegmentW]};
  end

  mf_fmlm #(
    .Digits   (Digits),
    .DigitW   (DigitW),
    .Bits     (Bits),
    .Segment  (Segment),
    .Levels   (Levels),
    .Form     (Form),
    .AllAtOnce(AllAtOnce),
    .Relaxed  (Relaxed),
    .Single   (Single),
    .Swapped  (Swapped),
    .Fast     (Fast),
    .Fused    (Fused)
  ) u_core (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .digits_valid_i  (phase_q == StLoad),
    .digits_row_i    (row_q),
    .x_i             (x_q[4*DigitW-1:0]),
    .y_i             (y_q[4*DigitW-1:0]),
    .constant_valid_i(constants_q),
    .constant_index_i(constant_q),
    .constant_i      (words_q[constant_q]),
    .start_i         (loaded),
    .done_o          (finished),
    .p_valid_o       (p_valid),
    .p_row_o         (unused_row),
    .p_o             (p_segment)
  );

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q[OperandW-1:0];

  // The result is below 2n.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> OperandW};

endmodule
