// SPDX-License-Identifier: Apache-2.0
//
// Datapath of the semi-carry-save multipliers scs_mm_skip and scs_mm_ct: operand registers, the
// state as a carry-save pair, and one row of configurable full adders.
//
// Source:   after Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 11.
// Computes: in each cycle (SS, SC) <= row(SS >> j, SC >> j, x), as the *_d_i inputs of the cycle
//           before select: j by shift (one-hot, 1 to Shifts) or hold (0), a state of 0 without
//           either; x = N-hat, B-hat, D-hat or 0; row: of full adders or two of half adders.
// Contract: N-hat is even, B-hat = 2^BShift b, so that D-hat = B-hat + N-hat has N-hat's low bits;
//           D-hat < 2^StateW.
//
// Differences from Fig. 11:
// - B-hat enters as x from a state of 0, so M1 and M2 have no operand input.
// - The lowest LowW bits of the state are shifted before their register, not after it. The bits
//   that the next iteration depends on are also kept in binary (value_o), known when a cycle
//   begins.
// - The carry out of a place that is shifted out with a 1 in both vectors is kept (carry_in_q) and
//   enters the row at bit 0: as x[0], which is 0 otherwise, or with half adders as their carry in.
//
// Block < StateW cuts the row of half adders into blocks: no carry passes from a block to the next.
// overflow_o[i] is the carry out of block i, and inject_i[i] is added at bit 0 of block i.

module mf_scs_datapath #(
  /// Bits of the state.
  parameter int unsigned StateW   = 16,
  /// Bits of b.
  parameter int unsigned OperandW = 12,
  /// Bits of N-hat.
  parameter int unsigned NHatW    = 12,
  /// Zeros below b in B-hat; at least Shifts + 1.
  parameter int unsigned BShift   = 3,
  /// Longest shift; at least 1.
  parameter int unsigned Shifts   = 2,
  /// Bits of a block; at least 2.
  parameter int unsigned Block    = StateW,

  localparam int unsigned Blocks  = (StateW + Block - 1) / (Block == 0 ? 1 : Block)
) (
  input  logic                clk_i,

  /// The registers of the operands take b_i and n_hat_i (load_i), that of D-hat SS (capture_i).
  input  logic                load_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [NHatW-1:1]    n_hat_i,  // bit 0 is 0
  input  logic                capture_i,

  /// Selects of the next cycle.
  input  logic [Shifts:1]     shift_d_i,
  input  logic                hold_d_i,
  input  logic                add_n_d_i,
  input  logic                add_b_d_i,
  input  logic                add_d_d_i,
  input  logic                full_adder_d_i,

  output logic                quotient_o,  // N-hat or D-hat is added
  output logic [Shifts:1]     n_hat_low_o,
  output logic [Shifts:1]     value_o,     // bits of the sum that enters the row, in binary
  output logic [StateW-1:0]   ss_o,
  output logic [StateW-1:0]   sc_o,

  input  logic [Blocks-1:0]   inject_i,
  output logic [Blocks-1:0]   overflow_o
);

  // Bits of the state that are shifted before their register.
  localparam int unsigned LowW = 2 * Shifts + 1;

  // ---------------------------------------------------------------- registers

  logic [Shifts:1]        shift_q;
  logic                   hold_q, quotient_q, full_adder_q;
  logic [2:0]             add_q;       // N-hat, B-hat, D-hat
  logic [OperandW-1:0]    b_q;
  logic [NHatW-1:1]       n_hat_q;     // bit 0 is 0
  logic [StateW-1:BShift] d_q;         // the lower bits are those of N-hat
  logic [StateW-1:0]      ss_q, sc_q;  // bits LowW-1:0 after the shift, others before it
  logic [Shifts:1]        value_d, value_q;
  logic                   carry_in_d, carry_in_q;
  logic [LowW-1:0]        low_s_d, low_c_d;
  logic [StateW-1:0]      b_hat, n_hat, d_hat, s, c, operand, x, sum, carry;

  assign b_hat = StateW'({b_q, {BShift{1'b0}}});
  assign n_hat = StateW'({n_hat_q, 1'b0});
  assign d_hat = {d_q, n_hat[BShift-1:0]};

  always_ff @(posedge clk_i) begin
    shift_q      <= shift_d_i;
    hold_q       <= hold_d_i;
    add_q        <= {add_n_d_i, add_b_d_i, add_d_d_i};
    quotient_q   <= add_n_d_i || add_d_d_i;
    full_adder_q <= full_adder_d_i;
    ss_q         <= {sum[StateW-1:LowW], low_s_d};
    sc_q         <= {carry[StateW-1:LowW], low_c_d};
    value_q      <= value_d;
    carry_in_q   <= carry_in_d;
    if (load_i) begin
      b_q     <= b_i;
      n_hat_q <= n_hat_i;
    end
    if (capture_i) d_q <= ss_q[StateW-1:BShift];
  end

  // ---------------------------------------------------------------- M1, M2

  localparam int unsigned HighW = StateW - LowW;

  logic [Shifts:0][2*HighW-1:0] high;  // the pair by each shift
  logic [Shifts:0][2*LowW-1:0]  low;
  logic [StateW+Shifts-1:LowW]  ss_high, sc_high;

  assign ss_high = (HighW + Shifts)'(ss_q[StateW-1:LowW]);
  assign sc_high = (HighW + Shifts)'(sc_q[StateW-1:LowW]);

  for (genvar j = 0; j <= Shifts; j++) begin : gen_shift
    assign high[j] = {sc_high[LowW+j+:HighW], ss_high[LowW+j+:HighW]};
    assign low[j]  = {LowW'(carry >> j), LowW'(sum >> j)};
  end

  mf_one_hot_mux #(.Width(2 * HighW), .Inputs(Shifts + 1)) u_m1_m2 (
    .select_i({shift_q, hold_q}), .data_i(high), .data_o({c[StateW-1:LowW], s[StateW-1:LowW]})
  );

  mf_one_hot_mux #(.Width(2 * LowW), .Inputs(Shifts + 1)) u_low_m1_m2 (
    .select_i({shift_d_i, hold_d_i}), .data_i(low), .data_o({low_c_d, low_s_d})
  );

  assign s[LowW-1:0] = ss_q[LowW-1:0];
  assign c[LowW-1:0] = sc_q[LowW-1:0];

  // ---------------------------------------------------------------- SM3 and the adder row

  mf_one_hot_mux #(.Width(StateW), .Inputs(3)) u_sm3 (
    .select_i(add_q), .data_i({n_hat, b_hat, d_hat}), .data_o(operand)
  );

  assign x = operand | StateW'(carry_in_q);

  logic [Blocks-1:0] carry_up;  // from block i - 1 into block i

  assign carry_up = Blocks'({overflow_o, 1'b0});

  for (genvar i = 0; i < Blocks; i++) begin : gen_block
    localparam int unsigned From = i * Block;
    localparam int unsigned W    = ((i == Blocks - 1) ? StateW : From + Block) - From;

    logic [W-1:0] block_carry;
    logic         carry_in;

    mf_ccsa #(.Width(W)) u_ccsa (
      .full_adder_i(full_adder_q),
      .s_i         (s[From+:W]),
      .c_i         (c[From+:W]),
      .x_i         (x[From+:W]),
      .carry_i     ((i == 0) && carry_in_q),
      .sum_o       (sum[From+:W]),
      .carry_o     (block_carry),
      .overflow_o  (overflow_o[i])
    );

    assign carry_in       = full_adder_q ? carry_up[i] : inject_i[i];
    assign carry[From+:W] = block_carry | W'(carry_in);
  end

  // ---------------------------------------------------------------- low bits in binary

  // Bits of sum + carry; into[j] is the carry into bit j.
  logic [LowW-1:1] value, into;

  assign into[1] = 1'b0;
  for (genvar j = 1; j < LowW - 1; j++) begin : gen_into
    assign into[j+1] = (sum[j] & carry[j]) | ((sum[j] | carry[j]) & into[j]);
  end
  assign value = sum[LowW-1:1] ^ carry[LowW-1:1] ^ into;

  always_comb begin
    value_d    = '0;
    carry_in_d = 1'b0;
    for (int unsigned j = 1; j <= Shifts; j++) begin
      value_d    |= value[j+1+:Shifts] & {Shifts{shift_d_i[j]}};
      carry_in_d |= into[j] & shift_d_i[j];
    end
  end

  assign quotient_o  = quotient_q;
  assign n_hat_low_o = n_hat[Shifts:1];
  assign value_o     = value_q;
  assign ss_o        = ss_q;
  assign sc_o        = sc_q;

endmodule
