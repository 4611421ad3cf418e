// SPDX-License-Identifier: Apache-2.0
//
// Digits of the operands of an mf_fft_element: memories of x and of each context's y, a row of four
// digits an access, and their recoding as they are loaded.
//
// Balanced:  digits from -b/2 to b/2 (mf_fft_balancer), one bit wider.
// Redundant: a bit above digit 3 of row 0 of y, and y = 0 by a flag, as a result of mf_fft_direct.
// Latency:   a row of the operand, by banks (mf_fft_pkg::four_swap), a cycle after its address.

module mf_fft_operands
  import mf_fft_pkg::*;
#(
  /// As in mf_fft_element:
  parameter int unsigned Digits    = 64,
  parameter int unsigned DigitW    = 17,
  parameter bit          OperandX  = 1'b1,
  parameter bit          Balanced  = 1'b0,
  parameter bit          Redundant = 1'b0,
  parameter int unsigned Contexts  = 1,

  localparam int unsigned Rows     = Digits / 4,
  localparam int unsigned RowW     = $clog2(Rows),
  localparam int unsigned OperandW = DigitW + 32'(Balanced || Redundant)
) (
  input  logic                                 clk_i,
  /// Reset of the assertions alone.
  input  logic                                 rst_ni,

  /// Four digits of x (if it has a memory) and of each context's y; with Balanced in order.
  input  logic                                 load_x_i,
  input  logic [Contexts-1:0]                  load_y_i,
  input  logic [RowW-1:0]                      load_row_i,
  input  logic [3:0][DigitW-1:0]               x_i,
  input  logic [Contexts-1:0][3:0][DigitW-1:0] y_i,
  /// With row 0 of y, if Redundant: b more for digit 3; y is 0.
  input  logic [Contexts-1:0]                  load_over_i,
  input  logic [Contexts-1:0]                  load_zero_i,

  /// Reads of a row of the banks, of y that of a context.
  input  logic                                 read_x_i,
  input  logic                                 read_y_i,
  input  logic [RowW-1:0]                      read_row_i,
  input  logic                                 owner_i,
  output logic [3:0][OperandW-1:0]             x_o,
  output logic [3:0][OperandW-1:0]             y_o
);

  typedef logic [3:0][OperandW-1:0] operands_t;

  // ---------------------------------------------------------------- loads

  // A loaded row of four digits, by banks.
  logic [1:0]               load_swap;
  logic [3:0][RowW-1:0]     load_rows;
  operands_t                x_loaded, x_banks;
  operands_t [Contexts-1:0] y_loaded, y_banks, y_words;

  if (Balanced) begin : gen_balanced
    mf_fft_balancer #(.DigitW(DigitW)) u_x (
      .clk_i   (clk_i),
      .valid_i (load_x_i),
      .first_i (load_row_i == '0),
      .digits_i(x_i),
      .words_o (x_loaded)
    );
    for (genvar k = 0; k < Contexts; k++) begin : gen_y_balancers
      mf_fft_balancer #(.DigitW(DigitW)) u_y (
        .clk_i   (clk_i),
        .valid_i (load_y_i[k]),
        .first_i (load_row_i == '0),
        .digits_i(y_i[k]),
        .words_o (y_loaded[k])
      );
    end
  end else if (Redundant) begin : gen_redundant
    assign x_loaded = '0;
    always_comb begin
      for (int unsigned k = 0; k < Contexts; k++) begin
        for (int unsigned j = 0; j < 4; j++) y_loaded[k][j] = {1'b0, y_i[k][j]};
        y_loaded[k][3][DigitW] = load_over_i[k];
      end
    end
    logic unused_x;
    assign unused_x = ^x_i;
  end else begin : gen_unsigned
    assign x_loaded = x_i;
    assign y_loaded = y_i;
  end

  assign load_swap = four_swap(index_t'(load_row_i), $clog2(Digits));

  always_comb begin
    for (int unsigned b = 0; b < 4; b++) begin
      load_rows[b] = RowW'({load_row_i, 2'(b) ^ load_swap});
      x_banks[b]   = x_loaded[2'(b) ^ load_swap];
      for (int unsigned k = 0; k < Contexts; k++) y_banks[k][b] = y_loaded[k][2'(b) ^ load_swap];
    end
  end

  // ---------------------------------------------------------------- memories

  if (OperandX) begin : gen_x
    mf_fft_memory #(.Width(OperandW), .Rows(Rows)) u_x (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .write_i    ({4{load_x_i}}),
      .write_row_i(load_rows),
      .word_i     (x_banks),
      .read_i     ({4{read_x_i}}),
      .read_row_i ({4{read_row_i}}),
      .word_o     (x_o)
    );
  end else begin : gen_no_x
    logic unused_x;
    assign x_o      = '0;
    assign unused_x = ^{load_x_i, x_banks, read_x_i};
  end

  // Both contexts can be written at a time.
  for (genvar k = 0; k < Contexts; k++) begin : gen_y
    mf_fft_memory #(.Width(OperandW), .Rows(Rows)) u_y (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .write_i    ({4{load_y_i[k]}}),
      .write_row_i(load_rows),
      .word_i     (y_banks[k]),
      .read_i     ({4{read_y_i}}),
      .read_row_i ({4{read_row_i}}),
      .word_o     (y_words[k])
    );
  end

  // The digits of a result 0 are not zeros.
  operands_t [Contexts-1:0] y_read;

  if (Redundant) begin : gen_zero
    logic [Contexts-1:0] zero_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned k = 0; k < Contexts; k++) begin
        if (load_y_i[k] && load_row_i == '0) zero_q[k] <= load_zero_i[k];
      end
    end
    always_comb begin
      for (int unsigned k = 0; k < Contexts; k++) y_read[k] = zero_q[k] ? '0 : y_words[k];
    end
  end else begin : gen_no_zero
    logic unused_result;
    assign y_read        = y_words;
    assign unused_result = ^{load_over_i, load_zero_i};
  end

  if (Contexts == 2) begin : gen_owner
    logic owner_q;
    always_ff @(posedge clk_i) owner_q <= owner_i;
    assign y_o = y_read[owner_q];
  end else begin : gen_no_owner
    logic unused_owner;
    assign y_o          = y_read[0];
    assign unused_owner = owner_i;
  end

endmodule
