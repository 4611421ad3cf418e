// SPDX-License-Identifier: Apache-2.0
//
// Runs soc.sv: soc MOST_CYCLES SEED +firmware=FILE. Prints what the firmware prints; the status is
// the firmware's, 98 after a trap, 99 after an error on the bus, 97 after MOST_CYCLES.

#include <cstdio>
#include <memory>
#include <random>

#include "Vdut.h"

int main(int argc, char** argv) {
  auto context = std::make_unique<VerilatedContext>();
  context->commandArgs(argc, argv);
  const unsigned long most = std::stoul(argv[1]);
  std::mt19937_64 generator(std::stoul(argv[2]));
  auto dut = std::make_unique<Vdut>(context.get());
  for (unsigned long cycle = 0; cycle < most; ++cycle) {
    dut->rst_ni = cycle >= 4;
    dut->random_valid_i = (generator() & 3) != 0;
    dut->random_i = static_cast<uint32_t>(generator());
    dut->clk_i = 0;
    dut->eval();
    if (dut->rst_ni && dut->print_valid_o) std::putchar(dut->print_o);
    if (dut->rst_ni && dut->end_valid_o) return dut->end_o;
    dut->clk_i = 1;
    dut->eval();
    context->timeInc(1);
  }
  return 97;
}
