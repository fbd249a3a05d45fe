// SPDX-License-Identifier: MIT
#include "shell/commands/kernel/triton_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/capture/dispatches.h"
#include "engine/capture/wish.h"
#include "engine/triton/signature.h"
#include "shell/commands/kernel/kernel_arguments.h"

namespace rpl {
namespace {

/// Programs of a run; 0 where its workgroups are not known.
std::uint64_t programs_of(const emu::KernelRun& run) {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < run.grid.size(); ++i)
    count *= (run.grid[i] + run.workgroup[i] - 1) / run.workgroup[i];
  return count;
}

}  // namespace

Result<TritonLaunch> triton_launch(const std::string& path, const isa::CodeObject& object,
                                   const isa::Kernel& kernel) {
  TritonLaunch out;
  out.metadata = TRY(triton::metadata_beside(path, object));
  if (out.metadata && out.metadata->kernel != kernel.name) out.metadata.reset();
  const auto parameters = kernel.explicit_arguments();
  out.parameters = parameters.size();
  for (auto last = parameters.rbegin(); last != parameters.rend(); ++last, ++out.pointers)
    if (last->kind != isa::KernelArgument::Kind::global_buffer) break;
  return out;
}

Result<emu::Size3> TritonLaunch::workgroup(const std::string& given) const {
  if (!given.empty()) return parse_size3(given, "--workgroup");
  if (metadata) return emu::Size3{metadata->workgroup(), 1, 1};
  return fail(Errc::usage, "no size of a workgroup",
              "give --workgroup in work-items, as in 256 or 16,16");
}

std::int64_t TritonLaunch::dynamic_lds_bytes() const {
  return metadata ? metadata->shared_bytes : 0;
}

std::vector<std::string> TritonLaunch::with_scratch(std::vector<std::string> given,
                                                    const emu::KernelRun& run,
                                                    std::vector<std::string>& notes) const {
  struct Scratch {
    const char* name;
    std::optional<std::uint64_t> bytes;
  };
  if (!metadata || given.size() >= parameters) return given;
  const std::array<Scratch, 2> known = {{{"global_scratch", metadata->global_scratch_bytes},
                                         {"profile_scratch", metadata->profile_scratch_bytes}}};
  // Older versions have the first one alone, and do not write its size.
  const std::size_t most = metadata->profile_scratch_bytes ? 2 : 1;
  const std::size_t missing = parameters - given.size();
  if (missing > std::min(most, pointers)) return given;
  const bool exact = metadata->signature.empty() || metadata->signature.size() == given.size();
  if (!exact) return given;
  std::string named;
  for (std::size_t i = most - missing; i < most; ++i) {
    const std::uint64_t bytes = known[i].bytes.value_or(0) * programs_of(run);
    given.push_back(bytes == 0 ? std::string("null") : fmt::format("u8:zero:{}", bytes));
    named += fmt::format("{}argument {} is Triton's {}: {}", named.empty() ? "" : ", ",
                         given.size(), known[i].name,
                         bytes == 0 ? std::string("null") : fmt::format("{} bytes", bytes));
  }
  notes.push_back(named);
  return given;
}

Result<Capture> TritonLaunch::in_place_of(const Capture& captured,
                                          const isa::CodeObject& object) const {
  TRY(require_one_dispatch(captured, "another version of Triton"));
  const isa::Kernel* kernel = TRY(object.kernel(captured.kernel));
  const auto code = TRY(object_of(captured));
  const isa::Kernel* there = TRY(code->kernel(captured.kernel));
  const auto before = there->explicit_arguments();
  const auto now = kernel->explicit_arguments();
  const std::size_t common = std::min(before.size(), now.size());
  const auto scratch = [&](const isa::KernelArgument& one) {
    return one.kind == isa::KernelArgument::Kind::global_buffer;
  };
  constexpr std::size_t kMost = 2;
  bool fits =
      std::max(before.size(), now.size()) - common <= kMost &&
      std::all_of(before.begin() + static_cast<std::ptrdiff_t>(common), before.end(), scratch) &&
      std::all_of(now.begin() + static_cast<std::ptrdiff_t>(common), now.end(), scratch);
  for (std::size_t i = 0; i < common; ++i)
    fits = fits && before[i].kind == now[i].kind && before[i].offset == now[i].offset &&
           before[i].size == now[i].size;
  if (!fits)
    return fail(Errc::usage,
                fmt::format("'{}' has other parameters than the captured kernel", kernel->name),
                "compile both for the same types and constants");
  Capture out = captured;
  out.code_object.assign(object.bytes().begin(), object.bytes().end());
  // What lies behind the common part is scratch, which is null where a kernel asks for none.
  if (common < now.size()) {
    out.kernarg.resize(now[common].offset);
    out.kernarg.resize(std::max<std::size_t>(kernel->kernarg_bytes, out.kernarg.size()));
  }
  // A capture of a program knows no types, and sums in another order are equal only as numbers.
  for (std::size_t i = 0; i < std::min(out.arguments.size(), metadata->signature.size()); ++i) {
    CapturedArgument& argument = out.arguments[i];
    const auto* type = metadata->signature[i].second.as<std::string>();
    if (argument.buffer && !argument.element && type != nullptr)
      argument.element = triton::element_behind(*type);
  }
  out.dynamic_lds_bytes = metadata->shared_bytes;
  for (std::size_t i = 0; i < out.grid.size(); ++i) {
    const std::uint32_t programs =
        (captured.grid[i] + captured.workgroup[i] - 1) / captured.workgroup[i];
    out.workgroup[i] = i == 0 ? metadata->workgroup() : 1;
    out.grid[i] = programs * out.workgroup[i];
  }
  return out;
}

}  // namespace rpl
