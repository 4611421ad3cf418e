// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream in front of a core: each request is a packet, and so is its response. Several are
// under way if the core takes them.
//
// Request:  inputs_o, the core's inputs, each filled with zeros up to words of 32 bits, the lowest
//           word first; TLAST with the last word.
// Response: outputs_i, the core's results, in the same form, TUSER low. Responses come in the order
//           of requests.
// Refused:  a packet that is malformed is taken to its TLAST and answered, when all before it are,
//           by one word with TUSER high: 1 too short, 2 too long, 3 ones where no input has a bit
//           (Mask). The core sees nothing of it. Operands are not compared with their bounds.
// Interval: of packets without pauses on either stream: that of the core, InputWords, or
//           OutputWords + 1 cycles, whichever is the largest; if it is not the core's, more where
//           the core is not ready then.
// Latency:  from the last word of a request to the first of its response: the core's, from
//           acceptance to the valid response, and 2 cycles.
// Paths:    req_ready_i to s_axis_tready; none between the two streams within a cycle, unless
//           the core has one from rsp_ready_i to req_ready_o, which ends at a register here.
// Names:    the ports of AXI have the names by which tools know AXI.
//
// state_q     Collect: a word is awaited; Drop: the rest of a packet that is too long; Issue: a
//             request, until the core takes it, in which cycle the next packet may begin; Refuse:
//             until the answer is free
// place_q     the word that is awaited; of a packet that is too long any
// refusal_q   why the packet is malformed, so far
// under_way_q requests that the core has
// answer_q    the response, its next word lowest; left_q its words that are still to be sent

module mf_core_packets #(
  /// Words of all inputs; at least 1.
  parameter int unsigned InputWords  = 8,
  /// Words of all results; at least 1.
  parameter int unsigned OutputWords = 4,
  /// Requests that the core may have at a time; at least 1.
  parameter int unsigned InFlight    = 1,
  /// Ones where an input has a bit.
  parameter logic [32*InputWords-1:0] Mask = '1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      s_axis_tvalid,
  output logic                      s_axis_tready,
  input  logic [31:0]               s_axis_tdata,
  input  logic                      s_axis_tlast,

  output logic                      m_axis_tvalid,
  input  logic                      m_axis_tready,
  output logic [31:0]               m_axis_tdata,
  output logic                      m_axis_tlast,
  output logic                      m_axis_tuser,

  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [32*InputWords-1:0]  inputs_o,
  input  logic                      rsp_valid_i,
  output logic                      rsp_ready_o,
  input  logic [32*OutputWords-1:0] outputs_i
);

  if (InputWords < 1 || OutputWords < 1 || InFlight < 1) begin : gen_illegal_size
    $fatal(1, "mf_core_packets: InputWords, OutputWords and InFlight must be at least 1");
  end

  localparam int unsigned PlaceW = $clog2(InputWords + 1);
  localparam int unsigned LeftW  = $clog2(OutputWords + 1);
  localparam int unsigned CountW = $clog2(InFlight + 1);

  typedef enum logic [1:0] {Collect, Drop, Issue, Refuse} state_e;
  typedef enum logic [1:0] {Fine, TooShort, TooLong, HighBits} refusal_e;

  state_e                        state_q;
  refusal_e                      refusal_d, refusal_q;
  logic [PlaceW-1:0]             place_q;
  logic [CountW-1:0]             under_way_q;
  logic [InputWords-1:0][31:0]   words_q, mask;
  logic [OutputWords-1:0][31:0]  answer_q;
  logic [LeftW-1:0]              left_q;
  logic                          user_q;

  logic                          take_word, last_word, issue, refuse, take_result, send_word, idle;

  // ---------------------------------------------------------------- requests

  assign req_valid_o   = state_q == Issue && under_way_q != CountW'(InFlight);
  assign issue         = req_valid_o && req_ready_i;
  assign s_axis_tready = state_q == Collect || state_q == Drop || issue;
  assign take_word     = s_axis_tvalid && s_axis_tready;
  assign last_word     = place_q == PlaceW'(InputWords - 1);
  assign mask          = Mask;
  assign inputs_o      = words_q;

  always_comb begin
    refusal_d = (place_q == '0) ? Fine : refusal_q;
    for (int unsigned i = 0; i < InputWords; i++) begin
      if (place_q == PlaceW'(i) && (s_axis_tdata & ~mask[i]) != '0) refusal_d = HighBits;
    end
    if (s_axis_tlast != last_word) refusal_d = s_axis_tlast ? TooShort : TooLong;
    if (state_q == Drop) refusal_d = TooLong;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= Collect;
      refusal_q <= Fine;
      place_q   <= '0;
    end else if (take_word) begin
      refusal_q <= refusal_d;
      place_q   <= s_axis_tlast ? '0 : place_q + PlaceW'(1);
      if (s_axis_tlast) state_q <= (refusal_d == Fine) ? Issue : Refuse;
      else state_q <= (refusal_d == TooLong) ? Drop : Collect;
    end else if (issue || refuse) begin
      state_q <= Collect;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < InputWords; i++) begin
      if (take_word && place_q == PlaceW'(i)) words_q[i] <= s_axis_tdata;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else under_way_q <= under_way_q + CountW'(issue) - CountW'(take_result);
  end

  // ---------------------------------------------------------------- responses

  assign idle          = left_q == '0;
  assign rsp_ready_o   = idle;
  assign take_result   = rsp_valid_i && idle;
  assign refuse        = state_q == Refuse && under_way_q == '0 && idle;
  assign m_axis_tvalid = !idle;
  assign m_axis_tdata  = answer_q[0];
  assign m_axis_tlast  = left_q == LeftW'(1);
  assign m_axis_tuser  = user_q;
  assign send_word     = m_axis_tvalid && m_axis_tready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      user_q <= 1'b0;
    end else if (take_result) begin
      left_q <= LeftW'(OutputWords);
      user_q <= 1'b0;
    end else if (refuse) begin
      left_q <= LeftW'(1);
      user_q <= 1'b1;
    end else if (send_word) begin
      left_q <= left_q - LeftW'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (take_result) answer_q <= outputs_i;
    else if (refuse) answer_q <= (32*OutputWords)'(refusal_q);
    else if (send_word) answer_q <= (32*OutputWords)'({32'd0, answer_q} >> 32);
  end

endmodule
