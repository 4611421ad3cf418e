// SPDX-License-Identifier: Apache-2.0
//
// Modular exponentiation as mf_modexp, two operations at a time in turn on one multiplier, which
// takes a multiplication before it has answered the last one.
//
// Contract: that of mf_modexp, but that every exponent is run with ExponentBits bits: e_len_i is
//           checked, and without effect. Responses come in the order of requests.
// Multiplier: as that of mf_modexp, of fixed latency, responses in the order of requests, an
//           interval of at most Offset cycles, a turn of at most Period cycles.
//
// Latency:  EnterCycles + (S - 1) Period + T - 1 + reduction cycles, S, T and reduction as in
//           mf_modexp, EnterCycles = max(Words + 2, DigitW + 6). With Window S has
//           (D - 1) ceil(max(0, 2^DigitW + 1 - DigitW Period) / Period) turns more, for scans.
// Constant time: yes, cycles and table addresses are always the same.
// Paths:    abort_i to req_ready_o, within a cycle.
// Abort:    as mf_modexp, of both operations.
//
// Slots:    phase_q counts the cycles of a period. Chain 0 multiplies in phase 0, chain 1 in phase
//           Offset, and each takes a request so that its first multiplication comes at that time.

module mf_modexp_in_turn
  import mf_modexp_pkg::*;
#(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width        = 256,
  /// Bits of the longest exponent; 1 to 65535.
  parameter int unsigned ExponentBits = 256,
  /// 0 R2l, 1 L2r, 2 SquareMultiplyAlways, 3 Ladder, 4 Window, 5 Sliding, 6 F4.
  parameter int unsigned Algorithm    = Window,
  /// Bits of a digit; 1 to 6, 1 unless Window or Sliding.
  parameter int unsigned DigitW       = 4,
  /// Bits of a word of the final subtraction; 4 to 1024, and at least Passes.
  parameter int unsigned Adder        = 32,
  /// Bits of an operand's sum vector (of the operand itself, if binary).
  parameter int unsigned SumBits      = Width + 1,
  /// Bits of an operand's carry vector; 0: binary.
  parameter int unsigned CarryBits    = 0,
  /// Bits of a result's sum vector.
  parameter int unsigned ResultSumBits   = SumBits,
  /// Bits of a result's carry vector; 0: binary.
  parameter int unsigned ResultCarryBits = CarryBits,
  /// Results are signed, |v| < n.
  parameter bit          Signed       = 1'b0,
  /// Unsigned results are below 2^Passes n; 1 if signed.
  parameter int unsigned Passes       = 1,
  /// Bits of the multiplier's constants; at least 1.
  parameter int unsigned ConstantBits = 1,
  /// Cycles between two multiplications of a chain; at least the turn, and 2 Offset.
  parameter int unsigned Period       = 16,
  /// Cycles from a multiplication of chain 0 to one of chain 1: the multiplier's interval.
  parameter int unsigned Offset       = 8,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  /// At most ExponentBits; else without effect.
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,

  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  input  logic                    abort_i
);

  localparam int unsigned OperandBits = SumBits + CarryBits;
  localparam int unsigned ResultBits  = ResultSumBits + ResultCarryBits;
  localparam int unsigned PhaseW      = $clog2(Period);
  // What a chain needs before its first multiplication: see mf_modexp_chain.
  localparam bit          Sum         = !Signed && SumBits > Width + 2;
  localparam int unsigned Words       = ((Sum ? SumBits : Width + 2) + Adder - 1) / Adder;
  localparam int unsigned EnterCycles = (Words + 2 > DigitW + 6) ? Words + 2 : DigitW + 6;

  if (Algorithm == L2r || Algorithm > Window) begin : gen_illegal_algorithm
    $fatal(1, "mf_modexp_in_turn: Algorithm must be 0, 2, 3 or 4");
  end
  if (Offset < 1 || Period < 2 * Offset) begin : gen_illegal_period
    $fatal(1, "mf_modexp_in_turn: Offset must be at least 1, and at most half of Period");
  end

  // ---------------------------------------------------------------- slots

  // A chain multiplies, and takes a request EnterCycles before that, in its phase of a period.
  logic [PhaseW-1:0] phase_q;
  logic [1:0]        slot, gate;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= '0;
    else phase_q <= (phase_q == PhaseW'(Period - 1)) ? '0 : phase_q + PhaseW'(1);
  end

  for (genvar i = 0; i < 2; i++) begin : gen_slot
    localparam int unsigned At = i * Offset;

    assign slot[i] = phase_q == PhaseW'(At);
    assign gate[i] = phase_q == PhaseW'((At + EnterCycles * (Period - 1)) % Period);
  end

  // ---------------------------------------------------------------- chains

  logic                         turn_q, answer_q;  // the chain of the next request, response
  logic [1:0]                   chain_valid, chain_ready, chain_rsp_valid, chain_rsp_ready;
  logic [1:0][Width-1:0]        y;
  logic [1:0][3:0]              error;
  logic [1:0]                   mul_valid, mul_rsp_ready;
  logic [1:0][OperandBits-1:0]  mul_a, mul_b;
  logic [1:0][Width-1:0]        mul_n;
  logic [1:0][ConstantBits-1:0] mul_constants;
  logic                         mul_ready, mul_rsp_valid, accept, take;
  logic                         owner;             // of the multiplier's response
  logic [ResultBits-1:0]        mul_p;
  logic [LengthW-1:0]           length;

  assign length = (32'(e_len_i) > ExponentBits) ? e_len_i : LengthW'(ExponentBits);

  for (genvar i = 0; i < 2; i++) begin : gen_chain
    logic unused_square, unused_square_ready;

    mf_modexp_chain #(
      .Width          (Width),
      .ExponentBits   (ExponentBits),
      .Algorithm      (Algorithm),
      .DigitW         (DigitW),
      .Multipliers    (1),
      .Adder          (Adder),
      .SumBits        (SumBits),
      .CarryBits      (CarryBits),
      .ResultSumBits  (ResultSumBits),
      .ResultCarryBits(ResultCarryBits),
      .Signed         (Signed),
      .Passes         (Passes),
      .ConstantBits   (ConstantBits),
      .CheckFirst     (1'b1)
    ) u_chain (
      .clk_i             (clk_i),
      .rst_ni            (rst_ni),
      .req_valid_i       (chain_valid[i]),
      .req_ready_o       (chain_ready[i]),
      .x_i               (x_i),
      .e_i               (e_i),
      .e_len_i           (length),
      .n_i               (n_i),
      .constants_i       (constants_i),
      .r1_i              (r1_i),
      .r2_i              (r2_i),
      .leave_i           (Width'(1)),
      .product_i         (1'b0),
      .rsp_valid_o       (chain_rsp_valid[i]),
      .rsp_ready_i       (chain_rsp_ready[i]),
      .y_o               (y[i]),
      .error_o           (error[i]),
      .abort_i           (abort_i),
      .square_valid_o    (unused_square),
      .square_ready_i    (1'b1),
      .square_rsp_valid_i(1'b0),
      .square_rsp_ready_o(unused_square_ready),
      .square_p_i        (mul_p),
      .mul_valid_o       (mul_valid[i]),
      .mul_ready_i       (mul_ready && slot[i]),
      .mul_a_o           (mul_a[i]),
      .mul_b_o           (mul_b[i]),
      .mul_n_o           (mul_n[i]),
      .mul_constants_o   (mul_constants[i]),
      .mul_rsp_valid_i   (mul_rsp_valid && owner == i[0]),
      .mul_rsp_ready_o   (mul_rsp_ready[i]),
      .mul_p_i           (mul_p)
    );

    assign chain_valid[i]     = req_valid_i && turn_q == i[0] && gate[i];
    assign chain_rsp_ready[i] = rsp_ready_i && answer_q == i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q   <= 1'b0;
      answer_q <= 1'b0;
    end else begin
      if (req_valid_i && req_ready_o) turn_q <= !turn_q;
      if (rsp_valid_o && rsp_ready_i) answer_q <= !answer_q;
    end
  end

  assign req_ready_o = chain_ready[turn_q] && gate[turn_q];
  assign rsp_valid_o = chain_rsp_valid[answer_q];
  assign y_o         = y[answer_q];
  assign error_o     = error[answer_q];

  // ---------------------------------------------------------------- multiplier

  // Responses come in the order of the requests, at most one of each chain.
  logic       chosen;
  logic [1:0] owners_q;     // the oldest lowest
  logic [1:0] flying_q;     // in unary

  assign chosen = slot[1];
  assign accept = |(mul_valid & slot) && mul_ready;
  assign take   = mul_rsp_valid && mul_rsp_ready[owner];
  assign owner  = owners_q[0];

  always_ff @(posedge clk_i) begin
    if (take) owners_q[0] <= flying_q[1] ? owners_q[1] : chosen;
    else if (!flying_q[0]) owners_q[0] <= chosen;
    if (accept) owners_q[1] <= chosen;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flying_q <= '0;
    else if (accept && !take) flying_q <= {flying_q[0], 1'b1};
    else if (take && !accept) flying_q <= {1'b0, flying_q[1]};
  end

  mf_modexp_multiplier u_multiplier (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(|(mul_valid & slot)),
    .req_ready_o(mul_ready),
    .a_i        (chosen ? mul_a[1] : mul_a[0]),
    .b_i        (chosen ? mul_b[1] : mul_b[0]),
    .n_i        (chosen ? mul_n[1] : mul_n[0]),
    .constants_i(chosen ? mul_constants[1] : mul_constants[0]),
    .rsp_valid_o(mul_rsp_valid),
    .rsp_ready_i(mul_rsp_ready[owner]),
    .p_o        (mul_p)
  );

endmodule
