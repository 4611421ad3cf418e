// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier in constant time, for every odd modulus.
//
// Source:   montforge; after SCS-MM-New of Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 10 and 11.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Takes:    n_hat_i = n + 1 instead of n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n, closed for every odd n.
// Latency:  Width + 7 + 2 * Conversion cycles, Conversion = 2 * ceil(Block / 2) + 1 + LookAhead,
//           for all operands. Interval: 2 more.
// Constant time: yes. No addition is skipped, and a format conversion takes Conversion cycles.
//
// Phase     cycles          SS, SC (after the phase's edges)         operands
// Idle      -               -                                        are loaded
// AddB      1               B-hat, 0                                 B-hat = 4b, N-hat
// AddN      1               B-hat + N-hat as a carry-save pair
// Resolve   Conversion + 1  D-hat = B-hat + N-hat, 0                 D-hat; last cycle is i = -1
// Loop      Width + 4       S[i+1] before its shift                  a_q: from bit i + 1 on
// Convert   Conversion      the result, 0
// Done      until taken     the result, 0
//
// A conversion takes these steps: half-adder rows, two a cycle, resolve the pair inside blocks of
// Block bits and keep the carries out of a block apart (Block / 2 cycles); a look-ahead finds the
// carry into each block (LookAhead cycles: 1 up to 32 blocks, 2 up to 1024); the carry is added
// (1 cycle); half-adder rows resolve again (Block / 2 cycles). The first row does the last
// iteration's shift.

module mf_scs_mm_ct #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Bits of a block of the format conversion; 4 to 64.
  parameter int unsigned Block = 16,

  localparam int unsigned OperandW = Width + 1,
  localparam int unsigned NHatW    = Width + 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [NHatW-1:0]    n_hat_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [OperandW-1:0] p_o
);

  if (Width < 3 || Width > 8192) begin : gen_illegal_width
    $fatal(1, "mf_scs_mm_ct: Width must be 3 to 8192");
  end else if (Block < 4 || Block > 64) begin : gen_illegal_block
    $fatal(1, "mf_scs_mm_ct: Block must be 4 to 64");
  end

  localparam int unsigned BShift     = 2;
  localparam int unsigned StateW     = Width + BShift + 2;  // bits of D-hat
  localparam int unsigned Iterations = Width + BShift + 2;  // R = 2^(Iterations - BShift)
  localparam int unsigned Rows       = (Block + 1) / 2;     // cycles that resolve a block
  // A divisor of 0 would end the elaboration before the check of Block.
  localparam int unsigned Blocks     = (StateW + Block - 1) / (Block == 0 ? 1 : Block);
  localparam int unsigned Levels     = 5;  // of the look-ahead, in a cycle
  localparam int unsigned LookAhead  = (Blocks > 1) ? ($clog2(Blocks) + Levels - 1) / Levels : 1;
  localparam int unsigned Conversion = 2 * Rows + 1 + LookAhead;
  localparam int unsigned MostCycles = (Iterations > Conversion + 1) ? Iterations : Conversion + 1;
  localparam int unsigned CountW     = $clog2(MostCycles);

  // One bit a phase.
  localparam int unsigned Idle = 0, AddB = 1, AddN = 2, Resolve = 3, Loop = 4, Convert = 5,
                          Done = 6;

  logic [Done:Idle]  phase_d, phase_q;
  logic [CountW-1:0] left_d, left_q;  // cycles of the phase after this one
  logic              last_d, last_q;  // left_q = 0
  logic              look_ahead_q;    // the carries into the blocks are found at its end
  logic              start;

  // ---------------------------------------------------------------- datapath

  logic              hold, add_n, add_b, add_d, full_adder;
  logic              quotient, n_hat_1, value_1;
  logic [StateW-1:0] ss;
  logic [Blocks-1:0] carry_into_q, overflow;
  logic [StateW-1:0] unused_sc;

  mf_scs_datapath #(
    .StateW  (StateW),
    .OperandW(OperandW),
    .NHatW   (NHatW),
    .BShift  (BShift),
    .Shifts  (1),
    .Block   (Block)
  ) u_datapath (
    .clk_i         (clk_i),
    .load_i        (phase_q[Idle]),
    .b_i           (b_i),
    .n_hat_i       (n_hat_i[NHatW-1:1]),
    .capture_i     (phase_q[Resolve]),
    .shift_d_i     (phase_q[Loop]),
    .hold_d_i      (hold),
    .add_n_d_i     (add_n),
    .add_b_d_i     (add_b),
    .add_d_d_i     (add_d),
    .full_adder_d_i(full_adder),
    .quotient_o    (quotient),
    .n_hat_low_o   (n_hat_1),
    .value_o       (value_1),
    .ss_o          (ss),
    .sc_o          (unused_sc),
    .inject_i      (carry_into_q),
    .overflow_o    (overflow)
  );

  // ---------------------------------------------------------------- look-ahead over blocks

  logic [Blocks*Block-1:0] ss_blocks;
  logic [Blocks-1:0]       all_ones_q, carry_out_q, carry_from;

  assign ss_blocks = (Blocks * Block)'(ss);

  // A block sends at most one carry, and is not all ones then. A block of ones is one after the
  // first of the Rows cycles, since no place in it had a carry; so all_ones_q, a cycle late, is
  // right after the last of them.
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Blocks; i++) all_ones_q[i] <= &ss_blocks[i*Block+:Block];
    carry_out_q  <= (carry_out_q | overflow) & {Blocks{phase_q[Resolve] || phase_q[Convert]}};
    carry_into_q <= Blocks'({carry_from, 1'b0}) & {Blocks{look_ahead_q}};
  end

  mf_carry_lookahead #(.Width(Blocks), .LevelsPerCycle(Levels)) u_lookahead (
    .clk_i(clk_i), .generate_i(carry_out_q), .propagate_i(all_ones_q), .carry_o(carry_from)
  );

  // ---------------------------------------------------------------- iterations

  // Shifted in every cycle: a_q[0] is bit 0 of a in iteration -1, the last cycle of Resolve.
  localparam int unsigned Lead = Conversion + 2;

  logic [OperandW+Lead-1:0] a_q;

  always_ff @(posedge clk_i) begin
    a_q <= phase_q[Idle] ? {a_i, {Lead{1'b0}}} : a_q >> 1;
  end

  // Digits of the next iteration. q is bit 1 of S[i] + q_i * N-hat; 0 in iteration 0.
  logic next_iteration, a_bit, q_bit;

  assign start          = phase_q[Resolve] && last_q;
  assign next_iteration = start || (phase_q[Loop] && !last_q);
  assign a_bit          = next_iteration && a_q[0];
  assign q_bit          = phase_q[Loop] && !last_q && (value_1 ^ (n_hat_1 & quotient));

  // Before AddB and iteration 0 nothing is selected: the state is 0.
  assign hold       = phase_q[AddB] || phase_q[AddN] || (phase_q[Resolve] && !last_q) ||
                      phase_q[Convert] || phase_q[Done];
  assign add_b      = phase_q[Idle] || (a_bit && !q_bit);
  assign add_n      = phase_q[AddB] || (!a_bit && q_bit);
  assign add_d      = a_bit && q_bit;
  assign full_adder = phase_q[Idle] || phase_q[AddB] || next_iteration;

  // ---------------------------------------------------------------- control

  assign phase_d[Idle]    = (phase_q[Idle] && !req_valid_i) || (phase_q[Done] && rsp_ready_i);
  assign phase_d[AddB]    = phase_q[Idle] && req_valid_i;
  assign phase_d[AddN]    = phase_q[AddB];
  assign phase_d[Resolve] = phase_q[AddN] || (phase_q[Resolve] && !last_q);
  assign phase_d[Loop]    = start || (phase_q[Loop] && !last_q);
  assign phase_d[Convert] = (phase_q[Loop] && last_q) || (phase_q[Convert] && !last_q);
  assign phase_d[Done]    = (phase_q[Convert] && last_q) || (phase_q[Done] && !rsp_ready_i);

  // last_q is set from left_q, not left_d: no phase that is counted lasts one cycle.
  always_comb begin
    left_d = left_q - CountW'(1);
    last_d = left_q == CountW'(1);
    if (phase_q[AddN]) begin
      left_d = CountW'(Conversion);
      last_d = 1'b0;
    end else if (start) begin
      left_d = CountW'(Iterations - 1);
      last_d = 1'b0;
    end else if (phase_q[Loop] && last_q) begin
      left_d = CountW'(Conversion - 1);
      last_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q      <= (Done + 1)'(1 << Idle);
      left_q       <= '0;
      last_q       <= 1'b0;
      look_ahead_q <= 1'b0;
    end else begin
      phase_q      <= phase_d;
      left_q       <= left_d;
      last_q       <= last_d;
      look_ahead_q <= (phase_q[Resolve] && (left_q == CountW'(Rows + 3))) ||
                      (phase_q[Convert] && (left_q == CountW'(Rows + 2)));
    end
  end

  assign req_ready_o = phase_q[Idle];
  assign rsp_valid_o = phase_q[Done];
  assign p_o         = ss[OperandW-1:0];

  // N-hat is even.
  logic unused_bits;
  assign unused_bits = ^{n_hat_i[0], ss[StateW-1:OperandW]};

endmodule
