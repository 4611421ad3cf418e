// SPDX-License-Identifier: Apache-2.0
//
// Lanes of an accumulator of mf_rmm: parts of products are brought to their digits.
//
// A product is parts of a digit each: 0 the low half, at the digit of its column i + j, 1 the high
// half, one digit up, 2 the top bit of a carry-save product, two digits up. The vectors that an
// accumulator adds in a cycle are its lanes. Each digit of a lane has a multiplexer of the parts
// that the plan brings there, selected by one-hot registers. A low half and a top bit may be on a
// lane's digit together: they have no bit in common.
// The correction is added on a lane of its own choice, which is free when it comes.

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
  /// The accumulator's context, and its number (mf_rmm_pkg::adds_to).
  parameter int unsigned Owner          = 0,
  parameter int unsigned Accumulator    = 0,
  /// U has an accumulator of its own.
  parameter bit          Published      = 1'b0,
  /// Steps of the plan.
  parameter int unsigned Steps          = 1,
  /// Steps after which it repeats; at least Steps.
  parameter int unsigned Period         = 2,
  /// Products by step and multiplier.
  parameter logic [Steps-1:0][M-1:0][mf_rmm_pkg::IssueW-1:0] Plan = '0,
  /// Lane of each part of the accumulator's products.
  parameter logic [Steps-1:0][M-1:0][Parts-1:0][7:0] LaneOf = '0,
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

  // ---------------------------------------------------------------- what the plan brings where

  // Columns that have parts in the accumulator.
  localparam int unsigned Columns = Digits < 31 ? Digits : 31;

  // Steps in which a multiplier has a product of a column.
  typedef logic [Columns-1:0][Period-1:0] column_steps_t;
  // Steps in which a part of a multiplier's product is on a lane.
  typedef logic [Parts-1:0][Lanes-1:0][Period-1:0] lane_steps_t;
  // Multipliers that have products of a column in some step, and parts on a lane.
  typedef logic [Columns-1:0][M-1:0] column_slots_t;
  typedef logic [Parts-1:0][Lanes-1:0][M-1:0] lane_slots_t;

  function automatic logic is_here(issue_t issue);
    return adds_to(issue.owner, issue.phase, Owner, Accumulator, Published) &&
           32'(issue.i) + 32'(issue.j) < Columns;
  endfunction

  function automatic column_steps_t [M-1:0] steps_of_columns();
    column_steps_t [M-1:0] all;
    column_steps_t         steps;
    issue_t                issue;
    for (int unsigned s = 0; s < M; s++) begin
      for (int unsigned column = 0; column < Columns; column++) steps[column] = '0;
      for (int unsigned t = 0; t < Steps; t++) begin
        issue = issue_t'(Plan[t][s]);
        if (is_here(issue)) steps[32'(issue.i)+32'(issue.j)][t] = 1'b1;
      end
      all[s] = steps;
    end
    return all;
  endfunction

  function automatic lane_steps_t [M-1:0] steps_of_lanes();
    lane_steps_t [M-1:0] all;
    lane_steps_t         steps;
    for (int unsigned s = 0; s < M; s++) begin
      for (int unsigned p = 0; p < Parts; p++) begin
        for (int unsigned l = 0; l < Lanes; l++) steps[p][l] = '0;
      end
      for (int unsigned t = 0; t < Steps; t++) begin
        if (is_here(issue_t'(Plan[t][s]))) begin
          for (int unsigned p = 0; p < Parts; p++) steps[p][32'(LaneOf[t][s][p])][t] = 1'b1;
        end
      end
      all[s] = steps;
    end
    return all;
  endfunction

  localparam column_steps_t [M-1:0] ColumnSteps = steps_of_columns();
  localparam lane_steps_t [M-1:0]   LaneSteps   = steps_of_lanes();

  function automatic column_slots_t slots_of_columns();
    column_slots_t slots;
    for (int unsigned column = 0; column < Columns; column++) begin
      for (int unsigned s = 0; s < M; s++) slots[column][s] = ColumnSteps[s][column] != '0;
    end
    return slots;
  endfunction

  function automatic lane_slots_t slots_of_lanes();
    lane_slots_t slots;
    for (int unsigned p = 0; p < Parts; p++) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        for (int unsigned s = 0; s < M; s++) slots[p][l][s] = LaneSteps[s][p][l] != '0;
      end
    end
    return slots;
  endfunction

  localparam column_slots_t ColumnSlots = slots_of_columns();
  localparam lane_slots_t   LaneSlots   = slots_of_lanes();

  // Parts that the plan brings to a digit of a lane in some step.
  typedef struct packed {
    logic [1:0] part;
    logic [7:0] slot;
  } source_t;
  typedef struct packed {
    logic [15:0]                number;
    source_t    [Parts*M-1:0]   sources;
  } sources_t;

  function automatic sources_t sources_of(int unsigned digit, int unsigned lane);
    sources_t     found;
    logic [M-1:0] left;  // multipliers
    int unsigned  column, slot;
    found = '0;
    for (int unsigned p = 0; p < Parts; p++) begin
      column = digit - p;  // huge if the part can't be here
      if (column < Columns) begin
        left = ColumnSlots[column] & LaneSlots[p][lane];
        while (left != '0) begin
          slot = 32'($clog2(left & (~left + M'(1))));  // the lowest
          if ((ColumnSteps[slot][column] & LaneSteps[slot][p][lane]) != '0) begin
            found.sources[found.number] = {2'(p), 8'(slot)};
            found.number                = found.number + 16'd1;
          end
          left = left & (left - M'(1));
        end
      end
    end
    return found;
  endfunction

  // ---------------------------------------------------------------- multiplexers

  for (genvar e = 0; e < Digits; e++) begin : gen_digit
    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      localparam sources_t    Sources = sources_of(e, l);
      localparam int unsigned Inputs  = 32'(Sources.number);
      localparam bit          Correct = Corrected[e] && 32'(CorrectionLane[e]) == l;

      logic [1:0][DigitBits-1:0] chosen;  // sum, carry
      logic                      top;

      if (Inputs == 0) begin : gen_none
        assign chosen = '0;
        assign top    = 1'b0;
      end else begin : gen_parts
        logic [Inputs-1:0]                  select_q, tops;
        logic [Inputs-1:0][2*DigitBits-1:0] halves;

        for (genvar n = 0; n < Inputs; n++) begin : gen_input
          localparam int unsigned       Slot     = 32'(Sources.sources[n].slot);
          localparam int unsigned       Part     = 32'(Sources.sources[n].part);
          localparam logic [Period-1:0] ItsSteps = ColumnSteps[Slot][e-Part] &
                                                   LaneSteps[Slot][Part][l];
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) select_q[n] <= 1'b0;
            else select_q[n] <= ItsSteps[product_step_i] & product_issuing_i;
          end
          if (Part == 2) begin : gen_top
            assign halves[n] = '0;
            assign tops[n]   = product_top_i[Slot] & select_q[n];
          end else begin : gen_half
            assign halves[n] = {product_carry_i[Slot][Part*DigitBits +: DigitBits],
                                product_sum_i[Slot][Part*DigitBits +: DigitBits]};
            assign tops[n]   = 1'b0;
          end
        end

        mf_one_hot_mux #(.Width(2 * DigitBits), .Inputs(Inputs)) u_place (
          .select_i(select_q),
          .data_i  (halves),
          .data_o  (chosen)
        );
        assign top = |tops;
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
