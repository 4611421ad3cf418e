// SPDX-License-Identifier: Apache-2.0
//
// Simulation only. Source and sink of AXI4-Stream around a core with mf_core_packets (ports
// core_*), with handshakes and packed data in place of the core's own ports.
//
// After acceptance InputWords + 2 words of ones are sent, as one malformed packet or as two that
// are cut at another place in each operation, and the answers taken; then the words of inputs_i,
// whose last one is taken in the cycle after LoadCycles; then the words of the response are taken.
// All with pauses at random. Data is unknown without its valid.
// Latency:  LoadCycles + ReadCycles, 2, and that of the core's form, from the last word of the
//           request to the first of the response.

module mf_axis_harness #(
  /// Words of all inputs; at least 1.
  parameter int unsigned InputWords  = 4,
  /// Words of all results; at least 1.
  parameter int unsigned OutputWords = 1,
  /// A request of ones is malformed, as an input does not fill its words.
  parameter bit          HighBits    = 1'b1
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [32*InputWords-1:0]  inputs_i,
  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [32*OutputWords-1:0] outputs_o,

  output logic                      core_s_axis_tvalid_o,
  input  logic                      core_s_axis_tready_i,
  output logic [31:0]               core_s_axis_tdata_o,
  output logic                      core_s_axis_tlast_o,

  input  logic                      core_m_axis_tvalid_i,
  output logic                      core_m_axis_tready_o,
  input  logic [31:0]               core_m_axis_tdata_i,
  input  logic                      core_m_axis_tlast_i,
  input  logic                      core_m_axis_tuser_i
);

  localparam int unsigned Malformed  = InputWords + 2;  // words before the request
  localparam int unsigned Sent       = Malformed + InputWords - 1;
  localparam int unsigned LoadCycles = 2 * Sent + 18;
  localparam int unsigned ReadCycles = 2 * OutputWords + 6;
  localparam int unsigned SentW      = $clog2(Sent + 1);
  localparam int unsigned ReadW      = $clog2(OutputWords + 1);

  logic                         load, read, request, unused_running;
  logic                         sending, taking, take_word;
  logic                         odd_q, held_q;
  logic [33:0]                  held_word_q;
  logic [1:0]                   answers_q;  // to malformed packets that are still to be taken
  logic [SentW-1:0]             sent, next_cut_q, cut, cut_q;
  logic [ReadW-1:0]             place;
  logic [InputWords-1:0][31:0]  words_q;
  logic [OutputWords-1:0][31:0] results_q;

  mf_harness_control #(.LoadCycles(LoadCycles), .ReadCycles(ReadCycles)) u_control (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .req_valid_i(req_valid_i),
    .req_ready_o(req_ready_o),
    .load_o     (load),
    .request_o  (request),
    .accepted_i (core_s_axis_tready_i),
    .running_o  (unused_running),
    .finished_i (core_m_axis_tvalid_i),
    .read_o     (read),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i)
  );

  mf_harness_pacer #(.Steps(Sent), .Seed(16'h1234)) u_requests (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(load),
    .ready_i(core_s_axis_tready_i),
    .step_o (sending),
    .count_o(sent)
  );
  mf_harness_pacer #(.Steps(OutputWords), .Seed(16'h5678)) u_responses (
    .clk_i  (clk_i),
    .rst_ni (rst_ni),
    .start_i(read),
    .ready_i(core_m_axis_tvalid_i),
    .step_o (taking),
    .count_o(place)
  );

  // A packet of ones that has the length of a request must not be one.
  function automatic logic is_request(input logic [SentW-1:0] length);
    return !HighBits && length == SentW'(InputWords);
  endfunction

  // The answer to a malformed packet of this length.
  function automatic logic [31:0] refusal(input logic [SentW-1:0] length);
    if (length < SentW'(InputWords)) return 32'd1;
    return length > SentW'(InputWords) ? 32'd2 : 32'd3;
  endfunction

  assign cut = is_request(next_cut_q) || is_request(SentW'(Malformed) - next_cut_q) ?
               SentW'(Malformed) : next_cut_q;

  assign core_s_axis_tvalid_o = sending || request;
  assign core_m_axis_tready_o = taking || (answers_q != '0 && odd_q);
  assign take_word            = core_m_axis_tvalid_i && core_m_axis_tready_o;
  assign outputs_o            = results_q;

  always_comb begin
    core_s_axis_tdata_o = '1;
    core_s_axis_tlast_o = sent == cut_q - SentW'(1) || sent == SentW'(Malformed - 1);
    if (sent >= SentW'(Malformed)) begin
      core_s_axis_tdata_o = words_q[sent - SentW'(Malformed)];
      core_s_axis_tlast_o = request;
    end
    if (!core_s_axis_tvalid_o) begin
      core_s_axis_tdata_o = 'x;
      core_s_axis_tlast_o = 'x;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      odd_q      <= 1'b0;
      held_q     <= 1'b0;
      answers_q  <= '0;
      next_cut_q <= SentW'(1);
      cut_q      <= SentW'(1);
    end else begin
      odd_q  <= !odd_q;
      held_q <= core_m_axis_tvalid_i && !core_m_axis_tready_o;
      if (load) begin
        answers_q  <= cut == SentW'(Malformed) ? 2'd1 : 2'd2;
        cut_q      <= cut;
        next_cut_q <= next_cut_q == SentW'(Malformed) ? SentW'(1) : next_cut_q + SentW'(1);
      end else if (take_word && answers_q != '0) begin
        answers_q <= answers_q - 2'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    held_word_q <= {core_m_axis_tuser_i, core_m_axis_tlast_i, core_m_axis_tdata_i};
    if (load) words_q <= inputs_i;
    if (take_word && answers_q == '0) results_q[place] <= core_m_axis_tdata_i;
    if (rst_ni) begin
      if (held_q) begin
        the_word_stays_until_it_is_taken :
          assert (core_m_axis_tvalid_i &&
                  held_word_q == {core_m_axis_tuser_i, core_m_axis_tlast_i, core_m_axis_tdata_i});
      end
      if (take_word && answers_q != '0) begin
        a_malformed_packet_is_refused :
          assert (core_m_axis_tuser_i && core_m_axis_tlast_i && core_m_axis_tdata_i == refusal(
                  cut_q == SentW'(Malformed) || answers_q == 2'd2 ?
                  cut_q : SentW'(Malformed) - cut_q));
      end
      if (take_word && answers_q == '0) begin
        a_request_is_not_refused : assert (!core_m_axis_tuser_i);
        the_packet_has_its_length :
          assert (core_m_axis_tlast_i == (place == ReadW'(OutputWords - 1)));
      end
      if (request) begin
        the_last_word_is_taken_at_once :
          assert (core_s_axis_tready_i && sent == SentW'(Sent) && answers_q == '0);
      end
      if (rsp_valid_o) begin
        all_words_were_taken : assert (place == ReadW'(OutputWords));
      end
    end
  end

endmodule
