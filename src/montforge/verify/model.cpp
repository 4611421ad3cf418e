// SPDX-License-Identifier: Apache-2.0
//
// The Verilated model, or a netlist's, of one design as bench.cpp takes it. ports.h, which follows
// from the contract, lists the data ports.

#include "Vdut.h"
#include "model.h"
#include "ports.h"

#ifndef RESET_NEEDS_CLOCK
#define RESET_NEEDS_CLOCK 0  // a netlist's does
#endif

namespace {

template <class Signal>
std::uint8_t* bit(Signal& signal) {
    return reinterpret_cast<std::uint8_t*>(&signal);
}

class DesignModel final : public Model {
public:
    explicit DesignModel(VerilatedContext* context) : dut_(context) {
#define PORT(port, bits, loaded) {&dut_.port, sizeof dut_.port, bits, loaded},
        operands = {OPERAND_PORTS(PORT)};
        results = {RESULT_PORTS(PORT)};
#undef PORT
        chained = kChained;
        operand_vectors = kOperandVectors;
        result_signed = kResultSigned;
        reset_needs_clock = RESET_NEEDS_CLOCK;
        has_controls = kHasControls;
        clk = bit(dut_.clk_i);
        rst_n = bit(dut_.rst_ni);
        req_valid = bit(dut_.req_valid_i);
        req_ready = bit(dut_.req_ready_o);
        rsp_valid = bit(dut_.rsp_valid_o);
        rsp_ready = bit(dut_.rsp_ready_i);
#if HAS_LOAD
        load_valid = bit(dut_.load_valid_i);
        load_ready = bit(dut_.load_ready_o);
#endif
        set_controls(false);
    }

    void eval() override { dut_.eval(); }

    void set_controls(bool active) override {
#define SET(port, idle) dut_.port = active != idle;
        CONTROL_PORTS(SET)
#undef SET
        (void)active;
    }

#if VM_TRACE_FST
    void end() override {
        dut_.final();
        trace_.close();
    }

    void open_waves(const char* path) override {
        dut_.trace(&trace_, 99);
        trace_.open(path);
    }

    void dump(bool written) override {
        VerilatedContext& context = *dut_.contextp();
        if (written) trace_.dump(context.time());
        context.timeInc(1);
    }
#else
    void end() override { dut_.final(); }
    void open_waves(const char*) override {}
    void dump(bool) override {}
#endif

private:
    Vdut dut_;
#if VM_TRACE_FST
    VerilatedFstC trace_;
#endif
};

}  // namespace

std::unique_ptr<Model> make_model(VerilatedContext* context) {
    return std::make_unique<DesignModel>(context);
}
