// SPDX-License-Identifier: Apache-2.0
//
// Datapath of mf_rmm, for legal parameters and a plan that was checked: mf_rmm_control runs through
// the plan's steps, mf_rmm_operands gives the multipliers their digits, each context has an
// mf_rmm_accumulator for T, for Q and (variant 0) for U, and an mf_rmm_result.
// Parameters, ports, contract: mf_rmm.

module mf_rmm_datapath #(
  parameter int unsigned Width       = 16,
  parameter int unsigned K           = 2,
  parameter int unsigned M           = 1,
  parameter int unsigned Variant     = 3,
  parameter int unsigned Multiplier  = 2,
  parameter int unsigned Stages      = 1,
  parameter int unsigned AdderStyle  = 0,
  parameter int unsigned Accumulator = 0,
  parameter int unsigned Contexts    = 1,
  parameter int unsigned Steps       = 1,
  parameter logic [Steps-1:0][M-1:0][mf_rmm_pkg::IssueW-1:0] Plan = '0,

  localparam int unsigned DigitBits = mf_rmm_pkg::digit_bits(Width, K, Variant),
  localparam int unsigned RBits     = K * DigitBits,
  localparam int unsigned OperandW  = mf_rmm_pkg::operand_bits(Width, Variant)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,
  input  logic [RBits-1:0]    n_prime_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  import mf_rmm_pkg::*;

  localparam bit          Published    = Variant == VariantPublished;
  localparam bit          CarrySave    = Accumulator == AccumulatorCarrySave;
  localparam int unsigned Accumulators = Published ? 3 : 2;
  localparam int unsigned Kept         = kept_column(K, Variant);

  // ---------------------------------------------------------------- time

  typedef struct packed {
    logic [1:0][15:0] first;  // steps of each operation
    logic [1:0][15:0] last;
  } span_t;

  function automatic span_t span_of_plan();
    span_t      span;
    logic [1:0] phase, begun;
    logic       owner;
    span  = '0;
    begun = '0;
    for (int unsigned t = 0; t < Steps; t++) begin
      for (int unsigned s = 0; s < M; s++) begin
        {owner, phase} = Plan[t][s][IssueW-1 -: 3];
        if (phase != PhaseNone) begin
          if (!begun[owner]) span.first[owner] = 16'(t);
          begun[owner]     = 1'b1;
          span.last[owner] = 16'(t);
        end
      end
    end
    return span;
  endfunction
  localparam span_t Span = span_of_plan();

  // From the first issue to the last, of the operation that takes longer.
  localparam int unsigned Issue0      = 32'(Span.last[0]) + 1;
  localparam int unsigned Start1      = 32'(Span.first[1]);
  localparam int unsigned Issue1      = 32'(Span.last[1]) + 1 - Start1;
  localparam int unsigned IssueCycles = Issue0 < Issue1 ? Issue1 : Issue0;
  localparam int unsigned Drain       = 1 + Stages + 32'(CarrySave) + (Published ? 2 : 0);
  localparam int unsigned Latency     = IssueCycles + Drain;
  localparam int unsigned Period      = Contexts == 1 ? Latency : Steps;
  localparam int unsigned StepW       = $clog2(Period);

  logic [StepW-1:0]    next_step, product_step;
  logic [Contexts-1:0] next_issuing, product_issuing, load, initialise, correct, oldest;

  mf_rmm_control #(
    .Contexts(Contexts), .Stages(Stages), .Period(Period), .Start1(Start1),
    .IssueCycles(IssueCycles), .Latency(Latency)
  ) u_control (
    .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .rsp_valid_o, .rsp_ready_i,
    .next_step_o      (next_step),
    .next_issuing_o   (next_issuing),
    .product_step_o   (product_step),
    .product_issuing_o(product_issuing),
    .load_o           (load),
    .initialise_o     (initialise),
    .correct_o        (correct),
    .oldest_o         (oldest)
  );

  // ---------------------------------------------------------------- operands

  logic [Contexts-1:0][K-1:0][DigitBits-1:0] a_q, b_q, n_q, n_prime_q;
  logic [Contexts-1:0][K-1:0][DigitBits-1:0] t_digits, q_digits;
  logic [Contexts-1:0][2:0][K-1:0][DigitBits-1:0] x_digits, y_digits;

  for (genvar c = 0; c < Contexts; c++) begin : gen_operands
    always_ff @(posedge clk_i) begin
      if (load[c]) begin
        a_q[c]       <= RBits'(a_i);
        b_q[c]       <= RBits'(b_i);
        n_q[c]       <= RBits'(n_i);
        n_prime_q[c] <= n_prime_i;
      end
    end
    assign x_digits[c] = {q_digits[c], t_digits[c], a_q[c]};
    assign y_digits[c] = {n_q[c], n_prime_q[c], b_q[c]};
  end

  logic [M-1:0][DigitBits-1:0] x, y;

  mf_rmm_operands #(
    .K(K), .M(M), .Contexts(Contexts), .DigitBits(DigitBits), .Steps(Steps), .Period(Period),
    .Plan(Plan)
  ) u_operands (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .next_step_i   (next_step),
    .next_issuing_i(next_issuing),
    .x_digits_i    (x_digits),
    .y_digits_i    (y_digits),
    .x_o           (x),
    .y_o           (y)
  );

  // ---------------------------------------------------------------- multiply

  logic [M-1:0][2*DigitBits-1:0] product_sum, product_carry;
  logic [M-1:0]                  product_top;

  for (genvar s = 0; s < M; s++) begin : gen_multiplier
    mf_digit_multiplier #(
      .Width(DigitBits), .Structure(Multiplier), .AdderStyle(AdderStyle), .Stages(Stages)
    ) u_multiplier (
      .clk_i  (clk_i),
      .x_i    (x[s]),
      .y_i    (y[s]),
      .sum_o  (product_sum[s]),
      .carry_o(product_carry[s]),
      .top_o  (product_top[s])
    );
  end

  // ---------------------------------------------------------------- accumulate

  // T < n^2 and U < R n; in place T + U < 2 n R (4 n^2 <= R n).
  localparam int unsigned AccumulatorW = RBits + OperandW;

  // A carry-save product is 2^(2 DigitBits) too large: minus that, for all products of a phase.
  function automatic logic [AccumulatorW-1:0] excess_of(phase_e phase);
    logic [AccumulatorW-1:0] excess, one;
    int unsigned             place;
    excess = '0;
    one    = 1;
    for (int unsigned i = 0; i < K; i++) begin
      for (int unsigned j = 0; j < K; j++) begin
        place = (i + j + 2) * DigitBits;
        if (place < AccumulatorW && (phase != PhaseQ || i + j < K) &&
            (phase != PhaseU || int'(i + j) >= int'(Kept))) begin
          excess = excess - (one << place);
        end
      end
    end
    return Multiplier == MultiplierPairs ? excess : '0;
  endfunction

  // The excess of U touches no digit that Q reads if columns are omitted: an accumulator in place
  // can start with it.
  localparam bit                      StartsWithU = !Published && Kept != 0;
  localparam logic [AccumulatorW-1:0] InitialT    = excess_of(PhaseT) +
                                                    (StartsWithU ? excess_of(PhaseU) : '0);
  localparam logic [AccumulatorW-1:0] InitialQ    = excess_of(PhaseQ);
  localparam logic [AccumulatorW-1:0] InitialU    = excess_of(PhaseU);

  // Addend of the last products, in place: the excess of U, if it was not there from the
  // beginning, or one half for the rounding and the estimate of column K-2 (mf_rmm_result).
  localparam int unsigned             TopBits    = top_bits(K);
  localparam int unsigned             EstimateW  = 2 * TopBits + $clog2(K) + 1;
  localparam logic [AccumulatorW-1:0] One        = 1;
  localparam logic [AccumulatorW-1:0] Constant   =
      Variant == VariantInPlace ? excess_of(PhaseU) :
      Variant == VariantTruncated ? One << (RBits - 1) : '0;
  localparam logic [AccumulatorW-1:0] Correction =
      Variant == VariantEstimated ? ((One << EstimateW) - One) << (RBits - 2 * TopBits) : Constant;

  logic [Contexts-1:0][OperandW-1:0] result;

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    localparam int unsigned Start = c == 0 ? 0 : Start1;

    logic [2:0][AccumulatorW-1:0] value, register_value;
    logic [AccumulatorW-1:0]      correction;

    for (genvar a = 0; a < 3; a++) begin : gen_accumulator
      localparam int unsigned AccW = a == 1 ? RBits : AccumulatorW;
      if (a < Accumulators) begin : gen_present
        mf_rmm_accumulator #(
          .Width         (AccW),
          .K             (K),
          .M             (M),
          .DigitBits     (DigitBits),
          .Pairs         (Multiplier == MultiplierPairs),
          .CarrySave     (CarrySave),
          .AdderStyle    (AdderStyle),
          .Owner         (c),
          .Accumulator   (a),
          .Published     (Published),
          .Steps         (Steps),
          .Period        (Period),
          .LastStep      ((Start + IssueCycles - 1) % Period),
          .Plan          (Plan),
          .Initial       (a == 0 ? InitialT[AccW-1:0] : a == 1 ? InitialQ[AccW-1:0] :
                          InitialU[AccW-1:0]),
          .CorrectionMask(a == 0 ? Correction[AccW-1:0] : '0)
        ) u_accumulator (
          .clk_i            (clk_i),
          .rst_ni           (rst_ni),
          .initialise_i     (initialise[c]),
          .product_step_i   (product_step),
          .product_issuing_i(product_issuing[c]),
          .product_sum_i    (product_sum),
          .product_carry_i  (product_carry),
          .product_top_i    (product_top),
          .correction_i     (correction[AccW-1:0]),
          .value_o          (value[a][AccW-1:0]),
          .register_o       (register_value[a][AccW-1:0])
        );
        if (AccW < AccumulatorW) begin : gen_shorter
          assign value[a][AccumulatorW-1:AccW]          = '0;
          assign register_value[a][AccumulatorW-1:AccW] = '0;
        end
      end else begin : gen_absent
        assign value[a]          = '0;
        assign register_value[a] = '0;
      end
    end

    if (Accumulator == AccumulatorRegistered) begin : gen_read_register
      assign t_digits[c] = register_value[0][RBits-1:0];
      assign q_digits[c] = register_value[1][RBits-1:0];
    end else begin : gen_read_adder
      assign t_digits[c] = value[0][RBits-1:0];
      assign q_digits[c] = value[1][RBits-1:0];
    end
    logic unused_values;
    assign unused_values = ^{value, register_value};

    mf_rmm_result #(
      .Width(Width), .K(K), .DigitBits(DigitBits), .Variant(Variant), .CarrySave(CarrySave),
      .Constant(Constant)
    ) u_result (
      .clk_i       (clk_i),
      .n_i         (n_q[c]),
      .t_i         (register_value[0]),
      .q_i         (register_value[1][RBits-1:0]),
      .u_i         (register_value[2]),
      .correct_i   (correct[c]),
      .correction_o(correction),
      .p_o         (result[c])
    );
  end

  logic unused_oldest;
  assign unused_oldest = oldest[0];
  if (Contexts == 1) begin : gen_one_result
    assign p_o = result[0];
  end else begin : gen_older_result
    assign p_o = oldest[1] ? result[1] : result[0];
  end

endmodule
