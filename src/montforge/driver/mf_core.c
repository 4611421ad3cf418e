// SPDX-License-Identifier: Apache-2.0
//
// See mf_core.h.

#include "mf_core.h"

static const uint32_t kMagic = 0x4D434F52;

int mf_core_open(mf_core_t *core, uintptr_t base, unsigned bits, uint64_t limit) {
  const int code = mf_engine_open(core, base, kMagic);
  core->limit = limit;
  return code == MF_OK && core->bits != bits ? MF_DEVICE : code;
}

void mf_core_put(const mf_core_t *core, size_t window, const uint32_t *words, size_t count) {
  mf_engine_put(core, window, words, count, count);
}

void mf_core_get(const mf_core_t *core, size_t window, uint32_t *words, size_t count) {
  mf_engine_get(core, window, words, count);
}

int mf_core_run(mf_core_t *core, unsigned operation) {
  if (mf_engine_busy(core)) return MF_BUSY;
  mf_engine_start(core, operation, 0, 0, 0);
  return mf_wait(core, core->hook, core->context);
}
