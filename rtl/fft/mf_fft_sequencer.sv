// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of the FFT operator: rows of the stages, twiddle exponents and when rows are written.
//
// Source:   Dai 2018, eq. 27 and 28. Stage j, J = 2^(v-1-j), butterfly i: z'[i], z'[i + s/2] =
//           z[2i] +- 2^E z[2i+1], E = 2cJ floor(i/J), cJ more in a nega-cyclic transform; the
//           inverse ones take -E. Two butterflies a cycle, i = 2 row and 2 row + 1.
// How:      J floor(i/J) is i with its low v-1-j bits cleared, so that an exponent is wires and a
//           product with the constant 2c. Input is read bit-reversed in the first stage.
// Timing:   a stage starts max(s/4, s/8 + Latency) cycles after the one before: s/4 rows, and a row
//           of the next stage needs two rows of this one. After the last row the next transform
//           follows at once. What is read in a cycle is written Latency - 1 cycles later.

module mf_fft_sequencer #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits      = 64,
  /// Bits of the ring, c s.
  parameter int unsigned Bits        = 64,
  /// Cycles from the read of a row to the read of what it wrote.
  parameter int unsigned Latency     = 11,
  /// Row of the last stage after which words can be read in bit-reversed order, one a cycle.
  parameter int unsigned ReversedRow = 6,
  /// Row of the last stage after which segments can be read, one a cycle.
  parameter int unsigned SegmentRow  = 7,

  localparam int unsigned Stages = $clog2(Digits)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  /// The next transform. It is taken when step_ready_o is high, too.
  input  logic                     step_valid_i,
  output logic                     step_ready_o,
  input  mf_fft_pkg::source_e      source_i,
  input  mf_fft_pkg::target_e      target_i,
  input  logic                     nega_i,
  input  logic                     inverse_i,

  output mf_fft_pkg::fft_read_t    read_o,
  output mf_fft_pkg::twiddle_t     twiddle_o,
  output mf_fft_pkg::fft_write_t   write_o,
  /// The first row of a transform's last stage is being written; rows ReversedRow, SegmentRow, the
  /// last row.
  output logic                     words_o,
  output logic                     reversed_o,
  output logic                     segments_o,
  output logic                     done_o
);

  import mf_fft_pkg::*;

  localparam int unsigned HalfC   = 2 * Bits / Digits;  // 2c
  localparam int unsigned Rows    = Digits / 4;
  localparam int unsigned Period  = Rows > Digits / 8 + Latency ? Rows : Digits / 8 + Latency;
  localparam int unsigned PlaceW  = $clog2(Period + 1);
  localparam int unsigned StageW  = $clog2(Stages);

  // ---------------------------------------------------------------- stages and rows

  logic [PlaceW-1:0] place_q;  // cycle within the stage
  logic [StageW-1:0] stage_q;
  logic              busy_q, row_valid, last_stage, last_row, take;
  source_e           source_q;
  target_e           target_q;
  logic              nega_q, inverse_q;

  assign row_valid    = busy_q && place_q < PlaceW'(Rows);
  assign last_stage   = stage_q == StageW'(Stages - 1);
  assign last_row     = busy_q && last_stage && place_q == PlaceW'(Rows - 1);
  assign step_ready_o = !busy_q || last_row;
  assign take         = step_valid_i && step_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      place_q <= '0;
      stage_q <= '0;
    end else if (take) begin
      busy_q  <= 1'b1;
      place_q <= '0;
      stage_q <= '0;
    end else if (last_row) begin
      busy_q <= 1'b0;
    end else if (place_q == PlaceW'(Period - 1)) begin
      place_q <= '0;
      stage_q <= stage_q + StageW'(1);
    end else begin
      place_q <= place_q + PlaceW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      source_q  <= source_i;
      target_q  <= target_i;
      nega_q    <= nega_i;
      inverse_q <= inverse_i;
    end
  end

  assign read_o = '{
    valid:  row_valid,
    first:  stage_q == '0,
    source: source_q,
    parity: !stage_q[0],
    row:    index_t'(place_q)
  };

  // ---------------------------------------------------------------- writes

  fft_write_t write;
  assign write = '{
    valid:  row_valid,
    last:   last_stage,
    target: target_q,
    parity: stage_q[0],
    row:    index_t'(place_q)
  };

  fft_write_t [Latency-1:1] write_q;
  logic       [Latency-1:1] done_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      done_q  <= '0;
    end else begin
      write_q <= {write_q[Latency-2:1], write};
      done_q  <= {done_q[Latency-2:1], last_row};
    end
  end

  assign write_o    = write_q[Latency-1];
  assign words_o    = write_o.valid && write_o.last && write_o.row == '0;
  assign reversed_o = write_o.valid && write_o.last && write_o.row == index_t'(ReversedRow);
  assign segments_o = write_o.valid && write_o.last && write_o.row == index_t'(SegmentRow);
  assign done_o     = done_q[Latency-1];

  // ---------------------------------------------------------------- twiddle exponents

  // In halves: 2c (2 J floor(i/J)), and 2c J more.
  logic     [Stages-1:0] group;  // J
  shift_t   [1:0]        whole;
  logic     [1:0]        half;
  twiddle_t              twiddle_d;
  twiddle_t [1:0]        twiddle_q;

  assign group = Stages'(1) << (StageW'(Stages - 1) - stage_q);

  for (genvar k = 0; k < 2; k++) begin : gen_exponents
    logic [Stages-1:0] doubled;  // 2 J floor(i/J), i below s/2
    logic [31:0]       halves;

    assign doubled = {(Stages - 2)'(place_q), 1'(k), 1'b0} & ~((group << 1) - Stages'(1));
    assign halves  = HalfC * (32'(doubled) + (nega_q && !inverse_q ? 32'(group) : 32'd0));
    assign whole[k] = shift_t'(halves >> 1);
    assign half[k]  = halves[0];

    logic unused_halves;
    assign unused_halves = ^(halves >> 11);
  end

  // sqrt 2 = 2^(Bits/4) (2^(Bits/2) - 1): both butterflies of a row have it, or none has.
  always_comb begin
    twiddle_d.sqrt2 = half[0];
    for (int unsigned k = 0; k < 2; k++) begin
      twiddle_d.negative[k] = inverse_q && whole[k] != '0;
      twiddle_d.shift[k]    = twiddle_d.negative[k] ? shift_t'(Bits) - whole[k] : whole[k];
      if (half[0]) begin
        twiddle_d.negative[k] = whole[k] >= shift_t'(Bits - Bits / 4);
        twiddle_d.shift[k]    = twiddle_d.negative[k] ? whole[k] - shift_t'(Bits - Bits / 4)
                                                      : whole[k] + shift_t'(Bits / 4);
      end
    end
  end

  always_ff @(posedge clk_i) twiddle_q <= {twiddle_q[0], twiddle_d};

  assign twiddle_o = twiddle_q[1];

  logic unused_half;
  assign unused_half = half[1];

endmodule
