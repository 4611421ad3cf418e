// SPDX-License-Identifier: Apache-2.0
//
// The bus of the C driver on the Verilated design, for a program with a main of its own: `make run`.
// An access that the design refuses or does not answer ends the program with status 3.
// MF_SIM_SEED in the environment is the seed of registers and random words.

#include <cstdio>
#include <cstdlib>

#include "axi_device.h"
#include "mf_bus.h"
#include "mf_sim.h"

namespace {

void Begin() {
  if (mf::dut) return;
  const char *seed = std::getenv("MF_SIM_SEED");
  mf::Start(seed ? static_cast<unsigned>(std::strtoul(seed, nullptr, 0)) : 1);
}

void Check(const char *access, uintptr_t address, uint8_t response) {
  if (response == 0) return;
  std::fprintf(stderr, "%s at %#lx: %s\n", access, static_cast<unsigned long>(address),
               response == mf::kHang ? "no answer" : "refused (SLVERR)");
  std::exit(3);
}

}  // namespace

extern "C" {

uint32_t mf_bus_read(uintptr_t address) {
  Begin();
  uint32_t value = 0;
  Check("read", address, mf::Read(static_cast<uint16_t>(address), &value));
  return value;
}

void mf_bus_write(uintptr_t address, uint32_t value) {
  Begin();
  Check("write", address, mf::Write(static_cast<uint16_t>(address), value, 15));
}

int mf_sim_wait(uint32_t cycles) {
  Begin();
  while (cycles-- != 0 && !mf::dut->irq_o) mf::Tick();
  return mf::dut->irq_o;
}

}  // extern "C"
