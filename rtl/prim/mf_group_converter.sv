// SPDX-License-Identifier: Apache-2.0
//
// Carry-save pair to binary in three cycles, by groups of bits. The user has the register of the
// sum, in which groups become right where they are.
//
// Cycle 1:  sum_o = the sums of the groups of s_i and c_i, without carries between groups; for the
//           user's register. start_i is high. A group's carry, and whether its sum is all ones, go
//           to registers.
// Cycle 2:  the carries between groups, by look-ahead, to registers.
// Cycle 3:  increment_o = value_i, the user's register, each group plus its carry.
// In all other cycles increment_o = value_i.
// Later:    cycle 2 is the one behind taken_i, which is high in cycle 1 or later.

module mf_group_converter #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width  = 64,
  /// Bits of a group; at least 1. The topmost group has the rest.
  parameter int unsigned GroupW = 8,
  /// Carries between groups: that of mf_carry_lookahead. 0: increments by the `+` operator, too.
  parameter int unsigned Style  = 3,
  /// The sums may reach the user's register later.
  parameter bit          Later  = 1'b0,

  localparam int unsigned Groups = (Width + GroupW - 1) / GroupW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  /// Later: the user's register has the sums from the next cycle on. Else not used.
  input  logic             taken_i,
  input  logic [Width-1:0] s_i,
  input  logic [Width-1:0] c_i,
  /// A bit of weight 1.
  input  logic             carry_i,
  output logic [Width-1:0] sum_o,
  input  logic [Width-1:0] value_i,
  output logic [Width-1:0] increment_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_group_converter: Width must be at least 1");
  end
  if (GroupW < 1) begin : gen_illegal_group
    $fatal(1, "mf_group_converter: GroupW must be at least 1");
  end

  logic              started_q;
  logic [Groups-1:0] generates, propagates, generates_q, propagates_q, carries, carries_q;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned Low  = g * GroupW;
    localparam int unsigned Bits = (Width - Low < GroupW) ? Width - Low : GroupW;

    logic carry;

    assign {generates[g], sum_o[Low+:Bits]} =
        {1'b0, s_i[Low+:Bits]} + {1'b0, c_i[Low+:Bits]} + (Bits + 1)'((g == 0) ? carry_i : 1'b0);
    assign propagates[g] = &(s_i[Low+:Bits] ^ c_i[Low+:Bits]);

    assign carry = (g == 0) ? 1'b0 : carries_q[(g==0)?0 : g - 1];
    if (Style == 0) begin : gen_adder
      assign increment_o[Low+:Bits] = value_i[Low+:Bits] + Bits'(carry);
    end else begin : gen_ripple
      logic [Bits-1:0] ripple;

      assign ripple[0] = carry;
      for (genvar i = 1; i < Bits; i++) begin : gen_bit
        assign ripple[i] = carry & (&value_i[Low+:i]);
      end
      assign increment_o[Low+:Bits] = value_i[Low+:Bits] ^ ripple;
    end
  end

  mf_carry_lookahead #(.Width(Groups), .Style(Style)) u_lookahead (
    .clk_i      (clk_i),
    .generate_i (generates_q),
    .propagate_i(propagates_q),
    .carry_o    (carries)
  );

  logic taken;

  if (Later) begin : gen_later
    assign taken = taken_i;
    always_ff @(posedge clk_i) begin
      if (start_i) begin
        generates_q  <= generates;
        propagates_q <= propagates;
      end
    end
  end else begin : gen_at_once
    assign taken = start_i;
    always_ff @(posedge clk_i) begin
      generates_q  <= generates;
      propagates_q <= propagates;
    end

    logic unused_taken;
    assign unused_taken = taken_i;
  end

  // Without a carry the user's register keeps its value.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      carries_q <= '0;
    end else begin
      started_q <= taken;
      carries_q <= carries & {Groups{started_q}};
    end
  end

  // No carry leaves the topmost group.
  logic unused_top;
  assign unused_top = carries_q[Groups-1];

endmodule
