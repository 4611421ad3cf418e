// SPDX-License-Identifier: Apache-2.0
//
// inverse_o = -n_i^-1 mod 2^Width, as a table of the odd n_i.

module mf_negative_inverse #(
  /// Bits of the values; 2 to 8.
  parameter int unsigned Width = 2
) (
  /// Odd.
  input  logic [Width-1:0] n_i,
  output logic [Width-1:0] inverse_o
);

  localparam int unsigned Entries = 2 ** (Width - 1);

  // Newton's iteration from three right bits; each step doubles their number.
  function automatic logic [Entries-1:0][Width-1:0] table_of_inverses();
    logic [Entries-1:0][Width-1:0] inverses;
    logic [Width-1:0]              n, x;
    for (int unsigned i = 0; i < Entries; i++) begin
      n = Width'(2 * i + 1);
      x = n;
      x = x * (Width'(2) - n * x);
      x = x * (Width'(2) - n * x);
      inverses[i] = -x;
    end
    return inverses;
  endfunction

  localparam logic [Entries-1:0][Width-1:0] Inverses = table_of_inverses();

  assign inverse_o = Inverses[n_i[Width-1:1]];

  logic unused_odd;
  assign unused_odd = n_i[0];

endmodule
