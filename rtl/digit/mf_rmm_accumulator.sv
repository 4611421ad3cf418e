// SPDX-License-Identifier: Apache-2.0
//
// One accumulator of mf_rmm: sums the products of its phases, each at its column's digit.
//
// Parts of products (mf_rmm_lanes) that come to a digit in the same step have lanes of their own:
// the high halves the first ones, in the order of the multipliers, then the low halves; the top
// bits lie with the low halves, from the same lane on. The correction comes with the last
// products, and takes the first lane that they leave free at its digit.

module mf_rmm_accumulator #(
  /// Bits of the accumulator.
  parameter int unsigned Width       = 15,
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M           = 1,
  /// Bits of a digit.
  parameter int unsigned DigitBits   = 3,
  /// Products are carry-save pairs.
  parameter bit          Pairs       = 1'b0,
  /// The register is a carry-save pair (mf_digit_accumulator).
  parameter bit          CarrySave   = 1'b0,
  /// Style of the adder (mf_adder).
  parameter int unsigned AdderStyle  = 0,
  /// The accumulator's context, and its number (mf_rmm_pkg::adds_to).
  parameter int unsigned Owner       = 0,
  parameter int unsigned Accumulator = 0,
  /// U has an accumulator of its own.
  parameter bit          Published   = 1'b0,
  /// Steps of the plan.
  parameter int unsigned Steps       = 1,
  /// Steps after which it repeats; at least Steps.
  parameter int unsigned Period      = 2,
  /// Step of the last products, with which the correction comes.
  parameter int unsigned LastStep    = 0,
  /// Products by step and multiplier.
  parameter logic [Steps-1:0][M-1:0][mf_rmm_pkg::IssueW-1:0] Plan = '0,
  /// What the sum begins with.
  parameter logic [Width-1:0] Initial        = '0,
  /// Bits that the correction may have.
  parameter logic [Width-1:0] CorrectionMask = '0,

  localparam int unsigned StepW  = $clog2(Period),
  localparam int unsigned Digits = (Width + DigitBits - 1) / DigitBits
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,

  input  logic                          initialise_i,
  /// The step whose products come in the next cycle, and whether the context had begun.
  input  logic [StepW-1:0]              product_step_i,
  input  logic                          product_issuing_i,
  /// Products: sum, carry and top bit.
  input  logic [M-1:0][2*DigitBits-1:0] product_sum_i,
  input  logic [M-1:0][2*DigitBits-1:0] product_carry_i,
  input  logic [M-1:0]                  product_top_i,
  input  logic [Width-1:0]              correction_i,

  /// The sum with the present products, and without them (mf_digit_accumulator).
  output logic [Width-1:0]              value_o,
  output logic [Width-1:0]              register_o
);

  import mf_rmm_pkg::*;

  localparam int unsigned Parts    = Pairs ? 3 : 2;
  localparam int unsigned LaneRows = Pairs ? 2 : 1;

  typedef logic [M-1:0][Parts-1:0][7:0] lanes_t;  // lanes of the products of a step

  typedef struct packed {
    logic [7:0]             number;      // of lanes
    logic [Digits-1:0][7:0] correction;  // lane of the correction
    lanes_t [Steps-1:0]     lanes;
  } placement_t;

  function automatic placement_t placed();
    placement_t             found;
    lanes_t                 now;
    logic [Digits-1:0][7:0] high, next, correction;  // lanes in use at a digit
    logic [7:0]             lane, number;
    issue_t                 issue;
    int unsigned            digit;
    number     = 8'd1;
    correction = '0;
    for (int unsigned t = 0; t < Steps; t++) begin
      high  = '0;
      now   = '0;
      for (int unsigned s = 0; s < M; s++) begin
        issue = issue_t'(Plan[t][s]);
        digit = 32'(issue.i) + 32'(issue.j) + 1;
        if (adds_to(issue.owner, issue.phase, Owner, Accumulator, Published) &&
            digit < Digits) begin
          lane        = high[digit];
          now[s][1]   = lane;
          high[digit] = lane + 8'd1;
          if (lane >= number) number = lane + 8'd1;
        end
      end
      if (t == LastStep) correction = high;
      for (int unsigned p = 0; p < Parts; p = p + 2) begin
        next = high;
        for (int unsigned s = 0; s < M; s++) begin
          issue = issue_t'(Plan[t][s]);
          digit = 32'(issue.i) + 32'(issue.j) + p;
          if (adds_to(issue.owner, issue.phase, Owner, Accumulator, Published) &&
              digit < Digits) begin
            lane        = next[digit];
            now[s][p]   = lane;
            next[digit] = lane + 8'd1;
            if (lane >= number) number = lane + 8'd1;
            if (t == LastStep && lane >= correction[digit]) correction[digit] = lane + 8'd1;
          end
        end
      end
      found.lanes[t] = now;
    end
    for (int unsigned e = 0; e < Digits; e++) begin
      if (corrected(e) && correction[e] >= number) number = correction[e] + 8'd1;
    end
    found.number     = number;
    found.correction = correction;
    return found;
  endfunction

  // Whether the correction has bits of a digit.
  function automatic bit corrected(int unsigned digit);
    logic [Digits*DigitBits-1:0] mask;
    mask = (Digits * DigitBits)'(CorrectionMask);
    return mask[digit*DigitBits +: DigitBits] != '0;
  endfunction
  function automatic logic [Digits-1:0] corrected_digits();
    logic [Digits-1:0] found;
    for (int unsigned e = 0; e < Digits; e++) found[e] = corrected(e);
    return found;
  endfunction

  localparam placement_t  Placement = placed();
  localparam int unsigned Lanes     = 32'(Placement.number);

  logic [Lanes-1:0][1:0][Digits*DigitBits-1:0] lanes;
  logic [Lanes*LaneRows-1:0][Width-1:0]        rows;

  mf_rmm_lanes #(
    .M             (M),
    .DigitBits     (DigitBits),
    .Digits        (Digits),
    .Lanes         (Lanes),
    .Parts         (Parts),
    .Owner         (Owner),
    .Accumulator   (Accumulator),
    .Published     (Published),
    .Steps         (Steps),
    .Period        (Period),
    .Plan          (Plan),
    .LaneOf        (Placement.lanes),
    .Corrected     (corrected_digits()),
    .CorrectionLane(Placement.correction)
  ) u_lanes (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .product_step_i   (product_step_i),
    .product_issuing_i(product_issuing_i),
    .product_sum_i    (product_sum_i),
    .product_carry_i  (product_carry_i),
    .product_top_i    (product_top_i),
    .correction_i     ((Digits * DigitBits)'(correction_i)),
    .lanes_o          (lanes)
  );

  // What lies above the accumulator is cut off; a product that is no pair has no carries.
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    for (genvar r = 0; r < LaneRows; r++) begin : gen_row
      assign rows[l*LaneRows+r] = lanes[l][r][Width-1:0];
    end
  end
  logic unused_lanes;
  assign unused_lanes = ^lanes;

  mf_digit_accumulator #(
    .Width     (Width),
    .Rows      (Lanes * LaneRows),
    .CarrySave (CarrySave),
    .AdderStyle(AdderStyle),
    .Initial   (Initial)
  ) u_accumulator (
    .clk_i       (clk_i),
    .initialise_i(initialise_i),
    .rows_i      (rows),
    .value_o     (value_o),
    .register_o  (register_o)
  );

endmodule
