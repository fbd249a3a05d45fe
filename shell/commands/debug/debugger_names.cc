// SPDX-License-Identifier: MIT
// What Tab offers where the debugger's things are named: registers, places, breakpoints, waves.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "engine/isa/object/function_names.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/source_variables.h"
#include "shell/core/session/displays.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using Names = std::vector<std::string>;

Names registers_of(const debug::Session& session) {
  Names out{"exec", "vcc", "scc", "m0", "pc", "mode"};
  const isa::Kernel& kernel = *session.prepared().launch->kernel;
  for (std::uint32_t i = 0; i < std::min<std::uint32_t>(kernel.sgprs, 102); ++i)
    out.push_back(fmt::format("s{}", i));
  for (std::uint32_t i = 0; i < kernel.vgprs - std::min(kernel.vgprs, kernel.agprs); ++i)
    out.push_back(fmt::format("v{}", i));
  for (std::uint32_t i = 0; i < kernel.agprs; ++i) out.push_back(fmt::format("a{}", i));
  return out;
}

Names values_of(const Debugger& debugger) {
  const debug::Session* session = stopped(debugger.state);
  if (session == nullptr) return {};
  Names out{"lane",     "wave",    "workgroup", "threadIdx", "blockIdx",
            "blockDim", "gridDim", "$lane",     "$wave",     "$workgroup"};
  for (const std::string& name : registers_of(*session)) out.push_back("$" + name);
  for (std::string& name : variable_names(debugger, *session)) out.push_back(std::move(name));
  std::size_t number = 0;
  for (const KernelParameter& parameter : parameters_of(debugger, *session)) {
    ++number;
    out.push_back(parameter.name);
    out.push_back(fmt::format("arg{}", number));
    out.push_back(fmt::format("$arg{}", number));
  }
  return out;
}

std::string last_part(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// Files of the project: headers of the system have lines, too, but nobody stops there.
bool is_own(const std::string& file) {
  return !file.empty() && !file.starts_with("/usr/") && !file.starts_with("/opt/rocm");
}

void add_places(const isa::CodeObject& object, std::string_view typed, std::set<std::string>& out) {
  for (const isa::Kernel& kernel : object.kernels()) out.insert(isa::function_text(kernel.name));
  const auto lines = object.source_lines();
  if (!lines) return;
  for (const auto& function : lines->functions()) {
    if (function.ranges.empty()) continue;
    const auto chain = lines->chain(std::ranges::min(function.ranges).first);
    const bool own = !chain.empty() && is_own(chain.front().file) &&
                     function.name.find("operator") == std::string::npos;
    if (own) out.insert(isa::function_text(function.name));
  }
  for (const std::string& file : lines->files()) {
    if (!is_own(file)) continue;
    const std::string name = last_part(file) + ":";
    out.insert(name);
    if (!typed.starts_with(name)) continue;
    constexpr std::uint32_t kMostLines = 10'000;
    constexpr std::size_t kMostOffered = 500;
    for (std::uint32_t line = 1; line < kMostLines && out.size() < kMostOffered; ++line) {
      if (!lines->addresses(file, line).empty()) out.insert(fmt::format("{}{}", name, line));
    }
  }
}

Names places_of(const Debugger& debugger, std::string_view typed) {
  std::set<std::string> out;
  for (const auto& object : debugger.workspace.objects.all())
    add_places(*object->value, typed, out);
  const debug::Session* session = debugged(debugger.state);
  if (session != nullptr) add_places(*session->launch().object, typed, out);
  return {out.begin(), out.end()};
}

Names points_of(const Debugging& all) {
  Names out;
  for (const auto& [number, point] : all.points.breakpoints())
    out.push_back(fmt::format("{}", number));
  for (const auto& [number, point] : all.points.watchpoints())
    out.push_back(fmt::format("{}", number));
  return out;
}

Names waves_of(const debug::Session& session) {
  Names out;
  for (const emu::Workgroup& group : session.schedule().active()) {
    for (const emu::Wave& wave : group.waves) {
      if (wave.state == emu::Wave::State::ended) continue;
      if (group.number == session.selected_wave.workgroup)
        out.push_back(fmt::format("{}", wave.id));
      out.push_back(fmt::format("{}:{}", group.number, wave.id));
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> debugger_names(const Debugger& debugger, Complete what,
                                        std::string_view typed) {
  const debug::Session* session = stopped(debugger.state);
  if (what == Complete::variable) return values_of(debugger);
  if (what == Complete::place) return places_of(debugger, typed);
  if (what == Complete::point) return points_of(debugging(debugger));
  Names out;
  if (what == Complete::display) {
    for (const auto& [number, display] : debugger.displays.all())
      out.push_back(fmt::format("{}", number));
  }
  if (session == nullptr) return out;
  if (what == Complete::reg) {
    out = registers_of(*session);
    out.insert(out.end(), {"vgpr", "sgpr", "agpr", "all"});
  }
  if (what == Complete::wave) out = waves_of(*session);
  if (what == Complete::lane) {
    for (unsigned lane = 0; lane < emu::kLanes; ++lane) out.push_back(fmt::format("{}", lane));
  }
  return out;
}

}  // namespace rpl
