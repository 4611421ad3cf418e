// SPDX-License-Identifier: Apache-2.0
//
// What a C program can ask of the simulation that it runs on (sim/mf_sim.cpp, or cocotb).

#ifndef MF_SIM_H
#define MF_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Lets cycles pass, or fewer if the interrupt comes; returns whether irq_o is high.
int mf_sim_wait(uint32_t cycles);

#ifdef __cplusplus
}
#endif

#endif  // MF_SIM_H
