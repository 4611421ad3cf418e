// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. Writers around the native form of a core with transforms (ports core_*), mf_fmlm
// or mf_fmle, with the ports of mf_fmlm_loader.
//
// After acceptance rows of digits and constants are written, each with pauses at random; then the
// core starts. The rows of the result's segments are their places.
// Latency: LoadCycles + 1, and that of the core.

module mf_fmlm_harness #(
  /// Parameters of mf_fmlm_par, as far as they decide the ports.
  parameter int unsigned Width   = 1024,
  parameter int unsigned Digits  = 64,
  parameter int unsigned DigitW  = 17,
  parameter int unsigned Bits    = 64,
  parameter int unsigned Segment = 4,
  /// Spectra of constants.
  parameter int unsigned Spectra = 2,

  localparam int unsigned OperandW  = Width + 1,
  localparam int unsigned Constants = Spectra * Digits,
  localparam int unsigned Rows      = Digits / 4,
  localparam int unsigned RowW      = $clog2(Rows),
  localparam int unsigned ConstantW = $clog2(Constants),
  localparam int unsigned SegmentW  = Segment * DigitW
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [OperandW-1:0]          x_i,
  input  logic [OperandW-1:0]          y_i,
  input  logic [Constants-1:0][Bits:0] constants_i,
  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output logic [OperandW-1:0]          p_o,

  output logic                         core_digits_valid_o,
  output logic [RowW-1:0]              core_digits_row_o,
  output logic [4*DigitW-1:0]          core_x_o,
  output logic [4*DigitW-1:0]          core_y_o,
  output logic                         core_constant_valid_o,
  output logic [ConstantW-1:0]         core_constant_index_o,
  output logic [Bits:0]                core_constant_o,
  output logic                         core_start_o,
  input  logic                         core_done_i,
  input  logic                         core_p_valid_i,
  input  logic [RowW:0]                core_p_row_i,
  input  logic [SegmentW-1:0]          core_p_i
);

  localparam int unsigned RowBits    = 4 * DigitW;
  localparam int unsigned TotalW     = Digits * DigitW;
  localparam int unsigned Segments   = Digits / Segment;
  localparam int unsigned LoadCycles = 2 * Constants + 6;
  localparam int unsigned CountW     = $clog2(Segments + 1);

  logic                              load, unused_read, running;
  logic [CountW-1:0]                 segments_q;
  logic [Segments-1:0][SegmentW-1:0] p_q;
  logic [Rows-1:0][2*RowBits-1:0]    rows;

  always_comb begin
    for (int unsigned i = 0; i < Rows; i++) begin
      rows[i] = {RowBits'(TotalW'(y_i) >> (i * RowBits)), RowBits'(TotalW'(x_i) >> (i * RowBits))};
    end
  end

  mf_harness_control #(.LoadCycles(LoadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (core_start_o),
    .accepted_i (1'b1),
    .running_o  (running),
    .finished_i (core_done_i),
    .read_o     (unused_read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_memory_writer #(.WordWidth(2 * RowBits), .Words(Rows), .Seed(16'h1234)) u_digits (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (load),
    .d_i    (rows),
    .valid_o(core_digits_valid_o),
    .index_o(core_digits_row_o),
    .word_o ({core_y_o, core_x_o})
  );
  mf_memory_writer #(.WordWidth(Bits + 1), .Words(Constants), .Seed(16'h5678)) u_constants (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .load_i (load),
    .d_i    (constants_i),
    .valid_o(core_constant_valid_o),
    .index_o(core_constant_index_o),
    .word_o (core_constant_o)
  );

  always_ff @(posedge clk_i) begin
    if (load) segments_q <= '0;
    if (core_p_valid_i) begin
      p_q[core_p_row_i] <= core_p_i;
      segments_q        <= segments_q + CountW'(1);
    end
    if (rst_ni) begin
      if (core_p_valid_i) begin
        a_segment_belongs_to_an_operation : assert (running);
      end
      if (rsp_valid_o) begin
        all_segments_came : assert (segments_q == CountW'(Segments));
      end
    end
  end

  assign p_o = OperandW'(p_q);

  // The result is below its bound.
  logic unused_high;
  assign unused_high = ^{1'b0, p_q >> OperandW};

endmodule
