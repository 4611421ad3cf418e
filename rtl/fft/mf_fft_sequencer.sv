// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of the FFT operator: rows of the stages, twiddle exponents, writes of rows.
//
// Source:   Dai 2018, eq. 27 and 28. Stage j, J = 2^(v-1-j), butterfly i: z'[i], z'[i + s/2] =
//           z[2i] +- 2^E z[2i+1], E = 2cJ floor(i/J), cJ more in a nega-cyclic transform; the
//           inverse ones take -E. Two butterflies a cycle, i = 2 row and 2 row + 1. With Fused two
//           more take their sums and differences through stage j + 1, i = row and row + s/4.
// How:      J floor(i/J) is i without its low v-1-j bits, so that an exponent takes wires and a
//           product with the constant 2c. Input is read bit-reversed in the first stage.
// Order:    a stage takes its rows in order. Rotated: stage j takes at place p the row p rotated to
//           the right by j bits (Fused, pass j of two stages: 2j), so that the two (four) rows that
//           a row needs come close together in the stage before.
// Timing:   a stage starts max(s/4, W + Latency) cycles after the stage before: s/4 for its rows,
//           W + Latency for the data of the next one; W = s/8 (Fused, two stages: 3s/16), Rotated
//           2^k (3 2^k) if the stage before was rotated by k bits. After the last row the next
//           transform follows at once. A row is written Latency - 1 cycles after its read.

module mf_fft_sequencer #(
  /// Digits s; a power of two, 16 to 512.
  parameter int unsigned Digits        = 64,
  /// Bits of the ring, c s.
  parameter int unsigned Bits          = 64,
  /// Cycles from the read of a row to the read of its result.
  parameter int unsigned Latency       = 11,
  /// Place in the last stage after which words can be read in bit-reversed order, one a cycle.
  parameter int unsigned ReversedPlace = 5,
  /// Place in the last stage after which segments can be read, one a cycle.
  parameter int unsigned SegmentPlace  = 7,
  /// Butterflies of fewer cycles.
  parameter bit          Fast          = 1'b0,
  /// Rows in rotated order.
  parameter bit          Rotated       = 1'b0,
  /// Two stages at once; log2(Digits) must be even.
  parameter bit          Fused         = 1'b0,

  localparam int unsigned Stages = $clog2(Digits)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,

  /// The next transform. It is taken when step_ready_o is high, too.
  input  logic                     step_valid_i,
  output logic                     step_ready_o,
  input  mf_fft_pkg::source_e      source_i,
  input  mf_fft_pkg::target_e      target_i,
  input  logic                     owner_i,
  input  logic                     nega_i,
  input  logic                     inverse_i,

  output mf_fft_pkg::fft_read_t    read_o,
  output mf_fft_pkg::twiddle_t     twiddle_o,
  output mf_fft_pkg::twiddle_t     second_twiddle_o,
  output mf_fft_pkg::fft_write_t   write_o,
  /// Rows of a transform's last stage that are written: the first one, that at ReversedPlace, that
  /// at SegmentPlace, the last one.
  output logic                     words_o,
  output logic                     reversed_o,
  output logic                     segments_o,
  output logic                     done_o
);

  import mf_fft_pkg::*;

  localparam int unsigned HalfC   = 2 * Bits / Digits;  // 2c
  localparam int unsigned Rows    = Digits / 4;
  localparam int unsigned RowW    = $clog2(Rows);
  localparam int unsigned Wait    = Fused ? 3 * Digits / 16 : Digits / 8;
  localparam int unsigned Step    = Fused ? 2 : 1;  // bits of rotation from pass to pass
  localparam int unsigned PlaceW  = $clog2(Rows + Wait + Latency);
  localparam int unsigned ShiftW  = $clog2(RowW + 1);
  localparam int unsigned StageW  = $clog2(Stages);
  localparam int unsigned Passes  = Fused ? Stages / 2 : Stages;

  if (Fused && Stages % 2 == 1) begin : gen_illegal_fused
    $fatal(1, "mf_fft_sequencer: Fused must be 0 with an odd number of stages");
  end

  // ---------------------------------------------------------------- stages and rows

  // Cycles from a pass that is rotated by `shift` bits to the next one.
  function automatic int unsigned period(int unsigned shift);
    int unsigned cycles;
    cycles = (Rotated ? (Fused ? 32'd3 : 32'd1) << shift : Wait) + Latency;
    return cycles > Rows ? cycles : Rows;
  endfunction

  logic [PlaceW-1:0] place_q;  // cycle within the stage
  logic [StageW-1:0] stage_q;  // of passes, two stages each with Fused
  logic [ShiftW-1:0] shift_q;  // bits by which rows are rotated
  logic [RowW-1:0]   row;
  logic              busy_q, row_valid, last_stage, last_row, take;
  source_e           source_q;
  target_e           target_q;
  logic              owner_q, nega_q, inverse_q;

  assign row_valid    = busy_q && place_q < PlaceW'(Rows);
  assign last_stage   = stage_q == StageW'(Passes - 1);
  assign last_row     = busy_q && last_stage && place_q == PlaceW'(Rows - 1);
  assign step_ready_o = !busy_q || last_row;
  assign take         = step_valid_i && step_ready_o;
  assign row          = RowW'({place_q[RowW-1:0], place_q[RowW-1:0]} >> shift_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      place_q <= '0;
      stage_q <= '0;
      shift_q <= '0;
    end else if (take) begin
      busy_q  <= 1'b1;
      place_q <= '0;
      stage_q <= '0;
      shift_q <= '0;
    end else if (last_row) begin
      busy_q <= 1'b0;
    end else if (place_q == PlaceW'(period(32'(shift_q)) - 1)) begin
      place_q <= '0;
      stage_q <= stage_q + StageW'(1);
      if (Rotated) begin
        shift_q <= shift_q == ShiftW'(RowW - Step) ? '0 : shift_q + ShiftW'(Step);
      end
    end else begin
      place_q <= place_q + PlaceW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      source_q  <= source_i;
      target_q  <= target_i;
      owner_q   <= owner_i;
      nega_q    <= nega_i;
      inverse_q <= inverse_i;
    end
  end

  assign read_o = '{
    valid:  row_valid,
    first:  stage_q == '0,
    source: source_q,
    owner:  owner_q,
    parity: !stage_q[0],
    row:    index_t'(row)
  };

  // ---------------------------------------------------------------- writes

  fft_write_t write;
  assign write = '{
    valid:  row_valid,
    last:   last_stage,
    target: target_q,
    owner:  owner_q,
    parity: stage_q[0],
    row:    index_t'(row)
  };

  // Marks of rows, beside their writes.
  typedef struct packed {
    logic words;
    logic reversed;
    logic segments;
    logic done;
  } marks_t;

  marks_t marks;
  assign marks = '{
    words:    row_valid && last_stage && place_q == '0,
    reversed: row_valid && last_stage && place_q == PlaceW'(ReversedPlace),
    segments: row_valid && last_stage && place_q == PlaceW'(SegmentPlace),
    done:     last_row
  };

  fft_write_t [Latency-1:1] write_q;
  marks_t     [Latency-1:1] marks_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      marks_q <= '0;
    end else begin
      write_q <= {write_q[Latency-2:1], write};
      marks_q <= {marks_q[Latency-2:1], marks};
    end
  end

  assign write_o = write_q[Latency-1];
  assign {words_o, reversed_o, segments_o, done_o} = marks_q[Latency-1];

  // ---------------------------------------------------------------- twiddle exponents

  // Of butterflies i = first, second in the stage with groups of J, in halves:
  // 2c (2 J floor(i/J)), and 2c J more.
  function automatic twiddle_t exponents(logic [Stages-1:0] group, logic [Stages-2:0] first,
                                         logic [Stages-2:0] second, logic nega, logic inverse);
    twiddle_t          found;
    logic [Stages-1:0] doubled;  // 2 J floor(i/J)
    logic [31:0]       halves;
    shift_t [1:0]      whole;
    logic [1:0]        half;
    for (int unsigned k = 0; k < 2; k++) begin
      doubled  = {k == 0 ? first : second, 1'b0} & ~((group << 1) - Stages'(1));
      halves   = 32'(doubled);
      halves   = HalfC * (halves + (nega && !inverse ? 32'(group) : 32'd0));
      whole[k] = shift_t'(halves >> 1);
      half[k]  = halves[0];
    end
    // sqrt 2 = 2^(Bits/4) (2^(Bits/2) - 1): both butterflies of a row have it, or none has.
    found.sqrt2 = |half;
    for (int unsigned k = 0; k < 2; k++) begin
      found.negative[k] = inverse && whole[k] != '0;
      found.shift[k]    = found.negative[k] ? shift_t'(Bits) - whole[k] : whole[k];
      if (half[k]) begin
        found.negative[k] = whole[k] >= shift_t'(Bits - Bits / 4);
        found.shift[k]    = found.negative[k] ? whole[k] - shift_t'(Bits - Bits / 4)
                                              : whole[k] + shift_t'(Bits / 4);
      end
    end
    return found;
  endfunction

  logic [Stages-1:0] top;  // J of the first stage
  twiddle_t [1:0]    twiddle_q;

  assign top = Stages'(1) << (Stages - 1);

  always_ff @(posedge clk_i) begin
    twiddle_q <= {twiddle_q[0], exponents(Fused ? top >> {stage_q, 1'b0} : top >> stage_q,
                                          {row, 1'b0}, {row, 1'b1}, nega_q, inverse_q)};
  end

  assign twiddle_o = twiddle_q[1];

  // The first butterflies of two stages have no half exponents.
  if (Fused) begin : gen_second
    mf_delay_line #(.Width($bits(twiddle_t)), .Depth(2 + butterfly_cycles(Fast))) u_second (
      .clk_i(clk_i),
      .d_i  (exponents(top >> {stage_q, 1'b1}, {1'b0, row}, {1'b1, row}, nega_q, inverse_q)),
      .q_o  (second_twiddle_o)
    );
  end else begin : gen_no_second
    assign second_twiddle_o = '0;
  end

endmodule
