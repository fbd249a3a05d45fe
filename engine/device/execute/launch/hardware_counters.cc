// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/hardware_counters.h"

#include <algorithm>
#include <functional>

#include "engine/device/execute/instructions/matrix_shape.h"

namespace rpl::emu {
namespace {

using isa::Class;

bool is_vector_alu(const Op& op) {
  return op.kind == Class::valu || op.kind == Class::transcendental || op.kind == Class::matrix;
}

bool is_memory(const Op& op, std::string_view what) {
  return op.kind == Class::vmem &&
         op.instruction->opcode->mnemonic.find(what) != std::string_view::npos;
}

bool is_flat(const Op& op) {
  const isa::Encoding encoding = op.instruction->opcode->encoding;
  return op.kind == Class::vmem &&
         (encoding == isa::Encoding::flat || encoding == isa::Encoding::global ||
          encoding == isa::Encoding::scratch);
}

/// The operation between "v_" or "v_pk_" and the type: "add" of v_pk_add_f32.
std::string_view operation(std::string_view name) {
  name.remove_prefix(std::min<std::size_t>(name.starts_with("v_pk_") ? 5 : 2, name.size()));
  return name.substr(0, name.find('_'));
}

bool ends_with_type(const Op& op, std::string_view type) {
  return op.instruction->opcode->name().ends_with(type);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

bool adds(const Op& op) {
  return op.kind == Class::valu &&
         is_one_of(operation(op.instruction->opcode->name()), {"add", "sub", "subrev"});
}
bool multiplies(const Op& op) {
  return op.kind == Class::valu && operation(op.instruction->opcode->name()) == "mul";
}
bool fuses(const Op& op) {
  return op.kind == Class::valu && is_one_of(operation(op.instruction->opcode->name()),
                                             {"fma", "fmac", "fmamk", "fmaak", "mac", "mad"});
}
bool converts(const Op& op) {
  return is_vector_alu(op) && operation(op.instruction->opcode->name()) == "cvt";
}
bool is_integer(const Op& op, std::string_view bits) {
  const std::string_view name = op.instruction->opcode->name();
  return op.kind == Class::valu && !converts(op) && name.ends_with(bits) &&
         name.size() > bits.size() &&
         (name[name.size() - bits.size() - 1] == 'i' || name[name.size() - bits.size() - 1] == 'u');
}

/// Whether a vector memory atomic gives back what was there before.
bool is_atomic(const Op& op, bool returns) {
  return is_memory(op, "_atomic") && op.instruction->glc == returns;
}

constexpr std::uint64_t kOpsOfMatrixCount = 512;

/// Operations of a matrix instruction on elements of these types; 0 for another instruction. Of sparse ones those that are done.
std::uint64_t matrix_operations(const Op& op, std::initializer_list<MatrixType> types) {
  const MatrixShape* shape =
      op.kind == Class::matrix ? find_matrix_shape(*op.instruction->opcode) : nullptr;
  if (shape == nullptr) return 0;
  // Chosen formats of which one has bytes run at the rate of bytes, and are counted there.
  const bool bytes = shape->a == MatrixType::chosen && multiplies_bytes(*op.instruction);
  const MatrixType type = bytes ? MatrixType::fp8 : shape->a;
  if (std::ranges::find(types, type) == types.end()) return 0;
  return std::uint64_t{2} * shape->m * shape->n * shape->k * shape->blocks /
         (shape->sparse ? 2 : 1);
}

/// Cycles of the LDS for an instruction without bank conflicts.
std::uint64_t lds_cycles(const Op& op) {
  if (op.kind != Class::lds) return 0;
  const std::string_view name = op.instruction->opcode->name();
  if (name.find("permute") != std::string_view::npos ||
      name.find("swizzle") != std::string_view::npos)
    return 0;
  const std::size_t width = name.find_last_of("bufi");
  std::uint64_t bits = 0;
  for (std::size_t i = width + 1;
       width != std::string_view::npos && i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i)
    bits = bits * 10 + static_cast<std::uint64_t>(name[i] - '0');
  constexpr std::uint64_t kBitsOfCycle = isa::kLdsCycleBytes * 8, kOneAtLeast = 1;
  const std::uint64_t parts =
      name.find("2_b") != std::string_view::npos || name.find("2st64") != std::string_view::npos
          ? 2
          : 1;
  return std::max(kOneAtLeast, bits * parts * kLanes / kBitsOfCycle);
}

struct Row {
  std::string name, meaning;
  std::function<std::uint64_t(const Op&)> takes;  ///< what each execution adds
};

std::vector<Row> rows(isa::Arch arch) {
  std::vector<Row> rows = {
      {"SQ_INSTS", "all instructions, waits and the end of the program among them",
       [](const Op&) { return true; }},
      {"SQ_INSTS_VALU", "vector ALU, matrix instructions among them", is_vector_alu},
      {"SQ_INSTS_VALU_INT32", "of them on 32-bit integers",
       [](const Op& op) { return is_integer(op, "32"); }},
      {"SQ_INSTS_VALU_INT64", "of them on 64-bit integers",
       [](const Op& op) { return is_integer(op, "64"); }},
      {"SQ_INSTS_VALU_CVT", "of them conversions", converts}};
  for (const char* type : {"F16", "F32", "F64"}) {
    const std::string suffix = std::string("_f") + (type + 1);
    const std::string of = std::string("of them in ") + type + ": ";
    rows.push_back({std::string("SQ_INSTS_VALU_ADD_") + type, of + "additions",
                    [=](const Op& op) { return adds(op) && ends_with_type(op, suffix); }});
    rows.push_back({std::string("SQ_INSTS_VALU_MUL_") + type, of + "products",
                    [=](const Op& op) { return multiplies(op) && ends_with_type(op, suffix); }});
    rows.push_back({std::string("SQ_INSTS_VALU_FMA_") + type, of + "fused or separate multiply-add",
                    [=](const Op& op) { return fuses(op) && ends_with_type(op, suffix); }});
    rows.push_back(
        {std::string("SQ_INSTS_VALU_TRANS_") + type, of + "transcendental", [=](const Op& op) {
           return op.kind == Class::transcendental && ends_with_type(op, suffix);
         }});
  }
  const std::vector<Row> others = {
      {"SQ_INSTS_MFMA", "matrix instructions",
       [](const Op& op) { return op.kind == Class::matrix; }},
      {"SQ_INSTS_SALU", "scalar ALU", [](const Op& op) { return op.kind == Class::salu; }},
      {"SQ_INSTS_SMEM", "scalar memory", [](const Op& op) { return op.kind == Class::smem; }},
      {"SQ_INSTS_BRANCH", "branches", [](const Op& op) { return op.kind == Class::branch; }},
      {"SQ_INSTS_VMEM", "vector memory", [](const Op& op) { return op.kind == Class::vmem; }},
      {"SQ_INSTS_VMEM_RD", "of them loads", [](const Op& op) { return is_memory(op, "_load"); }},
      {"SQ_INSTS_VMEM_WR", "of them stores", [](const Op& op) { return is_memory(op, "_store"); }},
      {"SQ_INSTS_FLAT", "of them flat, global and scratch instructions", is_flat},
      {"TA_FLAT_ATOMIC_WAVEFRONTS_sum", "of them atomics",
       [](const Op& op) { return is_flat(op) && is_memory(op, "_atomic"); }},
      {"SQ_INSTS_LDS", "LDS instructions", [](const Op& op) { return op.kind == Class::lds; }},
  };
  rows.insert(rows.end(), others.begin(), others.end());
  const auto matrix = [&](const char* type, std::initializer_list<MatrixType> types) {
    rows.push_back({std::string("SQ_INSTS_VALU_MFMA_MOPS_") + type,
                    std::string("matrix operations in ") + type + ", in units of 512",
                    [types = std::vector(types)](const Op& op) {
                      std::uint64_t operations = 0;
                      for (const MatrixType one : types) operations += matrix_operations(op, {one});
                      return operations / kOpsOfMatrixCount;
                    }});
  };
  matrix("F16", {MatrixType::f16});
  matrix("BF16", {MatrixType::bf16});
  matrix("F32", {MatrixType::f32, MatrixType::xf32});
  matrix("F64", {MatrixType::f64});
  matrix("I8", {MatrixType::i8});
  if (isa::traits(arch).has_fp8_matrix) matrix("F8", {MatrixType::fp8, MatrixType::bf8});
  if (isa::traits(arch).has_scaled_matrix) matrix("F6F4", {MatrixType::chosen});
  return rows;
}

/// Collects counters of the cycle model.
class ModelledRows {
 public:
  explicit ModelledRows(std::vector<HardwareCounter>& out) : out_(out) {}
  void add(std::string name, std::uint64_t value, std::string meaning, bool modelled = true) {
    out_.push_back({.name = std::move(name),
                    .value = value,
                    .modelled = modelled,
                    .meaning = std::move(meaning)});
  }

 private:
  std::vector<HardwareCounter>& out_;
};

/// Reads of the L2 from memory, where not every access was followed: all of them whole lines.
void add_sampled_reads(const CacheCounts& caches, isa::Arch arch, ModelledRows& out) {
  const isa::Traits& traits = isa::traits(arch);
  const std::uint32_t bytes = traits.memory_request_bytes;
  out.add(fmt::format("{}_RDREQ_sum", traits.memory_counters), caches.memory_read_bytes / bytes,
          fmt::format("read requests of the L2 to memory, {} bytes each", bytes));
}

/// What crosses the boundary of L2 and memory, and how often the L2 had what was asked for.
void add_boundary(const Modelled& modelled, isa::Arch arch, ModelledRows& out) {
  const cycle::BoundaryCounts& boundary = *modelled.boundary;
  const isa::Traits& traits = isa::traits(arch);
  const std::string ea = fmt::format("{}_", traits.memory_counters);
  out.add(ea + "RDREQ_sum", boundary.read_requests,
          "read requests of the L2 to memory, a line each");
  out.add(ea + "RDREQ_32B_sum", 0, "of them of 32 bytes: lines are read whole");
  if (traits.counts_whole_lines)
    out.add("TCC_BUBBLE_sum", boundary.read_requests, "of them of 128 bytes: all");
  out.add(ea + "WRREQ_sum", boundary.write_64 + boundary.write_32,
          "write requests of the L2 to memory, those at the end of the kernel among them");
  out.add(ea + "WRREQ_64B_sum", boundary.write_64, "of them of 64 bytes; the others have 32");
  if (!traits.counts_whole_lines) return;
  const CacheCounts& caches = modelled.caches;
  const std::uint64_t asked =
      caches.l1_misses + caches.scalar_misses + caches.l2_writes + caches.l2_atomics;
  out.add("TCC_HIT_sum", asked - std::min(asked, caches.l2_misses), "requests that the L2 had");
  out.add("TCC_MISS_sum", caches.l2_misses, "requests that it had not");
}

void add_modelled(const Modelled& modelled, isa::Arch arch,
                  std::vector<HardwareCounter>& counters) {
  ModelledRows out(counters);
  const CacheCounts& caches = modelled.caches;
  out.add("TCP_TCC_READ_REQ_sum", caches.l1_misses,
          "requests of loads from the vector L1 to the L2, a line each");
  out.add("TCP_TCC_WRITE_REQ_sum", caches.l2_writes, "requests of stores to the L2, 64 bytes each");
  if (modelled.boundary)
    add_boundary(modelled, arch, out);
  else
    add_sampled_reads(caches, arch, out);
  constexpr std::uint64_t kQuad = 4;  // cycles
  out.add("GRBM_GUI_ACTIVE", modelled.cycles, "cycles of the dispatch");
  out.add("SQ_WAVE_CYCLES", modelled.wave_cycles / kQuad,
          "lifetimes of all waves, in units of four cycles");
  out.add("SQ_WAIT_ANY", (modelled.vmem_wait_cycles + modelled.lds_wait_cycles) / kQuad,
          "of them at s_waitcnt, in units of four cycles");
}

/// What no hardware counts: the operations themselves. Counters of instructions take all lanes for active, and a packed instruction for one.
void add_operations(const Executed& executed, std::vector<HardwareCounter>& out) {
  const auto operations = unit_operations(executed);
  for (const std::string type : {"f16", "f32", "f64"}) {
    const auto found = std::ranges::find(operations, "vector " + type, &UnitOperations::unit);
    out.push_back({.name = "RPL_OPS_VALU_F" + type.substr(1),
                   .value = found == operations.end() ? 0 : found->operations,
                   .modelled = false,
                   .meaning = type + " operations of active lanes on the vector ALU; a packed one "
                                     "counts each of its parts"});
  }
}

/// 64-byte requests of atomics to the L2.
void add_atomics(const Executed& executed, std::vector<HardwareCounter>& out) {
  for (const bool returns : {true, false}) {
    HardwareCounter counter{
        .name = returns ? "TCP_TCC_ATOMIC_WITH_RET_REQ_sum" : "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum",
        .value = 0,
        .modelled = false,
        .meaning = returns ? "64-byte requests of atomics that return a value"
                           : "64-byte requests of other atomics"};
    for (std::size_t i = 0; i < executed.counts.by_instruction.size(); ++i) {
      const InstructionCounts& counts = executed.counts.by_instruction[i];
      if (counts.executed > 0 && is_atomic(executed.program->ops[i], returns))
        counter.value += counts.transactions;
    }
    out.push_back(std::move(counter));
  }
}

}  // namespace

std::vector<HardwareCounter> hardware_counters(const Executed& executed) {
  const Counts& counts = executed.counts;
  if (counts.by_instruction.empty()) return {};
  std::vector<HardwareCounter> out;
  out.push_back({.name = "SQ_WAVES", .value = counts.waves, .modelled = false, .meaning = "waves"});
  for (const Row& row : rows(executed.program->arch)) {
    HardwareCounter counter{
        .name = row.name, .value = 0, .modelled = false, .meaning = row.meaning};
    for (std::size_t i = 0; i < counts.by_instruction.size(); ++i) {
      const std::uint64_t times = counts.by_instruction[i].executed;
      if (times > 0) counter.value += times * row.takes(executed.program->ops[i]);
    }
    out.push_back(std::move(counter));
  }
  std::uint64_t lanes = 0, lds_active = counts.lds_conflicts;
  for (std::size_t i = 0; i < counts.by_instruction.size(); ++i) {
    const Op& op = executed.program->ops[i];
    if (is_vector_alu(op)) lanes += counts.by_instruction[i].active_lanes;
    if (counts.by_instruction[i].executed > 0)
      lds_active += counts.by_instruction[i].executed * lds_cycles(op);
  }
  out.push_back({.name = "SQ_THREAD_CYCLES_VALU",
                 .value = lanes,
                 .modelled = false,
                 .meaning = "active lanes over vector ALU instructions"});
  out.push_back({.name = "SQ_LDS_BANK_CONFLICT",
                 .value = counts.lds_conflicts,
                 .modelled = true,
                 .meaning = "extra LDS cycles because of bank conflicts"});
  out.push_back({.name = "SQ_LDS_IDX_ACTIVE",
                 .value = lds_active,
                 .modelled = true,
                 .meaning = "LDS cycles, conflicts among them"});
  add_atomics(executed, out);
  add_operations(executed, out);
  if (executed.modelled) add_modelled(*executed.modelled, executed.program->arch, out);
  return out;
}

std::vector<HardwareCounter> known_hardware_counters(isa::Arch arch) {
  Executed nothing;
  auto program = std::make_shared<Program>();
  program->arch = arch;
  program->ops.resize(1);
  nothing.program = std::move(program);
  nothing.counts.by_instruction.resize(1);
  nothing.modelled.emplace();
  nothing.modelled->boundary.emplace();
  return hardware_counters(nothing);
}

}  // namespace rpl::emu
