// SPDX-License-Identifier: Apache-2.0
//
// mf_modexp_chains with one chain, two operands more and three results more. Operands: whether the
// request is a single product, and when to abort. Results: a hash of what the table and the multiplier are asked for in each cycle of the
// operation, whether anything is left of it, and whether its request found words of the operation
// before in the table or the exponent's registers.

module modexp_probe #(
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
  parameter int unsigned ConstantBits    = 1,
  parameter bit          TableBlock      = 1'b0,

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
  input  logic [ConstantBits-1:0] constants_i,
  input  logic [Width-1:0]        r1_i,
  input  logic [Width-1:0]        r2_i,
  input  logic                    product_i,
  // Cycles after acceptance at which the operation is aborted; 0: it is not.
  input  logic [15:0]             abort_at_i,
  output logic                    rsp_valid_o,
  input  logic                    rsp_ready_i,
  output logic [Width-1:0]        y_o,
  output logic [3:0]              error_o,
  output logic [31:0]             trace_o,
  output logic                    left_o,
  output logic                    found_o
);

  logic [15:0] cycle_q, abort_at_q;
  logic [31:0] hash_q;

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
    .TableBlock     (TableBlock)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid_i),
    .req_ready_o (req_ready_o),
    .x_i         (x_i),
    .e_i         (e_i),
    .e_len_i     (e_len_i),
    .n_i         (n_i),
    .constants_i (constants_i),
    .r1_i        (r1_i),
    .r2_i        (r2_i),
    .product_i   (product_i),
    .feed_i      ('0),
    .feed_index_i('0),
    .feed_word_i ('0),
    .rsp_valid_o (rsp_valid_o),
    .rsp_ready_i (rsp_ready_i),
    .y_o         (y_o),
    .error_o     (error_o),
    .abort_i     (abort_at_q != '0 && cycle_q == abort_at_q)
  );

  logic [31:0] seen;
  assign seen = {8'(u_dut.gen_chain[0].u_chain.table_read_addr),
                 8'(u_dut.gen_chain[0].u_chain.table_write_addr),
                 u_dut.gen_chain[0].u_chain.table_write, u_dut.mul_valid[0], u_dut.square_valid[0],
                 u_dut.gen_chain[0].u_chain.u_exponent.at_q[7:0], 5'd0};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q    <= '0;
      abort_at_q <= '0;
      hash_q     <= '0;
      found_o    <= 1'b0;
    end else if (req_valid_i && req_ready_o) begin
      cycle_q    <= 16'd1;
      abort_at_q <= abort_at_i;
      hash_q     <= '0;
      found_o    <= secrets_left;
    end else begin
      if (cycle_q != '1) cycle_q <= cycle_q + 16'd1;
      if (!rsp_valid_o) hash_q <= ({hash_q[30:0], 1'b0} ^ {1'b0, hash_q[31:1]}) + seen;
    end
  end

  localparam int Entries = (Algorithm == 4) ? 1 << DigitW : (1 << (DigitW - 1)) + 1;
  logic table_left, secrets_left;
  if ((Algorithm == 4 || Algorithm == 5) && TableBlock) begin : gen_block
    always_comb begin
      table_left = 1'b0;
      for (int i = 0; i < Entries; i++) begin
        table_left |=
            |u_dut.gen_chain[0].u_chain.gen_table.u_sums.gen_block.u_ram.words_q[i];
      end
    end
  end else if (Algorithm == 4 || Algorithm == 5) begin : gen_table
    always_comb begin
      table_left = 1'b0;
      for (int i = 0; i < Entries; i++) begin
        table_left |= |u_dut.gen_chain[0].u_chain.gen_table.u_sums.gen_memory.words_q[i];
      end
    end
  end else begin : gen_no_table
    assign table_left = |u_dut.gen_chain[0].u_chain.gen_one_word.word_q;
  end

  assign trace_o = hash_q;
  assign secrets_left = table_left ||
                        |u_dut.gen_chain[0].u_chain.u_exponent.gen_registers.e_q;
  assign left_o  = secrets_left || |u_dut.gen_chain[0].u_chain.t_s_q ||
                   |u_dut.gen_chain[0].u_chain.acc_s_q ||
                   |u_dut.gen_chain[0].u_chain.u_control.digit_q;

endmodule
