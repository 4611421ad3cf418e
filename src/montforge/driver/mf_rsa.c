// SPDX-License-Identifier: Apache-2.0
//
// See mf_rsa.h.

#include "mf_rsa.h"

#include "mf_bus_regs.h"
#include "mf_rsa_windows.h"

#define REGISTER(name) offsetof(mf_bus_regs_t, name)
#define WINDOW(name) offsetof(mf_rsa_windows_t, name)

enum { MAGIC = 0x4D525341, OP_LOAD = 1, OP_PRIVATE = 2, OP_PUBLIC = 3, NOT_LOADING = -1 };
enum { WIPE_POLLS = 1 << 20 };  // a wipe takes a cycle a word of memory

// Writes a number and zeros above it, up to room words.
static void put_number(const mf_rsa_t *device, size_t offset, const uint32_t *words, size_t count,
                       size_t room) {
  for (size_t i = 0; i < room; ++i) mf_put(device->base, offset + 4 * i, i < count ? words[i] : 0);
}

// Writes a number as put_number does, unless it is there already.
static void put_new_number(const mf_rsa_t *device, size_t offset, const uint32_t *words,
                           size_t count, size_t room) {
  for (size_t i = 0; i < room; ++i) {
    if (mf_get(device->base, offset + 4 * i) != (i < count ? words[i] : 0)) {
      put_number(device, offset, words, count, room);
      return;
    }
  }
}

static int is_busy(const mf_rsa_t *device) {
  return (mf_get(device->base, REGISTER(status)) & MF_BUS_REGS__STATUS__BUSY_bm) != 0;
}

// Waits until bits of STATUS are 0.
static int wait_for_zero(const mf_rsa_t *device, uint32_t bits) {
  for (uint32_t polls = 0; polls < WIPE_POLLS; ++polls) {
    if ((mf_get(device->base, REGISTER(status)) & bits) == 0) return MF_OK;
  }
  return MF_TIMEOUT;
}

static int start(mf_rsa_t *device, unsigned op, unsigned slot, unsigned n_bits, unsigned e_bits) {
  device->result_bits = (uint16_t)n_bits;
  mf_put(device->base, REGISTER(command),
         op << MF_BUS_REGS__COMMAND__OP_bp | slot << MF_BUS_REGS__COMMAND__SLOT_bp);
  mf_put(device->base, REGISTER(length),
         n_bits << MF_BUS_REGS__LENGTH__N_BITS_bp |
             (uint32_t)e_bits << MF_BUS_REGS__LENGTH__E_BITS_bp);
  mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__START_bm);
  return MF_OK;
}

int mf_open(mf_rsa_t *device, uintptr_t base) {
  *device = (mf_rsa_t){.base = base, .loading = NOT_LOADING};
  if (mf_get(device->base, REGISTER(id)) != MAGIC) return MF_DEVICE;
  const uint32_t size = mf_get(device->base, REGISTER(size));
  device->bits = (uint16_t)(size & MF_BUS_REGS__SIZE__BITS_bm);
  device->slots =
      (uint8_t)((size & MF_BUS_REGS__SIZE__SLOTS_bm) >> MF_BUS_REGS__SIZE__SLOTS_bp);
  device->features = mf_get(device->base, REGISTER(features));
  // A product takes at most 4 bits + 64 cycles, a power at most 2 products a bit of its exponent,
  // which blinding makes longer; a load is some powers of half the bits.
  const uint64_t length = device->bits + 512u;
  device->limit = 64 * length * length;
  return wait_for_zero(device, MF_BUS_REGS__STATUS__WIPING_bm);
}

int mf_start_load(mf_rsa_t *device, unsigned slot, const mf_key_t *key) {
  if (slot >= device->slots) return MF_USE;
  if (key->n_bits > device->bits) return MF_LENGTH;
  if (is_busy(device)) return MF_BUSY;
  const size_t room = MF_WORDS(device->bits), half_room = MF_WORDS((device->bits + 1u) / 2);
  const size_t half = MF_WORDS((key->n_bits + 1u) / 2);
  const uint32_t *const parts[] = {key->p, key->q, key->dp, key->dq, key->qinv};
  put_number(device, WINDOW(n), key->n, MF_WORDS(key->n_bits), room);
  put_number(device, WINDOW(e), &key->e, 1, room);
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i) {
    put_number(device, WINDOW(key) + 4 * i * half_room, parts[i], half, half_room);
  }
  device->loading = (int8_t)slot;
  return start(device, OP_LOAD, slot, key->n_bits, 32);
}

int mf_start_private(mf_rsa_t *device, unsigned slot, const uint32_t *x) {
  if (slot >= device->slots || device->slot_bits[slot] == 0) return MF_SLOT_EMPTY;
  if (is_busy(device)) return MF_BUSY;
  const unsigned bits = device->slot_bits[slot];
  put_number(device, WINDOW(x), x, MF_WORDS(bits), MF_WORDS(device->bits));
  return start(device, OP_PRIVATE, slot, bits, 0);
}

static int start_power(mf_rsa_t *device, unsigned op, const uint32_t *n, unsigned n_bits,
                       const uint32_t *e, unsigned e_bits, const uint32_t *x) {
  if (n_bits > device->bits || e_bits > device->bits) return MF_LENGTH;
  if (e_bits % 32 != 0 && e[e_bits / 32] >> (e_bits % 32) != 0) return MF_LENGTH;
  if (is_busy(device)) return MF_BUSY;
  const size_t room = MF_WORDS(device->bits);
  // A write makes n new to the engine, which then sets it up again.
  put_new_number(device, WINDOW(n), n, MF_WORDS(n_bits), room);
  put_number(device, WINDOW(e), e, MF_WORDS(e_bits), room);
  put_number(device, WINDOW(x), x, MF_WORDS(n_bits), room);
  return start(device, op, 0, n_bits, e_bits);
}

int mf_start_public(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
                    unsigned e_bits, const uint32_t *x) {
  return start_power(device, OP_PUBLIC, n, n_bits, e, e_bits, x);
}

int mf_start_modexp(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
                    unsigned e_bits, const uint32_t *x, int leakage) {
  if (leakage != MF_CLASS_FULL && leakage != MF_CLASS_PUBLIC) return MF_OPERATION;
  return start_power(device, (unsigned)leakage, n, n_bits, e, e_bits, x);
}

int mf_poll(mf_rsa_t *device) {
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

int mf_wait(mf_rsa_t *device, mf_hook_t hook, void *context) {
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

void mf_result(mf_rsa_t *device, uint32_t *y) {
  for (size_t i = 0; i < MF_WORDS(device->result_bits); ++i) {
    y[i] = mf_get(device->base, WINDOW(y) + 4 * i);
  }
}

// Waits for the operation that has begun, with the device's own hook.
static int finish(mf_rsa_t *device, int begun, uint32_t *y) {
  if (begun != MF_OK) return begun;
  const int code = mf_wait(device, device->hook, device->context);
  if (y != NULL && code != MF_TIMEOUT) mf_result(device, y);
  return code;
}

int mf_load_key(mf_rsa_t *device, unsigned slot, const mf_key_t *key) {
  return finish(device, mf_start_load(device, slot, key), NULL);
}

int mf_private(mf_rsa_t *device, unsigned slot, const uint32_t *x, uint32_t *y) {
  return finish(device, mf_start_private(device, slot, x), y);
}

int mf_public(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
              unsigned e_bits, const uint32_t *x, uint32_t *y) {
  return finish(device, mf_start_public(device, n, n_bits, e, e_bits, x), y);
}

int mf_modexp(mf_rsa_t *device, const uint32_t *n, unsigned n_bits, const uint32_t *e,
              unsigned e_bits, const uint32_t *x, uint32_t *y, int leakage) {
  return finish(device, mf_start_modexp(device, n, n_bits, e, e_bits, x, leakage), y);
}

int mf_abort(mf_rsa_t *device) {
  mf_put(device->base, REGISTER(ctrl), MF_BUS_REGS__CTRL__ABORT_OP_bm);
  return mf_wait(device, NULL, NULL);
}

int mf_zeroize(mf_rsa_t *device, int slot) {
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

void mf_lock(mf_rsa_t *device) { mf_put(device->base, REGISTER(lock), MF_BUS_REGS__LOCK__KEYS_bm); }

uint32_t mf_cycles(mf_rsa_t *device) { return mf_get(device->base, REGISTER(cycles)); }

void mf_irq_enable(mf_rsa_t *device, unsigned events) {
  mf_put(device->base, REGISTER(intr_enable), events);
}

unsigned mf_irq_take(mf_rsa_t *device) {
  const uint32_t pending = mf_get(device->base, REGISTER(intr_state));
  mf_put(device->base, REGISTER(intr_state), pending);
  return pending;
}

unsigned mf_random_space(mf_rsa_t *device) { return mf_get(device->base, REGISTER(random)); }

void mf_random_put(mf_rsa_t *device, uint32_t word) {
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
