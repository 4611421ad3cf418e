// SPDX-License-Identifier: Apache-2.0
//
// Checks a Montgomery product p R = a b + q n modulo M = 2^ResidueW - 1, q being the number whose
// digits the multiplier used.
//
// Residues are taken at the ports. b_i, n_i and p_i have their powers of two, a factor of a b, that
// of the multiple of n which a digit adds, and R, as zeros below them. What is to be added to a_i,
// b_i, n_i, p_i, a constant or the weight of a complemented sign bit, is AddA, AddB, AddN, AddP.
//
// Cycle        after start_i, in which the last load_i is, too
// Settle       residues of a, b, n are one word each
// from then    the accumulator takes DigitW bits of a's residue times b's a cycle, and a digit of q
//              times n's, Settle cycles after its places_i
//              after result_i
// Wait - 3     the residue of p R is a pair, which is subtracted
// Wait         error_o: whether the accumulator is not 0, or digits are missing or too many
//
// So the last digit comes at least Settle + 4 - Wait cycles before result_i, and result_i at least
// Settle, and Settle + ceil(ResidueW / min(DigitW, ResidueW)) + 4 - Wait, after start_i. Settle
// Levels is at least depth(words) + ResidueW + 1, (Wait - 3) Levels at least depth(words), for the
// words of ResidueW bits of the widest input and one more: see mf_residue_pkg.

module mf_residue_check
  import mf_residue_pkg::*;
#(
  /// Bits of the residues; at least 2.
  parameter int unsigned ResidueW = 8,
  /// Bits of a digit of the quotient.
  parameter int unsigned DigitW   = 1,
  /// The digit comes as Booth terms, and may be negative.
  parameter bit          Booth    = 1'b0,
  /// Bits of the inputs.
  parameter int unsigned AW       = 64,
  parameter int unsigned BW       = 64,
  parameter int unsigned NW       = 64,
  parameter int unsigned PW       = 64,
  parameter logic [ResidueW-1:0] AddA = '0,
  parameter logic [ResidueW-1:0] AddB = '0,
  parameter logic [ResidueW-1:0] AddN = '0,
  parameter logic [ResidueW-1:0] AddP = '0,
  /// Levels of carry-save adders in a cycle.
  parameter int unsigned Levels   = 2,
  /// Places of all digits of an operation together.
  parameter int unsigned Places   = 66,
  parameter int unsigned Settle   = 16,
  parameter int unsigned Wait     = 8,

  localparam int unsigned Terms = Booth ? (DigitW + 1) / 2 : DigitW,
  localparam int unsigned TermW = Booth ? $bits(mf_booth_pkg::term_t) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  /// a_i (bit 0), b_i, n_i are loaded, in each cycle in which a request may be accepted.
  input  logic [2:0]         load_i,
  /// Neither load_i[i] nor, for i = 0, result_i.
  input  logic [2:0]         feed_i,
  input  logic               start_i,
  input  logic [AW-1:0]      a_i,
  input  logic [BW-1:0]      b_i,
  input  logic [NW-1:0]      n_i,

  /// One-hot: bit i is set with a digit of i + 1 bits; no bit is, with none.
  input  logic [DigitW-1:0]           places_i,
  input  logic [Terms-1:0][TermW-1:0] digit_i,

  input  logic               result_i,
  input  logic [PW-1:0]      p_i,
  output logic               error_o
);

  if (ResidueW < 2) begin : gen_illegal_residue
    $fatal(1, "mf_residue_check: ResidueW must be at least 2");
  end else if ($signed(Settle) < 1) begin : gen_illegal_settle
    $fatal(1, "mf_residue_check: Settle must be at least 1");
  end else if ($signed(Wait) < 4) begin : gen_illegal_wait
    $fatal(1, "mf_residue_check: Wait must be at least 4");
  end

  // Bits of a's residue in a cycle.
  localparam int unsigned LegalW = ResidueW < 2 ? 2 : ResidueW;
  localparam int unsigned TakenW = DigitW < LegalW ? DigitW : LegalW;
  // A whole word for each constant.
  localparam int unsigned ASize = (AW + LegalW - 1) / LegalW * LegalW;
  localparam int unsigned BSize = (BW + LegalW - 1) / LegalW * LegalW;
  localparam int unsigned NSize = (NW + LegalW - 1) / LegalW * LegalW;
  localparam int unsigned PSize = (PW + LegalW - 1) / LegalW * LegalW;
  localparam int unsigned FirstSize = ASize < PSize ? PSize : ASize;

  function automatic logic [LegalW-1:0] turned(logic [LegalW-1:0] word, int unsigned by);
    return LegalW'({word, word} >> (LegalW - by % LegalW));
  endfunction

  // ---------------------------------------------------------------- residues

  logic [1:0][ResidueW-1:0] first, second, third;

  // a and p take turns.
  mf_residue_fold #(
    .ResidueW(LegalW), .Inputs(2), .InputW(FirstSize + LegalW), .Levels(Levels)
  ) u_first (
    .clk_i   (clk_i),
    .load_i  ({result_i, load_i[0]}),
    .feed_i  (feed_i[0]),
    .values_i({AddP, FirstSize'(p_i), AddA, FirstSize'(a_i)}),
    .words_o (first)
  );

  mf_residue_fold #(.ResidueW(LegalW), .InputW(BSize + LegalW), .Levels(Levels)) u_second (
    .clk_i(clk_i), .load_i(load_i[1]), .feed_i(feed_i[1]), .values_i({AddB, BSize'(b_i)}),
    .words_o(second)
  );

  mf_residue_fold #(.ResidueW(LegalW), .InputW(NSize + LegalW), .Levels(Levels)) u_third (
    .clk_i(clk_i), .load_i(load_i[2]), .feed_i(feed_i[2]), .values_i({AddN, NSize'(n_i)}),
    .words_o(third)
  );

  // Taken when they are one word.
  logic unused_zeros;
  assign unused_zeros = ^{second[1], third[1]};

  // ---------------------------------------------------------------- times

  logic [Settle-1:0] start_q;
  logic [Wait-4:0]   result_q;
  logic              settled, subtract;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      start_q  <= '0;
      result_q <= '0;
    end else begin
      start_q  <= Settle'({start_q, start_i});
      result_q <= (Wait - 3)'({result_q, result_i});
    end
  end

  assign settled  = start_q[Settle-1];
  assign subtract = result_q[Wait-4];

  logic [Settle-1:0][DigitW-1:0]           places_q;
  logic [Settle-1:0][Terms-1:0][TermW-1:0] digits_q;
  logic [DigitW-1:0]                       places;
  logic [Terms-1:0][TermW-1:0]             digit;

  always_ff @(posedge clk_i) begin
    places_q <= (Settle * DigitW)'({places_q, places_i});
    digits_q <= (Settle * Terms * TermW)'({digits_q, digit_i});
  end

  assign places = places_q[Settle-1];
  assign digit  = digits_q[Settle-1] & {Terms * TermW{|places}};

  // Digits that are missing or too many have a factor of 2^i, which may be 1 modulo M.
  localparam int unsigned CountW = $clog2(Places + 1);

  logic [CountW-1:0] count_d, count_q;

  always_comb begin
    count_d = count_q;
    for (int unsigned i = 0; i < DigitW; i++) if (places[i]) count_d = count_q + CountW'(i + 1);
  end

  always_ff @(posedge clk_i) count_q <= settled ? '0 : count_d;

  // ---------------------------------------------------------------- accumulator

  logic [ResidueW-1:0] a_q, b_q, n_q;

  always_ff @(posedge clk_i) begin
    a_q <= settled ? first[0] : LegalW'({1'b0, a_q} >> TakenW);
    b_q <= settled ? second[0] : turned(b_q, TakenW);
    if (settled) n_q <= third[0];
    else begin
      for (int unsigned i = 0; i < DigitW; i++) if (places[i]) n_q <= turned(n_q, i + 1);
    end
  end

  // Rows of a's bits, then of the digit's.
  localparam int unsigned Rows = TakenW + Terms;

  logic [Rows-1:0][ResidueW-1:0] rows;
  logic [1:0][ResidueW-1:0]      reduced, added_q, sum_q;
  logic [3:0][ResidueW-1:0]      terms;

  for (genvar i = 0; i < TakenW; i++) begin : gen_product
    assign rows[i] = turned(b_q, i) & {ResidueW{a_q[i]}};
  end
  for (genvar i = 0; i < Terms; i++) begin : gen_digit
    if (Booth) begin : gen_term
      mf_booth_pkg::term_t term;

      assign term = digit[i];
      assign rows[TakenW+i] = (({ResidueW{term.once}} & turned(n_q, 2 * i)) |
                               ({ResidueW{term.twice}} & turned(n_q, 2 * i + 1))) ^
                              {ResidueW{term.negative}};
    end else begin : gen_bit
      assign rows[TakenW+i] = turned(n_q, i) & {ResidueW{digit[i]}};
    end
  end

  mf_residue_tree #(.ResidueW(LegalW), .Words(Rows), .Levels(depth(Rows))) u_rows (
    .words_i(rows), .words_o(reduced)
  );

  assign terms = {added_q, sum_q};

  logic [1:0][ResidueW-1:0] sum_d;

  mf_residue_tree #(.ResidueW(LegalW), .Words(4), .Levels(2)) u_sum (
    .words_i(terms), .words_o(sum_d)
  );

  // Complements are negative modulo M.
  always_ff @(posedge clk_i) begin
    added_q <= (reduced & {2 * ResidueW{!subtract && !settled}}) |
               (~first & {2 * ResidueW{subtract}});
    sum_q   <= sum_d & {2 * ResidueW{!settled}};
    error_o <= count_q != CountW'(Places) ||
               !((&(sum_q[0] ^ sum_q[1])) || (&(sum_q[0] & sum_q[1])) || !(|sum_q));
  end

endmodule
