// SPDX-License-Identifier: Apache-2.0
//
// Chains of exponentiations and their multipliers: one chain, on one multiplier or two in lockstep,
// or several chains in turn on one multiplier, which is pipelined: it takes a multiplication before
// it has answered the one before.
//
// Contract: that of mf_modexp, with product_i and (one chain) Serial of mf_modexp_chain.
// In turn:  several chains run each exponent with ExponentBits bits: e_len_i is checked, and has no
//           effect. Responses come in the order of requests. product_i is 0.
// Multiplier: for several chains one of fixed latency, responses in the order of requests, an
//           interval of at most Offset cycles, a turn of at most Period cycles.
//
// Latency:  one chain: that of mf_modexp. Several: EnterCycles + (S - 1) Period + T - 1 + reduction
//           cycles, S, T and reduction as in mf_modexp, EnterCycles = max(Words + 2, DigitW + 6).
//           With Window S has (D - 1) ceil(max(0, 2^DigitW + 1 - DigitW Period) / Period) turns
//           more, in which scans end.
// Constant time: as mf_modexp; chains in turn always take the same cycles, with the same addresses.
// Paths:    abort_i to req_ready_o, within a cycle.
// Abort:    as mf_modexp, of all operations.
//
// Slots:    phase_q counts the cycles of a period. Chain i multiplies in phase i Offset, and takes
//           a request EnterCycles before such a phase.

module mf_modexp_chains
  import mf_modexp_pkg::*;
#(
  /// As in mf_modexp:
  parameter int unsigned Width        = 256,
  parameter int unsigned ExponentBits = 256,
  parameter int unsigned Algorithm    = Window,
  parameter int unsigned DigitW       = 4,
  /// 1, or 2 to 8 in turn for R2l, SquareMultiplyAlways, Ladder and Window.
  parameter int unsigned Chains       = 1,
  /// Multipliers in lockstep: 1, or 2 for one chain with Ladder or R2l.
  parameter int unsigned Multipliers  = 1,
  /// As in mf_modexp:
  parameter int unsigned Adder        = 32,
  parameter int unsigned SumBits      = Width + 1,
  parameter int unsigned CarryBits    = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed       = 1'b0,
  parameter int unsigned Passes       = 1,
  parameter int unsigned ConstantBits = 1,
  /// The multiplier is closed (its results are legal operands); must be 1.
  parameter bit          Closed       = 1'b1,
  /// The multiplier has one latency for all operands.
  parameter bit          FixedLatency = 1'b1,
  /// As in mf_modexp:
  parameter bit          TableBlock   = 1'b0,
  /// Inputs that time and addresses may depend on: 0 all, 1 not e_i, 2 e_len_i alone. Above 0 it
  /// takes FixedLatency and Algorithm R2l, SquareMultiplyAlways, Ladder or Window.
  parameter int unsigned Leakage      = 0,
  /// Operands of one chain come by words of Adder bits, a power of two.
  parameter bit          Serial       = 1'b0,
  /// With several chains, cycles between multiplications of one; at least the turn, Chains Offset.
  parameter int unsigned Period       = 16,
  /// With several chains, cycles from a multiplication of one to that of the next: the
  /// multiplier's interval.
  parameter int unsigned Offset       = 8,

  // Where parameters are illegal, sizes are small, so that elaboration gets to the message.
  localparam int unsigned LegalChains = Chains < 1 || Chains > 8 ? 1 : Chains,

  localparam int unsigned LengthW   = $clog2(ExponentBits + 1),
  localparam int unsigned ExponentW = Serial ? Adder : 32,
  localparam int unsigned IndexW    = (ExponentBits > ExponentW)
                                    ? $clog2((ExponentBits + ExponentW - 1) / ExponentW) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  /// With several chains at most ExponentBits, else without effect.
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,
  input  logic                    product_i,

  input  feed_t                   feed_i,
  input  logic [IndexW-1:0]       feed_index_i,
  input  logic [Adder-1:0]        feed_word_i,

  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  input  logic                    abort_i
);

  localparam bit          InTurn      = LegalChains > 1;
  localparam bit          Regular     = Algorithm != L2r && Algorithm <= Window;
  localparam int unsigned OperandBits = SumBits + CarryBits;
  localparam int unsigned ResultBits  = ResultSumBits + ResultCarryBits;

  if (Chains < 1 || Chains > 8) begin : gen_illegal_chains
    $fatal(1, "mf_modexp_chains: Chains must be 1 to 8");
  end
  if (InTurn && !(Multipliers == 1 && Regular)) begin : gen_illegal_in_turn
    $fatal(1, "mf_modexp_chains: Chains must be 1 unless Multipliers is 1, Algorithm 0 or 2 to 4");
  end
  if (InTurn && !FixedLatency) begin : gen_illegal_latency
    $fatal(1, "mf_modexp_chains: Chains must be 1 without FixedLatency");
  end
  if (InTurn && (Offset < 1 || Period / Chains < Offset)) begin : gen_illegal_period
    $fatal(1, "mf_modexp_chains: Offset must be 1 to Period / Chains");
  end
  if (!Closed) begin : gen_illegal_multiplier
    $fatal(1, "mf_modexp_chains: Closed must be 1: results are the next operands");
  end
  if (Signed && Passes != 1) begin : gen_illegal_passes
    $fatal(1, "mf_modexp_chains: Passes must be 1 with Signed");
  end
  if (Leakage > 2) begin : gen_illegal_leakage
    $fatal(1, "mf_modexp_chains: Leakage must be 0 to 2");
  end
  if (Leakage > 0 && !(FixedLatency && Regular)) begin : gen_illegal_class
    $fatal(1, "mf_modexp_chains: Leakage must be 0 without FixedLatency, Algorithm 0, 2, 3 or 4");
  end

  // ---------------------------------------------------------------- chains

  logic [Chains-1:0]                   slot, gate;        // a chain may multiply; take a request
  logic [Chains-1:0]                   turn, answer;      // the chain of the next request; response
  logic [Chains-1:0]                   chain_ready, chain_rsp_valid;
  logic [Chains-1:0][Width-1:0]        y;
  logic [Chains-1:0][3:0]              error;
  logic [Chains-1:0]                   mul_valid, mul_rsp_valid, mul_rsp_ready;
  logic [Chains-1:0][OperandBits-1:0]  mul_a, mul_b;
  logic [Chains-1:0][Width-1:0]        mul_n;
  logic [Chains-1:0][ConstantBits-1:0] mul_constants;
  logic [Chains-1:0]                   square_valid, square_rsp_ready;
  logic                                square_ready, square_rsp_valid, mul_ready;
  logic [ResultBits-1:0]               square_p, mul_p;

  for (genvar i = 0; i < LegalChains; i++) begin : gen_chain
    mf_modexp_chain #(
      .Width          (Width),
      .ExponentBits   (ExponentBits),
      .Algorithm      (Algorithm),
      .DigitW         (DigitW),
      .Multipliers    (Multipliers),
      .Adder          (Adder),
      .SumBits        (SumBits),
      .CarryBits      (CarryBits),
      .ResultSumBits  (ResultSumBits),
      .ResultCarryBits(ResultCarryBits),
      .Signed         (Signed),
      .Passes         (Passes),
      .ConstantBits   (ConstantBits),
      .TableBlock     (TableBlock),
      .InTurn         (InTurn),
      .Serial         (Serial)
    ) u_chain (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .req_valid_i       (req_valid_i && turn[i] && gate[i]),
      .req_ready_o       (chain_ready[i]),
      .x_i               (x_i),
      .e_i               (e_i),
      .e_len_i           (e_len_i),
      .n_i               (n_i),
      .constants_i       (constants_i),
      .r1_i              (r1_i),
      .r2_i              (r2_i),
      .product_i         (product_i),
      .feed_i            (feed_i),
      .feed_index_i      (feed_index_i),
      .feed_word_i       (feed_word_i),
      .rsp_valid_o       (chain_rsp_valid[i]),
      .rsp_ready_i       (rsp_ready_i && answer[i]),
      .y_o               (y[i]),
      .error_o           (error[i]),
      .abort_i           (abort_i),
      .square_valid_o    (square_valid[i]),
      .square_ready_i    (square_ready),
      .square_rsp_valid_i(square_rsp_valid),
      .square_rsp_ready_o(square_rsp_ready[i]),
      .square_p_i        (square_p),
      .mul_valid_o       (mul_valid[i]),
      .mul_ready_i       (mul_ready && slot[i]),
      .mul_a_o           (mul_a[i]),
      .mul_b_o           (mul_b[i]),
      .mul_n_o           (mul_n[i]),
      .mul_constants_o   (mul_constants[i]),
      .mul_rsp_valid_i   (mul_rsp_valid[i]),
      .mul_rsp_ready_o   (mul_rsp_ready[i]),
      .mul_p_i           (mul_p)
    );
  end

  assign req_ready_o = |(chain_ready & turn & gate);
  assign rsp_valid_o = |(chain_rsp_valid & answer);

  if (!InTurn) begin : gen_alone
    assign slot    = 1'b1;
    assign gate    = 1'b1;
    assign turn    = 1'b1;
    assign answer  = 1'b1;
    assign y_o     = y[0];
    assign error_o = error[0];

    mf_modexp_multipliers #(
      .Width       (Width),
      .Multipliers (Multipliers),
      .OperandBits (OperandBits),
      .ResultBits  (ResultBits),
      .ConstantBits(ConstantBits)
    ) u_multipliers (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .square_valid_i    (square_valid[0]),
      .square_ready_o    (square_ready),
      .square_rsp_valid_o(square_rsp_valid),
      .square_rsp_ready_i(square_rsp_ready[0]),
      .square_p_o        (square_p),
      .mul_valid_i       (mul_valid[0]),
      .mul_ready_o       (mul_ready),
      .mul_a_i           (mul_a[0]),
      .mul_b_i           (mul_b[0]),
      .mul_n_i           (mul_n[0]),
      .mul_constants_i   (mul_constants[0]),
      .mul_rsp_valid_o   (mul_rsp_valid[0]),
      .mul_rsp_ready_i   (mul_rsp_ready[0]),
      .mul_p_o           (mul_p)
    );
  end else begin : gen_in_turn
    localparam int unsigned PhaseW      = $clog2(Period);
    // Cycles of a chain before its first multiplication: see mf_modexp_chain.
    localparam int unsigned Words       = words(Width, SumBits, Signed, Adder);
    localparam int unsigned EnterCycles = (Words + 2 > DigitW + 6) ? Words + 2 : DigitW + 6;

    logic [PhaseW-1:0] phase_q;
    logic [Chains-1:0] turn_q, answer_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        phase_q  <= '0;
        turn_q   <= Chains'(1);
        answer_q <= Chains'(1);
      end else begin
        phase_q <= (phase_q == PhaseW'(Period - 1)) ? '0 : phase_q + PhaseW'(1);
        if (req_valid_i && req_ready_o) turn_q <= {turn_q[Chains-2:0], turn_q[Chains-1]};
        if (rsp_valid_o && rsp_ready_i) answer_q <= {answer_q[Chains-2:0], answer_q[Chains-1]};
      end
    end

    for (genvar i = 0; i < Chains; i++) begin : gen_slot
      localparam int unsigned At = i * Offset;

      assign slot[i] = phase_q == PhaseW'(At);
      assign gate[i] = phase_q == PhaseW'((At + EnterCycles * (Period - 1)) % Period);
    end

    assign turn   = turn_q;
    assign answer = answer_q;

    // The request of the chain in its slot, and the response of the chain that answers next.
    logic [OperandBits-1:0]  a, b;
    logic [Width-1:0]        n;
    logic [ConstantBits-1:0] constants;

    always_comb begin
      a         = '0;
      b         = '0;
      n         = '0;
      constants = '0;
      y_o       = '0;
      error_o   = '0;
      for (int unsigned i = 0; i < Chains; i++) begin
        a         |= mul_a[i] & {OperandBits{slot[i]}};
        b         |= mul_b[i] & {OperandBits{slot[i]}};
        n         |= mul_n[i] & {Width{slot[i]}};
        constants |= mul_constants[i] & {ConstantBits{slot[i]}};
        y_o       |= y[i] & {Width{answer_q[i]}};
        error_o   |= error[i] & {4{answer_q[i]}};
      end
    end

    // Responses come in the order of the requests, at most one of each chain.
    logic                          valid, rsp_valid, rsp_ready, accept, take;
    logic [Chains-1:0][Chains-1:0] owners_q;  // the chain of each, one-hot; the oldest lowest
    logic [Chains-1:0]             flying_q;  // multiplications under way, in unary

    assign valid         = |(mul_valid & slot);
    assign accept        = valid && mul_ready;
    assign rsp_ready     = |(mul_rsp_ready & owners_q[0]);
    assign take          = rsp_valid && rsp_ready;
    assign mul_rsp_valid = owners_q[0] & {Chains{rsp_valid}};

    for (genvar i = 0; i < Chains; i++) begin : gen_owner
      logic [Chains-1:0] next;

      if (i + 1 < Chains) begin : gen_inner
        assign next = flying_q[i+1] ? owners_q[i+1] : slot;
      end else begin : gen_last
        assign next = slot;
      end

      always_ff @(posedge clk_i) begin
        if (take) owners_q[i] <= next;
        else if (!flying_q[i]) owners_q[i] <= slot;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flying_q <= '0;
      else if (accept && !take) flying_q <= {flying_q[Chains-2:0], 1'b1};
      else if (take && !accept) flying_q <= flying_q >> 1;
    end

    mf_modexp_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(valid),
      .req_ready_o(mul_ready),
      .a_i        (a),
      .b_i        (b),
      .n_i        (n),
      .constants_i(constants),
      .rsp_valid_o(rsp_valid),
      .rsp_ready_i(rsp_ready),
      .p_o        (mul_p)
    );

    // There is no lockstep.
    logic unused_square;
    assign square_ready     = 1'b1;
    assign square_rsp_valid = 1'b0;
    assign square_p         = mul_p;
    assign unused_square    = ^{square_valid, square_rsp_ready};
  end

endmodule
