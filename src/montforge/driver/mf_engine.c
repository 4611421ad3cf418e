// SPDX-License-Identifier: Apache-2.0
//
// See mf_engine.h.

#include "mf_engine.h"

#include "mf_bus.h"
#include "mf_bus_regs.h"

#define REGISTER(name) offsetof(mf_bus_regs_t, name)

enum { NOT_LOADING = -1 };
enum { WIPE_POLLS = 1 << 20 };  // a wipe takes a cycle a word of memory

// Waits until bits of STATUS are 0.
static int wait_for_zero(const mf_engine_t *device, uint32_t bits) {
  for (uint32_t polls = 0; polls < WIPE_POLLS; ++polls) {
    if ((mf_get(device->base, REGISTER(status)) & bits) == 0) return MF_OK;
  }
  return MF_TIMEOUT;
}

int mf_engine_open(mf_engine_t *device, uintptr_t base, uint32_t id) {
  *device = (mf_engine_t){.base = base, .loading = NOT_LOADING};
  if (mf_get(device->base, REGISTER(id)) != id) return MF_DEVICE;
  const uint32_t size = mf_get(device->base, REGISTER(size));
  device->bits = (uint16_t)(size & MF_BUS_REGS__SIZE__BITS_bm);
  device->slots =
      (uint8_t)((size & MF_BUS_REGS__SIZE__SLOTS_bm) >> MF_BUS_REGS__SIZE__SLOTS_bp);
  device->features = mf_get(device->base, REGISTER(features));
  return wait_for_zero(device, MF_BUS_REGS__STATUS__WIPING_bm);
}

int mf_engine_busy(const mf_engine_t *device) {
  return (mf_get(device->base, REGISTER(status)) & MF_BUS_REGS__STATUS__BUSY_bm) != 0;
}

int mf_engine_start(mf_engine_t *device, unsigned op, unsigned slot, unsigned n_bits,
                    unsigned e_bits) {
  device->result_bits = (uint16_t)n_bits;
  mf_put(device->base, REGISTER(command),
         op << MF_BUS_REGS__COMMAND__OP_bp | slot << MF_BUS_REGS__COMMAND__SLOT_bp);
  mf_put(device->base, REGISTER(length),
         n_bits << MF_BUS_REGS__LENGTH__N_BITS_bp |
             (uint32_t)e_bits << MF_BUS_REGS__LENGTH__E_BITS_bp);
  mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__START_bm);
  return MF_OK;
}

void mf_engine_put(const mf_engine_t *device, size_t window, const uint32_t *words, size_t count,
                   size_t room) {
  for (size_t i = 0; i < room; ++i) mf_put(device->base, window + 4 * i, i < count ? words[i] : 0);
}

void mf_engine_get(const mf_engine_t *device, size_t window, uint32_t *words, size_t count) {
  for (size_t i = 0; i < count; ++i) words[i] = mf_get(device->base, window + 4 * i);
}

int mf_poll(mf_engine_t *device) {
  const uint32_t status = mf_get(device->base, REGISTER(status));
  if (status & MF_BUS_REGS__STATUS__BUSY_bm) return MF_RUNNING;
  int code = (int)((status & MF_BUS_REGS__STATUS__ERROR_bm) >> MF_BUS_REGS__STATUS__ERROR_bp);
  if (code == MF_OK && !(status & MF_BUS_REGS__STATUS__DONE_bm)) code = MF_FAULT;
  if (device->loading != NOT_LOADING) {
    device->slot_bits[device->loading] = code == MF_OK ? device->result_bits : 0;
    device->loading = NOT_LOADING;
  }
  return code;
}

int mf_wait(mf_engine_t *device, mf_hook_t hook, void *context) {
  int aborted = 0, code;
  uint64_t polls = 0;
  while ((code = mf_poll(device)) == MF_RUNNING) {
    if (polls++ >= device->limit) return MF_TIMEOUT;
    if (hook != NULL && !aborted && hook(device, context) != 0) {
      mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__ABORT_OP_bm);
      aborted = 1;
    }
  }
  return code;
}

int mf_abort(mf_engine_t *device) {
  mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__ABORT_OP_bm);
  return mf_wait(device, NULL, NULL);
}

int mf_zeroize(mf_engine_t *device, int slot) {
  if (slot != MF_ALL_SLOTS && (slot < 0 || slot >= device->slots)) return MF_SLOT_EMPTY;
  if (slot == MF_ALL_SLOTS) {
    for (unsigned i = 0; i < MF_MAX_SLOTS; ++i) device->slot_bits[i] = 0;
    mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__ZEROIZE_ALL_bm);
  } else {
    device->slot_bits[slot] = 0;
    mf_put(device->base, REGISTER(command), (uint32_t)slot << MF_BUS_REGS__COMMAND__SLOT_bp);
    mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__ZEROIZE_SLOT_bm);
  }
  device->loading = NOT_LOADING;
  return wait_for_zero(device, MF_BUS_REGS__STATUS__BUSY_bm);
}

void mf_lock(mf_engine_t *device) {
  mf_put(device->base, REGISTER(lock), MF_BUS_REGS__LOCK__KEYS_bm);
}

uint32_t mf_cycles(mf_engine_t *device) { return mf_get(device->base, REGISTER(cycles)); }

void mf_irq_enable(mf_engine_t *device, unsigned events) {
  mf_put(device->base, REGISTER(intr_enable), events);
}

unsigned mf_irq_take(mf_engine_t *device) {
  const uint32_t pending = mf_get(device->base, REGISTER(intr_state));
  mf_put(device->base, REGISTER(intr_state), pending);
  return pending;
}

unsigned mf_random_space(mf_engine_t *device) { return mf_get(device->base, REGISTER(random)); }

void mf_random_put(mf_engine_t *device, uint32_t word) {
  mf_put(device->base, REGISTER(random), word);
}

int mf_os2ip(uint32_t *words, size_t count, const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < count; ++i) words[i] = 0;
  for (size_t i = 0; i < length; ++i) {
    const uint32_t byte = bytes[length - 1 - i];
    if (i / 4 < count) {
      words[i / 4] |= byte << 8 * (i % 4);
    } else if (byte != 0) {
      return MF_RANGE;
    }
  }
  return MF_OK;
}

int mf_i2osp(uint8_t *bytes, size_t length, const uint32_t *words, size_t count) {
  for (size_t i = 0; i < length; ++i) {
    bytes[length - 1 - i] = i / 4 < count ? (uint8_t)(words[i / 4] >> 8 * (i % 4)) : 0;
  }
  for (size_t i = length; i < 4 * count; ++i) {
    if ((uint8_t)(words[i / 4] >> 8 * (i % 4)) != 0) return MF_RANGE;
  }
  return MF_OK;
}
