// SPDX-License-Identifier: Apache-2.0
//
// A netlist of cells as the model that bench.cpp drives, in the place of a Verilated one.
//
// The data are those that netlist.py writes, little-endian:
//   4 words   nets, nodes, registers, port bits
//   nodes     an output of a cell each, in an order in which they can be evaluated:
//             truth table (2 words; bit i is the output if the inputs are i), the output's net, and
//             the nets of six inputs (unused ones are net 0)
//   registers net of the output, net of the next state
//   port bits net of each bit of each port, in the order of the ports
// Net 0 is constant 0, net 1 constant 1. A register takes its next state at a rising edge of clk_i;
// its reset is logic of its cell, so that it keeps the reset value from an edge on. Before the first
// edge registers are random.

#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "verilated.h"

#define MODEL_IS_NETLIST 1
#define RESET_NEEDS_CLOCK 1

class Netlist {
public:
    Netlist(const unsigned char* data, std::uint64_t seed) {
        const std::uint32_t* from = reinterpret_cast<const std::uint32_t*>(data);
        const std::uint32_t nets = from[0], nodes = from[1], registers = from[2], bits = from[3];
        from += 4;
        nodes_.resize(nodes);
        std::memcpy(nodes_.data(), from, nodes * sizeof(Node));
        from += nodes * (sizeof(Node) / sizeof(*from));
        registers_.resize(registers);
        std::memcpy(registers_.data(), from, registers * sizeof(Register));
        from += 2 * registers;
        port_bits_.assign(from, from + bits);
        next_.resize(registers);
        nets_.resize(nets);
        nets_[1] = 1;
        seed = seed * 0x9e3779b97f4a7c15 | 1;
        for (const Register& each : registers_) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            nets_[each.output] = seed >> 32 & 1;
        }
    }

    // Starts a pass over the ports, in their order.
    void rewind() { bit_ = 0; }

    // PORT is the first byte of a port, little-endian as the machine is.
    void put(const void* port, unsigned bits) {
        words_.resize((bits + 31) / 32);
        std::memcpy(words_.data(), port, words_.size() * sizeof words_[0]);
        for (unsigned i = 0; i < bits; ++i) nets_[port_bits_[bit_++]] = words_[i / 32] >> i % 32 & 1;
    }

    void get(void* port, unsigned bits) {
        words_.assign((bits + 31) / 32, 0);
        for (unsigned i = 0; i < bits; ++i)
            words_[i / 32] |= std::uint32_t{nets_[port_bits_[bit_++]]} << i % 32;
        std::memcpy(port, words_.data(), words_.size() * sizeof words_[0]);
    }

    void evaluate() {
        std::uint8_t* const nets = nets_.data();
        for (const Node& node : nodes_) {
            const unsigned index = nets[node.inputs[0]] | nets[node.inputs[1]] << 1 |
                                   nets[node.inputs[2]] << 2 | nets[node.inputs[3]] << 3 |
                                   nets[node.inputs[4]] << 4 | nets[node.inputs[5]] << 5;
            nets[node.output] = node.table[index >> 5] >> (index & 31) & 1;
        }
    }

    void clock() {
        for (std::size_t i = 0; i < registers_.size(); ++i) next_[i] = nets_[registers_[i].next];
        for (std::size_t i = 0; i < registers_.size(); ++i) nets_[registers_[i].output] = next_[i];
    }

private:
    struct Node {
        std::uint32_t table[2], output, inputs[6];
    };
    struct Register {
        std::uint32_t output, next;
    };

    std::vector<Node> nodes_;
    std::vector<Register> registers_;
    std::vector<std::uint32_t> port_bits_, words_;
    std::vector<std::uint8_t> nets_, next_;
    std::size_t bit_ = 0;
};

// The data, which the assembler takes into the program as they are.
extern "C" const unsigned char netlist_data[];

// Needs INPUTS(X) and OUTPUTS(X), which call X(name, bits) for each port in the order of the data:
// inputs, with clk_i first, then outputs.
template <unsigned bits, bool wide = (bits > 64)>
struct PortType {
    using type = std::uint64_t;
};
template <unsigned bits>
struct PortType<bits, true> {
    using type = VlWide<(bits + 31) / 32>;
};

class Vdut {
public:
    explicit Vdut(VerilatedContext* context)
        : netlist_(netlist_data, static_cast<std::uint64_t>(context->randSeed())) {}

#define MEMBER(port, bits) PortType<bits>::type port{};
    INPUTS(MEMBER)
    OUTPUTS(MEMBER)
#undef MEMBER

    void eval() {
        if (clk_i) {
            if (!clk_before_) netlist_.clock();
        } else {
            netlist_.rewind();
#define PUT(port, bits) netlist_.put(&port, bits);
            INPUTS(PUT)
#undef PUT
            netlist_.evaluate();
#define GET(port, bits) netlist_.get(&port, bits);
            OUTPUTS(GET)
#undef GET
        }
        clk_before_ = clk_i;
    }

    void final() {}

private:
    Netlist netlist_;
    bool clk_before_ = false;
};
