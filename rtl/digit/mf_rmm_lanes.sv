// SPDX-License-Identifier: Apache-2.0
//
// Lanes of an accumulator of mf_rmm, the vectors that it adds in a cycle: multiplexers bring the
// parts of products to their digits.
//
// A product has parts of a digit each: 0 the low half, at the digit of its column i + j, 1 the high
// half, one digit up, 2 the top bit of a carry-save product, two digits up. Each digit of a lane
// has a multiplexer of the parts that the plan brings there, selected by one-hot registers. A low
// half and a top bit may be on a lane's digit together: they have no bit in common. The correction
// is added on a lane that is free when it comes (CorrectionLane).

module mf_rmm_lanes #(
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M              = 1,
  /// Bits of a digit.
  parameter int unsigned DigitBits      = 3,
  /// Digits of the accumulator.
  parameter int unsigned Digits         = 5,
  /// Vectors that are added in a cycle.
  parameter int unsigned Lanes          = 1,
  /// Parts of a product: 2, or 3 if it is a carry-save pair.
  parameter int unsigned Parts          = 2,
  /// Steps after which the plan repeats.
  parameter int unsigned Period         = 2,
  /// Columns that have parts in the accumulator, and the most products of one.
  parameter int unsigned Columns        = 3,
  parameter int unsigned Most           = 4,
  /// The products of each column.
  parameter logic [Columns-1:0][Most-1:0][mf_rmm_pkg::ArrivalW-1:0] Arrivals = '0,
  /// Digits that the correction has bits of, and its lane there.
  parameter logic [Digits-1:0]          Corrected        = '0,
  parameter logic [Digits-1:0][7:0]     CorrectionLane   = '0,

  localparam int unsigned StepW = $clog2(Period)
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,

  /// The step whose products come in the next cycle, and whether the context had begun.
  input  logic [StepW-1:0]                         product_step_i,
  input  logic                                     product_issuing_i,
  /// Products: sum, carry and top bit.
  input  logic [M-1:0][2*DigitBits-1:0]            product_sum_i,
  input  logic [M-1:0][2*DigitBits-1:0]            product_carry_i,
  input  logic [M-1:0]                             product_top_i,
  input  logic [Digits-1:0][DigitBits-1:0]         correction_i,

  /// Sum and carry of each lane.
  output logic [Lanes-1:0][1:0][Digits*DigitBits-1:0] lanes_o
);

  import mf_rmm_pkg::*;

  // ---------------------------------------------------------------- routing of the plan

  // Multipliers and parts that the plan brings to a digit of a lane in some step.
  localparam int unsigned MostSources = Parts * (M < Most ? M : Most);
  typedef struct packed {
    logic [1:0] part;
    logic [7:0] slot;
  } source_t;
  typedef struct packed {
    logic [15:0]               number;
    logic [15:0]               halves;  // of these, which come first; tops follow
    source_t [MostSources-1:0] sources;
  } sources_t;

  // The columns whose low halves, high halves and top bits come to a digit.
  typedef arrival_t [Most-1:0] column_t;
  typedef column_t [Parts-1:0] columns_t;

  function automatic columns_t columns_at(int unsigned digit);
    columns_t found;
    found = '0;
    for (int unsigned p = 0; p < Parts; p++) begin
      if (digit >= p && digit - p < Columns) found[p] = Arrivals[digit-p];
    end
    return found;
  endfunction

  function automatic sources_t sources_of(columns_t columns, int unsigned lane);
    sources_t     found;
    column_t      column;
    logic [M-1:0] left;  // multipliers
    found = '0;
    for (int unsigned p = 0; p < Parts; p++) begin
      column = columns[p];
      left   = '0;
      for (int unsigned n = 0; n < Most && column[n].used; n++) begin
        if (32'(column[n].lane[p]) == lane) left[32'(column[n].slot)] = 1'b1;
      end
      while (left != '0) begin
        found.sources[found.number] = {2'(p), 8'($clog2(left & (~left + M'(1))))};  // the lowest
        found.number                = found.number + 16'd1;
        if (p < 2) found.halves     = found.number;
        left                        = left & (left - M'(1));
      end
    end
    return found;
  endfunction

  // The steps in which a source comes.
  function automatic logic [Period-1:0] steps_of(columns_t columns, int unsigned lane,
                                                 source_t source);
    logic [Period-1:0] steps;
    column_t           column;
    steps  = '0;
    column = columns[source.part];
    for (int unsigned n = 0; n < Most && column[n].used; n++) begin
      if (column[n].slot == source.slot && 32'(column[n].lane[source.part]) == lane) begin
        steps[32'(column[n].step)] = 1'b1;
      end
    end
    return steps;
  endfunction

  // ---------------------------------------------------------------- multiplexers

  for (genvar e = 0; e < Digits; e++) begin : gen_digit
    localparam columns_t ItsColumns = columns_at(e);
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam sources_t    Sources = sources_of(ItsColumns, l);
      localparam int unsigned Inputs  = 32'(Sources.number);
      localparam int unsigned Halves  = 32'(Sources.halves);
      localparam bit          Correct = Corrected[e] && 32'(CorrectionLane[e]) == l;

      logic [1:0][DigitBits-1:0] chosen;  // sum, carry
      logic                      top;

      if (Inputs != 0) begin : gen_parts
        logic [Inputs-1:0]                  next_select, tops;
        logic [Inputs-1:0][2*DigitBits-1:0] halves;

        for (genvar n = 0; n < Inputs; n++) begin : gen_input
          localparam source_t           Source   = Sources.sources[n];
          localparam int unsigned       Slot     = 32'(Source.slot);
          localparam int unsigned       Part     = n < Halves ? 32'(Source.part) : 0;
          localparam logic [Period-1:0] ItsSteps = steps_of(ItsColumns, l, Source);
          assign next_select[n] = ItsSteps[product_step_i] & product_issuing_i;
          assign halves[n]      = {product_carry_i[Slot][Part*DigitBits +: DigitBits],
                                   product_sum_i[Slot][Part*DigitBits +: DigitBits]};
          assign tops[n]        = product_top_i[Slot];
        end

        if (Halves != 0) begin : gen_half
          mf_registered_select #(.Width(2 * DigitBits), .Inputs(Halves)) u_half (
            .clk_i        (clk_i),
            .rst_ni       (rst_ni),
            .next_select_i(next_select[Halves-1:0]),
            .data_i       (halves[Halves-1:0]),
            .data_o       (chosen)
          );
        end else begin : gen_no_half
          assign chosen = '0;
        end

        if (Halves != Inputs) begin : gen_top
          mf_registered_select #(.Width(1), .Inputs(Inputs - Halves)) u_top (
            .clk_i        (clk_i),
            .rst_ni       (rst_ni),
            .next_select_i(next_select[Inputs-1:Halves]),
            .data_i       (tops[Inputs-1:Halves]),
            .data_o       (top)
          );
        end else begin : gen_no_top
          assign top = 1'b0;
        end

        // Halves of products whose top bit comes, and tops of those whose halves come.
        logic unused_data;
        assign unused_data = ^{halves, tops};
      end else begin : gen_none
        assign chosen = '0;
        assign top    = 1'b0;
      end

      if (Correct) begin : gen_corrected
        assign lanes_o[l][0][e*DigitBits +: DigitBits] = chosen[0] | correction_i[e];
      end else begin : gen_not_corrected
        assign lanes_o[l][0][e*DigitBits +: DigitBits] = chosen[0];
      end
      // The lowest carry bit of a low half is 0, and so is that of no half.
      assign lanes_o[l][1][e*DigitBits +: DigitBits] = {chosen[1][DigitBits-1:1],
                                                        chosen[1][0] | top};
    end
  end

  // Parts of other accumulators' products or above this one, and digits without a correction.
  logic unused_parts;
  assign unused_parts = ^{product_step_i, product_issuing_i, product_sum_i, product_carry_i,
                          product_top_i, correction_i};

endmodule
