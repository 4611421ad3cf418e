// SPDX-License-Identifier: Apache-2.0
//
// One exponentiation y = x^e mod n: registers, table of powers, word-serial unit, exponent, and
// their control. Multiplications are requested through ports. The contract is that of mf_modexp and
// three things more, with MonPro(a, b) = a b R^-1 mod n.
//
// Factor:   y = MonPro(v, 1) (F4: MonPro(v, x)), v = MonPro(x, r2_i)^e in the domain: r2_i is the
//           factor that enters the domain. R^2 mod n gives x^e.
// Product:  with product_i a request is y = MonPro(x_i, r2_i) alone, canonical, in T + reduction
//           cycles. x_i and r2_i need only be within the multiplier's operand bound, n is not
//           checked, and e_i, e_len_i, r1_i have no effect.
// Serial:   operands come by words before the request, while the chain is idle, the lowest first,
//           into the registers, Words words of each: r1 into t, then feed_i.one, then all others in
//           any order. x_i, e_i, n_i, constants_i, r1_i, r2_i have no effect. y leaves by words,
//           too: while it stands feed_i.power shifts the next word to the low end of y_o.
//
// t_q      the first operand of every multiplication; x, then the power; y at the end; 0 while
//          idle
// acc_q    the second operand of a product; r2, then the factors of the algorithm; 1;
//          follows r2_i while idle
// n_q      the modulus; a pass of the word-serial unit rotates it. The passes at the end shift it
//          to the left and halve it back. It follows n_i while idle, and while y stands
// read     the table's output; r1 (F4: x) where there is no table
//
// A value is a sum vector and, if CarryBits is not 0, a carry vector above it. The word-serial unit
// alone adds pairs: one pass of Words cycles puts v into t and v - n (v + n for signed multipliers)
// into acc. Its first pass checks x < n.

module mf_modexp_chain
  import mf_modexp_pkg::*;
#(
  /// As in mf_modexp:
  parameter int unsigned Width        = 256,
  parameter int unsigned ExponentBits = 256,
  parameter int unsigned Algorithm    = Window,
  parameter int unsigned DigitW       = 4,
  parameter int unsigned Multipliers  = 1,
  parameter int unsigned Adder        = 32,
  parameter int unsigned SumBits      = 257,
  parameter int unsigned CarryBits    = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed       = 1'b0,
  parameter int unsigned Passes       = 1,
  parameter int unsigned ConstantBits = 1,
  /// The chain is one of several in turn: the check of x comes before the first multiplication, not
  /// beside it, and every exponent is run with ExponentBits bits.
  parameter bit          InTurn       = 1'b0,
  /// As in mf_modexp:
  parameter bit          TableBlock   = 1'b0,
  /// Operands come by words of Adder bits, a power of two.
  parameter bit          Serial       = 1'b0,

  // Where parameters are illegal, sizes are small, so that elaboration gets to the message.
  localparam int unsigned LegalExponentBits =
      ExponentBits < 1 || ExponentBits > 65535 ? 1 : ExponentBits,
  localparam int unsigned LegalDigitW = DigitW < 1 || DigitW > 6 ? 1 : DigitW,
  localparam int unsigned LegalAdder  = Adder < 4 || Adder > 1024 ? 4 : Adder,

  localparam int unsigned OperandBits = SumBits + CarryBits,
  localparam int unsigned ResultBits  = ResultSumBits + ResultCarryBits,
  localparam int unsigned LengthW     = $clog2(LegalExponentBits + 1),
  localparam int unsigned ExponentW   = Serial ? LegalAdder : 32,
  localparam int unsigned IndexW      = (LegalExponentBits > ExponentW)
                                      ? $clog2((LegalExponentBits + ExponentW - 1) / ExponentW) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,
  /// One product x r2 in place of a power.
  input  logic                    product_i,

  /// With Serial: a word of an operand; the index is that of a word of the exponent.
  input  feed_t                   feed_i,
  input  logic [IndexW-1:0]       feed_index_i,
  input  logic [Adder-1:0]        feed_word_i,

  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,

  input  logic                    abort_i,

  /// Squarings a * a of a lockstep; unused with one multiplier.
  output logic                    square_valid_o,
  input  logic                    square_ready_i,
  input  logic                    square_rsp_valid_i,
  output logic                    square_rsp_ready_o,
  input  logic [ResultBits-1:0]   square_p_i,

  /// All other multiplications a * b.
  output logic                    mul_valid_o,
  input  logic                    mul_ready_i,
  output logic [OperandBits-1:0]  mul_a_o,
  output logic [OperandBits-1:0]  mul_b_o,
  output logic [Width-1:0]        mul_n_o,
  output logic [ConstantBits-1:0] mul_constants_o,
  input  logic                    mul_rsp_valid_i,
  output logic                    mul_rsp_ready_o,
  input  logic [ResultBits-1:0]   mul_p_i
);

  localparam bit          HasTable = Algorithm == Window || Algorithm == Sliding;
  localparam bit          Pair     = CarryBits > 0;
  localparam bit          Lockstep = Multipliers > 1;
  localparam int unsigned Depth    = (Algorithm == Window) ? 1 << LegalDigitW
                                   : (Algorithm == Sliding) ? (1 << (LegalDigitW - 1)) + 1 : 2;
  localparam int unsigned Words    = words(Width, SumBits, Signed, LegalAdder);
  localparam int unsigned PaddedW  = Words * LegalAdder;
  localparam int unsigned SumW     = (SumBits > PaddedW) ? SumBits : PaddedW;
  localparam int unsigned CarryW   = Pair ? SumW : 1;
  localparam int unsigned CarryTableW = Pair ? CarryBits : 1;
  localparam int unsigned AddrW    = $clog2(Depth);
  localparam int unsigned ConstantW =
      Serial ? (ConstantBits + LegalAdder - 1) / LegalAdder * LegalAdder : ConstantBits;
  localparam int unsigned CountW   = $clog2(LegalDigitW + 1);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_modexp_chain: Width must be 3 to 8192");
  end
  if (ExponentBits < 1 || ExponentBits > 65535) begin : gen_illegal_exponent_bits
    $fatal(1, "mf_modexp_chain: ExponentBits must be 1 to 65535");
  end
  if (Algorithm > F4) begin : gen_illegal_algorithm
    $fatal(1, "mf_modexp_chain: Algorithm must be 0 to 6");
  end
  if (DigitW < 1 || DigitW > 6) begin : gen_illegal_digit_range
    $fatal(1, "mf_modexp_chain: DigitW must be 1 to 6");
  end
  if (DigitW != 1 && Algorithm != Window && Algorithm != Sliding) begin : gen_illegal_digit
    $fatal(1, "mf_modexp_chain: DigitW must be 1 unless Algorithm is Window or Sliding");
  end
  if (Multipliers != 1 &&
      !(Multipliers == 2 && (Algorithm == R2l || Algorithm == Ladder))) begin : gen_illegal_cores
    $fatal(1, "mf_modexp_chain: Multipliers must be 1, or 2 with Algorithm R2l or Ladder");
  end
  if (TableBlock && !HasTable) begin : gen_illegal_table
    $fatal(1, "mf_modexp_chain: TableBlock must be 0 unless Algorithm is Window or Sliding");
  end
  if (Adder < 4 || Adder > 1024 || Adder < Passes) begin : gen_illegal_adder
    $fatal(1, "mf_modexp_chain: Adder must be 4 to 1024, and at least Passes");
  end
  if ($signed(SumBits) < 1) begin : gen_illegal_sum_bits
    $fatal(1, "mf_modexp_chain: SumBits must be at least 1");
  end
  if (ResultCarryBits > CarryBits) begin : gen_illegal_result_carry_bits
    $fatal(1, "mf_modexp_chain: ResultCarryBits must be at most CarryBits");
  end
  if ($signed(ConstantBits) < 1) begin : gen_illegal_constant_bits
    $fatal(1, "mf_modexp_chain: ConstantBits must be at least 1");
  end

  // ---------------------------------------------------------------- control

  logic              idle, ports, busy, wipe, length_ok;
  logic              bit_valid, bit_value, bit_take;
  logic              digit_valid, digit_more, digit_product, digit_take;
  logic [CountW-1:0] digit_squarings;
  logic [DigitW-1:0] digit;
  logic              t_load, acc_load, t_clear, b_acc, b_read;
  terms_t            terms;
  pass_t             pass;
  logic              table_write;
  logic [AddrW-1:0]  table_write_addr, table_read_addr;
  logic              value_negative_q, other_negative_q, modulus_ok;

  logic [LengthW-1:0] length;

  assign length_ok = 32'(e_len_i) <= ExponentBits;
  assign length    = InTurn ? LengthW'(ExponentBits) : e_len_i;

  // Values that the registers take from the ports of a request, or from those of words. A request
  // that is aborted in its cycle is loaded, too, and wiped.
  logic  load_ports, from_ports;
  feed_t feed;
  assign load_ports = idle && req_valid_i && !Serial;
  assign from_ports = ports && !Serial;
  assign feed       = feed_i & {$bits(feed_t){Serial}};

  mf_modexp_exponent #(
    .Bits       (LegalExponentBits),
    .LowestFirst(Algorithm == R2l),
    .WordW      (ExponentW),
    .Serial     (Serial)
  ) u_exponent (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .busy_i  (busy),
    .load_i  (load_ports),
    .e_i     (e_i),
    .length_i(length),
    .write_i (feed.exponent),
    .index_i (feed_index_i),
    .word_i  (ExponentW'(feed_word_i)),
    .valid_o (bit_valid),
    .bit_o   (bit_value),
    .take_i  (bit_take)
  );

  mf_modexp_recoder #(
    .Algorithm(Algorithm), .DigitW(LegalDigitW), .LengthW(LengthW)
  ) u_recoder (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .load_i     (!busy),
    .length_i   (length),
    .bit_valid_i(bit_valid),
    .bit_i      (bit_value),
    .bit_take_o (bit_take),
    .valid_o    (digit_valid),
    .more_o     (digit_more),
    .squarings_o(digit_squarings),
    .product_o  (digit_product),
    .digit_o    (digit),
    .take_i     (digit_take)
  );

  mf_modexp_control #(
    .Algorithm  (Algorithm),
    .DigitW     (LegalDigitW),
    .Multipliers(Multipliers),
    .Words      (Words),
    .Passes     (Passes),
    .Signed     (Signed),
    .Depth      (Depth),
    .TableBlock (TableBlock),
    .CheckFirst (InTurn)
  ) u_control (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .req_valid_i          (req_valid_i),
    .req_ready_o          (req_ready_o),
    .rsp_valid_o          (rsp_valid_o),
    .rsp_ready_i          (rsp_ready_i),
    .error_o              (error_o),
    .abort_i              (abort_i),
    .length_ok_i          (length_ok),
    .product_i            (product_i),
    .digit_valid_i        (digit_valid),
    .digit_more_i         (digit_more),
    .digit_squarings_i    (digit_squarings),
    .digit_product_i      (digit_product),
    .digit_i              (digit),
    .digit_take_o         (digit_take),
    .square_valid_o       (square_valid_o),
    .product_valid_o      (mul_valid_o),
    .mul_ready_i          (mul_ready_i && (!Lockstep || square_ready_i)),
    .square_rsp_valid_i   (square_rsp_valid_i),
    .product_rsp_valid_i  (mul_rsp_valid_i),
    .square_rsp_ready_o   (square_rsp_ready_o),
    .product_rsp_ready_o  (mul_rsp_ready_o),
    .idle_o               (idle),
    .ports_o              (ports),
    .busy_o               (busy),
    .wipe_o               (wipe),
    .t_load_o             (t_load),
    .acc_load_o           (acc_load),
    .t_clear_o            (t_clear),
    .terms_o              (terms),
    .b_acc_o              (b_acc),
    .b_read_o             (b_read),
    .table_write_o        (table_write),
    .table_write_addr_o   (table_write_addr),
    .table_read_addr_o    (table_read_addr),
    .pass_o               (pass),
    .pass_value_negative_i(value_negative_q),
    .pass_other_negative_i(other_negative_q),
    .modulus_ok_i         (modulus_ok)
  );

  // ---------------------------------------------------------------- results as operands

  logic [SumW-1:0]   t_s_q, acc_s_q, square_s, product_s;
  logic [CarryW-1:0] t_c_q, acc_c_q, square_c, product_c;

  if (Signed) begin : gen_signed
    assign product_s = SumW'($signed(mul_p_i[ResultSumBits-1:0]));
    assign square_s  = SumW'($signed(square_p_i[ResultSumBits-1:0]));
  end else begin : gen_unsigned
    assign product_s = SumW'(mul_p_i[ResultSumBits-1:0]);
    assign square_s  = SumW'(square_p_i[ResultSumBits-1:0]);
  end

  if (ResultCarryBits > 0) begin : gen_result_pair
    assign product_c = CarryW'(mul_p_i[ResultBits-1:ResultSumBits]);
    assign square_c  = CarryW'(square_p_i[ResultBits-1:ResultSumBits]);
  end else begin : gen_result_binary
    assign product_c = '0;
    assign square_c  = '0;
  end

  // ---------------------------------------------------------------- table

  logic [SumBits-1:0]     read_sum;    // the table's word
  logic [CarryTableW-1:0] read_carry;

  if (HasTable) begin : gen_table
    logic [SumBits-1:0] write_sum;
    logic               write;

    // Entry 0, which idle addresses, is r1, and zero until there is a request.
    assign write = table_write || (idle && !Serial) || feed.one;

    assign write_sum     = (SumBits'(r1_i) & {SumBits{load_ports}}) |
                           (t_s_q[SumBits-1:0] & {SumBits{feed.one}}) |
                           (product_s[SumBits-1:0] & {SumBits{busy}});

    mf_modexp_table #(.Width(SumBits), .Depth(Depth), .Block(TableBlock)) u_sums (
      .clk_i    (clk_i),
      .wr_en_i  (write),
      .wr_addr_i(table_write_addr),
      .wr_data_i(write_sum),
      .rd_addr_i(table_read_addr),
      .rd_data_o(read_sum)
    );

    if (Pair) begin : gen_carries
      logic [CarryTableW-1:0] write_carry;

      assign write_carry = product_c[CarryTableW-1:0] & {CarryTableW{busy}};

      mf_modexp_table #(.Width(CarryTableW), .Depth(Depth), .Block(TableBlock)) u_carries (
        .clk_i    (clk_i),
        .wr_en_i  (write),
        .wr_addr_i(table_write_addr),
        .wr_data_i(write_carry),
        .rd_addr_i(table_read_addr),
        .rd_data_o(read_carry)
      );
    end else begin : gen_no_carries
      assign read_carry = '0;
    end
  end else begin : gen_one_word
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (load_ports) word_q <= (Algorithm == F4) ? x_i : r1_i;
      else if ((Algorithm == F4) ? idle && Serial : feed.one) word_q <= t_s_q[Width-1:0];
      else if (wipe) word_q <= '0;
    end

    assign read_sum   = SumBits'(word_q);
    assign read_carry = '0;

    logic unused_table;
    assign unused_table = ^{table_write, table_write_addr, table_read_addr};
  end

  logic [SumW-1:0]   read_s;
  logic [CarryW-1:0] read_c;

  // Bits above SumBits matter in passes alone, whose value is x or a product.
  assign read_s = SumW'(read_sum);
  assign read_c = CarryW'(read_carry);

  // ---------------------------------------------------------------- registers

  logic [PaddedW-1:0]      n_q, n_loaded;
  logic [ConstantW-1:0]    constants_q;
  logic [Adder-1:0]        n_word, n_back;  // word that enters n; word that leaves n, halved
  logic                    t_enable, acc_enable, t_shift, acc_shift;
  logic                    late_q;     // a pass ran in the cycle before
  logic [Adder-1:0]        t_in, t_top, acc_in, acc_top, other_word_q;
  logic [SumW-1:0]         t_whole, acc_whole, t_next, acc_next;

  assign t_enable   = t_load || (idle && !Serial) || feed.power;
  assign acc_enable = acc_load || (idle && !Serial) || feed.factor;
  assign t_shift    = terms.t_words || feed.power;
  assign acc_shift  = terms.acc_words || feed.factor;
  assign n_word     = feed.modulus ? feed_word_i : n_back;

  // Words of a pass come from registers, a cycle late: they enter below the highest word, which the
  // unit's register holds in the cycle after the pass.
  assign acc_in  = feed_word_i & {Adder{feed.factor}};
  assign acc_top = late_q ? other_word_q : acc_s_q[PaddedW-1-:Adder];

  always_comb begin
    t_whole                      = t_s_q;
    t_whole[PaddedW-1-:Adder]    = t_top;
    acc_whole                    = acc_s_q;
    acc_whole[PaddedW-1-:Adder]  = acc_top;
  end

  assign t_next   = (SumW'(x_i) & {SumW{from_ports && req_valid_i}}) |
                    (square_s & {SumW{terms.t_square && Lockstep}}) |
                    (product_s & {SumW{terms.t_product}}) |
                    (read_s & {SumW{terms.t_read}}) |
                    (acc_whole & {SumW{terms.t_acc}}) |
                    (SumW'({t_in, t_whole[PaddedW-1:0]} >> Adder) & {SumW{t_shift}});
  assign acc_next = (SumW'(r2_i) & {SumW{from_ports}}) |
                    (square_s & {SumW{terms.acc_square && Lockstep}}) |
                    (product_s & {SumW{terms.acc_product}}) |
                    (read_s & {SumW{terms.acc_read}}) |
                    SumW'(terms.acc_leave) |
                    (SumW'({acc_in, acc_whole[PaddedW-1:0]} >> Adder) & {SumW{acc_shift}});

  always_ff @(posedge clk_i) begin
    if (t_clear) t_s_q <= '0;
    else if (t_enable) t_s_q <= t_next;
    else if (Pair && late_q) t_s_q[PaddedW-1-:Adder] <= t_top;
    if (acc_enable) acc_s_q <= acc_next;
    if (from_ports || pass.next || feed.modulus) begin
      n_q <= (n_loaded & {PaddedW{from_ports}}) |
             (PaddedW'({n_word, n_q} >> Adder) & {PaddedW{!from_ports}});
    end
    if (from_ports) constants_q <= ConstantW'(constants_i);
    else if (feed.constants) constants_q <= ConstantW'({feed_word_i, constants_q} >> Adder);
  end

  logic               b_t;  // the second operand is neither acc nor the table's word
  logic [SumBits-1:0] b_sum;

  assign b_t   = !(b_acc || b_read);
  assign b_sum = (acc_s_q[SumBits-1:0] & {SumBits{b_acc}}) | (read_sum & {SumBits{b_read}}) |
                 (t_s_q[SumBits-1:0] & {SumBits{b_t}});

  if (Pair) begin : gen_carry
    always_ff @(posedge clk_i) begin
      if (t_clear) t_c_q <= '0;
      else if (t_enable) begin
        t_c_q <= (square_c & {CarryW{terms.t_square && Lockstep}}) |
                 (product_c & {CarryW{terms.t_product}}) |
                 (read_c & {CarryW{terms.t_read}}) |
                 (acc_c_q & {CarryW{terms.t_acc}}) |
                 (CarryW'({{Adder{1'b0}}, t_c_q} >> Adder) & {CarryW{terms.t_words}});
      end
      if (acc_enable) begin
        acc_c_q <= (square_c & {CarryW{terms.acc_square && Lockstep}}) |
                   (product_c & {CarryW{terms.acc_product}}) |
                   (read_c & {CarryW{terms.acc_read}});
      end
    end

    logic [CarryBits-1:0] b_carry;
    assign b_carry = (acc_c_q[CarryBits-1:0] & {CarryBits{b_acc}}) |
                     (read_carry & {CarryBits{b_read}}) |
                     (t_c_q[CarryBits-1:0] & {CarryBits{b_t}});

    assign mul_a_o = {t_c_q[CarryBits-1:0], t_s_q[SumBits-1:0]};
    assign mul_b_o = {b_carry, b_sum};
  end else begin : gen_no_carry
    assign t_c_q   = '0;
    assign acc_c_q = '0;
    assign mul_a_o = t_s_q[SumBits-1:0];
    assign mul_b_o = b_sum;

    logic unused_carries;
    assign unused_carries = ^{t_c_q, acc_c_q, read_c, product_c, square_c};
  end

  assign mul_n_o         = n_q[Width-1:0];
  assign mul_constants_o = constants_q[ConstantBits-1:0];
  assign y_o             = t_s_q[Width-1:0];

  if (Serial) begin : gen_serial
    logic unused_ports, unused_high;
    assign unused_ports = ^{x_i, n_i, constants_i, r1_i, r2_i};
    assign unused_high  = ^constants_q;
  end else begin : gen_parallel
    logic unused_words;
    assign unused_words = ^{feed_i, feed_index_i, feed_word_i};
  end

  if (!Lockstep) begin : gen_no_lockstep
    logic unused_square;
    assign unused_square = ^{square_ready_i, square_s, square_c};
  end

  // ---------------------------------------------------------------- word-serial unit

  // v = s + c and v - n or v + n, a word of each in a cycle; n may be shifted to the left. The word
  // of n to be added, term_q, is made in the cycle before, in which n rotates; results leave by
  // registers.
  logic [Adder-1:0]   n_first, n_term, term_q, row_s, row_c, value_word, other_word;
  logic               row_q, value_carry, value_carry_q, other_carry, other_carry_q;
  logic               turning_q;           // n rotated in the cycle before
  logic               n_above_q;           // n has a bit above the lowest
  logic               n_odd_q;             // n is odd

  if (InTurn) begin : gen_first_port
    // The pass of the check begins in the cycle of the load, which therefore rotates n by a word.
    assign n_first  = idle ? Adder'(n_i) : n_q[Adder-1:0];
    assign n_loaded = product_i ? PaddedW'(n_i)
                                : PaddedW'({Adder'(n_i), PaddedW'(n_i)} >> Adder);
  end else begin : gen_first_register
    assign n_first  = n_q[Adder-1:0];
    assign n_loaded = PaddedW'(n_i);
  end

  if (Passes > 1) begin : gen_shift
    logic [Passes-2:0]       n_before_q;  // the highest bits of the word of n below this one
    logic [Adder:0]          n_wide;      // n 2^(Passes - 1), a bit above the word
    logic                    n_next;      // the lowest bit of the next word
    logic [Adder-1:0]        n_half;

    always_ff @(posedge clk_i) begin
      n_before_q <= n_first[Adder-1-:Passes-1] & {(Passes - 1) {pass.next}};
    end

    assign n_wide = (Adder + 1)'({n_first, n_before_q});
    assign n_next = (Words > 1) && n_q[(Words > 1) ? Adder : 0];
    assign n_half = {n_next && !pass.top, n_first[Adder-1:1]};
    assign n_term = pass.wide ? n_wide[Adder-1:0] : n_first;
    assign n_back = pass.wide ? n_wide[Adder:1] : pass.halve ? n_half : n_first;
  end else begin : gen_no_shift
    assign n_term = n_first;
    assign n_back = n_first;

    logic unused_shift;
    assign unused_shift = ^{pass.wide, pass.halve, pass.top};
  end

  if (Pair) begin : gen_add_pair
    logic [Adder-1:0] majority;

    assign majority = (t_s_q[Adder-1:0] & t_c_q[Adder-1:0]) | (t_s_q[Adder-1:0] & term_q) |
                      (t_c_q[Adder-1:0] & term_q);
    assign row_s    = t_s_q[Adder-1:0] ^ t_c_q[Adder-1:0] ^ term_q;
    assign row_c    = {majority[Adder-2:0], row_q};

    assign {value_carry, value_word} = {1'b0, t_s_q[Adder-1:0]} + {1'b0, t_c_q[Adder-1:0]} +
                                       (Adder + 1)'(value_carry_q);

    logic [Adder-1:0] value_word_q;

    always_ff @(posedge clk_i) begin
      row_q         <= pass.run && majority[Adder-1];
      value_carry_q <= pass.run && value_carry;
      value_word_q  <= value_word;
    end

    assign t_in  = feed_word_i & {Adder{feed.power}};
    assign t_top = late_q ? value_word_q : t_s_q[PaddedW-1-:Adder];
  end else begin : gen_add_binary
    assign row_s         = t_s_q[Adder-1:0];
    assign row_c         = term_q;
    assign value_word    = t_s_q[Adder-1:0];
    assign value_carry   = 1'b0;
    assign value_carry_q = 1'b0;
    assign row_q         = 1'b0;
    assign t_in          = feed.power ? feed_word_i : value_word;
    assign t_top         = t_s_q[PaddedW-1-:Adder];

    logic unused_carry;
    assign unused_carry = ^{value_carry, value_carry_q, row_q};
  end

  assign {other_carry, other_word} = {1'b0, row_s} + {1'b0, row_c} + (Adder + 1)'(other_carry_q);

  always_ff @(posedge clk_i) begin
    late_q        <= pass.run && !wipe;
    term_q        <= n_term ^ {Adder{pass.subtract}};
    other_word_q  <= other_word;
    other_carry_q <= pass.run ? other_carry : pass.subtract;
    if (pass.run) begin
      value_negative_q <= value_word[Adder-1];
      other_negative_q <= other_word[Adder-1];
    end
    turning_q <= pass.next;
    if (pass.next) begin
      n_odd_q   <= turning_q ? n_odd_q : n_first[0];
      n_above_q <= (turning_q && (n_above_q || n_first[0])) || |n_first[Adder-1:1];
    end
  end

  assign modulus_ok = n_odd_q && n_above_q;

endmodule
