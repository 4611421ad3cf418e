// SPDX-License-Identifier: Apache-2.0
//
// Delay line: q_o is d_i of Depth cycles before; Depth = 0 is a wire. Registers have no reset.

module mf_delay_line #(
  /// Bits of the signal; at least 1.
  parameter int unsigned Width = 1,
  /// Cycles of delay.
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);

  if ($signed(Width) < 1) begin : gen_illegal_width
    $fatal(1, "mf_delay_line: Width must be at least 1");
  end

  if (Depth == 0) begin : gen_wire
    logic unused_clk;
    assign unused_clk = clk_i;
    assign q_o        = d_i;
  end else begin : gen_registers
    logic [Depth-1:0][Width-1:0] line_q;

    if (Depth == 1) begin : gen_one
      always_ff @(posedge clk_i) line_q[0] <= d_i;
    end else begin : gen_many
      always_ff @(posedge clk_i) line_q <= {line_q[Depth-2:0], d_i};
    end

    assign q_o = line_q[Depth-1];
  end

endmodule
