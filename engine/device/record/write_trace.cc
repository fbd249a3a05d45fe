// SPDX-License-Identifier: MIT
#include "engine/device/record/write_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "engine/att/read/wait_model.h"
#include "engine/device/execute/launch/hardware_counters.h"
#include "engine/device/execute/launch/program.h"
#include "engine/document/json.h"
#include "engine/isa/object/code_object.h"

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
  JsonStream out(kJsonCompact);
  out.begin_rows("code").row(List{"; " + trace.kernel, 0, 0, "", 1, first, 0, 0, 0, 0});
  for (std::size_t i = 0; i < trace.code.size(); ++i) {
    const WrittenInstruction& row = trace.code[i];
    out.row(List{row.text, 0, i + 1, row.source, 1, row.address, sums[i].hit, sums[i].latency,
                 sums[i].stall, sums[i].idle});
  }
  constexpr const char* kHeader =
      "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle";
  return out.end_rows().member("header", kHeader).member("version", kVersion).text().string();
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
  [[nodiscard]] List json() const {
    List out;
    for (const auto& [state, cycles] : runs_) out.emplace_back(List{state, cycles});
    return out;
  }

 private:
  std::vector<std::pair<std::size_t, std::int64_t>> runs_;
};

List timeline_json(const WrittenWave& wave) {
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

List waits_json(const WrittenWave& wave, const std::vector<CounterSteps>& steps) {
  List out;
  WaitState state;
  state.reset();
  for (const WaveInstruction& one : wave.instructions) {
    const CounterSteps& step = steps[static_cast<std::size_t>(one.line - 1)];
    if (step.count == 0 || step.extra) continue;
    const Outstanding self{.row = static_cast<std::uint32_t>(one.line - 1),
                           .line = one.line,
                           .issued = one.time + one.stall};
    state.run(step, self, [&](Counter, std::span<const Outstanding> retired) {
      List list;
      for (const Outstanding& each : retired) list.emplace_back(List{each.line, 0});
      out.emplace_back(List{one.line, std::move(list)});
    });
  }
  return out;
}

std::string wave_json(const WrittenWave& wave, std::uint32_t id,
                      const std::vector<CounterSteps>& steps) {
  JsonStream inner(kJsonCompact), out(kJsonCompact);
  inner.members({{"begin", wave.begin}, {"cu", 0}, {"end", wave.end}, {"id", id}});
  inner.begin_rows("instructions");
  for (const WaveInstruction& one : wave.instructions)
    inner.row(List{one.time, one.category, one.stall, one.duration, one.line});
  inner.end_rows().members({{"simd", wave.simd},
                            {"slot", wave.slot},
                            {"timeline", timeline_json(wave)},
                            {"waitcnt", waits_json(wave, steps)}});
  out.members({{"duration", wave.end - wave.begin},
               {"name", "SE0"},
               {"num_insts", wave.instructions.size()},
               {"num_stitched", wave.instructions.size()}});
  return out.member_text("wave", inner.text()).text().string();
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

/// The record under `key`, which is the last of `in` or becomes it.
Record& last_in(Record& in, std::uint32_t key) {
  std::string name = std::to_string(key);
  if (in.empty() || in.back().first != name) in.emplace_back(std::move(name), Record());
  return *in.back().second.as<Record>();
}

std::string manifest_json(const WrittenTrace& trace,
                          const std::map<Place, const WrittenWave*>& waves) {
  Record engine;
  for (const auto& [place, wave] : waves) {
    const auto [simd, slot, number] = place;
    last_in(last_in(engine, simd), slot)
        .emplace_back(std::to_string(number), List{file_name(place), wave->begin, wave->end});
  }
  return to_json(
      Record{{"counter_names", List()},
             {"gfxip", 9},
             {"gfxv", "vega"},
             {"global_begin_time", 0},
             {"modelled", Record{{"model", trace.model}, {"what", trace.what}}},
             {"version", kVersion},
             {"wave_filenames", engine.empty() ? Value() : Value(Record{{"0", engine}})}},
      JsonStyle::compact);
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
  JsonStream out(kJsonCompact);
  out.begin_rows("0");
  for (const Event& event : events)
    out.row(List{event.time, 0, event.wave->simd, event.wave->slot, event.start ? 1 : 0, 1});
  return out.end_rows()
      .member("dispatches", Record{{"0", "0 / 0x0"}, {"1", trace.kernel}})
      .member("version", kVersion)
      .text()
      .string();
}

/// Two points of the clocks, a second apart, so that readers know the frequency.
std::string clock_json(const WrittenTrace& trace) {
  constexpr std::int64_t kFrequency = 100'000'000;
  const auto cycles = static_cast<std::int64_t>(trace.clock_mhz * 1e6);
  return to_json(Record{{"SE0", List{List{0, 0}, List{cycles, kFrequency}}},
                        {"metadata", Record{{"descriptor", "[gfx_clock, realtime_clock]"},
                                            {"frequency", kFrequency}}}},
                 JsonStyle::compact);
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

namespace {

namespace fs = std::filesystem;

/// A folder of the machine that the trace was made on.
struct SourceFolder {
  std::map<std::string, SourceFolder> folders;
  std::map<std::string, std::string> copies;  ///< by the file's name

  [[nodiscard]] Record json() const {
    Record out;
    for (const auto& [name, folder] : folders) out.emplace_back(name, folder.json());
    for (const auto& [name, copy] : copies) out.emplace_back(name, copy);
    return out;
  }
};

bool copy_source(const fs::path& from, const fs::path& to) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{8} << 20U;
  std::error_code error;
  if (!fs::is_regular_file(from, error) || fs::file_size(from, error) > kMostBytes || error)
    return false;
  return fs::copy_file(from, to, fs::copy_options::overwrite_existing, error) && !error;
}

}  // namespace

void add_files_of(std::string_view source, std::set<std::string>& files) {
  constexpr std::string_view kArrow = " -> ";
  while (!source.empty()) {
    const std::size_t arrow = source.find(kArrow);
    const std::string_view place = source.substr(0, arrow);
    if (const std::size_t colon = place.rfind(':'); colon != std::string_view::npos && colon > 0)
      files.emplace(place.substr(0, colon));
    source =
        arrow == std::string_view::npos ? std::string_view() : source.substr(arrow + kArrow.size());
  }
}

Status write_sources(const fs::path& folder, const std::set<std::string>& files) {
  SourceFolder root;
  std::size_t number = 0;
  for (const std::string& file : files) {
    const fs::path path(file);
    const std::string copy = fmt::format("source_{}_{}", number, path.filename().string());
    if (!path.is_absolute() || !copy_source(path, folder / copy)) continue;
    ++number;
    SourceFolder* at = &root;
    for (const fs::path& part : path.parent_path()) at = &at->folders[part.string()];
    at->copies[path.filename().string()] = copy;
  }
  if (number == 0) return {};
  std::ofstream out(folder / "snapshots.json", std::ios::binary | std::ios::trunc);
  out << to_json(root.json(), JsonStyle::compact) << "\n";
  out.close();
  return out ? Status()
             : fail(Errc::io, fmt::format("cannot write {}", (folder / "snapshots.json").string()));
}

}  // namespace rpl::att

namespace rpl::calibrate {
namespace {

std::string source_of(const isa::SourceLines& lines, std::uint64_t address) {
  std::string out;
  for (const isa::SourcePlace& place : lines.chain(address))
    out += fmt::format("{}{}:{}", out.empty() ? "" : " -> ", place.file, place.line);
  return out;
}

/// The listing, and by operation its line there; 0 for what is not an instruction.
std::vector<std::int32_t> add_listing(const emu::Program& program, att::WrittenTrace& out) {
  const auto read = program.object->source_lines();
  const isa::SourceLines lines = read ? *read : isa::SourceLines();
  std::vector<std::int32_t> line_of(program.ops.size(), 0);
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const emu::Op& op = program.ops[i];
    if (op.instruction == nullptr) continue;
    out.code.push_back({.text = isa::disassemble(program.arch, *op.instruction),
                        .source = source_of(lines, op.address),
                        .address = op.address});
    line_of[i] = static_cast<std::int32_t>(out.code.size());
  }
  return line_of;
}

att::WrittenWave wave_of(const cycle::WaveTimes& times, const std::vector<std::int32_t>& line_of,
                         const att::WrittenTrace& trace) {
  att::WrittenWave wave{.simd = times.simd,
                        .slot = times.slot,
                        .begin = static_cast<std::int64_t>(times.begin),
                        .end = static_cast<std::int64_t>(times.end),
                        .instructions = {}};
  wave.instructions.reserve(times.steps.size());
  for (std::size_t i = 0; i < times.steps.size(); ++i) {
    const cycle::Step& step = times.stream->steps[i];
    const std::int32_t line = line_of[step.operation];
    if (line == 0) continue;
    const std::string& text = trace.code[static_cast<std::size_t>(line - 1)].text;
    wave.instructions.push_back({.time = static_cast<std::int64_t>(times.steps[i].time),
                                 .line = line,
                                 .duration = times.steps[i].duration,
                                 .stall = times.steps[i].stall,
                                 .category = att::written_category(text, step.detail == 1)});
  }
  return wave;
}

}  // namespace

Result<att::WrittenTrace> modelled_trace(const emu::Executed& executed) {
  if (!executed.modelled || executed.trace == nullptr)
    return fail(Errc::usage, "the launch was not modelled with its trace kept",
                "run it with --modelled");
  const emu::Modelled& modelled = *executed.modelled;
  att::WrittenTrace out;
  out.kernel = executed.program->kernel;
  out.gfx = to_string(executed.program->arch);
  out.model = modelled.model;
  out.what =
      fmt::format("{} of {} workgroups simulated, on one compute unit of {}{}",
                  modelled.simulated_workgroups, executed.grid_workgroups, modelled.compute_units,
                  executed.trace->cut ? "; the waves are cut short" : "");
  out.compute_units = modelled.compute_units;
  out.simds_per_cu = modelled.simds;
  out.waves_per_simd = modelled.waves_per_simd;
  out.clock_mhz = modelled.clock_mhz;
  out.dispatch = TRY(modelled_dispatch(executed));
  const auto line_of = add_listing(*executed.program, out);
  for (const cycle::WaveTimes& wave : executed.trace->waves)
    out.waves.push_back(wave_of(wave, line_of, out));
  return out;
}

namespace {

void add_shape(const emu::Executed& executed, att::ModelledDispatch& out) {
  const emu::Program& program = *executed.program;
  const emu::Modelled& modelled = *executed.modelled;
  out.kernel = program.kernel;
  out.architecture = to_string(program.arch);
  out.grid = modelled.grid;
  out.workgroup = modelled.workgroup;
  out.lds_bytes = modelled.workgroup_lds_bytes;
  out.vgprs = program.vgprs;
  if (const auto kernel = program.object->kernel(program.kernel)) out.sgprs = (*kernel)->sgprs;
}

void add_counts(const emu::Executed& executed, att::ModelledDispatch& out) {
  const auto& rows = executed.counts.by_instruction;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const isa::Class kind = executed.program->ops[i].kind;
    if (kind != isa::Class::valu && kind != isa::Class::transcendental &&
        kind != isa::Class::matrix)
      continue;
    out.vector_instructions += rows[i].executed;
    out.active_lanes += rows[i].active_lanes;
  }
  for (emu::UnitOperations& each : emu::unit_operations(executed))
    out.operations.emplace_back(std::move(each.unit), each.operations);
  out.lds_conflicts = executed.counts.lds_conflicts;
}

}  // namespace

Result<att::ModelledDispatch> modelled_dispatch(const emu::Executed& executed) {
  if (!executed.modelled)
    return fail(Errc::usage, "the launch was not modelled", "run it with --modelled");
  const emu::Modelled& modelled = *executed.modelled;
  const emu::CacheCounts& caches = modelled.caches;
  att::ModelledDispatch out;
  out.model = modelled.model;
  out.gpu = modelled.gpu;
  add_shape(executed, out);
  add_counts(executed, out);
  out.cycles = modelled.cycles;
  out.time_ns = modelled.time_ns;
  out.low_ns = modelled.low_ns();
  out.high_ns = modelled.high_ns();
  out.hbm_bytes = caches.hbm_bytes;
  out.l2_bytes = caches.l2_bytes;
  out.vl1d_bytes = (caches.l1_lookups + caches.l2_writes + caches.l2_atomics) * emu::kLineBytes;
  out.lds_moved_bytes = modelled.lds_moved_bytes;
  out.vector_busy_cycles = modelled.vector_busy_cycles;
  out.matrix_busy_cycles = modelled.matrix_busy_cycles;
  out.wave_cycles = modelled.wave_cycles;
  out.wait_cycles = modelled.vmem_wait_cycles + modelled.lds_wait_cycles;
  return out;
}

}  // namespace rpl::calibrate
