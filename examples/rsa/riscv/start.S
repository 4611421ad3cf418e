# SPDX-License-Identifier: Apache-2.0
# Reset and interrupt of PicoRV32: its own instructions move registers to and from q2, q3.

.macro setq q, register        # q2 is x2 to the assembler
  .insn r 0x0b, 0, 1, \q, \register, x0
.endm
.macro getq register, q
  .insn r 0x0b, 0, 0, \register, \q, x0
.endm

.section .start, "ax"
.globl start
start:
  la sp, stack_top
  j reset

# Counts the interrupt and clears it at the engine.
.balign 16
interrupt:
  setq x2, t0
  setq x3, t1
  la t0, interrupts
  lw t1, 0(t0)
  addi t1, t1, 1
  sw t1, 0(t0)
  li t0, 0x40000000
  lw t1, 0x1c(t0)
  sw t1, 0x1c(t0)
  la t0, interrupt_events
  sw t1, 0(t0)
  getq t0, x2
  getq t1, x3
  .insn r 0x0b, 0, 2, x0, x0, x0    # retirq

reset:
  la t0, bss_start
  la t1, bss_end
1:
  bgeu t0, t1, 2f
  sw zero, 0(t0)
  addi t0, t0, 4
  j 1b
2:
  .insn r 0x0b, 0, 3, x0, x0, x0    # maskirq: all enabled
  call main
  li t0, 0x20000000
  sw a0, 4(t0)
3:
  j 3b
