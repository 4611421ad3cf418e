// SPDX-License-Identifier: Apache-2.0
//
// Rescheduled Montgomery Multiplier (RMM): K digits, M digit multipliers, a static schedule.
//
// Source:   Grale, Swartzlander, "Improved Montgomery Multiplication", Section IV, Fig. 5.
// Computes: p = a * b * R^-1 mod n, R = 2^(K * DigitBits), from digit products of
//           T = A B, Q = T M' mod R and U = Q M, which a plan issues on the multipliers.
// Takes:    n_prime_i = -n^-1 mod R.
// Contract: n odd, 3 <= n < 2^Width.
//           Variant 0 (published): a, b, p < n, R >= 2^Width; T, Q and U have an accumulator each,
//           P = T1 + U1 + (T0 != 0), and n is subtracted if P >= n (the paper's P > n is wrong).
//           Variant 1 to 3: a, b, p < 2n, R >= 2^(Width+2); U is added on top of T, whose low half
//           becomes 0 by itself, and nothing is subtracted. Variant 1 computes all of U. Variant 2
//           omits the columns below K-2 of U and rounds: P = round((T + U') / R). Variant 3 omits
//           column K-2 too and adds an estimate of it, from the top bits of its digits.
// Latency:  issue cycles of the plan + 1 + Stages, + 1 with Accumulator = 1, + 2 in variant 0,
//           for all operands.
// Contexts = 2: two operations share the multipliers; each has registers and accumulators of its
//           own. A request is accepted in the step in which its context's schedule begins.
// Constant time: yes. The plan does not depend on data.
//
// Plan: the product of each multiplier in each step, from montforge.programs.digits, which explains
// the policies and shows that variants 1 to 3 have the fewest possible issue cycles. Bits
// 11 (s M + m) + 10 .. 11 (s M + m) are step s of multiplier m: {operation (1 bit), phase (2: 0 no
// product, 1 T, 2 Q, 3 U), i (4), j (4)}; above all of them is a 1. With two contexts the plan
// repeats after Steps steps, otherwise each request starts it. It depends on K, M, Variant,
// Contexts and OperandLatency, the steps from the issue of a product until its sum can be an
// operand: 1 + Stages, + 1 with Accumulator = 1 or 2. A plan that is not complete or possible stops
// elaboration (mf_rmm_plan_check). `montforge generate rmm` writes a wrapper with the plan.
//
// Step      a counter that runs through the plan while an operation is under way.
// Load      step s: operand digits, selected by registered one-hot lines, enter x_q and y_q.
// Multiply  Stages cycles in mf_digit_multiplier.
// Add       the halves of the products enter the accumulators at their digits. The digits of T
//           and Q are operands as they leave the adder (Accumulator = 0), as the sum of the
//           register pair (1), or from the register (2).

module mf_rmm #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width       = 256,
  /// Digits; 2 to 16.
  parameter int unsigned K           = 4,
  /// Digit multipliers; 1 to K*K.
  parameter int unsigned M           = 4,
  /// 0 published, 1 in place, 2 truncated (K of at least 3), 3 with an estimated column.
  parameter int unsigned Variant     = 3,
  /// Structure of the digit multipliers (mf_digit_multiplier); 0 to 2.
  parameter int unsigned Multiplier  = 2,
  /// Register levels of the digit multipliers; 1 or 2.
  parameter int unsigned Stages      = 1,
  /// Style of the adders (mf_adder); 0 to 3.
  parameter int unsigned AdderStyle  = 0,
  /// 0 binary, 1 carry-save (not with variant 0), 2 binary and digits are read from the register.
  parameter int unsigned Accumulator = 0,
  /// Interleaved operations; 1 or 2.
  parameter int unsigned Contexts    = 1,
  /// Steps of the plan; 1 to 4096.
  parameter int unsigned Steps       = 9,
  /// Products by step and multiplier; the default is the plan of the other defaults.
  parameter logic [mf_rmm_pkg::plan_bits(Steps, M)-1:0] Plan = {
    197'h1_660ccd99331642c8d913136064cc9931226248c9111342488,
    200'h11822140680908211242805001302244448812020640880900
  },

  localparam int unsigned PlanW     = mf_rmm_pkg::plan_bits(Steps, M),
  localparam int unsigned RBits     = mf_rmm_pkg::r_bits(Width, K, Variant),
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

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_rmm: Width must be 3 to 8192");
  end else if (K < 2 || K > 16) begin : gen_illegal_k
    $fatal(1, "mf_rmm: K must be 2 to 16");
  end else if (M < 1 || M > K * K) begin : gen_illegal_m
    $fatal(1, "mf_rmm: M must be 1 to K*K");
  end else if (Variant > 3 || (Variant == VariantTruncated && K < 3)) begin : gen_illegal_variant
    $fatal(1, "mf_rmm: Variant must be 0 to 3, and 2 needs a K of at least 3");
  end else if (Multiplier > 2) begin : gen_illegal_multiplier
    $fatal(1, "mf_rmm: Multiplier must be 0 to 2");
  end else if (Stages < 1 || Stages > 2) begin : gen_illegal_stages
    $fatal(1, "mf_rmm: Stages must be 1 or 2");
  end else if (AdderStyle > 3) begin : gen_illegal_adder_style
    $fatal(1, "mf_rmm: AdderStyle must be 0 to 3");
  end else if (Accumulator > 2 || (Accumulator == AccumulatorCarrySave &&
                                   Variant == VariantPublished)) begin : gen_illegal_sums
    $fatal(1, "mf_rmm: Accumulator must be 0 to 2, and not 1 with Variant 0");
  end else if (Contexts < 1 || Contexts > 2) begin : gen_illegal_contexts
    $fatal(1, "mf_rmm: Contexts must be 1 or 2");
  end else if (Steps < 1 || Steps > 4096) begin : gen_illegal_steps
    $fatal(1, "mf_rmm: Steps must be 1 to 4096, the steps of the plan");
  end else if (!Plan[PlanW-1]) begin : gen_illegal_plan
    $fatal(1, "mf_rmm: Plan must have 11 Steps M bits and a 1 above them");
  end else begin : gen_legal
    localparam int unsigned Drain = 1 + Stages + (Accumulator == AccumulatorCarrySave ? 1 : 0) +
                                    (Variant == VariantPublished ? 2 : 0);

    mf_rmm_plan_check #(
      .K             (K),
      .M             (M),
      .Contexts      (Contexts),
      .Kept          (kept_column(K, Variant)),
      .OperandLatency(1 + Stages + (Accumulator == AccumulatorBinary ? 0 : 1)),
      .Turnaround    (Drain + 2),
      .Steps         (Steps),
      .Plan          (Plan[PlanW-2:0])
    ) u_plan_check ();

    mf_rmm_datapath #(
      .Width(Width), .K(K), .M(M), .Variant(Variant), .Multiplier(Multiplier), .Stages(Stages),
      .AdderStyle(AdderStyle), .Accumulator(Accumulator), .Contexts(Contexts), .Steps(Steps),
      .Plan(Plan[PlanW-2:0])
    ) u_datapath (
      .clk_i, .rst_ni, .req_valid_i, .req_ready_o, .a_i, .b_i, .n_i, .n_prime_i,
      .rsp_valid_o, .rsp_ready_i, .p_o
    );
  end

endmodule
