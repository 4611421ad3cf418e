// SPDX-License-Identifier: Apache-2.0
//
// Modular exponentiation as mf_modexp, with operands and result in memories of words.
//
// Contract: that of mf_modexp. Before a request the words of its operands are written, the lowest
//           at the operand's address; they stay for the next requests. After the response the words
//           of y are read, until the next request.
//
// Address             operand                   words
// 0                   R mod n                   K = ceil(Width / Adder)
// K                   R^2 mod n                 K
// 2K                  n                         K
// 3K                  constants                 C = ceil(ConstantBits / Adder)
// 3K + C              x                         K
// 4K + C              e                         ceil(ExponentBits / Adder)
//
//           Bits above those of an operand have no effect, nor have writes above the last address.
//           A word is written in a cycle with write_valid_i and write_ready_o. read_data_o is the
//           word of y at read_addr_i in the cycle before; it is 0 unless the module is idle or a
//           response stands.
// Latency:  4 Words + C + K + 3 cycles more than mf_modexp, Words that of mf_modexp: operands are
//           shifted into the registers of mf_modexp_chain, y is shifted out of them.
// Constant time: as mf_modexp; the memories are read and written in one order.
// Paths:    abort_i to req_ready_o, abort_i to write_ready_o, within a cycle.
// Abort:    as mf_modexp; y can be read while its response waits. An abort and reset overwrite both
//           memories with zeros, too.
//
// State     cycles              action
// Wipe      words of memory     zeros are written; then until the chain is idle
// Idle      -                   words are written, y is read
// Feed      4 Words + C         a word is read
// Start     1                   the last word arrives
// Request   1                   the chain loads
// Run       mf_modexp's + 1     the chain works
// Drain     K                   a word of y is written
// Done      until taken         y is read

module mf_modexp_words
  import mf_modexp_pkg::*;
#(
  /// As in mf_modexp:
  parameter int unsigned Width        = 256,
  parameter int unsigned ExponentBits = 256,
  parameter int unsigned Algorithm    = mf_modexp_pkg::Window,
  parameter int unsigned DigitW       = 4,
  parameter int unsigned Multipliers  = 1,
  /// Bits of a word, of operands and of the final subtraction; a power of two, 4 to 1024, and at
  /// least Passes.
  parameter int unsigned Adder        = 32,
  /// As in mf_modexp:
  parameter int unsigned SumBits      = Width + 1,
  parameter int unsigned CarryBits    = 0,
  parameter int unsigned ResultSumBits   = SumBits,
  parameter int unsigned ResultCarryBits = CarryBits,
  parameter bit          Signed       = 1'b0,
  parameter int unsigned Passes       = 1,
  parameter int unsigned ConstantBits = 1,
  parameter bit          TableBlock   = 1'b0,
  parameter bit          Closed       = 1'b1,
  parameter bit          FixedLatency = 1'b1,
  parameter int unsigned Leakage      = 0,

  // An illegal adder is elaborated as 4, so that elaboration gets to the message.
  localparam int unsigned LegalAdder    = Adder < 4 || Adder > 1024 ? 4 : Adder,

  localparam int unsigned LengthW       = $clog2(ExponentBits + 1),
  localparam int unsigned OperandWords  = (Width + LegalAdder - 1) / LegalAdder,
  localparam int unsigned ConstantWords = (ConstantBits + LegalAdder - 1) / LegalAdder,
  localparam int unsigned ExponentWords = (ExponentBits + LegalAdder - 1) / LegalAdder,
  localparam int unsigned ExponentAt    = 4 * OperandWords + ConstantWords,
  localparam int unsigned WriteW        = $clog2(ExponentAt + ExponentWords),
  localparam int unsigned ReadW         = (OperandWords > 1) ? $clog2(OperandWords) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               write_valid_i,
  output logic               write_ready_o,
  input  logic [WriteW-1:0]  write_addr_i,
  input  logic [Adder-1:0]   write_data_i,

  input  logic               req_valid_i,
  output logic               req_ready_o,
  /// Public length of the exponent.
  input  logic [LengthW-1:0] e_len_i,

  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic [3:0]         error_o,

  input  logic [ReadW-1:0]   read_addr_i,
  output logic [Adder-1:0]   read_data_o,

  input  logic               abort_i
);

  localparam int unsigned Words    = words(Width, SumBits, Signed, LegalAdder);
  localparam int unsigned Depth    = ExponentAt + OperandWords;  // y above the other operands
  localparam int unsigned AddrW    = $clog2(Depth);
  localparam int unsigned IndexW   = (ExponentWords > 1) ? $clog2(ExponentWords) : 1;
  localparam int unsigned WipeAll  = (Depth > ExponentWords) ? Depth : ExponentWords;
  localparam int unsigned CountW   = $clog2(WipeAll + 1);
  localparam int unsigned TopBits  = Width - (OperandWords - 1) * LegalAdder;

  if ((Adder & (Adder - 1)) != 0) begin : gen_illegal_adder
    $fatal(1, "mf_modexp_words: Adder must be a power of two");
  end

  typedef enum logic [2:0] {
    StWipe, StIdle, StFeed, StStart, StRequest, StRun, StDrain, StDone
  } state_e;
  typedef enum logic [2:0] {RegOne, RegFactor, RegModulus, RegConstants, RegPower} region_e;

  state_e             state_q;
  region_e            region_q;   // the operand that is read
  logic [CountW-1:0]  count_q;    // word of the operand, of a wipe, of y
  logic [AddrW-1:0]   addr_q;
  logic               reply_q;    // a wipe that ends with a response
  logic               aborted_q;  // a wipe follows the response
  logic [3:0]         error_q;
  logic [LengthW-1:0] length_q;
  logic               idle, waits, stop, real_word, last_word, write;
  logic               chain_ready, chain_rsp_valid, chain_rsp_ready, drained, wiped;
  logic [3:0]         chain_error;

  assign idle          = state_q == StIdle;
  assign write         = write_valid_i && write_ready_o;
  assign write_ready_o = idle && !abort_i;
  assign req_ready_o   = idle && chain_ready;
  assign rsp_valid_o   = state_q == StDone;
  assign error_o       = error_q;

  // Registers have more words than operands: zeros.
  assign real_word = region_q == RegConstants || count_q < CountW'(OperandWords);
  assign last_word = count_q == ((region_q == RegConstants) ? CountW'(ConstantWords - 1)
                                                            : CountW'(Words - 1));

  // ---------------------------------------------------------------- sequence

  assign drained         = state_q == StDrain && count_q == CountW'(OperandWords - 1);
  assign wiped           = count_q == CountW'(WipeAll - 1);
  assign chain_rsp_ready = drained || state_q == StWipe;
  assign waits           = rsp_valid_o && !rsp_ready_i;
  assign stop            = abort_i || aborted_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StWipe;
      region_q  <= RegOne;
      count_q   <= '0;
      addr_q    <= '0;
      reply_q   <= 1'b0;
      aborted_q <= 1'b0;
      error_q   <= ErrorNone;
    end else begin
      aborted_q <= waits && stop;
      unique case (state_q)
        StWipe: begin
          if (!wiped) count_q <= count_q + CountW'(1);
          else if (chain_ready) state_q <= reply_q ? StDone : StIdle;
        end
        StIdle: begin
          region_q <= RegOne;
          count_q  <= '0;
          addr_q   <= '0;
          reply_q  <= 1'b0;
          if (req_valid_i && req_ready_o) state_q <= StFeed;
        end
        StFeed: begin
          count_q <= last_word ? '0 : count_q + CountW'(1);
          if (real_word) addr_q <= addr_q + AddrW'(1);
          if (last_word && region_q == RegPower) state_q <= StStart;
          else if (last_word) region_q <= region_e'(region_q + 3'd1);
        end
        StStart:   state_q <= StRequest;
        StRequest: state_q <= StRun;
        StRun: begin
          if (chain_rsp_valid) begin
            error_q <= chain_error;
            state_q <= StDrain;
          end
        end
        StDrain: begin
          count_q <= count_q + CountW'(1);
          if (drained) state_q <= StDone;
        end
        StDone:  if (rsp_ready_i) state_q <= StIdle;
        default: state_q <= StWipe;
      endcase
      // An abort: while the chain runs, it answers first. The wipe follows, then the response of a
      // request that had none. A response that stands stays until it is taken, then the wipe comes.
      if ((stop && state_q != StWipe && !(state_q == StRun && !chain_rsp_valid) && !waits) ||
          (state_q == StRun && chain_rsp_valid && chain_error == ErrorAborted)) begin
        state_q <= StWipe;
        count_q <= '0;
        reply_q <= !idle && state_q != StDone;
        error_q <= ErrorAborted;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) length_q <= e_len_i;
  end

  // ---------------------------------------------------------------- memory

  logic [Width-1:0] y;
  logic [AddrW-1:0] write_addr, read_addr;
  logic [Adder-1:0] write_word, read_word;
  logic             write_operand, write_exponent;

  always_comb begin
    unique case (state_q)
      StDrain: begin
        write_operand  = 1'b1;
        write_exponent = 1'b0;
        write_addr     = AddrW'(ExponentAt) + AddrW'(count_q);
        write_word     = Adder'(y);
      end
      StWipe: begin
        write_operand  = count_q < CountW'(Depth);
        write_exponent = count_q < CountW'(ExponentWords);
        write_addr     = AddrW'(count_q);
        write_word     = '0;
      end
      default: begin
        write_operand  = write && write_addr_i < WriteW'(ExponentAt);
        write_exponent = write && write_addr_i >= WriteW'(ExponentAt) &&
                         32'(write_addr_i) < ExponentAt + ExponentWords;
        write_addr     = AddrW'(write_addr_i);
        write_word     = write_data_i;
      end
    endcase
  end

  assign read_addr   = (state_q == StFeed) ? addr_q : AddrW'(ExponentAt) + AddrW'(read_addr_i);
  assign read_data_o = read_word & {Adder{idle || state_q == StDone}};

  mf_modexp_table #(.Width(LegalAdder), .Depth(Depth)) u_operands (
    .clk_i    (clk_i),
    .wr_en_i  (write_operand),
    .wr_addr_i(write_addr),
    .wr_data_i(write_word),
    .rd_addr_i(read_addr),
    .rd_data_o(read_word)
  );

  // ---------------------------------------------------------------- words of the chain

  feed_t             feed;
  logic [Adder-1:0]  feed_word, mask;
  logic [IndexW-1:0] feed_index;
  region_e           fed_q;                          // the operand of the word that was read
  logic              fed_valid_q, fed_first_q;
  logic              fed_real_q, fed_top_q;          // the word is one of the operand; the highest

  always_ff @(posedge clk_i) begin
    fed_q       <= region_q;
    fed_first_q <= count_q == '0;
    fed_real_q  <= real_word;
    fed_top_q   <= region_q != RegConstants && count_q == CountW'(OperandWords - 1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fed_valid_q <= 1'b0;
    else fed_valid_q <= state_q == StFeed && !abort_i;
  end

  assign mask = fed_top_q ? {Adder{1'b1}} >> (Adder - TopBits) : {Adder{fed_real_q}};

  always_comb begin
    feed           = '0;
    feed.exponent  = write_exponent;
    feed.modulus   = fed_valid_q && fed_q == RegModulus;
    feed.constants = fed_valid_q && fed_q == RegConstants;
    feed.factor    = fed_valid_q && fed_q == RegFactor;
    feed.one       = feed.factor && fed_first_q;
    feed.power     = state_q == StDrain || (fed_valid_q && (fed_q inside {RegOne, RegPower}));
    feed_word      = fed_valid_q ? read_word & mask : write_word;
    feed_index     = (state_q == StWipe) ? IndexW'(count_q)
                                         : IndexW'(32'(write_addr_i) - ExponentAt);
  end

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
    .Leakage        (Leakage),
    .Serial         (1'b1)
  ) u_chains (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (state_q == StRequest),
    .req_ready_o (chain_ready),
    .x_i         ('0),
    .e_i         ('0),
    .e_len_i     (length_q),
    .n_i         ('0),
    .constants_i ('0),
    .r1_i        ('0),
    .r2_i        ('0),
    .product_i   (1'b0),
    .feed_i      (feed),
    .feed_index_i(feed_index),
    .feed_word_i (feed_word),
    .rsp_valid_o (chain_rsp_valid),
    .rsp_ready_i (chain_rsp_ready),
    .y_o         (y),
    .error_o     (chain_error),
    .abort_i     (abort_i)
  );

  // The words of y leave by the low end.
  logic unused_y;
  assign unused_y = ^y;

endmodule
