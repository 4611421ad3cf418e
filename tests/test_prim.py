# SPDX-License-Identifier: Apache-2.0
"""The modules of rtl/prim: Yosys proves what they compute, for all operands.

Each row has small parameters, the module's connections, and what must hold: in all states of the
module, or, if it has registers, in all steps of every run of STEPS steps from any state. A planted
fault of each is refuted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from montforge.errors import ToolFailedError
from montforge.hardware.hardware import rtl_root
from montforge.hardware.yosys import quote, run_yosys
from planted import Bug, edited_files

STEPS = 7
FILES = [
    "mf_tree_pkg.sv",
    "mf_tree_stage_pkg.sv",
    "mf_pipeline_pkg.sv",
    "mf_full_adder_row.sv",
    "mf_compressor_row.sv",
    "mf_compressor_tree.sv",
    "mf_carry_lookahead.sv",
    "mf_adder.sv",
    "lattice/CCU2C.sv",
    "lattice/mf_chain_adder_ecp5.sv",
    "mf_chain_adder.sv",
    "mf_one_hot_mux.sv",
    "mf_registered_select.sv",
    "mf_zero_detector.sv",
    "mf_delay_line.sv",
    "mf_ram.sv",
    "mf_word_serial_adder.sv",
    "mf_barrel_register_full_adder.sv",
    "mf_barrel_register_full_adder2.sv",
    "mf_group_converter.sv",
    "mf_pipelined_adder.sv",
    "mf_pipelined_sum.sv",
    "mf_credit_buffer.sv",
]
ADDER = """
  logic [{width}-1:0] sum;
  mf_adder #(.Width({width}), .Style({style})) u_dut (
    .a_i(x[{width}-1:0]), .b_i(y[{width}-1:0]), .sum_o(sum)
  );
  always_comb assert (sum == {width}'(x + y));
"""
ROW = """
  logic [4:0] sum, carry;
  mf_full_adder_row #(.Width(5)) u_dut (
    .s_i(x[4:0]), .c_i(y[4:0]), .x_i(z[4:0]), .sum_o(sum), .carry_o(carry)
  );
  always_comb assert (5'(sum + carry) == 5'(x + y + z));
"""
# Two words, of four bits and of one or of three, by operands of each kind and from each block.
CHAINS = """
  localparam int unsigned Bits = {width};
  logic [Bits-1:0] a, b, c, d, sum, p, q;
  logic [1:0]      carry;
  assign {{d, c, b, a}} = {{y[3:0], x}};
  mf_chain_adder #(.Width(Bits), .WordW(4), .Operands({operands}), .Block({block})) u_dut (
    .a_i(a), .b_i(b), .c_i(c), .d_i(d), .carry_i(z[1:0]), .sum_o(sum), .carry_o(carry)
  );
  assign p = {operands} == 0 ? a & b : a;
  assign q = {operands} == 0 ? c & d : {operands} == 1 ? c | b & d : b & c | ~b & d;
  always_comb begin
    assert ({{carry[0], sum[3:0]}} == p[3:0] + q[3:0] + z[0] &&
            {{carry[1], sum[Bits-1:4]}} == p[Bits-1:4] + q[Bits-1:4] + z[1]);
  end
"""
COMPRESSORS = """
  logic [{width}-1:0] sum, carry;
  mf_compressor_row #(.Width({width})) u_dut (
    .vectors_i(x[4*{width}-1:0]), .carry_i(z[0]), .sum_o(sum), .carry_o(carry)
  );
  logic [{width}-1:0] wanted;
  always_comb begin
    wanted = z[0];
    for (int unsigned i = 0; i < 4; i++) wanted = wanted + x[i*{width} +: {width}];
    assert ({width}'(sum + carry) == wanted && !carry[0]);
  end
"""
# Of a tree to two vectors the last bit is the lowest one of the carry vector.
TREE = """
  localparam int unsigned Bits = {rows} > {outputs} ? {rows} - {outputs} : 1;
  logic [{outputs}-1:0][{width}-1:0] rows;
  logic [{width}-1:0]                sum, wanted;
  logic [Bits-1:0]                   bits;
  assign bits = {rows} > {outputs} ? y[Bits-1:0] : '0;
  mf_compressor_tree #(
    .Width({width}), .Rows({rows}), .Outputs({outputs}), .Late({late}), .Lateness({lateness})
  ) u_dut (
    .rows_i(x[{rows}*{width}-1:0]), .bits_i(bits), .rows_o(rows)
  );
  always_comb begin
    sum    = '0;
    wanted = '0;
    for (int unsigned i = 0; i < {outputs}; i++) sum = sum + rows[i];
    for (int unsigned i = 0; i < {rows}; i++) wanted = wanted + x[i*{width} +: {width}];
    for (int unsigned i = 0; i < Bits; i++) wanted = wanted + bits[i];
    assert (sum == wanted && (rows[1][0] == bits[Bits-1] || {outputs} != 2 || {rows} < 3));
  end
"""
MUX = """
  logic [2:0] chosen;
  mf_one_hot_mux #(.Width(3), .Inputs({inputs})) u_dut (
    .select_i({inputs}'(1 << y)), .data_i(x[{inputs}*3-1:0]), .data_o(chosen)
  );
  always_comb assert (chosen == (y < {inputs} ? 3'(x >> (3 * y)) : 3'd0));
"""
# What one step selects comes in the next, and what comes then.
SELECT = """
  logic [2:0] chosen;
  logic [7:0] selected;
  mf_registered_select #(.Width(3), .Inputs({inputs})) u_dut (
    .clk_i(clk), .rst_ni(1'b1), .next_select_i({inputs}'(1 << y)),
    .data_i(x[{inputs}*3-1:0]), .data_o(chosen)
  );
  logic known = 1'b0;
  always_ff @(posedge clk) {{known, selected}} <= {{1'b1, y}};
  always_comb assert (!known || chosen == (selected < {inputs} ? 3'(x >> (3 * selected)) : 3'd0));
"""
ZERO = """
  logic zero;
  mf_zero_detector #(.Width({width})) u_dut (.vector_i(x[{width}-1:0]), .zero_o(zero));
  always_comb assert (zero == (x[{width}-1:0] == 0));
"""
# Registers of a row that have a value begin with it, those of the module with any. `runs` is high
# from the second step on, and `past` has what was in the steps before, the last one lowest.
DELAY = """
  logic [2:0] late;
  mf_delay_line #(.Width(3), .Depth({depth})) u_dut (.clk_i(clk), .d_i(x[2:0]), .q_o(late));
  logic [5:0][3:0] past = '0;
  always_ff @(posedge clk) past <= {{past[4:0], {{1'b1, x[2:0]}}}};
  logic [6:0][3:0] all;
  assign all = {{past, {{1'b1, x[2:0]}}}};
  always_comb assert (!all[{depth}][3] || late == all[{depth}][2:0]);
"""
# What was last written to an address is read from it, one step later, and stays until the next
# read; no word is read in the step in which it is written.
RAM = """
  logic [2:0] word, kept, wanted;
  logic       read, kept_valid = 1'b0, wanted_valid = 1'b0;
  assign read = y[3] && !(y[0] && y[2:1] == z[1:0]);
  mf_ram #(.Width(3), .Depth({depth})) u_dut (
    .clk_i(clk), .write_i(y[0]), .write_address_i(y[2:1]), .word_i(x[2:0]),
    .read_i(read), .read_address_i(z[1:0]), .word_o(word)
  );
  always_ff @(posedge clk) begin
    if (y[0] && y[2:1] == 2'd2) {{kept_valid, kept}} <= {{1'b1, x[2:0]}};
    if (read) {{wanted_valid, wanted}} <= {{kept_valid && z[1:0] == 2'd2, kept}};
  end
  always_comb assert (!wanted_valid || word == wanted);
"""
# Words of three steps after a start, and the carry out of the last one.
SERIAL = """
  logic [{width}-1:0] word;
  logic               carry;
  mf_word_serial_adder #(.Width({width})) u_dut (
    .clk_i(clk), .start_i(z[0]), .start_carry_i(z[1]), .x_i(x[{width}-1:0]), .y_i(y[{width}-1:0]),
    .word_o(word), .carry_o(carry)
  );
  logic [2:0]                 starts = '0, carries;
  logic [1:0][{width}-1:0]    words, xs, ys;
  logic [3*{width}:0]         wanted;
  always_ff @(posedge clk) begin
    starts  <= {{starts[1:0], z[0]}};
    carries <= {{carries[1:0], z[1]}};
    words   <= {{words[0], word}};
    xs      <= {{xs[0], x[{width}-1:0]}};
    ys      <= {{ys[0], y[{width}-1:0]}};
  end
  assign wanted = {{xs[0], xs[1]}} + {{ys[0], ys[1]}} + carries[2] +
                  (3*{width}+1)'({{x[{width}-1:0], {{(2*{width}){{1'b0}}}}}}) +
                  (3*{width}+1)'({{y[{width}-1:0], {{(2*{width}){{1'b0}}}}}});
  always_comb assert (starts != 3'b100 || {{carry, word, words[0], words[1]}} == wanted);
"""
BARREL = """
  logic shown, loaded = 1'b0;
  mf_barrel_register_full_adder #(.Width(4)) u_dut (
    .clk_i(clk), .load_i(z[0]), .s_i(x[3:0]), .c_i(y[3:0]), .bit_o(shown)
  );
  logic [4:0] sum;
  always_ff @(posedge clk) begin
    sum <= z[0] ? x[3:0] + y[3:0] : sum >> 1;
    if (z[0]) loaded <= 1'b1;
  end
  always_comb assert (!loaded || shown == sum[0]);
"""
# A load, a double step, and then none, one or two bits in a step.
BARREL2 = """
  logic       load, step1, step2, next, after_next, loaded = 1'b0, known = 1'b0;
  logic [5:0] sum;
  assign load  = z[0];
  assign step2 = !load && (loaded || z[1]);
  assign step1 = !load && !step2 && z[2];
  mf_barrel_register_full_adder2 #(.Width(5)) u_dut (
    .clk_i(clk), .load_i(load), .s_i(x[4:0]), .c_i(y[4:0]), .step1_i(step1), .step2_i(step2),
    .next_o(next), .after_next_o(after_next)
  );
  always_ff @(posedge clk) begin
    loaded <= load;
    known  <= !load && (loaded || known);
    if (load) sum <= x[4:0] + y[4:0];
    else if (known) sum <= sum >> {{step2, step1}};
  end
  always_comb assert (!known || {{after_next, next}} == sum[1:0]);
"""
GROUPS = """
  logic       runs = 1'b0, start;
  logic [6:0] sum, value, increment, wanted;
  logic [2:0] starts = '0;
  assign start = runs && z[0] && starts[1:0] == '0;
  mf_group_converter #(
    .Width(7), .GroupW({group}), .Style({style}), .Cycles({cycles})
  ) u_dut (
    .clk_i(clk), .rst_ni(runs), .start_i(start), .taken_i(1'b0), .s_i(x[6:0]), .c_i(y[6:0]),
    .carry_i(z[1]), .sum_o(sum), .value_i(value), .increment_o(increment)
  );
  always_ff @(posedge clk) begin
    runs   <= 1'b1;
    starts <= {{starts[1:0], start}};
    value  <= start ? sum : increment;
    if (start) wanted <= x[6:0] + y[6:0] + z[1];
  end
  logic right;
  assign right = !starts[{cycles}-1] || value == wanted;
  always_comb assert ((starts[{cycles}-2] || increment == value) && right);
"""
# The sums wait in another register for as long as z says.
LATER = """
  logic       runs = 1'b0, waits = 1'b0, start, taken;
  logic [6:0] sum, value, kept, increment, wanted;
  logic [2:0] takens = '0;
  assign start = runs && z[0] && !waits && takens[1:0] == '0;
  assign taken = (start || waits) && z[2];
  mf_group_converter #(.Width(7), .GroupW({group}), .Later(1'b1)) u_dut (
    .clk_i(clk), .rst_ni(runs), .start_i(start), .taken_i(taken), .s_i(x[6:0]), .c_i(y[6:0]),
    .carry_i(z[1]), .sum_o(sum), .value_i(value), .increment_o(increment)
  );
  always_ff @(posedge clk) begin
    runs   <= 1'b1;
    waits  <= (start || waits) && !taken;
    takens <= {{takens[1:0], taken}};
    value  <= !taken ? increment : start ? sum : kept;
    if (start) kept <= sum;
    if (start) wanted <= x[6:0] + y[6:0] + z[1];
  end
  always_comb assert ((takens[1] || increment == value) && (!takens[2] || value == wanted));
"""
# One sum in a step, a fixed number of steps after its operands.
ADDERS = """
  logic [6:0] sum;
  mf_pipelined_adder #(.Width(7), .GroupW({group})) u_dut (
    .clk_i(clk), .a_i(x[6:0]), .b_i(y[6:0]), .sum_o(sum)
  );
  logic [mf_pipeline_pkg::AdderCycles-1:0][7:0] past = '0;
  always_ff @(posedge clk) past <= {{past, 1'b1, 7'(x[6:0] + y[6:0])}};
  always_comb assert (!past[mf_pipeline_pkg::AdderCycles-1][7] ||
                      sum == past[mf_pipeline_pkg::AdderCycles-1][6:0]);
"""
SUMS = """
  localparam int unsigned Cycles = mf_pipeline_pkg::sum_cycles(4, {levels});
  logic [1:0] sum;
  mf_pipelined_sum #(.Width(2), .Rows(4), .Levels({levels})) u_dut (
    .clk_i(clk), .rows_i(x[7:0]), .sum_o(sum)
  );
  logic [Cycles-1:0][2:0] past = '0;
  always_ff @(posedge clk) begin
    past <= {{past, 1'b1, 2'(x[7:6] + x[5:4] + x[3:2] + x[1:0])}};
  end
  always_comb assert (!past[Cycles-1][2] || sum == past[Cycles-1][1:0]);
"""
# A pipeline of one step: results are numbered, and come in order.
BUFFER = """
  logic       runs = 1'b0, accepts, ready, valid, put = 1'b0;
  logic [2:0] given = '0, held, taken = '0, result;
  assign accepts = runs && z[0] && ready;
  mf_credit_buffer #(.Width(3), .Depth({depth})) u_dut (
    .clk_i(clk), .rst_ni(runs), .req_valid_i(z[0]), .req_ready_o(ready), .put_i(put),
    .result_i(held), .rsp_valid_o(valid), .rsp_ready_i(z[1]), .result_o(result)
  );
  always_ff @(posedge clk) begin
    runs   <= 1'b1;
    put    <= accepts;
    held <= given;
    given  <= given + accepts;
    taken  <= taken + (runs && valid && z[1]);
  end
  always_comb assert (!runs || valid == (taken != 3'(given - put)) && (!valid || result == taken));
"""
ROWS = {
    **{
        f"mf_adder {width} {style}": ADDER.format(width=width, style=style)
        for width in (1, 2, 7, 8)
        for style in range(4)
    },
    "mf_full_adder_row": ROW,
    **{
        f"mf_chain_adder {width} {operands} {block}": CHAINS.format(
            width=width, operands=operands, block=block
        )
        for width in (5, 7)
        for operands in range(3)
        for block in range(2)
    },
    **{
        f"mf_compressor_tree {rows} {outputs} {late} {lateness}": TREE.format(
            width=2 if rows > 5 else 5, rows=rows, outputs=outputs, late=late, lateness=lateness
        )
        for rows, outputs, late, lateness in (
            *((1, 2, 0, 0), (2, 2, 0, 0), (3, 2, 0, 0), (4, 2, 0, 0), (5, 2, 0, 0), (9, 2, 0, 0)),
            *((5, 3, 0, 0), (4, 4, 0, 0), (10, 3, 0, 0), (3, 2, 1, 4), (5, 2, 1, 4), (6, 2, 4, 0)),
            *((8, 2, 4, 4), (8, 2, 4, 1), (10, 2, 3, 3)),
        )
    },
    **{f"mf_compressor_row {width}": COMPRESSORS.format(width=width) for width in (2, 5)},
    **{f"mf_one_hot_mux {inputs}": MUX.format(inputs=inputs) for inputs in (1, 2, 5)},
    **{f"mf_zero_detector {width}": ZERO.format(width=width) for width in (1, 9)},
}
CLOCKED = {
    **{f"mf_delay_line {depth}": DELAY.format(depth=depth) for depth in (0, 1, 2, 6)},
    **{f"mf_ram {depth}": RAM.format(depth=depth) for depth in (3, 4)},
    **{f"mf_registered_select {inputs}": SELECT.format(inputs=inputs) for inputs in (1, 5)},
    **{f"mf_word_serial_adder {width}": SERIAL.format(width=width) for width in (1, 4)},
    "mf_barrel_register_full_adder": BARREL,
    "mf_barrel_register_full_adder2": BARREL2.format(),
    **{
        f"mf_group_converter {group} {style} {cycles}": GROUPS.format(
            group=group, style=style, cycles=cycles
        )
        for group, style, cycles in (
            *((1, 3, 3), (3, 3, 3), (7, 3, 3), (1, 0, 3), (3, 0, 3)),
            *((1, 3, 2), (3, 3, 2), (5, 3, 2), (7, 3, 2)),
        )
    },
    "mf_group_converter 3 later": LATER.format(group=3),
    **{f"mf_pipelined_adder {group}": ADDERS.format(group=group) for group in (1, 3, 7)},
    **{f"mf_pipelined_sum {levels}": SUMS.format(levels=levels) for levels in (1, 2, 5)},
    **{f"mf_credit_buffer {depth}": BUFFER.format(depth=depth) for depth in (2, 3)},
}
FAULTS = [
    ("mf_adder 7 0", "mf_adder.sv", "= a_i + b_i;", "= a_i + (b_i | Width'(1));"),
    ("mf_adder 7 1", "mf_carry_lookahead.sv", "Depth ? 0 : span", "Depth ? 0 : 2 * span"),
    ("mf_chain_adder 7 0 0", "mf_chain_adder.sv", "a & b : a", "a | b : a"),
    ("mf_chain_adder 7 2 1", "mf_chain_adder.sv", "16'h596A", "16'h565A"),
    ("mf_chain_adder 5 0 1", "mf_chain_adder_ecp5.sv", "16'hFFFF", "16'h0000"),
    ("mf_chain_adder 7 1 1", "CCU2C.sv", "{2'b00, B1, A1}", "{2'b00, A1, B1}"),
    ("mf_full_adder_row", "mf_full_adder_row.sv", "s_i ^ c_i ^ x_i", "s_i ^ c_i | x_i"),
    ("mf_compressor_row 2", "mf_compressor_row.sv", "~parity & vectors_i[0]", "vectors_i[0]"),
    ("mf_compressor_row 2", "mf_compressor_row.sv", "Width-2:0], carry_i}", "Width-2:0], 1'b0}"),
    (
        "mf_compressor_tree 5 2 0 0",
        "mf_compressor_tree.sv",
        "= rows[At.rows-1:Grouped]",
        "= rows[At.rows-Grouped-1:0]",
    ),
    (
        "mf_compressor_tree 8 2 4 4",
        "mf_compressor_tree.sv",
        "bits_i[Taken+2*g+1]",
        "bits_i[Taken+2*g]",
    ),
    ("mf_one_hot_mux 5", "mf_one_hot_mux.sv", "data_i[i] &", "data_i[i] |"),
    ("mf_registered_select 5", "mf_registered_select.sv", "<= next_select_i", "|= next_select_i"),
    ("mf_zero_detector 9", "mf_zero_detector.sv", "~|vector_i", "~^vector_i"),
    ("mf_delay_line 6", "mf_delay_line.sv", "line_q[Depth-1]", "line_q[Depth-2]"),
    ("mf_ram 3", "mf_ram.sv", "if (read_i) word_q", "word_q"),
    (
        "mf_word_serial_adder 4",
        "mf_word_serial_adder.sv",
        "start_carry_i : carry_o",
        "1'b0 : carry_o",
    ),
    (
        "mf_barrel_register_full_adder",
        "mf_barrel_register_full_adder.sv",
        "load_i ? 1'b0   : carry_q",
        "carry_q",
    ),
    (
        "mf_barrel_register_full_adder2",
        "mf_barrel_register_full_adder2.sv",
        "carry_q      <= carry0",
        "carry_q      <= carry1",
    ),
    (
        "mf_group_converter 3 3 3",
        "mf_group_converter.sv",
        "carries <= found & {Groups{started_q}}",
        "carries <= found",
    ),
    (
        "mf_group_converter 3 3 2",
        "mf_group_converter.sv",
        "carries = found & {Groups{started_q}}",
        "carries = found",
    ),
    (
        "mf_pipelined_adder 3",
        "mf_pipelined_adder.sv",
        "&(a_i[Low+:Bits] ^ b_i[Low+:Bits])",
        "|(a_i[Low+:Bits] ^ b_i[Low+:Bits])",
    ),
    ("mf_pipelined_sum 1", "mf_pipelined_sum.sv", ".rows_i(rows)", ".rows_i(rows << 1)"),
    ("mf_credit_buffer 2", "mf_credit_buffer.sv", "owed_q != CountW'(Depth)", "1'b1"),
]


PATHS = tuple(rtl_root() / "prim" / name for name in FILES)


def prove(names: list[str], folder: Path, paths: Sequence[Path] = PATHS) -> None:
    """Prove the rows ``names``. Raises ToolFailedError if one does not hold."""
    steps = STEPS if names[0] in CLOCKED else 1
    ports = "(input logic clk, input logic [29:0] x, input logic [7:0] y, z)"
    modules = [
        f"module miter{i} {ports};{(ROWS | CLOCKED)[name]}endmodule\n"
        for i, name in enumerate(names)
    ]
    instances = "".join(f"  miter{i} u{i} (.clk, .x, .y, .z);\n" for i in range(len(names)))
    top = f"module top {ports};\n{instances}endmodule\n"
    (folder / "top.sv").write_text("".join(modules) + top)
    run_yosys(
        f"read_slang --no-synthesis-define --top top"  # with the models of vendors' primitives
        f" {' '.join(map(quote, (folder / 'top.sv', *paths)))}\n"
        "proc; flatten; memory_map; async2sync; chformal -lower\n"
        f"select -assert-count {len(names)} t:$assert\n"
        f"opt\nsat -verify -prove-asserts -seq {steps}\n",
        log=folder / "log",
        timeout=120,
    )


@pytest.mark.parametrize("rows", [ROWS, CLOCKED], ids=["combinational", "clocked"])
def test_modules_compute_integers(rows: dict[str, str], tmp_path: Path) -> None:
    prove(list(rows), tmp_path)


@pytest.mark.parametrize(("row", "file", "old", "new"), FAULTS)
def test_a_planted_fault_is_refuted(
    row: str, file: str, old: str, new: str, tmp_path: Path
) -> None:
    files = edited_files(PATHS, Bug(row, Path(file).stem, old, new), tmp_path)
    with pytest.raises(ToolFailedError, match="proof did fail"):
        prove([row], tmp_path, files)
