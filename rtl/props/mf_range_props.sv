// SPDX-License-Identifier: Apache-2.0
//
// Property of a value's range, for binding: a value is below Multiple * n, and not negative or, if
// it is Signed, above -Multiple * n; n is odd and at least 3.
//
// The value is value_i + carry_i. n is sampled in cycles with sample_i. An input is checked in
// these cycles, a result in cycles with check_i.

module mf_range_props #(
  /// Bits of the value, or of its sum vector.
  parameter int unsigned ValueW   = 8,
  /// Bits of the carry vector; 1 (a constant 0) for a binary value.
  parameter int unsigned CarryW   = 1,
  /// Bits of the modulus.
  parameter int unsigned ModulusW = 8,
  /// The value, or its sum vector, is two's complement.
  parameter bit          Signed   = 1'b0,
  /// The bound in units of n.
  parameter int unsigned Multiple = 1,
  /// The value is an input, beside the modulus; else a result.
  parameter bit          Input    = 1'b1
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                sample_i,
  /// No effect on inputs.
  input logic                check_i,
  input logic [ValueW-1:0]   value_i,
  input logic [CarryW-1:0]   carry_i,
  input logic [ModulusW-1:0] modulus_i
);

  localparam int unsigned MultipleW = $clog2(Multiple + 1);
  localparam int unsigned PartW     = ValueW > CarryW ? ValueW : CarryW;
  // Bits of any value, any bound, and a sign.
  localparam int unsigned SumW = (PartW > ModulusW + MultipleW ? PartW : ModulusW + MultipleW) + 2;

  logic [ModulusW-1:0] modulus;  // of the value

  // Without arguments and variables, which Verilator would clear in every cycle.
  function automatic logic in_range();
    return signed'({{(SumW - ValueW) {Signed && value_i[ValueW-1]}}, value_i} + SumW'(carry_i)) <
           signed'(SumW'(modulus) * SumW'(Multiple)) &&
           (!Signed ||
            signed'({{(SumW - ValueW) {value_i[ValueW-1]}}, value_i} + SumW'(carry_i) +
                    SumW'(modulus) * SumW'(Multiple)) > 0);
  endfunction

  if (Input) begin : gen_input
    assign modulus = modulus_i;
    // Formal tools take these for granted, simulators check them.
    always_ff @(posedge clk_i) begin
      if (rst_ni && sample_i) begin
        the_modulus_is_odd_and_at_least_3 : assume (modulus_i[0] && modulus_i > ModulusW'(1));
        an_input_is_within_its_bound : assume (in_range());
      end
    end
    logic unused_check;
    assign unused_check = check_i;
  end else begin : gen_result
    always_ff @(posedge clk_i) begin
      if (sample_i) modulus <= modulus_i;
      if (rst_ni && check_i) begin
        a_result_is_within_its_bound : assert (in_range());
      end
    end
  end

endmodule
