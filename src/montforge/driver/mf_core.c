// SPDX-License-Identifier: Apache-2.0
//
// See mf_core.h.

#include "mf_core.h"

#include "mf_bus_regs.h"

#define REGISTER(name) offsetof(mf_bus_regs_t, name)

static const uint32_t kMagic = 0x4D434F52;

int mf_core_open(mf_core_t *core, uintptr_t base, unsigned bits, uint64_t limit) {
  *core = (mf_core_t){.base = base, .limit = limit};
  if (mf_get(core->base, REGISTER(id)) != kMagic) return MF_CORE_DEVICE;
  const uint32_t found = mf_get(core->base, REGISTER(size)) & MF_BUS_REGS__SIZE__BITS_bm;
  return found == bits ? MF_CORE_OK : MF_CORE_DEVICE;
}

void mf_core_put(const mf_core_t *core, size_t window, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) mf_put(core->base, window + 4 * i, words[i]);
}

void mf_core_get(const mf_core_t *core, size_t window, uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) words[i] = mf_get(core->base, window + 4 * i);
}

int mf_core_run(const mf_core_t *core, unsigned operation) {
  uint32_t status = mf_get(core->base, REGISTER(status));
  if (status & MF_BUS_REGS__STATUS__BUSY_bm) return MF_CORE_BUSY;
  mf_put(core->base, REGISTER(command), operation << MF_BUS_REGS__COMMAND__OP_bp);
  mf_put(core->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__START_bm);
  for (uint64_t polls = 0; polls <= core->limit; ++polls) {
    status = mf_get(core->base, REGISTER(status));
    if (!(status & MF_BUS_REGS__STATUS__BUSY_bm)) {
      return (int)((status & MF_BUS_REGS__STATUS__ERROR_bm) >> MF_BUS_REGS__STATUS__ERROR_bp);
    }
  }
  return MF_CORE_TIMEOUT;
}
