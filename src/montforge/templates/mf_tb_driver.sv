// SPDX-License-Identifier: Apache-2.0
//
// Self-checking driver of a Montgomery multiplier with valid/ready handshakes.
//
// It makes clock and reset, sends the operations of requests.hex in order and checks each answer
// against expected.hex: the exact value, the residue modulo n and the bound (computed here, apart
// from the exact value), the latency, that a waiting result neither changes nor disappears, and
// that reset drops what was under way. Any number of requests may be outstanding; answers come in
// order. Operations run in blocks of eight: bit 0 of the block's number inserts idle cycles between
// requests, bit 1 holds rsp_ready low (at times until after rsp_valid); every third block is
// interrupted by a reset in the middle of its first operation and then starts again. A design with
// a load phase gets a load before each operation.
//
// Both files are read from the current folder, one operation a line, fields padded to whole hex
// digits, most significant first:
//   requests.hex  the data inputs of the design, in port order
//   expected.hex  bound (value < bound * n), latency, modulus n, residue, value (two's complement)
// +operations=N runs the first N operations only.

module mf_tb_driver #(
    parameter integer Operations = 1,
    parameter integer RequestWidth = 1,  ///< Bits of a line of requests.hex
    parameter integer ModulusWidth = 1,  ///< Bits of n and of the residue
    parameter integer SumWidth = 1,      ///< Bits of the result, or of its sum vector
    parameter integer CarryWidth = 0,    ///< Bits of the result's carry vector; 0: none
    parameter integer ResultSigned = 0,  ///< The sum vector is in two's complement
    parameter integer LatencyFixed = 0,  ///< No latency depends on data
    parameter integer LatencyMin = 1,    ///< Fewest edges from acceptance to the result
    parameter integer LatencyMax = 1,    ///< Most edges from acceptance to the result
    parameter integer Handover = 0,      ///< Edges from the result to rsp_valid
    parameter integer IntervalMin = 1,   ///< Fewest edges between two acceptances at full speed
    parameter integer IntervalMax = 1,   ///< Most edges between two acceptances at full speed
    parameter integer Loads = 0,         ///< The design has a load phase
    parameter integer LoadMax = 0        ///< Most edges from a load until req_ready
) (
    output logic                           clk_o,
    output logic                           rst_no,
    output logic                           load_valid_o,
    input  logic                           load_ready_i,
    output logic                           req_valid_o,
    input  logic                           req_ready_i,
    output logic [       RequestWidth-1:0] request_o,     ///< Unknown without a request
    output logic [       RequestWidth-1:0] load_o,        ///< The same for fields that are loaded
    input  logic                           rsp_valid_i,
    output logic                           rsp_ready_o,
    input  logic [CarryWidth+SumWidth-1:0] result_i      ///< {carry vector, sum vector}
);

  localparam integer BlockSize = 8;
  localparam integer ShownFailures = 10;
  localparam integer Patience = 2 * (LatencyMax + Handover + IntervalMax + LoadMax) + 100;

  // Wide enough for the value, for any multiple of n that it can hold, and for a sign.
  localparam integer VectorWidth = SumWidth > CarryWidth ? SumWidth : CarryWidth;
  localparam integer ValueWidth = (VectorWidth > ModulusWidth ? VectorWidth : ModulusWidth) + 2;
  localparam integer ValueDigits = (ValueWidth + 3) / 4;
  localparam integer ModulusDigits = (ModulusWidth + 3) / 4;
  localparam integer ExpectedWidth = 128 + 32 + 4 * (2 * ModulusDigits + ValueDigits);

  logic [ RequestWidth-1:0] requests[0:Operations-1];
  logic [ExpectedWidth-1:0] expected[0:Operations-1];
  integer accepted_at[0:Operations-1];  // cycle of the acceptance
  logic was_alone[0:Operations-1];               // nothing else was outstanding then

  integer operations;        // how many to run
  integer sent = 0;          // accepted so far
  integer received = 0;      // answered so far; received <= sent
  integer passed = 0;
  integer failed = 0;
  integer cycle = 0;
  integer progress_at = 0;
  integer stalled_at = 0;   // last cycle in which a result had to wait
  integer last_accept = 0;
  integer reset_at = 0;     // 0: no reset is due
  integer reset_cycles = 4;     // left of the reset under way
  integer resets = 0;           // blocks that were interrupted
  integer first_after_reset = 0;  // the request that follows the last reset
  integer stall_cycles = 0;
  integer idle_cycles = 0;
  logic idle_until_empty = 0;
  logic loaded = Loads == 0;         // what the next operation needs
  logic waiting = 0;                 // a result is offered and was not taken yet
  logic wrong = 0;                   // a check of the result on offer failed
  logic [CarryWidth+SumWidth-1:0] offered;
  logic [31:0] random = 32'h2545f491;

  // The block that is under way. It ends when all of its answers were received.
  wire [31:0] block = received / BlockSize;
  wire [31:0] block_start = block * BlockSize;
  wire with_idle = block[0];
  wire with_stalls = block[1];

  initial begin
    if (!$value$plusargs("operations=%d", operations)) operations = Operations;
    if (operations > Operations) operations = Operations;
    $readmemh("requests.hex", requests);
    $readmemh("expected.hex", expected);
  end

  initial begin
    clk_o = 0;
    forever #5 clk_o = !clk_o;
  end

  initial begin
    rst_no = 0;
    load_valid_o = 0;
    req_valid_o = 0;
    rsp_ready_o = 0;
    request_o = 'x;
    load_o = 'x;
  end

  // Signals are sampled just before the edge and driven just after it.
  always @(posedge clk_o) begin
    cycle = cycle + 1;
    random = random ^ (random << 13);
    random = random ^ (random >> 17);
    random = random ^ (random << 5);
    if (reset_cycles != 0) begin
      if (rsp_valid_i !== 1'b0 && !rst_no && reset_cycles < 4) give_up("rsp_valid is high in reset");
      reset_cycles = reset_cycles - 1;
      if (reset_cycles == 0) rst_no <= 1;
      progress_at = cycle;
    end else begin
      watch_response();
      watch_request();
      if (reset_at != 0 && cycle >= reset_at) start_reset();
      else begin
        drive_response();
        drive_request();
      end
      if (cycle - progress_at > Patience) give_up("no progress: a handshake hangs");
      if (received == operations) finish();
    end
  end

  task watch_response;
    if (rsp_valid_i === 1'b1) begin
      if (received == sent) give_up("a result was offered that nothing had asked for");
      if (!waiting) begin
        waiting = 1;
        wrong = 0;
        offered = result_i;
        progress_at = cycle;
        check_latency(received, cycle - accepted_at[received] - 1);
      end else if (result_i !== offered) fail("the result changed while it waited");
      if (rsp_ready_o) begin
        check_result(received);
        if (wrong) failed = failed + 1;
        else passed = passed + 1;
        received = received + 1;
        waiting = 0;
      end else stalled_at = cycle;
    end else if (rsp_valid_i !== 1'b0) give_up("rsp_valid is neither 0 nor 1");
    else if (waiting) give_up("a result disappeared before it was taken");
  endtask

  // An answer comes exactly on time unless one before it, or the consumer, may have held it up.
  task check_latency(input integer index, input integer edges);
    integer exact;
    exact = latency_of(expected[index]) + Handover;
    if (edges < LatencyMin + Handover) fail("the result came too early");
    else if (was_alone[index] || (LatencyFixed != 0 && stalled_at < accepted_at[index])) begin
      if (edges != exact) begin
        fail("the latency is wrong");
        if (failed < ShownFailures)
          $display("  edges to rsp_valid: %0d, expected: %0d", edges, exact);
      end
    end
  endtask

  task check_result(input integer index);
    logic [ValueWidth-1:0] value, rest, modulus, bound, quotient;
    logic negative;
    value = value_of(offered);
    negative = value[ValueWidth-1];
    modulus = ValueWidth'(modulus_of(expected[index]));
    bound = ValueWidth'(expected[index][ExpectedWidth-1-:128]);
    divide(negative ? -value : value, modulus, quotient, rest);
    if (negative && rest != 0) rest = modulus - rest;
    if (quotient >= bound) fail("the bound is wrong");
    if (rest !== ValueWidth'(residue_of(expected[index]))) fail("the residue is wrong");
    if (value !== expected[index][ValueWidth-1:0]) begin
      fail("the value is wrong");
      if (failed < ShownFailures) begin
        $display("  request:  %h", requests[index]);
        $display("  modulus:  %h", modulus);
        $display("  expected: %h", expected[index][ValueWidth-1:0]);
        $display("  actual:   %h", value);
      end
    end
  endtask

  // Operators / and % of Verilator end at 4096 bits.
  task divide(input logic [ValueWidth-1:0] size, input logic [ValueWidth-1:0] modulus,
              output logic [ValueWidth-1:0] quotient, output logic [ValueWidth-1:0] rest);
    integer i;
    quotient = 0;
    rest = 0;
    for (i = ValueWidth - 1; i >= 0; i = i - 1) begin
      rest = {rest[ValueWidth-2:0], size[i]};
      if (rest >= modulus) begin
        rest = rest - modulus;
        quotient[i] = 1;
      end
    end
  endtask

  task watch_request;
    if (req_ready_i !== 1'b0 && req_ready_i !== 1'b1) give_up("req_ready is neither 0 nor 1");
    if (Loads != 0 && load_ready_i !== 1'b0 && load_ready_i !== 1'b1)
      give_up("load_ready is neither 0 nor 1");
    if (load_valid_o && load_ready_i === 1'b1) begin
      loaded = 1;
      progress_at = cycle;
    end
    if (req_valid_o && req_ready_i === 1'b1) begin
      if (!with_idle && !with_stalls && Loads == 0 && reset_at == 0 && sent != block_start &&
          sent != first_after_reset)
        check_interval();
      loaded = Loads == 0;
      accepted_at[sent] = cycle;
      was_alone[sent] = (sent == received);
      last_accept = cycle;
      progress_at = cycle;
      if (sent == block_start && block % 3 == 2 && resets < (block + 1) / 3)
        reset_at = cycle + 1 + 32'(random[30:0]) % (LatencyMin + Handover + 1);
      sent = sent + 1;
      idle_cycles = 32'(random[2:0]);
      idle_until_empty = random[3];
    end
  endtask

  task check_interval;
    integer edges;
    edges = cycle - last_accept;
    if (edges < IntervalMin || edges > IntervalMax) begin
      $display("FAIL: %0d edges between requests %0d and %0d, expected %0d to %0d", edges, sent - 1,
               sent, IntervalMin, IntervalMax);
      failed = failed + 1;
    end
  endtask

  // Between requests the data inputs carry the complement of the next ones, or nothing known: a
  // design that does not sample them on acceptance computes something else. Fields that are loaded
  // are known with a load alone, the others with a request alone.
  task drive_request;
    load_valid_o <= 0;
    load_o <= 'x;
    if (req_valid_o && !req_ready_i) begin
      // The request stays until it is accepted.
    end else if (sent == operations || sent == block_start + BlockSize) begin
      req_valid_o <= 0;
      request_o   <= 'x;
    end else if (with_idle && idle_until_empty && sent != received) leave_idle();
    else if (with_idle && idle_cycles != 0) begin
      idle_cycles = idle_cycles - 1;
      leave_idle();
    end else if (!loaded) begin
      req_valid_o  <= 0;
      request_o    <= 'x;
      if (sent == received) begin
        load_valid_o <= 1;
        load_o       <= requests[sent];
      end
    end else begin
      req_valid_o <= 1;
      request_o   <= requests[sent];
    end
  endtask

  task leave_idle;
    req_valid_o <= 0;
    request_o   <= random[6] ? 'x : ~requests[sent];
  endtask

  task drive_response;
    if (!with_stalls) rsp_ready_o <= 1;
    else if (!waiting) begin
      stall_cycles = 32'(random[2:0]);
      rsp_ready_o <= random[5:4] == 0;
    end else begin
      rsp_ready_o <= stall_cycles == 0;
      if (stall_cycles != 0) stall_cycles = stall_cycles - 1;
    end
  endtask

  task start_reset;
    rst_no      <= 0;
    req_valid_o <= 0;
    load_valid_o <= 0;
    request_o   <= 'x;
    load_o      <= 'x;
    rsp_ready_o <= 0;
    loaded = Loads == 0;
    sent = received;
    first_after_reset = sent;
    waiting = 0;
    reset_at = 0;
    reset_cycles = 3;
    resets = resets + 1;
  endtask

  function logic [31:0] latency_of(input logic [ExpectedWidth-1:0] line);
    latency_of = line[ExpectedWidth-129-:32];
  endfunction

  function logic [ModulusWidth-1:0] modulus_of(input logic [ExpectedWidth-1:0] line);
    modulus_of = line[4*(ValueDigits+ModulusDigits)+:ModulusWidth];
  endfunction

  function logic [ModulusWidth-1:0] residue_of(input logic [ExpectedWidth-1:0] line);
    residue_of = line[4*ValueDigits+:ModulusWidth];
  endfunction

  function logic [ValueWidth-1:0] value_of(input logic [CarryWidth+SumWidth-1:0] vectors);
    logic [ValueWidth-1:0] sum, carry;
    sum = ValueWidth'(vectors[SumWidth-1:0]);
    if (ResultSigned != 0 && vectors[SumWidth-1]) sum = sum | (~ValueWidth'(0) << SumWidth);
    carry = ValueWidth'(vectors >> SumWidth);
    value_of = sum + carry;
  endfunction

  // A check of operation `received` failed. The operation counts once however many do.
  task fail(input [8*60-1:0] message);
    wrong = 1;
    if (failed < ShownFailures) $display("FAIL: operation %0d: %0s", received, message);
  endtask

  // The design can't be driven any further.
  task give_up(input [8*60-1:0] message);
    $display("FAIL: operation %0d, cycle %0d: %0s", received, cycle, message);
    failed = failed + 1;
    finish();
  endtask

  task finish;
    $display("%0d passed, %0d failed (%0d cycles, %0d resets in mid-operation)", passed, failed,
             cycle, resets);
    if (failed != 0) $fatal(1, "the design does not keep its contract");
    $finish;
  endtask

endmodule
