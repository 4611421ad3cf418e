// SPDX-License-Identifier: Apache-2.0
//
// Checks the blocks of the ring modulo q = 2^Bits + 1, one value a cycle: mf_ring_shift,
// mf_ring_sqrt2, mf_ring_multiplier and mf_fft_butterfly, each with 2^Bits on every input.

module ring_tb #(
  parameter int unsigned Bits = 8
);

  localparam longint      Q       = (longint'(1) << Bits) + 1;
  localparam int unsigned ShiftW  = $clog2(Bits);
  localparam int unsigned Levels  = 1;
  localparam int unsigned Latency = 16;  // of none of the blocks is it longer

  logic              clk = 1'b0, negative, sqrt2;
  logic [Bits:0]     x, y, z, root, product;
  logic [1:0][Bits:0] sum, difference;
  logic [ShiftW-1:0] shift;
  logic signed [Bits:0] shifted;

  always #5 clk = !clk;

  mf_ring_shift #(.Bits(Bits), .Registers(2)) u_shift (
    .clk_i(clk), .x_i(x), .shift_i(shift), .negative_i(negative), .y_o(shifted)
  );
  mf_ring_sqrt2 #(.Bits(Bits)) u_sqrt2 (.clk_i(clk), .enable_i(sqrt2), .x_i(x), .y_o(root));
  mf_ring_multiplier #(.Bits(Bits), .Levels(Levels)) u_multiplier (
    .clk_i(clk), .x_i(x), .y_i(y), .z_i(z), .y_o(product)
  );
  for (genvar k = 0; k < 2; k++) begin : gen_butterflies
    mf_fft_butterfly #(.Bits(Bits), .Sqrt2(1'b1), .Short(k == 1)) u_butterfly (
      .clk_i(clk), .a_i(y), .w_i(x), .shift_i(shift), .negative_i(negative), .sqrt2_i(sqrt2),
      .sum_o(sum[k]), .difference_o(difference[k])
    );
  end

  function automatic longint modulo(longint value);
    return value % Q < 0 ? value % Q + Q : value % Q;
  endfunction

  longint w;

  // All inputs are held until everything is there.
  task automatic check(longint x_value, longint y_value, longint z_value, int unsigned shift_value,
                       logic negative_value, logic sqrt2_value);
    x        = (Bits + 1)'(x_value);
    y        = (Bits + 1)'(y_value);
    z        = (Bits + 1)'(z_value);
    shift    = ShiftW'(shift_value);
    negative = negative_value;
    sqrt2    = sqrt2_value;
    repeat (Latency) @(posedge clk);
    #1;
    w = x_value * (longint'(1) << shift_value) % Q;
    if (negative) w = Q - w;
    if (modulo(longint'(shifted)) != modulo(w)) $fatal(1, "%0d << %0d: %0d", x, shift, shifted);
    w = sqrt2 ? x_value * ((longint'(1) << Bits / 2) - 1) % Q : x_value;
    if (longint'(root) != w) $fatal(1, "root %0d: %0d, expected %0d", x, root, w);
    w = w * (longint'(1) << shift_value) % Q;
    if (negative) w = Q - w;
    for (int unsigned k = 0; k < 2; k++) begin
      if (longint'(sum[k]) != modulo(y_value + w)) $fatal(1, "%0d + %0d: %0d", y, w, sum[k]);
      if (longint'(difference[k]) != modulo(y_value - w)) begin
        $fatal(1, "%0d - %0d: %0d", y, w, difference[k]);
      end
    end
    w = (x_value * y_value + z_value) % Q;
    if (longint'(product) != w) $fatal(1, "%0d %0d + %0d: %0d", x, y, z, product);
  endtask

  longint corners[6] = '{0, 1, 2, Q / 2, Q - 2, Q - 1};

  initial begin
    // sqrt 2 = 2^(Bits/4) (2^(Bits/2) - 1).
    w = (longint'(1) << Bits / 4) * ((longint'(1) << Bits / 2) - 1) % Q;
    if (w * w % Q != 2) $fatal(1, "no root of two");
    foreach (corners[i]) foreach (corners[j]) foreach (corners[k])
      for (int unsigned s = 0; s < Bits; s += 1 + Bits / 8)
        for (int unsigned flags = 0; flags < 4; flags++)
          check(corners[i], corners[j], corners[k], s, flags[0], flags[1]);
    for (longint value = 0; value < Q; value += 1 + Q / 257)
      check(value, Q - 1 - value, value * 3 % Q, 32'(value % Bits), value[0], value[1]);
    $display("PASS");
    $finish;
  end

endmodule
