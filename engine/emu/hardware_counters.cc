// SPDX-License-Identifier: MIT
#include "engine/emu/hardware_counters.h"

#include <array>
#include <functional>

namespace rpl::emu {
namespace {

using isa::Class;

bool is_vector_alu(const Op& op) {
  return op.kind == Class::valu || op.kind == Class::transcendental || op.kind == Class::matrix;
}

bool is_memory(const Op& op, std::string_view what) {
  return op.kind == Class::vmem && op.instruction->opcode->mnemonic.find(what) != std::string_view::npos;
}

bool is_flat(const Op& op) {
  const isa::Encoding encoding = op.instruction->opcode->encoding;
  return op.kind == Class::vmem &&
         (encoding == isa::Encoding::flat || encoding == isa::Encoding::global || encoding == isa::Encoding::scratch);
}

/// The operation between "v_" or "v_pk_" and the type: "add" of v_pk_add_f32.
std::string_view operation(std::string_view name) {
  name.remove_prefix(std::min<std::size_t>(name.starts_with("v_pk_") ? 5 : 2, name.size()));
  return name.substr(0, name.find('_'));
}

bool ends_with_type(const Op& op, std::string_view type) { return op.instruction->opcode->name().ends_with(type); }

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

bool adds(const Op& op) { return op.kind == Class::valu && is_one_of(operation(op.instruction->opcode->name()), {"add", "sub", "subrev"}); }
bool multiplies(const Op& op) { return op.kind == Class::valu && operation(op.instruction->opcode->name()) == "mul"; }
bool fuses(const Op& op) {
  return op.kind == Class::valu && is_one_of(operation(op.instruction->opcode->name()), {"fma", "fmac", "fmamk", "fmaak", "mac", "mad"});
}
bool converts(const Op& op) { return is_vector_alu(op) && operation(op.instruction->opcode->name()) == "cvt"; }
bool is_integer(const Op& op, std::string_view bits) {
  const std::string_view name = op.instruction->opcode->name();
  return op.kind == Class::valu && !converts(op) && name.ends_with(bits) && name.size() > bits.size() &&
         (name[name.size() - bits.size() - 1] == 'i' || name[name.size() - bits.size() - 1] == 'u');
}

struct Row {
  std::string name, meaning;
  std::function<bool(const Op&)> takes;
};

std::vector<Row> rows() {
  std::vector<Row> rows = {
      {"SQ_INSTS", "all instructions, waits and the end of the program among them", [](const Op&) { return true; }},
      {"SQ_INSTS_VALU", "vector ALU, matrix instructions among them", is_vector_alu},
      {"SQ_INSTS_VALU_INT32", "of them on 32-bit integers", [](const Op& op) { return is_integer(op, "32"); }},
      {"SQ_INSTS_VALU_INT64", "of them on 64-bit integers", [](const Op& op) { return is_integer(op, "64"); }},
      {"SQ_INSTS_VALU_CVT", "of them conversions", converts}};
  for (const char* type : {"F16", "F32", "F64"}) {
    const std::string suffix = std::string("_f") + (type + 1);
    const std::string of = std::string("of them in ") + type + ": ";
    rows.push_back({std::string("SQ_INSTS_VALU_ADD_") + type, of + "additions", [=](const Op& op) { return adds(op) && ends_with_type(op, suffix); }});
    rows.push_back({std::string("SQ_INSTS_VALU_MUL_") + type, of + "products", [=](const Op& op) { return multiplies(op) && ends_with_type(op, suffix); }});
    rows.push_back({std::string("SQ_INSTS_VALU_FMA_") + type, of + "fused or separate multiply-add", [=](const Op& op) { return fuses(op) && ends_with_type(op, suffix); }});
    rows.push_back({std::string("SQ_INSTS_VALU_TRANS_") + type, of + "transcendental",
                    [=](const Op& op) { return op.kind == Class::transcendental && ends_with_type(op, suffix); }});
  }
  const std::vector<Row> others = {
      {"SQ_INSTS_MFMA", "matrix instructions", [](const Op& op) { return op.kind == Class::matrix; }},
      {"SQ_INSTS_SALU", "scalar ALU", [](const Op& op) { return op.kind == Class::salu; }},
      {"SQ_INSTS_SMEM", "scalar memory", [](const Op& op) { return op.kind == Class::smem; }},
      {"SQ_INSTS_BRANCH", "branches", [](const Op& op) { return op.kind == Class::branch; }},
      {"SQ_INSTS_VMEM", "vector memory", [](const Op& op) { return op.kind == Class::vmem; }},
      {"SQ_INSTS_VMEM_RD", "of them loads", [](const Op& op) { return is_memory(op, "_load"); }},
      {"SQ_INSTS_VMEM_WR", "of them stores", [](const Op& op) { return is_memory(op, "_store"); }},
      {"SQ_INSTS_FLAT", "of them flat, global and scratch instructions", is_flat},
      {"TA_FLAT_ATOMIC_WAVEFRONTS_sum", "of them atomics", [](const Op& op) { return is_flat(op) && is_memory(op, "_atomic"); }},
      {"SQ_INSTS_LDS", "LDS instructions", [](const Op& op) { return op.kind == Class::lds; }},
  };
  rows.insert(rows.end(), others.begin(), others.end());
  return rows;
}

void add_modelled(const Modelled& modelled, isa::Arch arch, std::vector<HardwareCounter>& out) {
  const CacheCounts& caches = modelled.caches;
  constexpr std::uint64_t kGfx90aRequest = 64, kGfx942Request = 128;  // bytes
  const auto add = [&](std::string name, std::uint64_t value, std::string meaning) {
    out.push_back({.name = std::move(name), .value = value, .modelled = true, .meaning = std::move(meaning)});
  };
  add("TCP_TCC_READ_REQ_sum", caches.l1_misses, "requests of loads from the vector L1 to the L2, a line each");
  add("TCP_TCC_WRITE_REQ_sum", caches.l2_writes, "requests of stores to the L2, 64 bytes each");
  if (arch == isa::Arch::gfx90a) {
    add("TCC_EA_RDREQ_sum", caches.memory_read_bytes / kGfx90aRequest, "read requests of the L2 to memory, 64 bytes each");
  } else {
    add("TCC_EA0_RDREQ_sum", caches.memory_read_bytes / kGfx942Request, "read requests of the L2 to memory, 128 bytes each");
  }
  constexpr std::uint64_t kQuad = 4;  // cycles
  add("GRBM_GUI_ACTIVE", modelled.cycles, "cycles of the dispatch");
  add("SQ_WAVE_CYCLES", modelled.wave_cycles / kQuad, "lifetimes of all waves, in units of four cycles");
  add("SQ_WAIT_ANY", (modelled.vmem_wait_cycles + modelled.lds_wait_cycles) / kQuad, "of them at s_waitcnt, in units of four cycles");
}

}  // namespace

std::vector<HardwareCounter> hardware_counters(const Executed& executed) {
  std::vector<HardwareCounter> out;
  const Counts& counts = executed.counts;
  if (counts.by_instruction.empty()) return out;
  out.push_back({.name = "SQ_WAVES", .value = counts.waves, .modelled = false, .meaning = "waves"});
  for (const Row& row : rows()) {
    HardwareCounter counter{.name = row.name, .value = 0, .modelled = false, .meaning = row.meaning};
    for (std::size_t i = 0; i < counts.by_instruction.size(); ++i) {
      const std::uint64_t times = counts.by_instruction[i].executed;
      if (times > 0 && row.takes(executed.program->ops[i])) counter.value += times;
    }
    out.push_back(std::move(counter));
  }
  std::uint64_t lanes = 0;
  for (std::size_t i = 0; i < counts.by_instruction.size(); ++i) {
    if (is_vector_alu(executed.program->ops[i])) lanes += counts.by_instruction[i].active_lanes;
  }
  out.push_back({.name = "SQ_THREAD_CYCLES_VALU", .value = lanes, .modelled = false, .meaning = "active lanes over vector ALU instructions"});
  out.push_back({.name = "SQ_LDS_BANK_CONFLICT", .value = counts.lds_conflicts, .modelled = true, .meaning = "extra LDS cycles because of bank conflicts"});
  if (executed.modelled) add_modelled(*executed.modelled, executed.program->arch, out);
  return out;
}

}  // namespace rpl::emu
