// SPDX-License-Identifier: MIT
#include "engine/device/record/write_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "engine/att/read/json_text.h"
#include "engine/att/read/wait_model.h"
#include "engine/device/record/write_sources.h"

namespace rpl::att {
namespace {

std::string place_name(const WrittenTrace& trace) {
  return fmt::format("agent_{}_dispatch_{}", trace.agent, trace.number);
}
constexpr std::string_view kVersion = "3.0.0";

Status write_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) return fail(Errc::io, fmt::format("cannot write {}", path.string()));
  return {};
}

std::string csv_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

/// The sums that code.json holds, by the writer's rule: idle is the gap behind what the wave did before.
struct Sums {
  std::uint64_t hit = 0, latency = 0, stall = 0, idle = 0;
};

std::vector<Sums> sums_of(const WrittenTrace& trace) {
  std::vector<Sums> sums(trace.code.size());
  for (const WrittenWave& wave : trace.waves) {
    std::int64_t previous = wave.begin;
    for (const WaveInstruction& one : wave.instructions) {
      Sums& row = sums[static_cast<std::size_t>(one.line - 1)];
      ++row.hit;
      row.latency += one.duration;
      row.stall += one.stall;
      row.idle += static_cast<std::uint64_t>(std::max<std::int64_t>(one.time - previous, 0));
      previous = std::max(previous, one.time + one.duration);
    }
  }
  return sums;
}

std::string code_json(const WrittenTrace& trace, const std::vector<Sums>& sums) {
  const std::uint64_t first = trace.code.empty() ? 0 : trace.code[0].address;
  std::string out =
      fmt::format("{{\"code\":[[{},0,0,\"\",1,{},0,0,0,0]", json_text("; " + trace.kernel), first);
  for (std::size_t i = 0; i < trace.code.size(); ++i) {
    const WrittenInstruction& row = trace.code[i];
    out += fmt::format(",[{},0,{},{},1,{},{},{},{},{}]", json_text(row.text), i + 1,
                       json_text(row.source), row.address, sums[i].hit, sums[i].latency,
                       sums[i].stall, sums[i].idle);
  }
  return out + fmt::format(
                   "],\"header\":\"ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, "
                   "Stall, Idle\",\"version\":\"{}\"}}",
                   kVersion);
}

std::string stats_csv(const WrittenTrace& trace, const std::vector<Sums>& sums) {
  const std::uint64_t first = trace.code.empty() ? 0 : trace.code[0].address;
  std::string out =
      "\"CodeObj\",\"Vaddr\",\"Instruction\",\"Hitcount\",\"Latency\",\"Stall\",\"Idle\","
      "\"Source\"\n";
  out += fmt::format("1,{},{},0,0,0,0,\"\"\n", first, csv_text("; " + trace.kernel));
  for (std::size_t i = 0; i < trace.code.size(); ++i) {
    const WrittenInstruction& row = trace.code[i];
    out += fmt::format("1,{},{},{},{},{},{},{}\n", row.address, csv_text(row.text), sums[i].hit,
                       sums[i].latency, sums[i].stall, sums[i].idle, csv_text(row.source));
  }
  return out;
}

/// Runs of states, made from the instructions as docs/thread-traces.md says.
class Timeline {
 public:
  void add(std::size_t state, std::int64_t cycles) {
    if (cycles <= 0) return;
    if (!runs_.empty() && runs_.back().first == state) {
      runs_.back().second += cycles;
    } else {
      runs_.emplace_back(state, cycles);
    }
  }
  [[nodiscard]] std::string json() const {
    std::string out;
    for (const auto& [state, cycles] : runs_)
      out += fmt::format("{}[{},{}]", out.empty() ? "" : ",", state, cycles);
    return out;
  }

 private:
  std::vector<std::pair<std::size_t, std::int64_t>> runs_;
};

std::string timeline_json(const WrittenWave& wave) {
  Timeline line;
  std::int64_t at = wave.begin;
  for (const WaveInstruction& one : wave.instructions) {
    line.add(at == wave.begin ? kIdleState : kExecState, one.time - at);
    const auto category = static_cast<Category>(one.category);
    const bool waits =
        (category == Category::immed && one.stall > 0) || category == Category::message;
    line.add(waits ? kWaitState : kStallState, waits ? one.duration : one.stall);
    if (!waits) line.add(kExecState, static_cast<std::int64_t>(one.duration) - one.stall);
    at = std::max(at, one.time + one.duration);
  }
  line.add(kExecState, wave.end - at);
  return line.json();
}

std::string waits_json(const WrittenWave& wave, const std::vector<CounterSteps>& steps) {
  std::string out;
  WaitState state;
  state.reset();
  for (const WaveInstruction& one : wave.instructions) {
    const CounterSteps& step = steps[static_cast<std::size_t>(one.line - 1)];
    if (step.count == 0 || step.extra) continue;
    const Outstanding self{.row = static_cast<std::uint32_t>(one.line - 1),
                           .line = one.line,
                           .issued = one.time + one.stall};
    state.run(step, self, [&](Counter, std::span<const Outstanding> retired) {
      std::string list;
      for (const Outstanding& each : retired)
        list += fmt::format("{}[{},0]", list.empty() ? "" : ",", each.line);
      out += fmt::format("{}[{},[{}]]", out.empty() ? "" : ",", one.line, list);
    });
  }
  return out;
}

std::string wave_json(const WrittenWave& wave, std::uint32_t id,
                      const std::vector<CounterSteps>& steps) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out),
                 "{{\"duration\":{},\"name\":\"SE0\",\"num_insts\":{},\"num_stitched\":{},\"wave\":"
                 "{{\"begin\":{},\"cu\":0,\"end\":{},\"id\":{},\"instructions\":[",
                 wave.end - wave.begin, wave.instructions.size(), wave.instructions.size(),
                 wave.begin, wave.end, id);
  bool first = true;
  for (const WaveInstruction& one : wave.instructions) {
    fmt::format_to(std::back_inserter(out), "{}[{},{},{},{},{}]", first ? "" : ",", one.time,
                   one.category, one.stall, one.duration, one.line);
    first = false;
  }
  fmt::format_to(std::back_inserter(out),
                 "],\"simd\":{},\"slot\":{},\"timeline\":[{}],\"waitcnt\":[{}]}}}}", wave.simd,
                 wave.slot, timeline_json(wave), waits_json(wave, steps));
  return fmt::to_string(out);
}

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< SIMD, slot, number

/// The waves by where they ran, numbered in each slot.
std::map<Place, const WrittenWave*> by_place(const WrittenTrace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> next;
  std::map<Place, const WrittenWave*> out;
  for (const WrittenWave& wave : trace.waves)
    out.emplace(Place{wave.simd, wave.slot, next[{wave.simd, wave.slot}]++}, &wave);
  return out;
}

std::string file_name(const Place& place) {
  return fmt::format("se0_sm{}_sl{}_wv{}.json", std::get<0>(place), std::get<1>(place),
                     std::get<2>(place));
}

std::string manifest_json(const WrittenTrace& trace,
                          const std::map<Place, const WrittenWave*>& waves) {
  std::string tree;
  const WrittenWave* before = nullptr;
  Place last{};
  for (const auto& [place, wave] : waves) {
    const bool new_simd = before == nullptr || std::get<0>(place) != std::get<0>(last),
               new_slot = new_simd || std::get<1>(place) != std::get<1>(last);
    if (before != nullptr) tree += new_simd ? "}}," : new_slot ? "}," : ",";
    if (new_simd) tree += fmt::format("\"{}\":{{", std::get<0>(place));
    if (new_slot) tree += fmt::format("\"{}\":{{", std::get<1>(place));
    tree += fmt::format("\"{}\":[\"{}\",{},{}]", std::get<2>(place), file_name(place), wave->begin,
                        wave->end);
    before = wave;
    last = place;
  }
  if (before != nullptr) tree += "}}";
  const std::string names = before == nullptr ? "null" : fmt::format("{{\"0\":{{{}}}}}", tree);
  return fmt::format(
      "{{\"counter_names\":[],\"gfxip\":9,\"gfxv\":\"vega\",\"global_begin_time\":0,\"modelled\":{{"
      "\"model\":{},\"what\":{}}},\"version\":\"{}\",\"wave_filenames\":{}}}",
      json_text(trace.model), json_text(trace.what), kVersion, names);
}

std::string occupancy_json(const WrittenTrace& trace) {
  struct Event {
    std::int64_t time;
    const WrittenWave* wave;
    bool start;
  };
  std::vector<Event> events;
  for (const WrittenWave& wave : trace.waves) {
    events.push_back({wave.begin, &wave, true});
    events.push_back({wave.end, &wave, false});
  }
  std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
    return std::tuple(a.time, a.start) < std::tuple(b.time, b.start);
  });
  std::string rows;
  for (const Event& event : events)
    rows += fmt::format("{}[{},0,{},{},{},1]", rows.empty() ? "" : ",", event.time,
                        event.wave->simd, event.wave->slot, event.start ? 1 : 0);
  return fmt::format(
      "{{\"0\":[{}],\"dispatches\":{{\"0\":\"0 / 0x0\",\"1\":{}}},\"version\":\"{}\"}}", rows,
      json_text(trace.kernel), kVersion);
}

/// Two points of the clocks, a second apart, so that readers know the frequency.
std::string clock_json(const WrittenTrace& trace) {
  constexpr std::int64_t kFrequency = 100'000'000;
  const auto cycles = static_cast<std::int64_t>(trace.clock_mhz * 1e6);
  return fmt::format(
      "{{\"SE0\":[[0,0],[{},{}]],\"metadata\":{{\"descriptor\":\"[gfx_clock, "
      "realtime_clock]\",\"frequency\":{}}}}}",
      cycles, kFrequency, kFrequency);
}

std::string agent_csv(const WrittenTrace& trace) {
  return fmt::format(
      "\"Node_Id\",\"Agent_Type\",\"Name\",\"Cu_Count\",\"Simd_Per_Cu\",\"Max_Waves_Per_Simd\"\n1,"
      "\"GPU\",\"{}\",{},{},{}\n",
      trace.gfx, trace.compute_units, trace.simds_per_cu, trace.waves_per_simd);
}

}  // namespace

std::int32_t written_category(std::string_view text, bool branch_taken) {
  const Category category = traits_of(text).category;
  if (category == Category::branch)
    return static_cast<std::int32_t>(branch_taken ? Category::jump : Category::next);
  return static_cast<std::int32_t>(category == Category::matrix ? Category::valu : category);
}

Result<std::string> write_trace(const std::string& folder, const WrittenTrace& trace) {
  namespace fs = std::filesystem;
  const fs::path top(folder), decoded = top / fmt::format("ui_output_{}", place_name(trace));
  std::error_code error;
  fs::create_directories(decoded, error);
  if (error)
    return fail(Errc::io, fmt::format("cannot make {}: {}", decoded.string(), error.message()));
  const std::vector<Sums> sums = sums_of(trace);
  std::vector<CounterSteps> steps;
  for (const WrittenInstruction& row : trace.code) steps.push_back(counter_steps(row.text, 9));
  const auto waves = by_place(trace);
  TRY(write_text(decoded / "code.json", code_json(trace, sums)));
  TRY(write_text(decoded / "filenames.json", manifest_json(trace, waves)));
  TRY(write_text(decoded / "occupancy.json", occupancy_json(trace)));
  TRY(write_text(decoded / "realtime.json", clock_json(trace)));
  std::set<std::string> files;
  for (const WrittenInstruction& row : trace.code) add_files_of(row.source, files);
  TRY(write_sources(decoded, files));
  if (trace.dispatch) TRY(write_text(decoded / kModelledDispatchFile, to_json(*trace.dispatch)));
  for (const auto& [place, wave] : waves)
    TRY(write_text(decoded / file_name(place), wave_json(*wave, std::get<2>(place), steps)));
  TRY(write_text(top / fmt::format("stats_ui_output_{}.csv", place_name(trace)),
                 stats_csv(trace, sums)));
  TRY(write_text(top / "agent_info.csv", agent_csv(trace)));
  return decoded.string();
}

}  // namespace rpl::att
