// SPDX-License-Identifier: Apache-2.0
//
// Driver of a core with AXI4-Lite. Freestanding C11: no heap, no library, no state but the caller's
// mf_core_t. mf_core_windows.h, made for the core, has the windows (MF_CORE_A, MF_CORE_A_WORDS ...),
// MF_CORE_BITS and MF_CORE_LIMIT. One operation:
//
//   mf_core_put(&core, MF_CORE_A, a, MF_CORE_A_WORDS);      and so on for all inputs
//   int code = mf_core_run(&core, MF_CORE_REQUEST);
//   mf_core_get(&core, MF_CORE_P, p, MF_CORE_P_WORDS);
//
// A number is an array of 32-bit words, the lowest first. With MF_CORE_BUS_FUNCTIONS defined,
// mf_bus_read and mf_bus_write are called in place of volatile loads and stores.

#ifndef MF_CORE_H
#define MF_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "mf_bus.h"

enum {
  MF_CORE_OK = 0,          // other codes up to 255 are the core's (its README)
  MF_CORE_DEVICE = 256,    // no core of that width at the address
  MF_CORE_BUSY = 257,
  MF_CORE_TIMEOUT = 258    // it did not end within the limit: it hangs, or its bus
};

enum { MF_CORE_REQUEST = 0, MF_CORE_LOAD = 6 };

typedef struct {
  uintptr_t base;
  uint64_t limit;  // polls of one wait at most; a poll takes some cycles
} mf_core_t;

// Finds a core of a width, in bits, at an address.
int mf_core_open(mf_core_t *core, uintptr_t base, unsigned bits, uint64_t limit);
void mf_core_put(const mf_core_t *core, size_t window, const uint32_t *words, size_t count);
void mf_core_get(const mf_core_t *core, size_t window, uint32_t *words, size_t count);
// Does an operation, MF_CORE_REQUEST or, in a core that loads, MF_CORE_LOAD; returns its code.
int mf_core_run(const mf_core_t *core, unsigned operation);

#endif  // MF_CORE_H
