// SPDX-License-Identifier: Apache-2.0
//
// Driver of a plain core with AXI4-Lite, over the common part mf_engine.h: codes, abort, interrupt,
// cycles. mf_core_windows.h, made for the core, has the windows (MF_CORE_A, MF_CORE_A_WORDS ...),
// MF_CORE_BITS and MF_CORE_LIMIT. One operation:
//
//   mf_core_put(&core, MF_CORE_A, a, MF_CORE_A_WORDS);      and so on for all inputs
//   int code = mf_core_run(&core, MF_CORE_REQUEST);
//   mf_core_get(&core, MF_CORE_P, p, MF_CORE_P_WORDS);

#ifndef MF_CORE_H
#define MF_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "mf_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MF_CORE_REQUEST = 0, MF_CORE_LOAD = 6 };

typedef mf_engine_t mf_core_t;

// Finds a core of a width, in bits, at an address (or MF_DEVICE). limit: polls of one wait at most.
int mf_core_open(mf_core_t *core, uintptr_t base, unsigned bits, uint64_t limit);
void mf_core_put(const mf_core_t *core, size_t window, const uint32_t *words, size_t count);
void mf_core_get(const mf_core_t *core, size_t window, uint32_t *words, size_t count);
// Does an operation, MF_CORE_REQUEST or, in a core that loads, MF_CORE_LOAD, with core->hook, which
// may be NULL. Returns its code (1 to 9: the core's README), MF_BUSY, or MF_TIMEOUT.
int mf_core_run(mf_core_t *core, unsigned operation);

#ifdef __cplusplus
}
#endif

#endif  // MF_CORE_H
