// SPDX-License-Identifier: Apache-2.0
//
// Pipeline of mf_fixed_prime and mf_fixed_square, without handshakes: p_o is the result of the a_i
// and b_i of mf_fixed_pkg::core_cycles cycles before. Computes, contract: mf_fixed_prime.

module mf_fixed_core #(
  /// Bits of the modulus; 3 to 768.
  parameter int unsigned Width     = 8,
  /// n; odd, its bit Width-1 is 1.
  parameter logic [mf_fixed_pkg::modulus_bits(Width)-1:0] Modulus = 199,
  /// Karatsuba levels of T; 0 to 4.
  parameter int unsigned Karatsuba = 0,
  /// Levels of full adders between registers; 1 to 16.
  parameter int unsigned Levels    = 3,
  /// Bits that a step clears; 2 to Width + 2, or 0 for Width + 2.
  parameter int unsigned Word      = 0,
  /// Reduction by folding (mf_fixed_fold).
  parameter bit          Fold      = 1'b0,
  /// a * a; b_i is not used.
  parameter bit          Square    = 1'b0,

  localparam int unsigned LegalWidth = Width < 3 || Width > 768 ? 3 : Width
) (
  input  logic           clk_i,
  input  logic [Width:0] a_i,
  input  logic [Width:0] b_i,
  output logic [Width:0] p_o
);

  localparam mf_fixed_pkg::wide_t N     = mf_fixed_pkg::wide_t'(Modulus);
  localparam int unsigned         WordW = mf_fixed_pkg::word_bits(LegalWidth, Word);
  localparam int unsigned         Steps = mf_fixed_pkg::steps(N, LegalWidth, WordW);
  localparam int unsigned         TW    = 2 * LegalWidth + 2;

  // T / 2^(i WordW) + 4 n / 3 bounds the value after step i.
  function automatic int unsigned bits_after(int unsigned done);
    if (done == 0) return TW;
    if (done == Steps) return Width + 1;
    return (TW > Width + 1 + done * WordW ? TW - done * WordW : Width + 1) + 1;
  endfunction

  if (Width < 3 || Width > 768) begin : gen_illegal_width
    $fatal(1, "mf_fixed_core: Width must be 3 to 768");
  end else if (!N[0] || N >> (Width - 1) != mf_fixed_pkg::wide_t'(1)) begin : gen_illegal_modulus
    $fatal(1, "mf_fixed_core: Modulus must be odd and have Width bits");
  end else if (Karatsuba > 4) begin : gen_illegal_karatsuba
    $fatal(1, "mf_fixed_core: Karatsuba must be 0 to 4");
  end else if (Levels < 1 || Levels > 16) begin : gen_illegal_levels
    $fatal(1, "mf_fixed_core: Levels must be 1 to 16");
  end else if (Word == 1 || Word > Width + 2) begin : gen_illegal_word
    $fatal(1, "mf_fixed_core: Word must be 2 to Width + 2, or 0");
  end

  logic [TW-1:0] t;

  mf_fixed_product #(
    .Width(LegalWidth + 1), .Karatsuba(Karatsuba), .Levels(Levels), .Square(Square)
  ) u_product (
    .clk_i(clk_i), .x_i(a_i), .y_i(b_i), .product_o(t)
  );

  if (Fold) begin : gen_fold
    localparam mf_fixed_pkg::wide_t C = (mf_fixed_pkg::wide_t'(1) << LegalWidth) - N;

    if (C * C * 4 + C * 2 > (mf_fixed_pkg::wide_t'(1) << Width)) begin : gen_illegal_fold
      $fatal(1, "mf_fixed_core: Fold takes Modulus = 2^Width - c, 4 c^2 + 2 c <= 2^Width only");
    end

    mf_fixed_fold #(.Width(LegalWidth), .Modulus(N), .Levels(Levels)) u_fold (
      .clk_i(clk_i), .t_i(t), .p_o(p_o)
    );
  end else begin : gen_montgomery
    for (genvar i = 0; i < Steps; i++) begin : gen_step
      localparam int unsigned InW  = bits_after(i);
      localparam int unsigned OutW = bits_after(i + 1);
      logic [InW-1:0]  v_before;
      logic [OutW-1:0] v;
      if (i == 0) begin : gen_first
        assign v_before = t;
      end else begin : gen_next
        assign v_before = gen_step[i-1].v;
      end
      mf_fixed_step #(
        .InW(InW), .OutW(OutW), .Modulus(N), .Word(WordW), .Levels(Levels)
      ) u_step (
        .clk_i(clk_i), .v_i(v_before), .v_o(v)
      );
    end

    assign p_o = gen_step[Steps-1].v;
  end

endmodule
