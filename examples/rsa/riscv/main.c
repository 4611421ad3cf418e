// SPDX-License-Identifier: Apache-2.0
//
// Firmware that tries the driver: signs, verifies, provokes the codes, waits for the interrupt,
// aborts. data.h has the keys, the message and its signature.

#include "data.h"
#include "mf_rsa.h"

enum { DEVICE = 0x40000000, TEST = 0x20000000 };

volatile unsigned interrupts, interrupt_events;
static int failures;

// What the compiler may call.
void *memset(void *target, int value, size_t length) {
  unsigned char *bytes = target;
  while (length--) *bytes++ = (unsigned char)value;
  return target;
}

void *memcpy(void *target, const void *source, size_t length) {
  unsigned char *to = target;
  const unsigned char *from = source;
  while (length--) *to++ = *from++;
  return target;
}

static void print(const char *text) {
  while (*text) *(volatile uint32_t *)TEST = (unsigned char)*text++;
}

static void print_number(unsigned value) {
  char text[11];
  char *at = text + sizeof(text) - 1;
  *at = 0;
  do {
    *--at = (char)('0' + value % 10);
  } while (value /= 10);
  print(at);
}

static void expect(const char *what, int found, int wanted) {
  print(what);
  print(" ");
  print_number((unsigned)found);
  if (found != wanted) {
    print(", not ");
    print_number((unsigned)wanted);
    ++failures;
  }
  print("\n");
}

static int same(const uint32_t *a, const uint32_t *b) {
  for (unsigned i = 0; i < MF_WORDS(N_BITS); ++i) {
    if (a[i] != b[i]) return 0;
  }
  return 1;
}

// x^e mod n by shifts and additions, to verify without the engine.
static uint32_t carry_add(uint32_t *z, const uint32_t *x, const uint32_t *y) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < MF_WORDS(N_BITS); ++i) {
    sum += (uint64_t)x[i] + y[i];
    z[i] = (uint32_t)sum;
    sum >>= 32;
  }
  return (uint32_t)sum;
}

static uint32_t borrow_sub(uint32_t *z, const uint32_t *x, const uint32_t *y) {
  uint64_t difference, borrow = 0;
  for (unsigned i = 0; i < MF_WORDS(N_BITS); ++i) {
    difference = (uint64_t)x[i] - y[i] - borrow;
    z[i] = (uint32_t)difference;
    borrow = difference >> 63;
  }
  return (uint32_t)borrow;
}

static void add_mod(uint32_t *z, const uint32_t *x, const uint32_t *y, const uint32_t *n) {
  uint32_t sum[MF_WORDS(N_BITS)], reduced[MF_WORDS(N_BITS)];
  const uint32_t carry = carry_add(sum, x, y), borrow = borrow_sub(reduced, sum, n);
  memcpy(z, carry || !borrow ? reduced : sum, sizeof(sum));
}

static void mul_mod(uint32_t *z, const uint32_t *x, const uint32_t *y, const uint32_t *n) {
  uint32_t product[MF_WORDS(N_BITS)] = {0};
  for (unsigned i = N_BITS; i-- > 0;) {
    add_mod(product, product, product, n);
    if (x[i / 32] >> i % 32 & 1) add_mod(product, product, y, n);
  }
  memcpy(z, product, sizeof(product));
}

static void power(uint32_t *z, const uint32_t *x, uint32_t e, const uint32_t *n) {
  uint32_t y[MF_WORDS(N_BITS)] = {1};
  for (unsigned i = 32; i-- > 0;) {
    mul_mod(y, y, y, n);
    if (e >> i & 1) mul_mod(y, y, x, n);
  }
  memcpy(z, y, sizeof(y));
}

int main(void) {
  mf_rsa_t device;
  uint32_t y[MF_WORDS(N_BITS)], back[MF_WORDS(N_BITS)], cycles;
  uint8_t bytes[4 * MF_WORDS(N_BITS)];

  expect("open", mf_open(&device, DEVICE), MF_OK);
  expect("open elsewhere", mf_open(&(mf_rsa_t){0}, (uintptr_t)message), MF_DEVICE);
  expect("empty slot", mf_private(&device, 0, message, y), MF_SLOT_EMPTY);
  for (unsigned i = 0; i < sizeof(bad_keys) / sizeof(*bad_keys); ++i) {
    expect(bad_keys[i].name, mf_load_key(&device, 0, &bad_keys[i].key), bad_keys[i].code);
  }
  expect("load", mf_load_key(&device, 1, &good_key), MF_OK);
  expect("sign", mf_private(&device, 1, message, y), MF_OK);
  cycles = mf_cycles(&device);
  expect("signature", same(y, signature), 1);
  power(back, y, good_key.e, good_key.n);
  expect("verify", same(back, message), 1);
  expect("to bytes", mf_i2osp(bytes, sizeof(bytes), y, MF_WORDS(N_BITS)), MF_OK);
  expect("from bytes", mf_os2ip(back, MF_WORDS(N_BITS), bytes, sizeof(bytes)), MF_OK);
  expect("the same", same(back, y), 1);

  expect("message", mf_private(&device, 1, good_key.n, y), MF_MESSAGE);
  expect("no result", y[0] != 0, 0);
  expect("start", mf_start_private(&device, 1, message), MF_OK);
  expect("busy", mf_start_private(&device, 1, message), MF_BUSY);
  expect("abort", mf_abort(&device), MF_ABORTED);
  mf_result(&device, y);
  expect("no result", y[0] != 0, 0);
  expect("operation", mf_public(&device, good_key.n, N_BITS, &good_key.e, 32, message, y),
         PUBLIC_CODE);

  interrupts = 0;
  mf_irq_enable(&device, MF_IRQ_DONE | MF_IRQ_ERROR);
  expect("cleared", interrupts == 1, 1);  // of what was done before
  interrupts = 0;
  expect("start", mf_start_private(&device, 1, message), MF_OK);
  while (interrupts == 0) {
  }
  expect("interrupt", (int)interrupts, 1);
  expect("events", (int)interrupt_events, MF_IRQ_DONE);
  expect("ended", mf_poll(&device), MF_OK);
  mf_result(&device, y);
  expect("signature", same(y, signature), 1);
  mf_irq_enable(&device, 0);

  *(volatile uint32_t *)(TEST + 8) = 1;
  expect("random", mf_private(&device, 1, message, y), MF_RANDOM);
  *(volatile uint32_t *)(TEST + 8) = 0;
  expect("load", mf_load_key(&device, 1, &good_key), MF_OK);
  expect("sign", mf_private(&device, 1, message, y), MF_OK);

  expect("load", mf_load_key(&device, 0, &good_key), MF_OK);
  *(volatile uint32_t *)(TEST + 12) = 1;
  expect("fault", mf_private(&device, 0, message, y), MF_FAULT);
  expect("no result", y[0] != 0, 0);
  expect("use", mf_private(&device, 0, message, y), MF_USE);
  expect("load", mf_load_key(&device, 0, &good_key), MF_OK);
  expect("sign", mf_private(&device, 0, message, y), MF_OK);

  mf_lock(&device);
  expect("zeroize", mf_zeroize(&device, 1), MF_OK);
  expect("empty slot", mf_private(&device, 1, message, y), MF_SLOT_EMPTY);
  print("cycles of a signature: ");
  print_number(cycles);
  print("\nfailures: ");
  print_number((unsigned)failures);
  print("\n");
  return failures != 0;
}
