// SPDX-License-Identifier: Apache-2.0
//
// Modular exponentiation as mf_modexp, with constants that hardware derives: the modulus comes in a
// load, mf_modexp_setup derives R mod n, R^2 mod n and the multiplier's constants by products of
// the same multiplier, and requests then have x and e alone.
//
// Contract: that of mf_modexp, but for the constants. A load is accepted while no operation is
//           under way, and holds until the next one. The first request waits for a load.
// Latency:  that of mf_modexp; of a load, that of mf_modexp_setup.
// Constant time: a load's cycles depend on the bit length of n, over a multiplier of fixed latency.
// Paths:    abort_i to req_ready_o, abort_i to load_ready_o, within a cycle.
// Abort:    as mf_modexp; during a load, which has no response, it ends the load and overwrites n
//           and the derived constants. A load that is done stays.

module mf_modexp_with_setup
  import mf_derivation_pkg::*;
#(
  /// As in mf_modexp:
  parameter int unsigned Width        = 256,
  parameter int unsigned ExponentBits = 256,
  parameter int unsigned Algorithm    = mf_modexp_pkg::Window,
  parameter int unsigned DigitW       = 4,
  parameter int unsigned Multipliers  = 1,
  parameter int unsigned Adder        = 32,
  parameter int unsigned SumBits      = Width + 1,
  parameter int unsigned CarryBits    = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed       = 1'b0,
  parameter int unsigned Passes       = 1,
  parameter bit          TableBlock   = 1'b0,
  parameter bit          Closed       = 1'b1,
  parameter bit          FixedLatency = 1'b1,
  parameter int unsigned Leakage      = 0,
  /// R is 2^RBits; at least Width.
  parameter int unsigned RBits        = SumBits,
  /// See mf_modexp_setup.
  parameter int unsigned InverseBits   = 0,
  parameter bit          InverseSigned = 1'b0,
  parameter int unsigned LowKind       = NoConstant,
  parameter int unsigned LowBits       = 1,
  parameter int unsigned HighKind      = NoConstant,
  parameter int unsigned HighBits      = 1,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    load_valid_i,
  output logic                    load_ready_o,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  /// Public length of the exponent.
  input  logic [LengthW-1:0]      e_len_i,
  /// Read with a load.
  input  logic [Width-1:0]        n_i,

  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  input  logic                    abort_i
);

  localparam int unsigned ConstantBits = LowBits + ((HighKind == NoConstant) ? 0 : HighBits);

  logic                    ready, product_valid, product_rsp_valid;
  logic                    setup_ready, chain_ready, chain_rsp_valid, chain_rsp_ready;
  logic                    product_q;  // the chain's response is that of a product
  logic [Width-1:0]        n, r1, r2, x, y;
  logic [ConstantBits-1:0] constants;

  mf_modexp_setup #(
    .Width        (Width),
    .RBits        (RBits),
    .Adder        (Adder),
    .InverseBits  (InverseBits),
    .InverseSigned(InverseSigned),
    .LowKind      (LowKind),
    .LowBits      (LowBits),
    .HighKind     (HighKind),
    .HighBits     (HighBits)
  ) u_setup (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .req_valid_i        (load_valid_i && chain_ready),
    .req_ready_o        (setup_ready),
    .n_i                (n_i),
    .rsp_valid_o        (ready),
    .n_o                (n),
    .constants_o        (constants),
    .r1_o               (r1),
    .r2_o               (r2),
    .abort_i            (abort_i),
    .product_valid_o    (product_valid),
    .product_ready_i    (chain_ready),
    .product_rsp_valid_i(product_rsp_valid),
    .product_y_i        (y)
  );

  // An aborted set-up leaves the response of its product, which is dropped.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) product_q <= 1'b0;
    else if (product_valid && chain_ready) product_q <= 1'b1;
    else if (chain_rsp_valid) product_q <= 1'b0;
  end

  assign load_ready_o      = setup_ready && chain_ready;
  assign req_ready_o       = ready && chain_ready;
  assign x                 = ready ? x_i : r2;
  assign product_rsp_valid = chain_rsp_valid && product_q;
  assign chain_rsp_ready   = product_q || rsp_ready_i;
  assign rsp_valid_o       = chain_rsp_valid && !product_q;
  assign y_o               = y;

  mf_modexp_chains #(
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
    .Closed         (Closed),
    .FixedLatency   (FixedLatency),
    .TableBlock     (TableBlock),
    .Leakage        (Leakage)
  ) u_chains (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (ready ? req_valid_i : product_valid),
    .req_ready_o (chain_ready),
    .x_i         (x),
    .e_i         (e_i),
    .e_len_i     (e_len_i),
    .n_i         (n),
    .constants_i (constants),
    .r1_i        (r1),
    .r2_i        (r2),
    .product_i   (!ready),
    .feed_i      ('0),
    .feed_index_i('0),
    .feed_word_i ('0),
    .rsp_valid_o (chain_rsp_valid),
    .rsp_ready_i (chain_rsp_ready),
    .y_o         (y),
    .error_o     (error_o),
    .abort_i     (abort_i)
  );

endmodule
