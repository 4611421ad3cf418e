// SPDX-License-Identifier: Apache-2.0
//
// Multiplexers "M1" and "M2" of the vectors of a pair at the inputs of the carry-save adder.
//
// Source: Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 11. The shift that belongs to an iteration
//         is done here, at the start of the next cycle.
//
// Without a select both outputs are 0: the loop starts from S = 0 although the registers hold D.

module mf_operand_mux #(
  /// Bits of the vectors; at least 3.
  parameter int unsigned Width = 8
) (
  /// One-hot: the state shifted by two, by one, as it is; the operand.
  input  logic [3:0]            select_i,
  input  logic [1:0][Width-1:0] operand_i,
  input  logic [1:0][Width-1:0] state_i,
  output logic [1:0][Width-1:0] state_o
);

  for (genvar v = 0; v < 2; v++) begin : gen_vector
    assign state_o[v] = ({Width{select_i[0]}} & operand_i[v]) |
                        ({Width{select_i[1]}} & state_i[v]) |
                        ({Width{select_i[2]}} & {1'b0, state_i[v][Width-1:1]}) |
                        ({Width{select_i[3]}} & {2'b00, state_i[v][Width-1:2]});
  end

endmodule
