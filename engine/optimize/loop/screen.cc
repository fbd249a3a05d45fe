// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/arch/occupancy.h"
#include "engine/arch/resolve.h"
#include "engine/isa/code/program_text.h"

namespace rpl {
namespace {

bool same_argument(const isa::KernelArgument& a, const isa::KernelArgument& b) {
  return a.kind == b.kind && a.value_kind == b.value_kind && a.offset == b.offset &&
         a.size == b.size;
}

bool same_interface(const isa::Kernel& a, const isa::Kernel& b) {
  // Hidden arguments may come and go with what the body uses; the runtime fills them in by name.
  const auto of_a = a.explicit_arguments(), of_b = b.explicit_arguments();
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), same_argument);
}

/// Symbols that a change of a kernel's body must not bring: variables and functions. Ids of the compiler's unit differ with the file.
std::vector<std::string> new_symbols(const isa::CodeObject& baseline,
                                     const isa::CodeObject& candidate) {
  std::vector<std::string> out;
  for (const isa::Symbol& symbol : candidate.elf().symbols) {
    if (symbol.kind == isa::Symbol::Kind::other || symbol.name.starts_with("__hip_cuid_")) continue;
    if (!baseline.symbol(symbol.name)) out.push_back(symbol.name);
  }
  return out;
}

bool asks_for_dynamic_lds(const isa::Kernel& kernel) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [](const isa::KernelArgument& argument) {
                       return argument.kind == isa::KernelArgument::Kind::dynamic_lds_pointer ||
                              argument.value_kind == "hidden_dynamic_lds_size";
                     });
}

void check_launch(const isa::CodeObject& candidate, const isa::Kernel& after,
                  const LaunchShape& launch, std::vector<Reason>& out) {
  if (launch.work_items > after.max_workgroup) {
    out.push_back(
        {"workgroup-size",
         fmt::format(
             "the candidate takes workgroups of {} work-items at most; the captured launch has {}",
             after.max_workgroup, launch.work_items)});
  }
  if (launch.work_items > 0 && waves_per_cu(candidate, after, launch) == 0U) {
    out.push_back(
        {"does-not-fit",
         fmt::format("no workgroup of {} work-items with {} bytes of LDS and {} registers fits on "
                     "a compute unit",
                     launch.work_items, after.lds_bytes + launch.dynamic_lds_bytes, after.vgprs)});
  }
}

void compare_interfaces(const isa::Kernel& before, const isa::Kernel& after,
                        std::vector<Reason>& out) {
  if (!same_interface(before, after)) {
    out.push_back({"interface", "the kernel's arguments are not those of the baseline"});
  }
  if (asks_for_dynamic_lds(after) && !asks_for_dynamic_lds(before)) {
    out.push_back(
        {"dynamic-lds", "the candidate asks the launch for dynamic LDS; the baseline does not"});
  }
  if (after.dynamic_stack && !before.dynamic_stack) {
    out.push_back(
        {"dynamic-stack", "the candidate needs a stack of unknown size; the baseline does not"});
  }
}

/// What a kernel under measurement may not begin to do, however its source says it: read clocks and where it runs, change the mode, talk to the host or the
/// trap handler, wait on purpose, empty caches.
bool is_forbidden_anew(std::string_view mnemonic) {
  static constexpr std::string_view kBegins[] = {
      "s_memtime",  "s_memrealtime", "s_getreg",     "s_setreg",       "s_trap",
      "s_sendmsg",  "s_sethalt",     "s_sleep",      "s_incperflevel", "s_decperf",
      "s_ttrace",   "s_rfe",         "s_icache_inv", "s_dcache_",      "s_atc_probe",
      "s_setvskip", "s_cbranch_cd",  "ds_gws_",      "s_endpgm_saved"};
  return std::ranges::any_of(kBegins,
                             [&](std::string_view begin) { return mnemonic.starts_with(begin); });
}

/// The mode, the hardware register, and the message are part of what an instruction does.
std::string what_it_does(const isa::Instruction& instruction) {
  return fmt::format("{} {:#x}", instruction.opcode->name(), instruction.immediate);
}

Status check_instructions(const isa::CodeObject& baseline,
                          std::initializer_list<const isa::Kernel*> before,
                          const isa::CodeObject& candidate, const isa::Kernel& after,
                          std::vector<Reason>& out) {
  std::set<std::string> known;
  for (const isa::Kernel* kernel : before) {
    for (const isa::Located& one : TRY(isa::decode_body(baseline, *kernel)))
      known.insert(what_it_does(one.instruction));
  }
  std::set<std::string> said;
  for (const isa::Located& one : TRY(isa::decode_body(candidate, after))) {
    const std::string_view name = one.instruction.opcode->name();
    if (!is_forbidden_anew(name) || known.contains(what_it_does(one.instruction)) ||
        !said.emplace(name).second)
      continue;
    out.push_back({"forbidden-instruction",
                   fmt::format("the candidate has '{}' at 0x{:x}, which the baseline has not: a "
                               "kernel under measurement may not begin to do that",
                               isa::disassemble(candidate.arch(), one.instruction), one.address)});
  }
  return {};
}

/// `own`: of the kernel that the candidate has more.
void check_symbols(const isa::CodeObject& baseline, const isa::CodeObject& candidate,
                   std::string_view own, std::vector<Reason>& out) {
  for (const std::string& name : new_symbols(baseline, candidate)) {
    if (!own.empty() && (name == own || name == fmt::format("{}.kd", own))) continue;
    out.push_back({"new-symbol",
                   fmt::format("the candidate defines '{}', which the baseline does not", name)});
  }
}

}  // namespace

Result<Record> static_record(const isa::CodeObject& object, const std::string& kernel) {
  const isa::Kernel& found = *TRY(object.kernel(kernel));
  const isa::StaticFacts facts = TRY(isa::static_facts(object, found));
  Record mix;
  for (int i = 0; i < isa::kClasses; ++i) {
    const std::uint64_t count = facts.by_class[static_cast<std::size_t>(i)];
    if (count > 0) mix.emplace_back(isa::to_string(static_cast<isa::Class>(i)), Value(count));
  }
  return Record{{"vgprs", found.vgprs},
                {"agprs", found.agprs},
                {"sgprs", found.sgprs},
                {"lds_bytes", found.lds_bytes},
                {"scratch_bytes", found.scratch_bytes},
                {"code_bytes", facts.code_bytes},
                {"instructions", facts.instructions},
                {"mix", mix}};
}

std::optional<std::uint32_t> waves_per_cu(const isa::CodeObject& object, const isa::Kernel& kernel,
                                          const LaunchShape& launch) {
  const auto gpu = arch::resolve(arch::Catalogue::builtin(), isa::to_string(object.arch()), {});
  if (!gpu) return std::nullopt;
  arch::KernelResources asked;
  asked.total_vgprs = kernel.vgprs;
  asked.sgprs = kernel.sgprs;
  asked.lds_bytes = kernel.lds_bytes + launch.dynamic_lds_bytes;
  asked.workgroup_size = launch.work_items;
  asked.wave_size = kernel.wave_size;
  const auto fits = arch::occupancy(*gpu, asked);
  if (fits) return fits->waves;
  return fits.error().code == Errc::corrupt ? std::optional<std::uint32_t>(0) : std::nullopt;
}

Result<bool> has_same_code(const isa::CodeObject& one, const isa::CodeObject& other,
                           const std::string& kernel) {
  const isa::StaticFacts first = TRY(isa::static_facts(one, *TRY(one.kernel(kernel))));
  const isa::StaticFacts second = TRY(isa::static_facts(other, *TRY(other.kernel(kernel))));
  return first.code_hash == second.code_hash;
}

Result<std::vector<Reason>> screen(const isa::CodeObject& baseline,
                                   const isa::CodeObject& candidate, const std::string& kernel,
                                   const LaunchShape& launch) {
  std::vector<Reason> out;
  const isa::Kernel& before = *TRY(baseline.kernel(kernel));
  const auto after = candidate.kernel(kernel);
  if (!after) {
    out.push_back({"kernel-missing", after.error().message});
    return out;
  }
  compare_interfaces(before, **after, out);
  check_launch(candidate, **after, launch, out);
  check_symbols(baseline, candidate, {}, out);
  TRY(check_instructions(baseline, {&before}, candidate, **after, out));
  if (!launch.changed && TRY(has_same_code(baseline, candidate, kernel))) {
    const isa::StaticFacts code = TRY(isa::static_facts(candidate, **after));
    out.push_back(
        {"no-change", fmt::format("the compiler made the same {} instructions of both sources",
                                  code.instructions)});
  }
  return out;
}

Result<std::vector<Reason>> screen_fused(const isa::CodeObject& baseline,
                                         const std::array<std::string, 2>& pair,
                                         const isa::CodeObject& candidate,
                                         const std::string& kernel, const LaunchShape& launch) {
  std::vector<Reason> out;
  const isa::Kernel &first = *TRY(baseline.kernel(pair[0])),
                    &second = *TRY(baseline.kernel(pair[1]));
  const auto after = candidate.kernel(kernel);
  if (!after) {
    out.push_back({"kernel-missing", after.error().message});
    return out;
  }
  check_launch(candidate, **after, launch, out);
  check_symbols(baseline, candidate, (*after)->name, out);
  TRY(check_instructions(baseline, {&first, &second}, candidate, **after, out));
  return out;
}

}  // namespace rpl
