// SPDX-License-Identifier: Apache-2.0
//
// One accumulator of mf_rmm: sums the products of its phases, each at its column's digit.
//
// Parts of products (mf_rmm_lanes) that come to a digit in the same step have different lanes: the
// high halves the first ones, in the order of the multipliers, then the low halves; the top bits
// share the lanes of the low halves. The correction comes with the last products and takes the
// first free lane at its digit.

module mf_rmm_accumulator #(
  /// Bits of the accumulator.
  parameter int unsigned Width       = 15,
  /// Digits of an operand; 2 to 16.
  parameter int unsigned K           = 2,
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
  /// Initial value of the sum.
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

  // Columns that have parts here, and the most products of one: of T and of U.
  localparam int unsigned Columns = Digits < 2 * K - 1 ? Digits : 2 * K - 1;
  localparam int unsigned Most    = 2 * K;

  typedef arrival_t [Most-1:0] column_t;

  // Functions of large parameters read them once: a constant function of Verilator copies a
  // parameter bit by bit wherever it is named.

  // The products in the order of their steps, with the lanes of their high halves.
  function automatic column_t [Columns-1:0] products();
    column_t [Columns-1:0]         found;
    logic [Columns-1:0][7:0]       number;
    logic [Columns-1:0][19:0]      latest;  // step and lane of the column's latest product
    logic [M-1:0][IssueW-1:0]      now;
    logic [Steps*M*IssueW-1:0]     plan;
    issue_t                        issue;
    logic [7:0]                    lane;
    int unsigned                   column;
    plan   = Plan;
    number = '0;
    latest = '0;
    for (int unsigned c = 0; c < Columns; c++) found[c] = '0;
    for (int unsigned t = 0; t < Steps; t++) begin
      now = plan[t*M*IssueW +: M*IssueW];
      for (int unsigned s = 0; s < M; s++) begin
        issue  = issue_t'(now[s]);
        column = 32'(issue.i) + 32'(issue.j);
        if (adds_to(issue.owner, issue.phase, Owner, Accumulator, Published) &&
            column < Columns) begin
          lane = number[column] != '0 && latest[column][19:8] == 12'(t) ?
                 latest[column][7:0] + 8'd1 : 8'd0;
          found[column][number[column]] = {1'b1, 12'(t), 8'(s), 8'd0, lane, 8'd0};
          number[column]                = number[column] + 8'd1;
          latest[column]                = {12'(t), lane};
        end
      end
    end
    return found;
  endfunction

  // Products of a column that are issued in a step.
  function automatic logic [7:0] issued(column_t column, logic [11:0] step);
    logic [7:0] number;
    number = '0;
    for (int unsigned n = 0; n < Most && column[n].used; n++) begin
      if (column[n].step == step) number = number + 8'd1;
    end
    return number;
  endfunction

  // Low halves and top bits come to the lanes above the high halves of the column below theirs.
  function automatic column_t [Columns-1:0] placed(column_t [Columns-1:0] columns);
    column_t [Columns-1:0] found;
    column_t               below, now, above;
    now   = '0;
    above = columns[0];
    for (int unsigned c = 0; c < Columns; c++) begin
      below = now;
      now   = above;
      above = c + 1 < Columns ? columns[c+1] : '0;
      found[c] = now;
      for (int unsigned n = 0; n < Most && now[n].used; n++) begin
        found[c][n].lane[0] = now[n].lane[1] + issued(below, now[n].step);
        found[c][n].lane[2] = now[n].lane[1] + issued(above, now[n].step);
      end
    end
    return found;
  endfunction

  localparam column_t [Columns-1:0] Arrivals = placed(products());

  // Lane of the correction at each digit.
  function automatic logic [Digits-1:0][7:0] correction_lanes();
    column_t [Columns-1:0]  columns;
    logic [Digits-1:0][7:0] found;
    logic [7:0]             high, low, top;
    columns = Arrivals;
    {top, high} = '0;
    for (int unsigned e = 0; e < Digits; e++) begin
      low      = e < Columns ? issued(columns[e], 12'(LastStep)) : 8'd0;
      found[e] = high + (Pairs && low < top ? top : low);
      top      = high;
      high     = low;
    end
    return found;
  endfunction
  localparam logic [Digits-1:0][7:0] CorrectionLane = correction_lanes();

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

  function automatic int unsigned number_of_lanes();
    column_t [Columns-1:0] columns;
    column_t               column;
    logic [7:0]            highest;
    columns = Arrivals;
    highest = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      column = columns[c];
      for (int unsigned n = 0; n < Most && column[n].used; n++) begin
        for (int unsigned p = 0; p < Parts; p++) begin
          if (c + p < Digits && column[n].lane[p] > highest) highest = column[n].lane[p];
        end
      end
    end
    for (int unsigned e = 0; e < Digits; e++) begin
      if (corrected(e) && CorrectionLane[e] > highest) highest = CorrectionLane[e];
    end
    return 32'(highest) + 1;
  endfunction
  localparam int unsigned Lanes = number_of_lanes();

  logic [Lanes-1:0][1:0][Digits*DigitBits-1:0] lanes;
  logic [Lanes*LaneRows-1:0][Width-1:0]        rows;

  mf_rmm_lanes #(
    .M(M), .DigitBits(DigitBits), .Digits(Digits), .Lanes(Lanes), .Parts(Parts), .Period(Period),
    .Columns(Columns), .Most(Most), .Arrivals(Arrivals), .CorrectionLane(CorrectionLane),
    .Corrected(corrected_digits())
  ) u_lanes (
    .clk_i, .rst_ni, .product_step_i, .product_issuing_i,
    .product_sum_i, .product_carry_i, .product_top_i,
    .correction_i((Digits * DigitBits)'(correction_i)),
    .lanes_o     (lanes)
  );

  // Bits above the accumulator are cut off; a product that is no pair has no carries.
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    for (genvar r = 0; r < LaneRows; r++) begin : gen_row
      assign rows[l*LaneRows+r] = lanes[l][r][Width-1:0];
    end
  end
  logic unused_lanes;
  assign unused_lanes = ^lanes;

  mf_digit_accumulator #(
    .Width(Width), .CarrySave(CarrySave), .AdderStyle(AdderStyle), .Initial(Initial),
    .Rows(Lanes * LaneRows)
  ) u_accumulator (
    .clk_i, .initialise_i, .value_o, .register_o,
    .rows_i(rows)
  );

endmodule
