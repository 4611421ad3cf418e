// SPDX-License-Identifier: Apache-2.0
//
// Behavioural model of Lattice's ECP5 primitive CCU2C: two bits of a carry chain, each with a table
// of four inputs. In synthesis it is an empty black box: the tool places its own primitive. Leave
// this file out where the vendor's simulation library is used.
//
// Modelled: INJECT1_0 and INJECT1_1 "NO". A bit's table has the address {D, C, B, A}; its output,
//           the propagate bit, chooses the carry below or, if 0, the table's entry {0, 0, B, A}.

`ifdef SYNTHESIS
(* blackbox, black_box *)
`endif
module CCU2C #(
  parameter [15:0] INIT0     = 16'h0000,
  parameter [15:0] INIT1     = 16'h0000,
  parameter        INJECT1_0 = "NO",
  parameter        INJECT1_1 = "NO"
) (
  input  logic CIN, A0, B0, C0, D0, A1, B1, C1, D1,
  output logic S0, S1, COUT
);

`ifndef SYNTHESIS
  logic propagate0, propagate1, carry;

  assign propagate0 = INIT0[{D0, C0, B0, A0}];
  assign propagate1 = INIT1[{D1, C1, B1, A1}];
  assign carry      = propagate0 ? CIN : INIT0[{2'b00, B0, A0}];
  assign COUT       = propagate1 ? carry : INIT1[{2'b00, B1, A1}];
  assign S0         = propagate0 ^ CIN;
  assign S1         = propagate1 ^ carry;

  if (INJECT1_0 != "NO" || INJECT1_1 != "NO") begin : gen_not_modelled
    $fatal(1, "CCU2C: INJECT1_0 and INJECT1_1 must be NO in this model");
  end
`endif

endmodule
