// SPDX-License-Identifier: Apache-2.0
//
// Word unit: one operation on vectors of words in memory, a word a cycle.
//
// Contract: start_i while busy_o is low takes the job, op_i to flag_i. Sources are zero beyond
//           their lengths. From the end of an operation to the next start borrow_o, nonzero_o (of x
//           - y), odd_o (of x) and top_o (the highest bit of the last word) hold. An operation ends
//           when its last word has passed stage 5, even if the state has another value by a fault.
// Check:    operands are checked in the registers of stage 4, numbers and zeros too: a stuck bit
//           there would change the message equally in each reading.
// Latency:  z_len_i + 7 cycles; of WordMul the sum, over the columns, of the products (at least 1),
//           + 5 and the latency of mf_engine_product; of WordRandom 4 from the last word of the
//           source on. The last word is written in the last of these cycles.
// Constant time: yes; addresses depend on bases, lengths and amount_i alone.
// Stages:   0 lengths; 1 indices; 2 addresses; 3 words from the memory; 4 operands, sum, the words
//           of a shift, integrity; 5 result, bits of a shift; 6 write; WordMul: behind 4 the
//           product, sum, write. Words for a half leave from registers behind stage 4.
// x_kind_i, y_kind_i: 0 main memory, 1 the host's, 2 the number in the base.

module mf_engine_words
  import mf_engine_pkg::*;
#(
  /// Bits of a word; 32 or 64.
  parameter int unsigned WordW = 32,
  /// Bits of addresses and lengths.
  parameter int unsigned AddrW = 12,
  /// Block of the products: 0 cells, 1 DSP48E2, 2 ECP5 MULT18X18D.
  parameter int unsigned Block = 0,

  localparam int unsigned Lanes = WordW / 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  start_i,
  /// Ends the operation at once.
  input  logic                  stop_i,
  input  word_e                 op_i,
  input  logic [AddrW-1:0]      z_base_i,
  input  logic [AddrW-1:0]      z_len_i,
  input  logic                  z_host_i,
  input  logic [AddrW-1:0]      x_base_i,
  input  logic [AddrW-1:0]      x_len_i,
  input  logic [1:0]            x_kind_i,
  input  logic [AddrW-1:0]      y_base_i,
  input  logic [AddrW-1:0]      y_len_i,
  input  logic [1:0]            y_kind_i,
  input  logic [15:0]           amount_i,
  input  logic                  flag_i,
  output logic                  busy_o,
  output logic                  borrow_o,
  output logic                  nonzero_o,
  output logic                  odd_o,
  output logic                  top_o,
  /// A word that was used had wrong check bits; in the first cycle without busy_o at the latest.
  output logic                  integrity_o,

  output logic [1:0][AddrW-1:0] rd_addr_o,
  input  logic [1:0][WordW-1:0] main_data_i,
  input  logic [1:0][Lanes-1:0][7:0] main_check_i,
  input  logic [1:0][WordW-1:0] host_data_i,
  input  logic [1:0][Lanes-1:0][7:0] host_check_i,
  output logic                  main_write_o,
  output logic                  host_write_o,
  output logic [AddrW-1:0]      wr_addr_o,
  output logic [WordW-1:0]      wr_data_o,

  output logic                  load_o,
  output logic                  load_first_o,
  output word_e                 load_kind_o,
  output logic [WordW-1:0]      word_x_o,
  output logic [WordW-1:0]      word_y_o,
  /// The next word of the result at store_word_i in two cycles.
  output logic                  store_o,
  input  logic [WordW-1:0]      store_word_i,

  input  logic                  random_valid_i,
  output logic                  random_ready_o,
  input  logic [31:0]           random_i,
  /// No word for 2^16 cycles; or one word four times in a row, two cycles after the fourth, which
  /// stop_i answers.
  output logic                  random_error_o,
  /// A random word is awaited.
  output logic                  random_waits_o
);

  localparam int unsigned BitW  = $clog2(WordW);
  // Equal words in a row that are an error.
  localparam int unsigned SameWords = 4;

  typedef enum logic [2:0] {StIdle, StBegin, StRun, StDrain, StRandom} state_e;

  state_e           state_q;
  typedef struct packed {
    word_e            op;
    logic [AddrW-1:0] z_base;
    logic [AddrW-1:0] z_len;
    logic             z_host;
    logic [AddrW-1:0] x_base;
    logic [AddrW-1:0] x_len;
    logic [1:0]       x_kind;
    logic [AddrW-1:0] y_base;
    logic [AddrW-1:0] y_len;
    logic [1:0]       y_kind;
    logic [15:0]      amount;
    logic             flag;
  } job_t;

  job_t job, job_q, job_copy_q;  // the copy is inverted

  // The upper word of a shift is its second operand.
  assign job = '{
    op: op_i,
    z_base: z_base_i, z_len: z_len_i, z_host: z_host_i,
    x_base: x_base_i, x_len: x_len_i, x_kind: x_kind_i,
    y_base: (op_i == WordShift) ? x_base_i : y_base_i,
    y_len: (op_i == WordShift) ? x_len_i : y_len_i,
    y_kind: (op_i == WordShift) ? x_kind_i : y_kind_i,
    amount: amount_i, flag: flag_i
  };

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      job_q      <= job;
      job_copy_q <= ~job;
    end
  end

  // What says how words are shifted and cut has an inverted copy, too: a stuck bit would change the
  // message equally in each reading.
  localparam int unsigned FineW = 3;  // bits of an amount that stage 5 shifts by

  typedef struct packed {
    logic [AddrW-1:0] skipped;    // words
    logic [BitW-1:0]  coarse;     // bits, without those of stage 5
    logic [FineW-1:0] fine;       // bits in stage 5
    logic [WordW-1:0] part_mask;  // of a word that is cut
    logic             whole;      // all of the word's bits are below amount
    logic             part;       // some are
  } cut_t;

  cut_t             cut, cut_q, cut_copy_q;  // the copy is inverted
  logic [AddrW-1:0] place_d, limit;
  logic [BitW-1:0]  bits;

  assign bits  = job_q.amount[BitW-1:0];
  assign limit = AddrW'(job_q.amount >> BitW);

  always_comb begin
    cut           = '0;
    cut.coarse    = {bits[BitW-1:FineW], FineW'(0)};
    cut.part_mask = ~({WordW{1'b1}} << bits);
    cut.whole     = place_d < limit;
    cut.part      = place_d == limit;
    if (job_q.op == WordShift) begin
      cut.skipped = limit;
      cut.fine    = bits[FineW-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    cut_q      <= cut;
    cut_copy_q <= ~cut;
  end

  // ---------------------------------------------------------------- stages 1 and 2

  // index_q: of the word, in a product of that of x, low_q the first one of a column; column_q: of
  // the product. What the job alone says, and what is said of an index, comes from registers.
  logic [AddrW-1:0] index_q, column_q, low_q, low, x_index, y_index;
  logic [AddrW-1:0] x_last_q, x_before_q, y_before_q, z_before_q;  // the last index, the one before
  logic             is_mul, is_mul_q, is_shift_q, y_single_q, last_word;
  logic             last_product_q, last_column_q, last_index_q;
  logic             beyond_y_q;  // the next column begins at a higher word of x

  assign is_mul       = job_q.op == WordMul;
  assign x_index      = index_q + cut_q.skipped;
  assign y_index      = is_mul_q ? column_q - index_q
                      : is_shift_q ? x_index + AddrW'(1) : index_q;
  assign low          = low_q + AddrW'(beyond_y_q);
  assign last_word    = is_mul_q ? last_product_q && last_column_q : last_index_q;

  logic             indexed_q, read_q, valid_q, product_valid;
  logic [AddrW-1:0] x_index_q, y_index_q;
  logic [AddrW-1:0] index_place_q, read_place_q, place_q;  // of the word in z
  logic             index_end_q, index_last_q;
  logic             x_main_q, x_host_q, y_main_q, y_host_q;  // the source
  logic [1:0]       x_number, y_number, x_number_q, y_number_q;  // a number, in the first word
  logic [7:0]       x_number_check_q, y_number_check_q;
  logic             read_end_q, column_end_q;
  logic             read_last_q, last_q, product_last;  // the last word
  logic             pending_q, all_through;  // the last word has not passed stage 4; passes it
  logic             summed_q, summed_last_q;  // a word is in stage 5; the last one
  logic             random_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      indexed_q <= 1'b0;
      read_q    <= 1'b0;
      valid_q   <= 1'b0;
    end else begin
      indexed_q <= (state_q == StRun) && !stop_i;
      read_q    <= indexed_q && !stop_i;
      valid_q   <= read_q && !stop_i;
      unique case (state_q)
        StRun:    if (last_word) state_q <= StDrain;
        StDrain:  if (all_through) state_q <= StIdle;  // whatever pending_q says
        StRandom: if (random_end) state_q <= StDrain;
        StBegin:  state_q <= (job_q.op == WordRandom) ? StRandom : StRun;
        default:  if (start_i) state_q <= StBegin;
      endcase
      if (stop_i) state_q <= StIdle;
    end
  end

  assign busy_o      = state_q != StIdle || pending_q;
  assign all_through = is_mul ? product_valid && product_last : summed_q && summed_last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= 1'b0;
    else if (stop_i || all_through) pending_q <= 1'b0;
    else if (start_i) pending_q <= 1'b1;
  end

  logic random_write, random_write_q;

  /// len - less, at least 0.
  function automatic logic [AddrW-1:0] reduced(input logic [AddrW-1:0] len,
                                               input logic [AddrW-1:0] less);
    return (len < less) ? '0 : len - less;
  endfunction

  always_ff @(posedge clk_i) begin
    is_mul_q   <= is_mul;
    is_shift_q <= job_q.op == WordShift;
    x_last_q   <= reduced(job_q.x_len, AddrW'(1));
    x_before_q <= reduced(job_q.x_len, AddrW'(2));
    y_before_q <= reduced(job_q.y_len, AddrW'(2));
    y_single_q <= job_q.y_len <= AddrW'(1);
    z_before_q <= reduced(job_q.z_len, AddrW'(2));
    if (state_q == StBegin) begin
      index_q        <= '0;
      column_q       <= '0;
      low_q          <= '0;
      last_product_q <= 1'b1;
      last_column_q  <= job_q.z_len <= AddrW'(1);
      beyond_y_q     <= job_q.y_len <= AddrW'(1);
      last_index_q   <= job_q.z_len <= AddrW'(1);
    end else if (state_q == StRun || random_write) begin
      if (is_mul_q && last_product_q) begin
        column_q       <= column_q + AddrW'(1);
        low_q          <= low;
        index_q        <= low;
        beyond_y_q     <= column_q >= y_before_q;
        last_product_q <= y_single_q || (beyond_y_q ? low_q >= x_before_q : low_q >= x_last_q);
        last_column_q  <= column_q >= z_before_q;
      end else begin
        index_q        <= index_q + AddrW'(1);
        last_product_q <= index_q + AddrW'(1) >= column_q || index_q >= x_before_q;
        last_index_q   <= index_q >= z_before_q;
      end
    end
    x_index_q     <= x_index;
    y_index_q     <= y_index;
    index_place_q <= is_mul_q ? column_q : index_q;
    index_end_q   <= last_product_q;
    index_last_q  <= last_word;
    read_place_q  <= index_place_q;
    x_main_q      <= x_index_q < job_q.x_len && job_q.x_kind == 2'd0;
    x_host_q      <= x_index_q < job_q.x_len && job_q.x_kind == 2'd1;
    x_number_q    <= x_number;
    y_main_q      <= y_index_q < job_q.y_len && job_q.y_kind == 2'd0;
    y_host_q      <= y_index_q < job_q.y_len && job_q.y_kind == 2'd1;
    y_number_q    <= y_number;
    x_number_check_q <= crc(32'(x_number));
    y_number_check_q <= crc(32'(y_number));
    read_end_q    <= index_end_q;
    read_last_q   <= index_last_q;
  end

  assign x_number = job_q.x_base[1:0] & {2{x_index_q == '0 && job_q.x_kind[1]}};
  assign y_number = job_q.y_base[1:0] & {2{y_index_q == '0 && job_q.y_kind[1]}};

  assign rd_addr_o[0] = job_q.x_base + x_index_q;
  assign rd_addr_o[1] = job_q.y_base + y_index_q;

  // ---------------------------------------------------------------- stage 3

  logic [WordW-1:0]      x, y, x_q, y_q, random_q;
  logic                  first_q;          // the first word
  logic [Lanes-1:0][7:0] x_check, y_check, x_check_q, y_check_q;
  logic                  uses_x_q, uses_y_q;

  // A word of a memory, or of a number, or zero: each source is masked, a number in stage 2.
  always_comb begin
    x       = (main_data_i[0] & {WordW{x_main_q}}) | (host_data_i[0] & {WordW{x_host_q}}) |
              WordW'(x_number_q);
    x_check = (main_check_i[0] & {8 * Lanes{x_main_q}}) |
              (host_check_i[0] & {8 * Lanes{x_host_q}}) |
              (8 * Lanes)'(x_number_check_q);
    y       = (main_data_i[1] & {WordW{y_main_q}}) | (host_data_i[1] & {WordW{y_host_q}}) |
              WordW'(y_number_q);
    y_check = (main_check_i[1] & {8 * Lanes{y_main_q}}) |
              (host_check_i[1] & {8 * Lanes{y_host_q}}) |
              (8 * Lanes)'(y_number_check_q);
  end

  assign place_d = (state_q == StRandom) ? index_q : read_place_q;

  always_ff @(posedge clk_i) begin
    x_q          <= x;
    y_q          <= y;
    x_check_q    <= x_check;
    y_check_q    <= y_check;
    place_q      <= place_d;
    first_q      <= place_d == '0;
    column_end_q <= read_end_q;
    uses_x_q     <= !(job_q.op inside {WordRandom, WordStore, WordWipe, WordLoadB});
    uses_y_q     <= job_q.op inside {WordAdd, WordSub, WordCompare, WordSelect, WordShift, WordMul,
                                     WordLoadAB, WordLoadB, WordLoadNK};
    last_q       <= (state_q == StRandom) ? random_end : read_last_q;
  end

  // ---------------------------------------------------------------- stage 4

  localparam int unsigned WideW = WordW + (1 << FineW) - 1;
  localparam int unsigned HalfW = WordW / 2;

  logic [WordW-1:0] term, word, low_mask;
  logic [WideW-1:0] chosen;
  logic [WordW:0]   sum;
  logic [HalfW:0]   low_sum, high_sum, next_sum;  // the last two without and with a carry
  logic             carry_q, subtracts_q;

  logic [1:0][Lanes-1:0][7:0] wrong_q;  // check bits of the words of x and y in stage 5

  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      wrong_q[0][l] <= (crc(x_q[32*l+:32]) ^ x_check_q[l]) & {8{valid_q && uses_x_q}};
      wrong_q[1][l] <= (crc(y_q[32*l+:32]) ^ y_check_q[l]) & {8{valid_q && uses_y_q}};
    end
  end

  typedef struct packed {
    logic             main;
    logic             host;
    logic [AddrW-1:0] addr;
    logic [WordW-1:0] data;
  } write_t;

  write_t write_q, write_copy_q;  // the copy is inverted
  logic   word_bad_q, job_bad_q, cut_bad_q, write_bad_q;
  assign integrity_o = word_bad_q || job_bad_q || cut_bad_q || write_bad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_bad_q  <= 1'b0;
      job_bad_q   <= 1'b0;
      cut_bad_q   <= 1'b0;
      write_bad_q <= 1'b0;
    end else begin
      word_bad_q  <= wrong_q != '0;
      job_bad_q   <= busy_o && job_copy_q != ~job_q;
      cut_bad_q   <= busy_o && cut_copy_q != ~cut_q;
      write_bad_q <= write_copy_q != ~write_q;
    end
  end

  assign term     = subtracts_q ? ~y_q : y_q;
  assign low_sum  = {1'b0, x_q[HalfW-1:0]} + {1'b0, term[HalfW-1:0]} + (HalfW + 1)'(carry_q);
  assign high_sum = {1'b0, x_q[WordW-1:HalfW]} + {1'b0, term[WordW-1:HalfW]};
  assign next_sum = (HalfW + 1)'(({1'b0, x_q[WordW-1:HalfW], 1'b1} +
                                  {1'b0, term[WordW-1:HalfW], 1'b1}) >> 1);
  assign sum      = {low_sum[HalfW] ? next_sum : high_sum, low_sum[HalfW-1:0]};
  assign low_mask = cut_q.whole ? '1 : cut_q.part ? cut_q.part_mask : '0;

  always_comb begin
    unique case (job_q.op)
      WordSelect: word = (x_q & {WordW{job_q.flag}}) | (y_q & {WordW{!job_q.flag}});
      WordLow:    word = x_q & low_mask;
      WordRandom: word = random_q & low_mask;
      WordStore:  word = store_word_i;
      default:    word = '0;
    endcase
    chosen = (job_q.op == WordShift) ? WideW'({y_q, x_q} >> cut_q.coarse) : WideW'(word);
  end

  always_ff @(posedge clk_i) begin
    subtracts_q <= job_q.op == WordSub || job_q.op == WordCompare;
  end

  // ---------------------------------------------------------------- stage 5

  logic [WordW-1:0] sum_q, result;
  logic [WideW-1:0] chosen_q;
  logic             adds_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) summed_q <= 1'b0;
    else summed_q <= (valid_q || random_write_q) && !stop_i;
  end

  always_ff @(posedge clk_i) begin
    summed_last_q <= last_q;
    sum_q         <= sum[WordW-1:0];
    chosen_q      <= chosen;
    adds_q        <= job_q.op == WordAdd || job_q.op == WordSub;
  end

  assign result = adds_q ? sum_q : WordW'(chosen_q >> cut_q.fine);

  logic nonzero_q, top_q, odd_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      carry_q   <= op_i == WordSub || op_i == WordCompare;
      nonzero_q <= 1'b0;
    end else begin
      if (valid_q) carry_q <= sum[WordW];
      if (valid_q && first_q) odd_q <= x_q[0];
      if (summed_q) nonzero_q <= nonzero_q || sum_q != '0;
      if (summed_q) top_q <= result[WordW-1];
    end
  end

  assign borrow_o  = !carry_q;
  assign nonzero_o = nonzero_q;
  assign top_o     = top_q;
  assign odd_o     = odd_q;

  logic             loads_q, load_q, load_first_q, store_q;
  word_e            load_kind_q;
  logic [WordW-1:0] load_x_q, load_y_q;  // zero if no word is loaded

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_q  <= 1'b0;
      store_q <= 1'b0;
    end else begin
      load_q  <= valid_q && loads_q && !stop_i;
      store_q <= state_q == StRun && job_q.op == WordStore && !stop_i;
    end
  end

  always_ff @(posedge clk_i) begin
    loads_q      <= job_q.op inside {WordLoadAB, WordLoadB, WordLoadNK, WordLoadE, WordLoadPublic};
    load_first_q <= first_q;
    load_kind_q  <= job_q.op;
    load_x_q     <= x_q & {WordW{loads_q}};
    load_y_q     <= y_q & {WordW{loads_q}};
  end

  assign load_o       = load_q;
  assign load_first_o = load_first_q;
  assign load_kind_o  = load_kind_q;
  assign word_x_o     = load_x_q;
  assign word_y_o     = load_y_q;
  assign store_o      = store_q;

  // ---------------------------------------------------------------- products

  localparam int unsigned ProductLatency = product_latency(WordW, Block);
  localparam int unsigned HighW          = WordW + AddrW;

  logic [2*WordW-1:0]        product;
  logic [ProductLatency-1:0] valids_q, ends_q, lasts_q;  // beside the product's stages
  logic                      product_end;
  logic [AddrW-1:0]          product_place_q;            // of the column

  mf_engine_product #(.Width(WordW), .Block(Block)) u_product (
    .clk_i(clk_i), .x_i(x_q), .y_i(y_q), .p_o(product)
  );

  // The sum of a column is acc_low_q + low_carry_q + 2^WordW (acc_high_q + high_carry_q): a carry
  // is added with the next product, one place lower if the column is shifted out before.
  logic [WordW-1:0] acc_low_q;
  logic [HighW-1:0] acc_high_q, acc_high;
  logic             low_carry_q, high_carry_q;
  logic [WordW:0]   acc_low;

  assign acc_low       = {1'b0, acc_low_q} + {1'b0, product[WordW-1:0]} +
                         (WordW + 1)'(low_carry_q);
  assign acc_high      = acc_high_q + HighW'(product[2*WordW-1:WordW]) + HighW'(high_carry_q);
  assign product_valid = valids_q[ProductLatency-1];
  assign product_end   = ends_q[ProductLatency-1];
  assign product_last  = lasts_q[ProductLatency-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valids_q <= '0;
    else if (stop_i) valids_q <= '0;
    else valids_q <= {valids_q[ProductLatency-2:0], valid_q && is_mul};
  end

  always_ff @(posedge clk_i) begin
    ends_q  <= {ends_q[ProductLatency-2:0], column_end_q};
    lasts_q <= {lasts_q[ProductLatency-2:0], last_q};
    if (start_i) begin
      {acc_high_q, high_carry_q} <= '0;
      {acc_low_q, low_carry_q}   <= '0;
      product_place_q            <= '0;
    end else if (product_valid) begin
      {acc_high_q, acc_low_q} <= product_end ? (WordW + HighW)'(acc_high)
                                             : {acc_high, acc_low[WordW-1:0]};
      low_carry_q             <= product_end && acc_low[WordW];
      high_carry_q            <= !product_end && acc_low[WordW];
      product_place_q         <= product_place_q + AddrW'(product_end);
    end
  end

  // ---------------------------------------------------------------- random words

  logic [WordW-1:0] random_word;
  logic             random_take, lane_last;

  assign random_ready_o = state_q == StRandom;
  assign random_take    = random_ready_o && random_valid_i;
  assign random_waits_o = random_ready_o && !random_valid_i;
  assign random_write   = random_take && lane_last;
  assign random_end     = random_write && last_index_q;

  if (Lanes == 1) begin : gen_one_lane
    assign random_word = random_i;
    assign lane_last   = 1'b1;
  end else begin : gen_lanes
    logic        lane_q;
    logic [31:0] low_word_q;

    always_ff @(posedge clk_i) begin
      if (start_i) lane_q <= 1'b0;
      else if (random_take) lane_q <= !lane_q;
      if (random_take) low_word_q <= random_i;
    end

    assign random_word = {random_i, low_word_q};
    assign lane_last   = lane_q;
  end

  // Beside stage 4; no word if none is valid.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) random_write_q <= 1'b0;
    else random_write_q <= random_write && !stop_i;
  end

  always_ff @(posedge clk_i) begin
    random_q <= random_word & {WordW{random_write}};
  end

  logic [16:0] waited_q;
  logic [31:0] before_q;
  logic [2:0]  same_q;  // equal words up to the last one; 0 after stop_i
  logic        random_error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waited_q       <= '0;
      before_q       <= '0;
      same_q         <= '0;
      random_error_q <= 1'b0;
    end else begin
      random_error_q <= ((random_ready_o && waited_q[16]) || same_q == 3'(SameWords)) && !stop_i;
      if (!random_ready_o || random_valid_i) waited_q <= '0;
      else if (!waited_q[16]) waited_q <= waited_q + 17'd1;
      if (random_take) begin
        before_q <= random_i;
        same_q   <= (same_q != '0 && random_i == before_q) ? same_q + 3'd1 : 3'd1;
      end
      if (stop_i) same_q <= '0;
    end
  end

  assign random_error_o = random_error_q;

  // ---------------------------------------------------------------- stage 6

  logic             sum_writes_q, writes_q;
  logic [AddrW-1:0] sum_place_q, result_place_q, place;
  logic [WordW-1:0] result_q, value;
  logic             writes;
  assign writes = random_write_q ||
                  (valid_q && !(job_q.op inside {WordCompare, WordMul, WordLoadAB, WordLoadB,
                                                 WordLoadNK, WordLoadE, WordLoadPublic}));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sum_writes_q <= 1'b0;
      writes_q     <= 1'b0;
    end else begin
      sum_writes_q <= writes && !stop_i;  // the next job may come before the word is written
      writes_q     <= sum_writes_q;
    end
  end

  always_ff @(posedge clk_i) begin
    sum_place_q    <= place_q;
    result_q       <= result;
    result_place_q <= sum_place_q;
  end

  always_comb begin
    place = result_place_q;
    value = result_q;
    if (is_mul) begin
      place = product_place_q;
      value = acc_low[WordW-1:0];
    end
  end

  logic write;
  assign write = writes_q || (product_valid && product_end);

  write_t write_d;
  assign write_d = '{
    main: write && !job_q.z_host, host: write && job_q.z_host,
    addr: job_q.z_base + place, data: value
  };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q      <= '0;
      write_copy_q <= '1;
    end else begin
      write_q      <= write_d;
      write_copy_q <= ~write_d;
    end
  end

  assign main_write_o = write_q.main;
  assign host_write_o = write_q.host;
  assign wr_addr_o    = write_q.addr;
  assign wr_data_o    = write_q.data;

endmodule
