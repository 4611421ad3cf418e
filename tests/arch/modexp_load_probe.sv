// SPDX-License-Identifier: Apache-2.0
//
// mf_modexp_with_setup behind requests that have the modulus: each one loads it, aborts that load at
// a chosen cycle, loads again, and asks for the power. A result more says whether the abort left
// anything of the modulus.

module modexp_load_probe #(
  parameter int unsigned Width           = 16,
  parameter int unsigned ExponentBits    = 16,
  parameter int unsigned Algorithm       = 4,
  parameter int unsigned DigitW          = 2,
  parameter int unsigned Multipliers     = 1,
  parameter int unsigned Adder           = 4,
  parameter int unsigned SumBits         = 17,
  parameter int unsigned CarryBits       = 0,
  parameter int unsigned ResultSumBits   = 17,
  parameter int unsigned ResultCarryBits = 0,
  parameter bit          Signed          = 1'b0,
  parameter int unsigned Passes          = 1,
  parameter int unsigned RBits           = 18,
  parameter int unsigned InverseBits     = 0,
  parameter bit          InverseSigned   = 1'b0,
  parameter int unsigned LowKind         = 0,
  parameter int unsigned LowBits         = 1,
  parameter int unsigned HighKind        = 0,
  parameter int unsigned HighBits        = 1,

  localparam int unsigned LengthW = $clog2(ExponentBits + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  logic [Width-1:0]        x_i,
  input  logic [ExponentBits-1:0] e_i,
  input  logic [LengthW-1:0]      e_len_i,
  input  logic [Width-1:0]        n_i,
  // Cycles after the acceptance of the load at which it is aborted; at least 1.
  input  logic [15:0]             abort_at_i,
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,
  output logic                    left_o
);

  typedef enum logic [2:0] {Idle, Load, Abort, Check, Again, Ask, Answer} state_e;

  state_e                  state_q;
  logic [15:0]             count_q;
  logic [Width-1:0]        x_q, n_q;
  logic [ExponentBits-1:0] e_q;
  logic [LengthW-1:0]      length_q;
  logic                    left_q, load_ready, req_ready, rsp_valid, spurious_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= Idle;
      count_q    <= '0;
      left_q     <= 1'b0;
      spurious_q <= 1'b0;
    end else begin
      if (rsp_valid && state_q != Answer) spurious_q <= 1'b1;
      unique case (state_q)
        Idle: if (req_valid_i) begin
          state_q <= Load;
          count_q <= abort_at_i;
        end
        Load: if (load_ready) state_q <= Abort;
        Abort: begin
          count_q <= count_q - 16'd1;
          if (count_q == 16'd1) state_q <= Check;
        end
        Check: if (load_ready) begin
          left_q  <= |u_dut.n || |u_dut.r1 || |u_dut.r2 || |u_dut.constants;
          state_q <= Again;
        end
        Again: if (load_ready) state_q <= Ask;
        Ask: if (req_ready) state_q <= Answer;
        Answer: if (rsp_valid && rsp_ready_i) state_q <= Idle;
        default: state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_ready_o) begin
      x_q      <= x_i;
      e_q      <= e_i;
      length_q <= e_len_i;
      n_q      <= n_i;
    end
  end

  mf_modexp_with_setup #(
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
    .RBits          (RBits),
    .InverseBits    (InverseBits),
    .InverseSigned  (InverseSigned),
    .LowKind        (LowKind),
    .LowBits        (LowBits),
    .HighKind       (HighKind),
    .HighBits       (HighBits)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .load_valid_i(state_q == Load || state_q == Again),
    .load_ready_o(load_ready),
    .req_valid_i (state_q == Ask),
    .req_ready_o (req_ready),
    .x_i         (x_q),
    .e_i         (e_q),
    .e_len_i     (length_q),
    .n_i         (n_q),
    .rsp_valid_o (rsp_valid),
    .rsp_ready_i (rsp_ready_i && state_q == Answer),
    .y_o         (y_o),
    .error_o     (error_o),
    .abort_i     (state_q == Abort && count_q == 16'd1)
  );

  assign req_ready_o = state_q == Idle;
  assign rsp_valid_o = state_q == Answer && rsp_valid;
  assign left_o      = left_q || spurious_q;

endmodule
