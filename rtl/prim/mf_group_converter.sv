// SPDX-License-Identifier: Apache-2.0
//
// Carry-save pair to binary in two or three cycles, by groups of bits. The register of the sum is
// the user's: it takes sum_o, then increment_o.
//
// Cycle 1:  start_i is high; sum_o = the sums of the groups of s_i and c_i, without carries between
//           groups. Registers take each group's carry out, and whether it passes a carry.
// Cycle 2:  registers take the carries between groups, found by look-ahead.
// Cycle 3:  increment_o = value_i, the user's register, with its carry added to each group.
// In all other cycles increment_o = value_i.
// Cycles = 2: the first half of the look-ahead is in cycle 1, the other half in cycle 3, which
//           follows it.
// Later:    taken_i is high in cycle 1 or later, and cycle 2 follows it.

module mf_group_converter #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width  = 64,
  /// Bits of a group; at least 1. The topmost group has the rest.
  parameter int unsigned GroupW = 8,
  /// Style of mf_carry_lookahead. 0: groups are incremented by the `+` operator, too.
  parameter int unsigned Style  = 3,
  /// 2 or 3; 3 with another Style than 3.
  parameter int unsigned Cycles = 3,
  /// The user's register may take sum_o later than in cycle 1; with Cycles = 3 only.
  parameter bit          Later  = 1'b0,

  localparam int unsigned Groups = (Width + GroupW - 1) / GroupW
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             start_i,
  /// Later: the user's register takes sum_o. Else not used.
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
  end else if (GroupW < 1) begin : gen_illegal_group
    $fatal(1, "mf_group_converter: GroupW must be at least 1");
  end else if (Cycles != 3 && (Cycles != 2 || Style != 3 || Later)) begin : gen_illegal_cycles
    $fatal(1, "mf_group_converter: Cycles must be 3, or 2 with Style 3 and without Later");
  end

  logic              started_q;
  logic [Groups-1:0] generates, propagates, carries;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned Low  = g * GroupW;
    localparam int unsigned Bits = (Width - Low < GroupW) ? Width - Low : GroupW;

    logic carry;

    assign {generates[g], sum_o[Low+:Bits]} =
        {1'b0, s_i[Low+:Bits]} + {1'b0, c_i[Low+:Bits]} + (Bits + 1)'((g == 0) ? carry_i : 1'b0);
    assign propagates[g] = &(s_i[Low+:Bits] ^ c_i[Low+:Bits]);

    assign carry = (g == 0) ? 1'b0 : carries[(g==0)?0 : g - 1];
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

  // Without a carry the user's register keeps its value.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) started_q <= 1'b0;
    else         started_q <= Later ? taken_i : start_i;
  end

  if (Cycles == 2) begin : gen_two_cycles
    // Of one level, that is, two groups, there are no halves: the carry is that of the lowest one.
    localparam int unsigned Levels = $clog2(Groups);

    logic [Groups-1:0] found;

    if (Levels < 2) begin : gen_two_groups
      always_ff @(posedge clk_i) found <= generates;
    end else begin : gen_halves
      mf_carry_lookahead #(
        .Width(Groups), .Style(Style), .LevelsPerCycle((Levels + 1) / 2)
      ) u_lookahead (
        .clk_i(clk_i), .generate_i(generates), .propagate_i(propagates), .carry_o(found)
      );
    end

    assign carries = found & {Groups{started_q}};

    logic unused_taken;
    assign unused_taken = taken_i ^ (^propagates);
  end else begin : gen_three_cycles
    logic [Groups-1:0] generates_q, propagates_q, found;

    mf_carry_lookahead #(.Width(Groups), .Style(Style)) u_lookahead (
      .clk_i(clk_i), .generate_i(generates_q), .propagate_i(propagates_q), .carry_o(found)
    );

    always_ff @(posedge clk_i) begin
      if (start_i || !Later) begin
        generates_q  <= generates;
        propagates_q <= propagates;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) carries <= '0;
      else         carries <= found & {Groups{started_q}};
    end
  end

  // No carry leaves the topmost group.
  logic unused_top;
  assign unused_top = carries[Groups-1];

endmodule
