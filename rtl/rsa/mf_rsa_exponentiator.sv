// SPDX-License-Identifier: Apache-2.0
//
// An exponentiator with operands in words: products, powers by windows, public powers. It has the
// multiplier of a half, mf_rsa_multiplier, or of full width, mf_rsa_public_multiplier.
//
// Contract: operands enter below n, the lowest word first, Words words each: n with constants, a
//           with b, b alone, or an exponent: of GoWindow by WordLoadE, of GoPublic by
//           WordLoadPublic, from public_word_i. So does the result leave, as the sum of its vectors
//           modulo 2^(Words WordW): two's complement if results are signed.
//           fn_i      a becomes                               turns
//           GoMul     MonPro(a, b); GoKeep the same           1
//           GoWindow  a^e in the domain; b = R mod n before   2^DigitW - 2 + (D - 1) (DigitW + 1)
//           GoPublic  a^e in the domain, b = a before, e > 0  bits(e) + HW(e) - 2
//           D = ceil(length_i / DigitW), e < 2^length_i.
// Turn:     latency of the multiplier + its handover + 2 cycles.
// Latency:  of a product one turn and 1 cycle. GoWindow takes beside its turns and that cycle once
//           DigitW + 2^DigitW + 6 cycles, and for each digit the excess, if any, of
//           DigitW + 2^DigitW + 5 over the cycles of its DigitW squarings; with TableBlock a cycle
//           more in both sums; with TableWords Words 2^DigitW + 2 in place of 2^DigitW in both, and
//           once (Words + 1) 2^DigitW - 3 cycles.
// Constant time: GoMul, GoKeep, GoWindow over a multiplier of fixed latency: cycles and addresses
//           depend on length_i alone; the table is read in one order, and the digit drives a mask.
//           GoPublic: no. It has a memory of its own for its exponent, and no bit of the other
//           one's, nor of an operand, reaches a state or an address.
// After reset all registers, table and exponent are overwritten with zeros (busy_o).
//
// Table:    entries as wide as an operand, or (TableWords) of words. Then a (for the first entry b)
//           rotates as an entry is written; a scan reads the first words of all entries, then their
//           second words and so on, and shifts the digit's words into b, of the first digit into a,
//           too.
//
// a_q      the power; the result       b_q  the second factor; the scan's entry of the table
// entry_q  of the table                bit_q  the next bit of e to be fetched, counted from 1
// piece_q  word of an entry            found_q  the digit's word, as it is scanned

module mf_rsa_exponentiator
  import mf_engine_pkg::*;
  import mf_rsa_pkg::*;
#(
  /// Over mf_rsa_public_multiplier.
  parameter bit          Full            = 1'b0,
  /// Bits of the widest modulus.
  parameter int unsigned Width           = 128,
  /// Bits of the longest exponent.
  parameter int unsigned ExponentBits    = 192,
  /// Bits of the longest public exponent.
  parameter int unsigned PublicBits      = 32,
  /// Bits of a digit; 2 to 6.
  parameter int unsigned DigitW          = 5,
  /// Bits of exponents' lengths, and of DigitW - 1 more.
  parameter int unsigned LengthW         = 8,
  /// Bits of a word.
  parameter int unsigned WordW           = 32,
  /// Words of an operand; at least ceil((Width + 2) / WordW).
  parameter int unsigned Words           = 5,
  parameter multiplier_t Multiplier,
  /// The table is a block RAM of an FPGA.
  parameter bit          TableBlock      = 1'b0,
  /// The table is a block RAM of words; for binary operands of at most Words words.
  parameter bit          TableWords      = 1'b0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    load_i,
  /// WordLoadAB, WordLoadB, WordLoadNK, WordLoadE or WordLoadPublic.
  input  word_e                   load_kind_i,
  input  logic [WordW-1:0]        word_x_i,
  input  logic [WordW-1:0]        word_y_i,
  input  logic [WordW-1:0]        public_word_i,
  /// The first word.
  input  logic                    load_first_i,

  input  logic                    go_i,
  input  go_t                     fn_i,
  input  logic [LengthW-1:0]      length_i,
  output logic                    busy_o,

  /// A word of the result is taken out, which word_o has in the next cycle.
  input  logic                    store_i,
  output logic [WordW-1:0]        word_o,

  /// Turns since turns_clear_i.
  input  logic                    turns_clear_i,
  output logic [15:0]             turns_o
);

  localparam int unsigned SumBits         = Multiplier.sum_bits;
  localparam int unsigned CarryBits       = Multiplier.carry_bits;
  localparam int unsigned ResultSumBits   = Multiplier.result_sum_bits;
  localparam int unsigned ResultCarryBits = Multiplier.result_carry_bits;
  localparam int unsigned ResultBits      = ResultSumBits + ResultCarryBits;
  localparam int unsigned ConstantBits    = Multiplier.constant_bits;
  localparam bit          Signed          = Multiplier.has_sign;

  localparam int unsigned PaddedW = Words * WordW;
  localparam int unsigned SumW    = (SumBits > PaddedW) ? SumBits : PaddedW;
  localparam bit          Pair    = CarryBits > 0;
  localparam int unsigned CarryW  = Pair ? SumW : 1;
  localparam int unsigned CarryT  = Pair ? CarryBits : 1;
  localparam int unsigned ConstantW = (ConstantBits > PaddedW) ? ConstantBits : PaddedW;
  localparam int unsigned Depth   = 1 << DigitW;
  localparam int unsigned EWords  = (ExponentBits + WordW - 1) / WordW;
  localparam int unsigned EAddrW  = (EWords > 1) ? $clog2(EWords) : 1;
  localparam int unsigned PublicWords  = (PublicBits + WordW - 1) / WordW;
  localparam int unsigned PublicAddrW  = (PublicWords > 1) ? $clog2(PublicWords) : 1;
  localparam int unsigned LoadW   = larger(EAddrW, PublicAddrW);
  localparam int unsigned SelectW = $clog2(WordW);
  localparam int unsigned EntryW  = DigitW + 1;
  localparam int unsigned Pieces  = TableWords ? Words : 1;
  localparam int unsigned PieceW  = (Pieces > 1) ? $clog2(Pieces) : 1;
  localparam int unsigned Entries = Pieces * Depth;   // words of the table
  localparam int unsigned TableAddrW = $clog2(Entries);
  localparam int unsigned WipeEnd = larger(Entries, larger(EWords, PublicWords));
  localparam int unsigned WipeW   = $clog2(WipeEnd + 1);

  typedef enum logic [3:0] {
    StIdle, StWipe, StMul, StEntry, StFirst, StSquare, StProduct, StFind, StPublicSquare,
    StPublicProduct
  } state_e;

  state_e             state_q;
  logic               issue_q;    // the request of the turn is still to be made
  logic               started_q;  // the scan or fetch that StFirst and StFind wait for has started
  logic [EntryW-1:0]  entry_q;
  logic [2:0]         left_q;     // squarings after this one
  logic [WipeW-1:0]   wipe_q;
  logic [15:0]        turns_q;
  logic [PieceW-1:0]  piece_q;
  logic               due_q;      // TableWords: a word of an entry is written
  logic               wait_q;     // the scan of the public exponent is not done
  logic               piece_last, writes_entry, given_entry;
  logic               clears_q;   // wipe, a cycle behind: of the wide registers
  logic               wipe, turning, accept, take, public_state, window_begins;

  logic                         mul_valid, mul_ready, mul_rsp_valid, mul_rsp_ready;
  logic [SumBits+CarryBits-1:0] mul_a, mul_b;
  logic [ResultBits-1:0]        mul_p;

  // ---------------------------------------------------------------- words, a cycle behind

  logic             loads_a, loads_b;
  logic             load_a_q, load_b_q, load_n_q, load_e_q, load_public_q, load_first_q;
  logic [WordW-1:0] word_x_q, word_y_q, exponent_q;

  assign loads_a = load_i && load_kind_i == WordLoadAB;
  assign loads_b = load_i && load_kind_i inside {WordLoadAB, WordLoadB};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_a_q      <= 1'b0;
      load_b_q      <= 1'b0;
      load_n_q      <= 1'b0;
      load_e_q      <= 1'b0;
      load_public_q <= 1'b0;
    end else begin
      load_a_q      <= loads_a;
      load_b_q      <= loads_b;
      load_n_q      <= load_i && load_kind_i == WordLoadNK;
      load_e_q      <= load_i && load_kind_i == WordLoadE;
      load_public_q <= load_i && load_kind_i == WordLoadPublic;
    end
  end

  always_ff @(posedge clk_i) begin
    load_first_q <= load_first_i;
    word_x_q     <= word_x_i;
    word_y_q     <= word_y_i;
    exponent_q   <= public_word_i;
  end

  // ---------------------------------------------------------------- digits of the exponent

  typedef enum logic [1:0] {ScIdle, ScFetch, ScRead} scan_e;

  scan_e              scan_q;
  logic [EntryW-1:0]  step_q;             // of the fetch or the scan
  logic [LengthW-1:0] length_q, rest_q;   // rest_q: bits that are not in digits_q yet
  logic [LengthW-1:0] digits_q;           // from the present one on
  logic               counting_q;
  logic               scan_start, scan_start_q, scan_busy, fetch, fetched_q;
  logic               read_q, match_q, clear_q;
  logic [3:0]         scan, scan_out;     // an entry is read; is the digit's; the first; the last
  logic               end_q, push_q;      // after the last entry; found_q is complete
  logic [LengthW-1:0] at, bit_q;
  logic [DigitW-1:0]  digit_q;
  logic               public_bit_q;       // of the public exponent
  logic [SelectW-1:0] select_q;
  logic               above_q;            // the bit is above the exponent
  logic [WordW-1:0]   e_word_q, public_word_q;
  logic [WordW-1:0]   e_q[EWords];
  logic [WordW-1:0]   public_q[PublicWords];
  logic [LoadW-1:0]   place, place_q;     // of the word of an exponent
  logic               e_full_q, public_full_q;  // further words are dropped

  assign at        = bit_q - LengthW'(1);
  assign fetch     = (scan_q == ScFetch) && (step_q != '0);
  assign scan_busy = scan_start_q || (scan_q != ScIdle) || scan_out[3] || read_q || push_q;
  assign place     = load_first_q ? '0 : place_q;

  always_ff @(posedge clk_i) begin
    if (load_e_q || load_public_q) begin
      place_q       <= place + LoadW'(1);
      e_full_q      <= place == LoadW'(EWords - 1) || (e_full_q && !load_first_q);
      public_full_q <= place == LoadW'(PublicWords - 1) || (public_full_q && !load_first_q);
    end
    select_q <= at[SelectW-1:0];
    above_q  <= at >= length_q;
  end

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      if (32'(wipe_q) < EWords) e_q[EAddrW'(wipe_q)] <= '0;
    end else if (load_e_q && (load_first_q || !e_full_q)) begin
      e_q[EAddrW'(place)] <= word_x_q;
    end
    if (wipe) e_word_q <= '0;
    else e_word_q <= (32'(at) < EWords * WordW) ? e_q[EAddrW'(at >> SelectW)] : '0;
    if (wipe) digit_q <= '0;
    else if (fetched_q && !public_state) begin
      digit_q <= {digit_q[DigitW-2:0], e_word_q[select_q] && !above_q};
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      if (32'(wipe_q) < PublicWords) public_q[PublicAddrW'(wipe_q)] <= '0;
    end else if (load_public_q && (load_first_q || !public_full_q)) begin
      public_q[PublicAddrW'(place)] <= exponent_q;
    end
    if (wipe) public_word_q <= '0;
    else if (32'(at) < PublicWords * WordW) public_word_q <= public_q[PublicAddrW'(at >> SelectW)];
    else public_word_q <= '0;
    if (wipe) public_bit_q <= 1'b0;
    else if (fetched_q && public_state) public_bit_q <= public_word_q[select_q] && !above_q;
  end

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      length_q <= length_i;
      rest_q   <= length_i;
      digits_q <= '0;
      bit_q    <= (fn_i == GoPublic) ? length_i : '0;
    end else if (counting_q) begin
      rest_q   <= rest_q - LengthW'(DigitW);
      digits_q <= digits_q + LengthW'(1);
      bit_q    <= bit_q + LengthW'(DigitW);
    end else begin
      if (fetch) bit_q <= at;
      if (take && state_q == StProduct) digits_q <= digits_q - LengthW'(1);
    end
  end

  assign public_state = state_q == StFind || state_q == StPublicSquare;
  assign scan_start   = (state_q == StFirst && !counting_q && !started_q) ||
                        (state_q == StFind && !started_q && bit_q != '0) ||
                        (issue_q && mul_ready &&
                         ((state_q == StSquare && left_q == 3'(DigitW - 1)) ||
                          state_q == StPublicSquare));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counting_q   <= 1'b0;
      scan_start_q <= 1'b0;
      wait_q       <= 1'b0;
      scan_q       <= ScIdle;
      step_q       <= '0;
      fetched_q    <= 1'b0;
      read_q       <= 1'b0;
      match_q      <= 1'b0;
      clear_q      <= 1'b0;
      end_q        <= 1'b0;
      push_q       <= 1'b0;
    end else begin
      if (go_i) counting_q <= fn_i == GoWindow;
      else if (counting_q) counting_q <= rest_q > LengthW'(DigitW);
      scan_start_q <= scan_start;
      wait_q       <= state_q == StPublicSquare && (issue_q || scan_busy);
      fetched_q    <= fetch;
      unique case (scan_q)
        ScFetch: begin
          if (step_q != '0) step_q <= step_q - EntryW'(1);
          else if (!fetched_q) scan_q <= public_state ? ScIdle : ScRead;
        end
        ScRead: begin
          step_q <= step_q + EntryW'(1);
          if (step_q == EntryW'(Depth - 1)) begin
            step_q <= '0;
            if (piece_last) scan_q <= ScIdle;
          end
        end
        default: begin
          if (scan_start_q) begin
            scan_q <= ScFetch;
            step_q <= public_state ? EntryW'(1) : EntryW'(DigitW);
          end
        end
      endcase
      // Of the entry of the cycle before; the first entry replaces the value of the former scan.
      {read_q, match_q, clear_q, end_q} <= scan_out;
      push_q <= TableWords && end_q;
    end
  end

  assign scan = {4{scan_q == ScRead}} &
                {1'b1, step_q[DigitW-1:0] == digit_q, step_q == '0, step_q == EntryW'(Depth - 1)};

  if (TableBlock || TableWords) begin : gen_late
    logic [3:0] late_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) late_q <= '0;
      else late_q <= scan;
    end

    assign scan_out = late_q;
  end else begin : gen_at_once
    assign scan_out = scan;
  end

  // ---------------------------------------------------------------- turns

  assign wipe      = state_q == StWipe;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clears_q <= 1'b1;
    else clears_q <= wipe;
  end

  assign turning   = state_q inside {StMul, StEntry, StSquare, StProduct, StPublicSquare,
                                     StPublicProduct};
  assign accept    = mul_valid && mul_ready;
  // No request is out in other states.
  assign take      = !issue_q && mul_rsp_valid && !wait_q;
  assign busy_o    = state_q != StIdle;
  assign window_begins = state_q == StIdle && go_i && fn_i == GoWindow;
  assign turns_o   = turns_q;

  assign piece_last   = TableWords ? piece_q == PieceW'(Pieces - 1) : 1'b1;
  assign given_entry  = entry_q[EntryW-1:1] == '0;  // entry 0 or 1
  // An entry that a turn made is written as it comes, or word by word from a.
  assign writes_entry = TableWords ? due_q : state_q == StEntry && (given_entry || take);

  assign mul_valid = turning && issue_q &&
                       !(state_q == StEntry && (given_entry || due_q)) &&
                       !(state_q == StProduct && scan_busy);
  assign mul_rsp_ready = take;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StWipe;
      issue_q   <= 1'b1;
      entry_q   <= '0;
      left_q    <= '0;
      wipe_q    <= '0;
      started_q <= 1'b0;
      turns_q   <= '0;
      piece_q   <= '0;
      due_q     <= 1'b0;
    end else begin
      if (accept) issue_q <= 1'b0;
      else if (take || !turning) issue_q <= 1'b1;
      if (turns_clear_i) turns_q <= '0;
      else if (take) turns_q <= turns_q + 16'd1;
      started_q <= (state_q == StFirst && (started_q || !counting_q)) ||
                   (state_q == StFind && (started_q || bit_q != '0));
      if (writes_entry || (scan_q == ScRead && step_q == EntryW'(Depth - 1))) begin
        piece_q <= piece_last ? '0 : piece_q + PieceW'(1);
      end
      due_q <= TableWords && (window_begins || (state_q == StEntry &&
                              (take || (due_q && !(piece_last && entry_q != '0)))));

      unique case (state_q)
        StIdle: begin
          entry_q <= '0;
          if (go_i) begin
            unique case (fn_i)
              GoWindow: state_q <= StEntry;
              GoPublic: state_q <= StFind;
              default:  state_q <= StMul;
            endcase
          end
        end
        StWipe: begin
          wipe_q <= wipe_q + WipeW'(1);
          if (32'(wipe_q) >= WipeEnd - 1) state_q <= StIdle;
        end
        StMul: if (take) state_q <= StIdle;
        StEntry: begin
          // Entries 0 and 1 are there; each of the others is a turn.
          if (writes_entry && piece_last) begin
            entry_q <= entry_q + EntryW'(1);
            if (entry_q == EntryW'(Depth - 1)) state_q <= StFirst;
          end
        end
        StFirst: begin
          left_q <= 3'(DigitW - 1);
          if (started_q && !scan_busy) begin
            state_q <= (digits_q == LengthW'(1)) ? StIdle : StSquare;
          end
        end
        StSquare: begin
          if (take) begin
            left_q <= left_q - 3'd1;
            if (left_q == '0) state_q <= StProduct;
          end
        end
        StProduct: begin
          left_q <= 3'(DigitW - 1);
          if (take) state_q <= (digits_q == LengthW'(2)) ? StIdle : StSquare;
        end
        StFind: begin
          // Down to the first 1.
          if (bit_q == '0 && !started_q) begin
            state_q <= StIdle;
          end else if (started_q && !scan_busy) begin
            started_q <= 1'b0;
            if (public_bit_q) state_q <= (bit_q == '0) ? StIdle : StPublicSquare;
          end
        end
        StPublicSquare: begin
          if (take) begin
            if (public_bit_q) state_q <= StPublicProduct;
            else if (bit_q == '0) state_q <= StIdle;
          end
        end
        StPublicProduct: if (take) state_q <= (bit_q == '0) ? StIdle : StPublicSquare;
        default: state_q <= StWipe;
      endcase
    end
  end

  // ---------------------------------------------------------------- table

  logic [SumW-1:0]       product_s, a_s_q, b_s_q;
  logic [CarryW-1:0]     product_c, read_c, a_c_q, b_c_q;
  logic [CarryT-1:0]     table_c;
  logic [TableAddrW-1:0] wr_addr, rd_addr;
  logic                  table_write, first_done;

  assign table_write = wipe || writes_entry;
  assign first_done  = state_q == StFirst && started_q && !scan_busy;

  if (TableWords) begin : gen_table_addresses
    assign wr_addr = wipe ? TableAddrW'(wipe_q) : TableAddrW'({piece_q, entry_q[DigitW-1:0]});
    assign rd_addr = TableAddrW'({piece_q, step_q[DigitW-1:0]});
  end else begin : gen_entry_addresses
    assign wr_addr = wipe ? TableAddrW'(wipe_q) : entry_q[DigitW-1:0];
    assign rd_addr = step_q[DigitW-1:0];
  end

  // ---------------------------------------------------------------- operands

  if (Signed) begin : gen_signed
    assign product_s = SumW'($signed(mul_p[ResultSumBits-1:0]));
  end else begin : gen_unsigned
    assign product_s = SumW'(mul_p[ResultSumBits-1:0]);
  end

  if (ResultCarryBits > CarryBits) begin : gen_illegal_result_carry_bits
    $fatal(1, "mf_rsa_exponentiator: ResultCarryBits must be at most CarryBits");
  end
  if (ResultCarryBits > 0) begin : gen_product_pair
    assign product_c = CarryW'(mul_p[ResultBits-1:ResultSumBits]);
  end else begin : gen_product_binary
    assign product_c = '0;
  end

  assign read_c = CarryW'(table_c);

  logic [WordW-1:0] word, word_q;  // the lowest of the result, that which was taken out last

  logic square;
  assign square = state_q == StSquare || state_q == StPublicSquare;

  logic [PaddedW-1:0]   n_q;
  logic [ConstantW-1:0] constants_q;

  always_ff @(posedge clk_i) begin
    if (clears_q) n_q <= '0;
    else if (load_n_q) n_q <= PaddedW'({word_x_q, n_q} >> WordW);
    if (clears_q) constants_q <= '0;
    else if (load_n_q) constants_q <= ConstantW'({word_y_q, constants_q[PaddedW-1:0]} >> WordW);
  end

  if (TableWords) begin : gen_words
    if (CarryBits > 0 || SumBits > PaddedW) begin : gen_illegal_table_words
      $fatal(1, "mf_rsa_exponentiator: TableWords must be 0 for pairs, or operands beyond Words");
    end

    logic [WordW-1:0] read, found_q, a_word, b_word;
    logic             a_shift_q, b_shift_q, of_first;

    // Entry 0 comes from b, and a becomes b beside entry 1.
    assign of_first = entry_q == '0;

    mf_modexp_table #(.Width(WordW), .Depth(Entries), .Block(1'b1)) u_table (
      .clk_i    (clk_i),
      .wr_en_i  (table_write),
      .wr_addr_i(wr_addr),
      .wr_data_i(wipe ? '0 : of_first ? b_s_q[WordW-1:0] : a_s_q[WordW-1:0]),
      .rd_addr_i(rd_addr),
      .rd_data_o(read)
    );

    // In the next cycle a word is loaded, entry 1 or one of a turn rotates, or a word of the first
    // digit's entry is complete.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        a_shift_q <= 1'b0;
        b_shift_q <= 1'b0;
      end else begin
        a_shift_q <= loads_a || (end_q && state_q == StFirst) ||
                     (state_q == StEntry && (take || (due_q && piece_last == of_first)));
        b_shift_q <= loads_b || window_begins ||
                     (due_q && given_entry && (of_first || !piece_last)) || end_q;
      end
    end

    always_comb begin
      a_word = '0;  // behind a result that is stored
      if (load_a_q) a_word = word_x_q;
      if (due_q) a_word = a_s_q[WordW-1:0];
      if (push_q) a_word = found_q;
      b_word = word_y_q;
      if (due_q) b_word = of_first ? b_s_q[WordW-1:0] : a_s_q[WordW-1:0];
      if (push_q) b_word = found_q;
    end

    always_ff @(posedge clk_i) begin
      if (clears_q) found_q <= '0;
      else if (read_q) found_q <= (clear_q ? '0 : found_q) | (read & {WordW{match_q}});

      if (clears_q) a_s_q <= '0;
      else if (a_shift_q || store_i) a_s_q <= SumW'({a_word, a_s_q[PaddedW-1:0]} >> WordW);
      else if (take) a_s_q <= product_s;

      if (clears_q) b_s_q <= '0;
      else if (b_shift_q) b_s_q <= SumW'({b_word, b_s_q[PaddedW-1:0]} >> WordW);
    end

    logic unused_wide;
    assign table_c     = '0;
    assign unused_wide = first_done ^ load_b_q;
  end else begin : gen_wide
    logic [SumW-1:0]    read_s;
    logic [SumBits-1:0] table_s, sum;
    logic [CarryT-1:0]  carry;
    logic               unused_end;

    assign unused_end = end_q;

    always_comb begin
      sum   = product_s[SumBits-1:0];
      carry = product_c[CarryT-1:0];
      if (wipe) begin
        sum   = '0;
        carry = '0;
      end else if (entry_q == '0) begin
        sum   = b_s_q[SumBits-1:0];
        carry = b_c_q[CarryT-1:0];
      end else if (entry_q == EntryW'(1)) begin
        sum   = a_s_q[SumBits-1:0];
        carry = a_c_q[CarryT-1:0];
      end
    end

    mf_modexp_table #(.Width(SumBits + CarryT), .Depth(Depth), .Block(TableBlock)) u_table (
      .clk_i    (clk_i),
      .wr_en_i  (table_write),
      .wr_addr_i(wr_addr),
      .wr_data_i({carry, sum}),
      .rd_addr_i(rd_addr),
      .rd_data_o({table_c, table_s})
    );

    if (Signed) begin : gen_signed_entry
      assign read_s = SumW'($signed(table_s));
    end else begin : gen_unsigned_entry
      assign read_s = SumW'(table_s);
    end

    always_ff @(posedge clk_i) begin
      if (clears_q) a_s_q <= '0;
      else if (load_a_q) a_s_q <= SumW'({word_x_q, a_s_q[PaddedW-1:0]} >> WordW);
      else if (store_i) a_s_q <= SumW'({WordW'(0), a_s_q[PaddedW-1:0]} >> WordW);
      else if (take) a_s_q <= product_s;
      else if (first_done) a_s_q <= b_s_q;

      if (clears_q) b_s_q <= '0;
      else if (load_b_q) b_s_q <= SumW'({word_y_q, b_s_q[PaddedW-1:0]} >> WordW);
      else if (state_q == StEntry && entry_q == EntryW'(1)) b_s_q <= a_s_q;
      else if (read_q) b_s_q <= (clear_q ? '0 : b_s_q) | (read_s & {SumW{match_q}});
    end
  end

  if (Pair) begin : gen_pair
    always_ff @(posedge clk_i) begin
      if (clears_q || load_a_q) a_c_q <= '0;
      else if (store_i) a_c_q <= CarryW'({WordW'(0), a_c_q[PaddedW-1:0]} >> WordW);
      else if (take) a_c_q <= product_c;
      else if (first_done) a_c_q <= b_c_q;

      if (clears_q || load_b_q) b_c_q <= '0;
      else if (state_q == StEntry && entry_q == EntryW'(1)) b_c_q <= a_c_q;
      else if (read_q) b_c_q <= (clear_q ? '0 : b_c_q) | (read_c & {CarryW{match_q}});
    end

    assign mul_a = {a_c_q[CarryT-1:0], a_s_q[SumBits-1:0]};
    assign mul_b = square ? mul_a : {b_c_q[CarryT-1:0], b_s_q[SumBits-1:0]};

    logic carry_q, carry_out;
    assign {carry_out, word} = {1'b0, a_s_q[WordW-1:0]} + {1'b0, a_c_q[WordW-1:0]} +
                               (WordW + 1)'(carry_q);
    always_ff @(posedge clk_i) begin
      if (store_i) carry_q <= carry_out;
      else if (go_i) carry_q <= 1'b0;
    end
  end else begin : gen_binary
    assign a_c_q   = '0;
    assign b_c_q   = '0;
    assign mul_a = a_s_q[SumBits-1:0];
    assign mul_b = square ? mul_a : b_s_q[SumBits-1:0];
    assign word  = a_s_q[WordW-1:0];

    logic unused_carries;
    assign unused_carries = ^{product_c, read_c, a_c_q, b_c_q};
  end

  always_ff @(posedge clk_i) begin
    if (clears_q) word_q <= '0;
    else if (store_i) word_q <= word;
  end

  assign word_o = word_q;

  // ---------------------------------------------------------------- multiplier

  if (Full) begin : gen_full
    mf_rsa_public_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(mul_valid),
      .req_ready_o(mul_ready),
      .a_i        (mul_a),
      .b_i        (mul_b),
      .n_i        (n_q[Width-1:0]),
      .constants_i(constants_q[ConstantBits-1:0]),
      .rsp_valid_o(mul_rsp_valid),
      .rsp_ready_i(mul_rsp_ready),
      .p_o        (mul_p)
    );
  end else begin : gen_half
    mf_rsa_multiplier u_multiplier (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .req_valid_i(mul_valid),
      .req_ready_o(mul_ready),
      .a_i        (mul_a),
      .b_i        (mul_b),
      .n_i        (n_q[Width-1:0]),
      .constants_i(constants_q[ConstantBits-1:0]),
      .rsp_valid_o(mul_rsp_valid),
      .rsp_ready_i(mul_rsp_ready),
      .p_o        (mul_p)
    );
  end

endmodule
