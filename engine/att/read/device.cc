// SPDX-License-Identifier: MIT
#include "engine/att/read/thread_trace.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/trace/import/csv/csv_parser.h"

namespace rpl::att {
namespace {

namespace fs = std::filesystem;

/// A value on which all GPUs seen so far agree.
template <class T>
struct Agreed {
  T value{};
  bool seen = false, differs = false;
  void add(const T& next) {
    differs = differs || (seen && value != next);
    value = next;
    seen = true;
  }
  [[nodiscard]] T get() const { return differs ? T{} : value; }
};

struct AgentFacts {
  Agreed<std::string> name;
  Agreed<std::uint32_t> cus, engines, waves_per_simd, simds_per_cu;
};

Status read_agents(const fs::path& path, AgentFacts& facts) {
  CsvParser csv(TRY(ByteSource::open(path.string())));
  if (!TRY(csv.next())) return {};
  std::vector<std::string> names(csv.fields().begin(), csv.fields().end());
  const auto at = [&](std::string_view wanted) -> std::string_view {
    const auto found = std::ranges::find(names, wanted);
    const auto index = static_cast<std::size_t>(found - names.begin());
    return index < csv.fields().size() ? csv.fields()[index] : std::string_view();
  };
  const auto number = [&](std::string_view wanted) {
    return whole_number<std::uint32_t>(at(wanted)).value_or(0);
  };
  constexpr int kMostAgents = 4096;
  for (int rows = 0; rows < kMostAgents && TRY(csv.next()); ++rows) {
    if (at("Agent_Type") != "GPU") continue;
    facts.name.add(std::string(at("Name")));
    facts.cus.add(number("Cu_Count"));
    facts.engines.add(number("Num_Shader_Banks"));
    facts.waves_per_simd.add(number("Max_Waves_Per_Simd"));
    facts.simds_per_cu.add(number("Simd_Per_Cu"));
  }
  return {};
}

void look_in(const fs::path& folder, AgentFacts& facts, std::vector<fs::path>* inner) {
  constexpr std::size_t kMostEntries = 4096;
  std::error_code error;
  std::size_t seen = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (++seen > kMostEntries) return;
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (inner) inner->push_back(at->path());
    } else if (at->path().filename().string().ends_with("agent_info.csv")) {
      // A damaged file says nothing of the device; the trace itself does not need it.
      static_cast<void>(read_agents(at->path(), facts));
    }
  }
}

}  // namespace

Device read_device(const std::string& folder) {
  std::error_code error;
  fs::path here = fs::absolute(folder, error);
  if (error) return {};
  if (here.filename().empty()) here = here.parent_path();
  AgentFacts facts;
  std::vector<fs::path> beside;
  look_in(here.parent_path(), facts, &beside);
  if (!facts.name.seen) {
    for (const fs::path& path : beside) {
      if (path != here && !path.filename().string().starts_with("ui_output"))
        look_in(path, facts, nullptr);
    }
  }
  return {.name = facts.name.get(),
          .cus = facts.cus.get(),
          .shader_engines = facts.engines.get(),
          .waves_per_simd = facts.waves_per_simd.get(),
          .simds_per_cu = facts.simds_per_cu.get()};
}

}  // namespace rpl::att
