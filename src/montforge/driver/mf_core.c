// SPDX-License-Identifier: Apache-2.0
//
// See mf_core.h.

#include "mf_core.h"

#include "mf_rsa_regs.h"

#define REGISTER(name) offsetof(mf_rsa_regs_t, name)

static const uint32_t kMagic = 0x4D434F52;

static uint32_t get(const mf_core_t *core, size_t offset) {
#ifdef MF_CORE_BUS_FUNCTIONS
  return mf_bus_read(core->base + offset);
#else
  return *(volatile const uint32_t *)(core->base + offset);
#endif
}

static void put(const mf_core_t *core, size_t offset, uint32_t value) {
#ifdef MF_CORE_BUS_FUNCTIONS
  mf_bus_write(core->base + offset, value);
#else
  *(volatile uint32_t *)(core->base + offset) = value;
#endif
}

int mf_core_open(mf_core_t *core, uintptr_t base, unsigned bits, uint64_t limit) {
  *core = (mf_core_t){.base = base, .limit = limit};
  if (get(core, REGISTER(id)) != kMagic) return MF_CORE_DEVICE;
  const uint32_t found = get(core, REGISTER(size)) & MF_RSA_REGS__SIZE__BITS_bm;
  return found == bits ? MF_CORE_OK : MF_CORE_DEVICE;
}

void mf_core_put(const mf_core_t *core, size_t window, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) put(core, window + 4 * i, words[i]);
}

void mf_core_get(const mf_core_t *core, size_t window, uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) words[i] = get(core, window + 4 * i);
}

int mf_core_run(const mf_core_t *core, unsigned operation) {
  uint32_t status = get(core, REGISTER(status));
  if (status & MF_RSA_REGS__STATUS__BUSY_bm) return MF_CORE_BUSY;
  put(core, REGISTER(command), operation << MF_RSA_REGS__COMMAND__OP_bp);
  put(core, REGISTER(ctrl), MF_RSA_REGS__CTRL__START_bm);
  for (uint64_t polls = 0; polls <= core->limit; ++polls) {
    status = get(core, REGISTER(status));
    if (!(status & MF_RSA_REGS__STATUS__BUSY_bm)) {
      return (int)((status & MF_RSA_REGS__STATUS__ERROR_bm) >> MF_RSA_REGS__STATUS__ERROR_bp);
    }
  }
  return MF_CORE_TIMEOUT;
}
