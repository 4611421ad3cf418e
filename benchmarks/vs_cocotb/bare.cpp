// SPDX-License-Identifier: Apache-2.0
//
// The least that a program can do with the Verilated model: fixed operands, requests back to back,
// responses taken at once and only counted.
// Usage: bare CYCLES    prints cycles, responses and seconds.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vdut.h"
#include "operands.h"
#include "verilated.h"

int main(int, char** argv) {
    const std::uint64_t cycles = std::strtoull(argv[1], nullptr, 10);
    VerilatedContext context;
    Vdut dut{&context};
    set_operands(dut);
    dut.req_valid_i = 1;
    dut.rsp_ready_i = 1;
    dut.rst_ni = 0;
    for (int i = 0; i < 4; ++i) {
        dut.clk_i = i & 1;
        dut.eval();
    }
    dut.rst_ni = 1;
    std::uint64_t responses = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < cycles; ++i) {
        dut.clk_i = 0;
        dut.eval();
        dut.clk_i = 1;
        dut.eval();
        responses += dut.rsp_valid_o;
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("%llu %llu %.6f\n", static_cast<unsigned long long>(cycles),
                static_cast<unsigned long long>(responses), taken.count());
    dut.final();
    return 0;
}
