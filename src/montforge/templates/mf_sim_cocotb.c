// SPDX-License-Identifier: Apache-2.0
//
// The bus of the C driver in a simulation of cocotb, which sets these functions: sim/mf_sim.py.

#include "mf_bus.h"
#include "mf_sim.h"

uint32_t (*mf_sim_read_function)(uintptr_t);
void (*mf_sim_write_function)(uintptr_t, uint32_t);
int (*mf_sim_wait_function)(uint32_t);

uint32_t mf_bus_read(uintptr_t address) { return mf_sim_read_function(address); }
void mf_bus_write(uintptr_t address, uint32_t value) { mf_sim_write_function(address, value); }
int mf_sim_wait(uint32_t cycles) { return mf_sim_wait_function(cycles); }
