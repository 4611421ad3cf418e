// SPDX-License-Identifier: Apache-2.0
//
// Semi-carry-save Montgomery multiplier that skips up to Skips iterations in a cycle, for every odd
// modulus.
//
// Source:   montforge; after SCS-MM-New of Kuang, Wu, Lu, IEEE TVLSI 24(2), 2016, Fig. 10 to 12.
// Computes: p = a * b * R^-1 mod n, R = 2^(Width+2).
// Takes:    n_hat_i = n + 1 instead of n.
// Contract: n odd, 3 <= n < 2^Width; 0 <= a, b, p < 2n, closed for every odd n.
// Latency:  data dependent; about 0.80, 0.76, 0.75 Width + 15 cycles on average for Skips = 1, 2,
//           3; rsp_valid_o is high two cycles later.
// Constant time: no. The number of skipped additions depends on a, b and n, and the two format
//           conversions last as long as their longest carry chain.
//
// Phase     cycles         SS, SC (after the phase's edges)         operands
// Idle      -              -                                        are loaded
// AddB      1              B-hat, 0                                 B-hat = 2^(Skips+2) b, N-hat
// AddN      1              B-hat + N-hat as a carry-save pair
// Resolve   until SC = 0*  D-hat = B-hat + N-hat, 0                 D-hat; last cycle is i = -1
// Loop      i = 0 ..       S[i+1] before its shift                  window: a from bit i + 1 on
// Convert   until SC = 0*  the result, 0
// Done      until taken    the result, 0
// * and another cycle, since the zero detector's output is registered
//
// Differences from SCS-MM-New:
// - N-hat = n + 1 for every odd n; mf_skip_lookahead allows for a 1 in bit 1 of N-hat.
// - An iteration is skipped if its multiplier bit and its quotient digit are 0, also where both
//   vectors have a 1 in the place that is shifted out; the datapath keeps their carry.
// - Up to Skips iterations are skipped in a cycle; B-hat has Skips + 2 zeros for the look-ahead.
// - A mark above the bits of a ends the loop; its iteration is never skipped.

module mf_scs_mm_skip #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width = 256,
  /// Most iterations that a cycle skips; 1 to 3.
  parameter int unsigned Skips = 1,

  localparam int unsigned LegalWidth = Width < 3 || Width > 8192 ? 3 : Width,
  localparam int unsigned LegalSkips = Skips < 1 || Skips > 3 ? 1 : Skips,
  localparam int unsigned OperandW   = LegalWidth + 1,
  localparam int unsigned NHatW      = LegalWidth + 1
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
    $fatal(1, "mf_scs_mm_skip: Width must be 3 to 8192");
  end else if (Skips < 1 || Skips > 3) begin : gen_illegal_skips
    $fatal(1, "mf_scs_mm_skip: Skips must be 1 to 3");
  end

  localparam int unsigned BShift     = LegalSkips + 2;
  localparam int unsigned StateW     = LegalWidth + BShift + 2;  // bits of D-hat
  localparam int unsigned Iterations = LegalWidth + BShift + 2;  // R = 2^(Iterations - BShift)

  // One bit a phase.
  localparam int unsigned Idle = 0, AddB = 1, AddN = 2, Resolve = 3, Loop = 4, Convert = 5,
                          Done = 6;

  logic [Done:Idle]  phase_d, phase_q;
  logic              first_convert_q, resolved_q;
  logic              start;

  // ---------------------------------------------------------------- datapath

  logic [LegalSkips:0]   shift;
  logic                  hold, add_n, add_b, add_d, full_adder;
  logic                  quotient;
  logic [LegalSkips+1:1] n_hat_low, value;
  logic [StateW-1:0]     ss, sc;
  logic                  carry_is_zero;
  logic                  unused_overflow;  // D-hat < 2^StateW

  mf_scs_datapath #(
    .StateW  (StateW),
    .OperandW(OperandW),
    .NHatW   (NHatW),
    .BShift  (BShift),
    .Shifts  (LegalSkips + 1)
  ) u_datapath (
    .clk_i         (clk_i),
    .load_i        (phase_q[Idle]),
    .b_i           (b_i),
    .n_hat_i       (n_hat_i[NHatW-1:1]),
    .capture_i     (phase_q[Resolve]),
    .shift_d_i     (shift),
    .hold_d_i      (hold),
    .add_n_d_i     (add_n),
    .add_b_d_i     (add_b),
    .add_d_d_i     (add_d),
    .full_adder_d_i(full_adder),
    .quotient_o    (quotient),
    .n_hat_low_o   (n_hat_low),
    .value_o       (value),
    .ss_o          (ss),
    .sc_o          (sc),
    .inject_i      (1'b0),
    .overflow_o    (unused_overflow)
  );

  mf_zero_detector #(.Width(StateW)) u_zero_d (
    .vector_i(sc), .zero_o(carry_is_zero)
  );

  // ---------------------------------------------------------------- skipping

  logic           lookahead_n, lookahead_b, ends;
  logic [LegalSkips:0] bits, bits_end, advance;

  mf_multiplier_window #(.Width(OperandW), .Length(Iterations), .Skips(LegalSkips)) u_window (
    .clk_i    (clk_i),
    .load_i   (phase_q[Idle]),
    .a_i      (a_i),
    .hold_i   (!(start || phase_q[Loop])),
    .advance_i(advance),
    .bits_o   (bits),
    .end_o    (bits_end)
  );

  mf_skip_lookahead #(.Skips(LegalSkips)) u_lookahead (
    .enable_i      (start || phase_q[Loop]),
    .shift_enable_i(phase_q[Loop]),
    .value_i       (value),
    .n_i           (n_hat_low),
    .q_i           (quotient),
    .bits_i        (bits),
    .end_i         (bits_end),
    .advance_o     (advance),
    .shift_o       (shift),
    .add_n_o       (lookahead_n),
    .add_b_o       (lookahead_b),
    .add_d_o       (add_d),
    .end_o         (ends)
  );

  // Before AddB and iteration 0 nothing is selected: the state is 0.
  assign hold       = phase_q[AddB] || phase_q[AddN] || (phase_q[Resolve] && !resolved_q) ||
                      phase_q[Convert] || phase_q[Done];
  assign add_b      = phase_q[Idle] || lookahead_b;
  assign add_n      = phase_q[AddB] || lookahead_n;
  assign full_adder = phase_q[Idle] || phase_q[AddB] || start || (phase_q[Loop] && !ends);

  // ---------------------------------------------------------------- control

  // Registered, so that the look-ahead does not follow the wide detector. The first cycle of
  // Convert does the loop's last shift; only then is the pair the result's.
  always_ff @(posedge clk_i) begin
    resolved_q <= carry_is_zero && (phase_q[Resolve] || (phase_q[Convert] && !first_convert_q));
  end

  assign start = phase_q[Resolve] && resolved_q;

  assign phase_d[Idle]    = (phase_q[Idle] && !req_valid_i) || (phase_q[Done] && rsp_ready_i);
  assign phase_d[AddB]    = phase_q[Idle] && req_valid_i;
  assign phase_d[AddN]    = phase_q[AddB];
  assign phase_d[Resolve] = phase_q[AddN] || (phase_q[Resolve] && !resolved_q);
  assign phase_d[Loop]    = start || (phase_q[Loop] && !ends);
  assign phase_d[Convert] = (phase_q[Loop] && ends) || (phase_q[Convert] && !resolved_q);
  assign phase_d[Done]    = (phase_q[Convert] && resolved_q) || (phase_q[Done] && !rsp_ready_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q         <= (Done + 1)'(1 << Idle);
      first_convert_q <= 1'b0;
    end else begin
      phase_q         <= phase_d;
      first_convert_q <= phase_q[Loop];
    end
  end

  assign req_ready_o = phase_q[Idle];
  assign rsp_valid_o = phase_q[Done];
  assign p_o         = ss[OperandW-1:0];

  // N-hat is even.
  logic unused_bits;
  assign unused_bits = ^{n_hat_i[0], ss[StateW-1:OperandW]};

endmodule
