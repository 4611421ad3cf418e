// SPDX-License-Identifier: Apache-2.0
//
// See mf_rsa.h.

#include "mf_rsa.h"

#include "mf_bus.h"
#include "mf_rsa_windows.h"

#define WINDOW(name) offsetof(mf_rsa_windows_t, name)

static const uint32_t kMagic = 0x4D525341;

enum { OP_LOAD = 1, OP_PRIVATE = 2, OP_PUBLIC = 3 };

// Writes a number as mf_engine_put does, unless it is there already.
static void put_new_number(const mf_rsa_t *device, size_t offset, const uint32_t *words,
                           size_t count, size_t room) {
  for (size_t i = 0; i < room; ++i) {
    if (mf_get(device->base, offset + 4 * i) != (i < count ? words[i] : 0)) {
      mf_engine_put(device, offset, words, count, room);
      return;
    }
  }
}

int mf_open(mf_rsa_t *device, uintptr_t base) {
  const int code = mf_engine_open(device, base, kMagic);
  // A product takes at most 4 bits + 64 cycles, a power at most 2 products a bit of its exponent,
  // which blinding makes longer; a load is some powers of half the bits.
  const uint64_t length = device->bits + 512u;
  device->limit = 64 * length * length;
  return code;
}

int mf_start_load(mf_rsa_t *device, unsigned slot, const mf_key_t *key) {
  if (slot >= device->slots) return MF_USE;
  if (key->n_bits > device->bits) return MF_LENGTH;
  if (mf_engine_busy(device)) return MF_BUSY;
  const size_t room = MF_WORDS(device->bits), half_room = MF_WORDS((device->bits + 1u) / 2);
  const size_t half = MF_WORDS((key->n_bits + 1u) / 2);
  const uint32_t *const parts[] = {key->p, key->q, key->dp, key->dq, key->qinv};
  mf_engine_put(device, WINDOW(n), key->n, MF_WORDS(key->n_bits), room);
  mf_engine_put(device, WINDOW(e), &key->e, 1, room);
  for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); ++i) {
    mf_engine_put(device, WINDOW(key) + 4 * i * half_room, parts[i], half, half_room);
  }
  device->loading = (int8_t)slot;
  return mf_engine_start(device, OP_LOAD, slot, key->n_bits, 32);
}

int mf_start_private(mf_rsa_t *device, unsigned slot, const uint32_t *x) {
  if (slot >= device->slots || device->slot_bits[slot] == 0) return MF_SLOT_EMPTY;
  if (mf_engine_busy(device)) return MF_BUSY;
  const unsigned bits = device->slot_bits[slot];
  mf_engine_put(device, WINDOW(x), x, MF_WORDS(bits), MF_WORDS(device->bits));
  return mf_engine_start(device, OP_PRIVATE, slot, bits, 0);
}

static int start_power(mf_rsa_t *device, unsigned op, const uint32_t *n, unsigned n_bits,
                       const uint32_t *e, unsigned e_bits, const uint32_t *x) {
  if (n_bits > device->bits || e_bits > device->bits) return MF_LENGTH;
  if (e_bits % 32 != 0 && e[e_bits / 32] >> (e_bits % 32) != 0) return MF_LENGTH;
  if (mf_engine_busy(device)) return MF_BUSY;
  const size_t room = MF_WORDS(device->bits);
  // A write makes n new to the engine, which then sets it up again.
  put_new_number(device, WINDOW(n), n, MF_WORDS(n_bits), room);
  mf_engine_put(device, WINDOW(e), e, MF_WORDS(e_bits), room);
  mf_engine_put(device, WINDOW(x), x, MF_WORDS(n_bits), room);
  return mf_engine_start(device, op, 0, n_bits, e_bits);
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

void mf_result(mf_rsa_t *device, uint32_t *y) {
  mf_engine_get(device, WINDOW(y), y, MF_WORDS(device->result_bits));
}

// Waits for the operation that has begun, with the device's own hook.
static int finish(mf_rsa_t *device, int begun, uint32_t *y) {
  if (begun != MF_OK) return begun;
  const int code = mf_wait(device, device->hook, device->context);
  if (y == NULL || code == MF_TIMEOUT) return code;
  mf_result(device, y);
  // A fault since the end of the operation shuts the window: zeros were read.
  return code == MF_OK && mf_poll(device) != MF_OK ? MF_FAULT : code;
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
