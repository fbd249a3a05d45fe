// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/att/read/pc_samples.h"
#include "engine/att/read/thread_trace.h"
#include "engine/att/read/wave_facts.h"
#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/policy.h"

namespace rpl::att {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// agent and dispatch of "ui_output_agent_A_dispatch_D".
void read_name(const std::string& name, ThreadTrace& trace) {
  unsigned long long agent = 0, dispatch = 0;
  const std::size_t at = name.find("ui_output_agent_");
  if (at == std::string::npos || name.size() > 200) return;
  if (std::sscanf(name.c_str() + at, "ui_output_agent_%18llu_dispatch_%18llu", &agent, &dispatch) ==
      2) {
    trace.agent = agent;
    trace.dispatch = dispatch;
  }
}

class FolderReader {
 public:
  explicit FolderReader(const std::string& path) : folder_(path) {}

  Result<TracePtr> read() {
    trace_->path = trace_->folder = folder_.string();
    read_name(folder_.filename().empty() ? folder_.parent_path().filename().string()
                                         : folder_.filename().string(),
              *trace_);
    const Status listing = read_listing();
    const bool waves = read_wave_list();
    if (!listing && !waves) return Failure(listing.error());
    if (!listing) note(listing.error());
    read_rest();
    if (!trace_->code.samples.empty() && !trace_->code.timed) trace_->kind = Kind::samples;
    trace_->device = read_device(folder_.string());
    trace_->notes.insert(trace_->notes.end(), notes_.notes.begin(), notes_.notes.end());
    return trace_;
  }

 private:
  void note(const Error& error) { trace_->notes.push_back(error.message); }
  [[nodiscard]] std::string in(const char* name) const { return (folder_ / name).string(); }

  /// code.json, or the CSV file beside the folder when that cannot be read.
  Status read_listing() {
    auto table =
        is_file(folder_ / "code.json")
            ? read_code_file(in("code.json"), notes_)
            : Result<CodeTable>(fail(Errc::not_found, in("code.json") + ": not there",
                                     "give the folder that rocprofv3 --att wrote, ui_output_…"));
    if (table) {
      trace_->code = std::move(*table);
      return {};
    }
    const fs::path whole = folder_.filename().empty() ? folder_.parent_path() : folder_;
    const fs::path csv = whole.parent_path() / ("stats_" + whole.filename().string() + ".csv");
    if (!is_file(csv)) return std::move(table).failure();
    trace_->code = TRY(read_stats_csv(csv.string(), notes_));
    note(table.error());
    trace_->notes.push_back(fmt::format("hits and cycles are from {}", csv.string()));
    rows_by_csv_ = true;
    return {};
  }

  bool read_wave_list() {
    const bool listed = is_file(folder_ / "filenames.json");
    auto manifest =
        listed ? read_manifest(in("filenames.json"), notes_)
               : Result<Manifest>(fail(Errc::not_found, in("filenames.json") + ": not there",
                                       "give the folder that rocprofv3 --att wrote, ui_output_…"));
    if (manifest) {
      trace_->manifest = std::move(*manifest);
    } else {
      note(manifest.error());
      trace_->manifest.waves = waves_by_name(names());
      if (!trace_->manifest.waves.empty())
        trace_->notes.emplace_back("waves were found by the names of their files");
    }
    // The CSV numbers its rows by address, wave files by line number.
    if (rows_by_csv_ && !trace_->manifest.waves.empty()) join_waves();
    return manifest.has_value() || !trace_->manifest.waves.empty();
  }

  void join_waves() {
    const std::string why = join_waves_to_csv(*trace_);
    if (why.empty()) {
      trace_->notes.emplace_back(
          "wave files were joined to it by equal sums of executions and cycles in every row");
      return;
    }
    trace_->notes.push_back(
        fmt::format("wave files cannot be joined to a CSV listing and are left out: {}", why));
    trace_->manifest.waves.clear();
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> out;
    std::error_code error;
    for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
      if (out.size() < kMostWaves) out.push_back(at->path().filename().string());
    }
    return out;
  }

  void read_rest() {
    if (is_file(folder_ / "occupancy.json")) {
      auto occupancy = read_occupancy(in("occupancy.json"));
      if (occupancy) {
        trace_->occupancy = std::move(*occupancy);
      } else {
        note(occupancy.error());
      }
    } else if (trace_->manifest.thread_trace) {
      trace_->notes.push_back(in("occupancy.json") + ": not there; coverage is unknown");
    }
    if (is_file(folder_ / "realtime.json")) {
      auto clocks = read_clocks(in("realtime.json"));
      if (clocks) {
        trace_->clocks = std::move(*clocks);
      } else {
        note(clocks.error());
      }
    }
    read_states();
    read_dispatch();
    if (is_file(folder_ / "snapshots.json")) {
      auto snapshots = read_snapshots(in("snapshots.json"));
      if (snapshots) {
        trace_->snapshots = std::move(*snapshots);
      } else {
        note(snapshots.error());
      }
    }
  }

  /// Recorders write no such file: in a trace that does not say that it is modelled it means nothing.
  void read_dispatch() {
    const fs::path path = folder_ / kModelledDispatchFile;
    if (trace_->manifest.model.empty() || !is_file(path)) return;
    auto dispatch = read_modelled_dispatch(path.string());
    if (dispatch) {
      trace_->modelled = std::move(*dispatch);
    } else {
      note(dispatch.error());
    }
  }

  /// All that are there, or none: shares of some states would be wrong.
  void read_states() {
    for (std::size_t state = 0; state < kWaveStates; ++state) {
      const std::string path = in(fmt::format("wstates{}.json", state).c_str());
      if (!is_file(path)) continue;
      auto steps = read_state_steps(path, state);
      if (!steps) {
        note(steps.error());
        trace_->states.clear();
        return;
      }
      trace_->states.push_back(std::move(*steps));
    }
    const auto has = [&](std::size_t state) {
      return std::ranges::find(trace_->states, state, &StateSteps::state) != trace_->states.end();
    };
    // Every wave begins idle, executes, and waits at s_endpgm; only stalls may be absent.
    if (!has(kIdleState) || !has(kExecState) || !has(kWaitState)) trace_->states.clear();
    check_states();
  }

  /// The states of a wave cover its life, or four cycles more: a lost file shows.
  void check_states() {
    std::int64_t lives = 0, states = 0;
    for (const WaveFile& wave : trace_->manifest.waves) lives += wave.end - wave.begin;
    for (const StateSteps& steps : trace_->states)
      states += std::min(cycles_of(steps), kLatestTime);
    const auto slack = static_cast<std::int64_t>(4 * trace_->manifest.waves.size());
    if (trace_->states.empty() || (states >= lives && states <= lives + slack)) return;
    trace_->states.clear();
    trace_->notes.push_back(in("wstates*.json") +
                            ": they do not add up to the lifetimes of the waves, and are not used");
  }

  fs::path folder_;
  std::shared_ptr<ThreadTrace> trace_ = std::make_shared<ThreadTrace>();
  ReadNotes notes_;
  bool rows_by_csv_ = false;
};

Result<TracePtr> open_csv(const std::string& path) {
  auto trace = std::make_shared<ThreadTrace>();
  ReadNotes notes;
  trace->path = path;
  const std::string head = first_bytes(path, 64);
  const bool samples = head.find("Sample_Timestamp") != std::string::npos;
  trace->kind = samples ? Kind::samples : Kind::stats;
  trace->code = samples ? TRY(read_samples_csv(path, notes)) : TRY(read_stats_csv(path, notes));
  trace->device = read_device(fs::path(path).parent_path().string());
  read_name(fs::path(path).filename().string(), *trace);
  trace->notes = std::move(notes.notes);
  return trace;
}

/// `left` is how many names may still be looked at: a path like / must not take minutes.
void search(const fs::path& folder, int depth, std::size_t& left, std::vector<std::string>& out) {
  constexpr int kDeepest = 4;
  constexpr std::size_t kMost = 4096;
  if (depth > kDeepest || out.size() >= kMost || !check_input(folder.string())) return;
  std::error_code error;
  std::vector<fs::path> inner;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (left == 0) return;
    --left;
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (at->is_directory(ignored) && !at->is_symlink(ignored)) {
      inner.push_back(at->path());
    } else if (name.starts_with("stats_ui_output") && name.ends_with(".csv")) {
      const fs::path decoded = folder / name.substr(6, name.size() - 10);
      if (!is_trace_folder(decoded.string())) out.push_back(at->path().string());
    }
  }
  std::ranges::sort(inner);
  for (const fs::path& path : inner) {
    if (is_trace_folder(path.string())) {
      out.push_back(path.string());
    } else {
      search(path, depth + 1, left, out);
    }
  }
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::folder:
      return "thread trace";
    case Kind::stats:
      return "thread trace, statistics only";
    case Kind::samples:
      return "PC samples";
  }
  return "?";
}

bool is_trace_folder(const std::string& path) {
  const fs::path folder(path);
  if (is_file(folder / "filenames.json")) {
    // Other tools have such files as well; this one's names its waves or its instruction set.
    constexpr std::size_t kEnough = 4096;
    const std::string head = first_bytes((folder / "filenames.json").string(), kEnough);
    if (head.find("wave_filenames") != std::string::npos || head.find("gfxip") != std::string::npos)
      return true;
  }
  if (!is_file(folder / "code.json")) return false;
  const std::string head = first_bytes((folder / "code.json").string(), 64);
  return head.find("\"code\"") != std::string::npos ||
         head.find("\"header\"") != std::string::npos || is_file(folder / "occupancy.json");
}

bool is_trace_csv(const std::string& path) {
  if (!path.ends_with(".csv") || !is_file(path)) return false;
  std::string head = first_bytes(path, 128);
  std::ranges::transform(head, head.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::erase(head, '"');
  return head.starts_with("codeobj,vaddr,instruction") ||
         head.starts_with("sample_timestamp,exec_mask");
}

std::vector<std::string> find_traces(const std::string& path) {
  std::vector<std::string> out;
  if (is_trace_folder(path)) {
    out.push_back(path);
  } else {
    std::size_t left = 20000;
    search(path, 1, left, out);
  }
  return out;
}

Result<TracePtr> open_trace(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return FolderReader(path).read();
  if (!fs::exists(path, ignored))
    return fail(Errc::not_found, path + ": no such file or folder", "check the path");
  if (!path.ends_with(".json")) return open_csv(path);
  auto trace = std::make_shared<ThreadTrace>();
  ReadNotes notes;
  trace->path = path;
  trace->kind = Kind::samples;
  trace->code = TRY(read_samples_json(path, notes));
  trace->notes = std::move(notes.notes);
  return trace;
}

std::string ThreadTrace::kernel() const {
  std::uint64_t most = 0, here = 0;
  std::uint32_t label = CodeTable::kNone, best = CodeTable::kNone;
  for (std::uint32_t at = 0; at <= code.rows.size(); ++at) {
    if (at == code.rows.size() || code.rows[at].label) {
      if (here > most) {
        most = here;
        best = label;
      }
      label = at;
      here = 0;
      continue;
    }
    here += code.rows[at].hit;
    if (!code.samples.empty()) here += code.samples[at].count();
  }
  if (best != CodeTable::kNone) return code.function_of(best);
  const auto names = occupancy ? kernels_of(*occupancy) : std::vector<std::string>();
  return names.empty() ? std::string() : names.front();
}

std::string ThreadTrace::path_of(const WaveFile& wave) const {
  return (fs::path(folder) / wave.name).string();
}

Result<std::string> ThreadTrace::source_text(const std::string& file) const {
  const auto copy = snapshots.find(file);
  if (copy == snapshots.end()) {
    return fail(Errc::not_found, fmt::format("{}: the trace has no copy of it", file),
                "sources are copied when the kernel has debug information (-g)");
  }
  constexpr std::uintmax_t kMostSource = 32U << 20;
  const fs::path place = fs::path(folder) / copy->second;
  std::error_code error;
  const auto size = fs::file_size(place, error);
  if (!error && size > kMostSource)
    return fail(Errc::limit, place.string() + ": too large for a source file");
  return read_text_file(place.string());
}

}  // namespace rpl::att
