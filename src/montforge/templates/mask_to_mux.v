// SPDX-License-Identifier: Apache-2.0
//
// Techmap of Yosys: an $and with a mask of one repeated bit becomes a multiplexer. Written as
// Verilog the mask is a concatenation of as many terms as it has bits, with which Icarus Verilog
// simulates wide designs some fifty times slower.

(* techmap_celltype = "$and" *)
module mf_mask_to_mux (A, B, Y);

  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;

  // Set by techmap: a number for each bit, equal for connected bits.
  parameter _TECHMAP_BITS_CONNMAP_ = 1;
  parameter [A_WIDTH*_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_A_ = 0;
  parameter [B_WIDTH*_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_B_ = 0;

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  localparam MASK_A =
    _TECHMAP_CONNMAP_A_ == {A_WIDTH{_TECHMAP_CONNMAP_A_[_TECHMAP_BITS_CONNMAP_-1:0]}};
  localparam MASK_B =
    _TECHMAP_CONNMAP_B_ == {B_WIDTH{_TECHMAP_CONNMAP_B_[_TECHMAP_BITS_CONNMAP_-1:0]}};

  wire _TECHMAP_FAIL_ =
    Y_WIDTH == 1 || A_WIDTH != Y_WIDTH || B_WIDTH != Y_WIDTH || !(MASK_A || MASK_B);

  assign Y = MASK_B ? (B[0] ? A : {Y_WIDTH{1'b0}}) : (A[0] ? B : {Y_WIDTH{1'b0}});

endmodule
