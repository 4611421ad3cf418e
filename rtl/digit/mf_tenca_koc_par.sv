// SPDX-License-Identifier: Apache-2.0
//
// Scalable radix-2 Montgomery multiplier with parallel ports: mf_tenca_koc with registers of the
// operands, which turn by a word or shift by a bit when it is taken, and of the result, which is 0
// once it was taken.
//
// Contract, latency, parameters: mf_tenca_koc. rsp_valid_o follows the last word.
// Constant time: yes.

module mf_tenca_koc_par #(
  /// Bits of the widest modulus; 3 to 8192.
  parameter int unsigned Width    = 256,
  /// Bits of a word; at least 2.
  parameter int unsigned Word     = 16,
  /// Processing elements; at least 1.
  parameter int unsigned Elements = 8,
  /// Cycles between the starts of neighbours: 1 or 2.
  parameter int unsigned Offset   = 2,
  /// Two more iterations, so that results are legal operands.
  parameter bit          Closed   = 1'b1,

  localparam int unsigned OperandW = Closed ? Width + 1 : Width
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                req_valid_i,
  output logic                req_ready_o,
  input  logic [OperandW-1:0] a_i,
  input  logic [OperandW-1:0] b_i,
  input  logic [Width-1:0]    n_i,

  output logic                rsp_valid_o,
  input  logic                rsp_ready_i,
  output logic [Width:0]      p_o
);

  localparam int unsigned SumW   = Closed ? Width + 2 : Width + 1;
  localparam int unsigned Words  = (SumW + Word - 1) / Word;
  localparam int unsigned StoreW = Words * Word;

  typedef enum logic [1:0] {StIdle, StRun, StDone} phase_e;

  phase_e              phase_d, phase_q;
  logic                core_ready, a_taken, word_taken, p_valid, p_last;
  logic [Word-1:0]     p_word;
  logic [OperandW-1:0] a_q;
  logic [StoreW-1:0]   b_q, n_q, p_q;

  mf_tenca_koc #(
    .Width(Width), .Word(Word), .Elements(Elements), .Offset(Offset), .Closed(Closed)
  ) u_core (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid_i && phase_q == StIdle),
    .req_ready_o (core_ready),
    .a_taken_o   (a_taken),
    .a_bit_i     (a_q[0]),
    .word_taken_o(word_taken),
    .b_word_i    (b_q[Word-1:0]),
    .n_word_i    (n_q[Word-1:0]),
    .p_valid_o   (p_valid),
    .p_last_o    (p_last),
    .p_word_o    (p_word)
  );

  always_comb begin
    phase_d = phase_q;
    unique case (phase_q)
      StIdle:  if (req_valid_i) phase_d = StRun;
      StRun:   if (p_last) phase_d = StDone;
      StDone:  if (rsp_ready_i) phase_d = StIdle;
      default: phase_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) phase_q <= StIdle;
    else phase_q <= phase_d;
  end

  always_ff @(posedge clk_i) begin
    if (phase_q == StIdle) begin
      a_q <= a_i;
      b_q <= StoreW'(b_i);
      n_q <= StoreW'(n_i);
    end else begin
      if (a_taken) a_q <= a_q >> 1;
      if (word_taken) begin
        b_q <= StoreW'({b_q[Word-1:0], b_q} >> Word);
        n_q <= StoreW'({n_q[Word-1:0], n_q} >> Word);
      end
    end
    if (p_valid) p_q <= StoreW'({p_word, p_q} >> Word);
    else if (phase_q == StDone && rsp_ready_i) p_q <= '0;
  end

  assign req_ready_o = phase_q == StIdle;
  assign rsp_valid_o = phase_q == StDone;
  assign p_o         = p_q[Width:0];

  // The core is ready in StIdle.
  logic unused_ready;
  assign unused_ready = core_ready;

  // The result is below 2n.
  if (StoreW > Width + 1) begin : gen_padding
    logic unused_result;
    assign unused_result = ^p_q[StoreW-1:Width+1];
  end

endmodule
