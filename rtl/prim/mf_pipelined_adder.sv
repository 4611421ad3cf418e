// SPDX-License-Identifier: Apache-2.0
//
// Pipelined adder: sum_o = a_i + b_i modulo 2^Width, one sum a cycle.
//
// Cycle 1:  sums of groups of GroupW bits, their carries, and whether a group passes a carry.
// Cycle 2:  the carries between groups, by look-ahead, added to the groups.
// Latency:  2 cycles (mf_pipeline_pkg::AdderCycles).

module mf_pipelined_adder #(
  /// Bits of the vectors; at least 1.
  parameter int unsigned Width  = 64,
  /// Bits of a group; at least 1. The topmost group has the rest.
  parameter int unsigned GroupW = 8,

  localparam int unsigned Groups = (Width + GroupW - 1) / GroupW
) (
  input  logic             clk_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);

  if (Width < 1) begin : gen_illegal_width
    $fatal(1, "mf_pipelined_adder: Width must be at least 1");
  end else if (GroupW < 1) begin : gen_illegal_group
    $fatal(1, "mf_pipelined_adder: GroupW must be at least 1");
  end

  logic [Width-1:0]  sums_d, sums_q, sum_d;
  logic [Groups-1:0] generates_d, generates_q, propagates_d, propagates_q, carries;

  mf_carry_lookahead #(.Width(Groups), .Style(3)) u_lookahead (
    .clk_i(clk_i), .generate_i(generates_q), .propagate_i(propagates_q), .carry_o(carries)
  );

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    localparam int unsigned Low  = g * GroupW;
    localparam int unsigned Bits = (Width - Low < GroupW) ? Width - Low : GroupW;

    assign {generates_d[g], sums_d[Low+:Bits]} = {1'b0, a_i[Low+:Bits]} + {1'b0, b_i[Low+:Bits]};
    assign propagates_d[g] = &(a_i[Low+:Bits] ^ b_i[Low+:Bits]);

    if (g == 0) begin : gen_lowest
      assign sum_d[Low+:Bits] = sums_q[Low+:Bits];
    end else begin : gen_higher
      assign sum_d[Low+:Bits] = sums_q[Low+:Bits] + Bits'(carries[g-1]);
    end
  end

  always_ff @(posedge clk_i) begin
    sums_q       <= sums_d;
    generates_q  <= generates_d;
    propagates_q <= propagates_d;
    sum_o        <= sum_d;
  end

  // The sum is modulo 2^Width.
  logic unused_carry;
  assign unused_carry = carries[Groups-1];

endmodule
