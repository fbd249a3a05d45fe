// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "engine/base/interrupt.h"
#include "engine/base/sha256.h"
#include "engine/trace/core/clocks.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/core/sort.h"
#include "engine/trace/core/trace.h"

namespace rpl {
namespace {

constexpr std::size_t kIdDigits = 6;

/// Shortest prefixes of the hashes, of at least 6 digits, that tell kernels apart.
void name_kernels(std::vector<Kernel>& kernels) {
  std::map<std::string, std::vector<std::size_t>> groups;
  std::vector<std::string> hashes;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    hashes.push_back(sha256_hex(kernels[i].mangled));
    groups[hashes[i].substr(0, kIdDigits)].push_back(i);
  }
  for (const auto& [prefix, members] : groups) {
    std::size_t digits = kIdDigits;
    const auto clash = [&] {
      std::set<std::string_view> seen;
      for (const std::size_t i : members)
        seen.insert(std::string_view(hashes[i]).substr(0, digits));
      return seen.size() < members.size() && digits < hashes[0].size();
    };
    while (clash()) ++digits;
    for (const std::size_t i : members) kernels[i].id = "k" + hashes[i].substr(0, digits);
  }
}

std::uint32_t moved(const std::vector<std::uint32_t>& map, std::uint32_t index) {
  return index == kNone ? kNone : map.at(index);
}

void append(CompactColumn& into, const CompactColumn& column) {
  const std::size_t before = into.size();
  into.resize(before + column.size());
  std::copy(column.raw().begin(), column.raw().end(),
            into.raw().begin() + static_cast<std::ptrdiff_t>(before));
  for (const auto& [row, value] : column.escaped()) into.escaped()[before + row] = value;
}

void append(ColumnVector<std::uint32_t>& into, const ColumnVector<std::uint32_t>& column,
            const std::vector<std::uint32_t>& map) {
  const std::size_t before = into.size();
  into.resize(before + column.size());
  for (std::size_t i = 0; i < column.size(); ++i) into[before + i] = map[column[i]];
}

/// Puts files together into one set of entities and columns.
class Merger {
 public:
  void add(RawTrace& raw) {
    const auto file = static_cast<std::uint32_t>(entities_.files.size());
    entities_.files.push_back(raw.file);
    const std::vector<std::uint32_t> lanes = add_lanes(raw, add_owned(raw, file));
    const std::vector<std::uint32_t> launches = add_launches(raw);
    add_presence(raw.presence);
    if (columns_.start_ns.empty()) {
      columns_ = std::move(raw.columns);
      return;
    }
    columns_.start_ns.insert(columns_.start_ns.end(), raw.columns.start_ns.begin(),
                             raw.columns.start_ns.end());
    append(columns_.duration_ns, raw.columns.duration_ns);
    append(columns_.launch, raw.columns.launch, launches);
    append(columns_.lane, raw.columns.lane, lanes);
    append(columns_.dispatch_id, raw.columns.dispatch_id);
    append(columns_.event_id, raw.columns.event_id);
    raw.columns = {};
  }

  TraceEntities& entities() { return entities_; }
  TraceColumns& columns() { return columns_; }

 private:
  struct Moves {
    std::vector<std::uint32_t> processes, agents, queues, streams;
  };

  template <class Entity>
  static std::vector<std::uint32_t> add_all(const std::vector<Entity>& from,
                                            std::vector<Entity>& to,
                                            const std::vector<std::uint32_t>& processes) {
    std::vector<std::uint32_t> map;
    for (Entity entity : from) {
      entity.process = processes.at(entity.process);
      map.push_back(static_cast<std::uint32_t>(to.size()));
      to.push_back(std::move(entity));
    }
    return map;
  }

  Moves add_owned(const RawTrace& raw, std::uint32_t file) {
    Moves moves;
    for (Process process : raw.processes()) {
      process.file = file;
      if (process.start_ns != 0) process.start_ns += raw.file.clock_shift_ns;
      if (process.end_ns != 0) process.end_ns += raw.file.clock_shift_ns;
      moves.processes.push_back(static_cast<std::uint32_t>(entities_.processes.size()));
      entities_.processes.push_back(std::move(process));
    }
    moves.agents = add_all(raw.agents(), entities_.agents, moves.processes);
    moves.queues = add_all(raw.queues(), entities_.queues, moves.processes);
    moves.streams = add_all(raw.streams(), entities_.streams, moves.processes);
    return moves;
  }

  std::vector<std::uint32_t> add_lanes(const RawTrace& raw, const Moves& moves) {
    std::vector<std::uint32_t> map;
    for (Lane lane : raw.lanes()) {
      lane.process = moved(moves.processes, lane.process);
      lane.agent = moved(moves.agents, lane.agent);
      lane.queue = moved(moves.queues, lane.queue);
      lane.stream = moved(moves.streams, lane.stream);
      map.push_back(static_cast<std::uint32_t>(entities_.lanes.size()));
      entities_.lanes.push_back(lane);
    }
    return map;
  }

  std::vector<std::uint32_t> add_launches(const RawTrace& raw) {
    std::vector<std::uint32_t> kernels;
    for (const Kernel& kernel : raw.kernels()) kernels.push_back(shared_.kernel(kernel));
    std::vector<std::uint32_t> map;
    for (Launch launch : raw.launches()) {
      launch.kernel = moved(kernels, launch.kernel);
      map.push_back(shared_.launch(launch));
    }
    entities_.kernels = shared_.kernels();
    entities_.launches = shared_.launches();
    return map;
  }

  void add_presence(const Presence& more) {
    Presence& all = entities_.presence;
    all.copies |= more.copies;
    all.api |= more.api;
    all.api_args |= more.api_args;
    all.markers |= more.markers;
    all.counters |= more.counters;
    all.events |= more.events;
    all.modelled |= more.modelled;
    all.joined_counters |= more.joined_counters;
  }

  TraceEntities entities_;
  TraceColumns columns_;
  RawTrace shared_;  ///< interns kernels and launches across files
};

/// What tells one process's recording from another's.
struct Identity {
  std::string file;  ///< however it was named
  std::set<std::string> guids;
  std::size_t dispatches = 0;
  std::int64_t first_ns = 0, last_ns = 0;

  [[nodiscard]] bool is_copy_of(const Identity& other) const {
    if (!file.empty() && file == other.file) return true;
    return !guids.empty() && guids == other.guids && dispatches == other.dispatches &&
           first_ns == other.first_ns && last_ns == other.last_ns;
  }
};

Identity identity_of(const RawTrace& raw) {
  Identity identity;
  std::error_code error;
  const auto file = std::filesystem::canonical(raw.file.path, error);
  if (!error) identity.file = file.string();
  for (const Process& process : raw.processes()) {
    if (!process.guid.empty()) identity.guids.insert(process.guid);
  }
  identity.dispatches = raw.columns.start_ns.size();
  if (identity.dispatches != 0) {
    identity.first_ns = raw.columns.start_ns.front();
    identity.last_ns = raw.columns.start_ns.back();
  }
  return identity;
}

std::string copy_note(const RawTrace& copy, const RawTrace& first, const Identity& identity) {
  if (identity.guids.empty()) {
    return fmt::format("{} is the same file as {} and was left out", copy.file.path,
                       first.file.path);
  }
  return fmt::format("{} holds the same recording as {} (guid {}) and was left out", copy.file.path,
                     first.file.path, *identity.guids.begin());
}

/// Leaves out files that are copies of an earlier one, and notes guids that occur twice.
void drop_copies(std::vector<RawTrace>& files, std::vector<std::string>& notes) {
  std::vector<Identity> kept;
  std::vector<RawTrace> rest;
  for (RawTrace& raw : files) {
    const Identity identity = identity_of(raw);
    std::size_t twin = 0;
    while (twin < kept.size() && !identity.is_copy_of(kept[twin])) ++twin;
    if (twin < kept.size()) {
      notes.push_back(copy_note(raw, rest[twin], identity));
      continue;
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (const std::string& guid : identity.guids) {
        if (!kept[i].guids.contains(guid)) continue;
        notes.push_back(fmt::format("guid {} occurs in {} and in {}; both were kept", guid,
                                    rest[i].file.path, raw.file.path));
      }
    }
    kept.push_back(identity);
    rest.push_back(std::move(raw));
  }
  files = std::move(rest);
}

/// Of files of PyTorch's profiler: they count from 1970, by the clock of their host.
void note_wall_clocks(std::size_t files, const std::set<std::string>& hosts,
                      std::vector<std::string>& notes) {
  if (files < 2 || (hosts.size() == 1 && !hosts.begin()->empty())) return;
  const std::string from = hosts.size() > 1 ? fmt::format("{} hosts", hosts.size())
                                            : std::string("hosts that they do not name");
  notes.push_back(fmt::format(
      "{} traces of PyTorch's profiler come from {}: their times are those of each host's "
      "clock since 1970 (baseTimeNanoseconds and ts), taken as set alike; how far the "
      "clocks are apart was not recorded",
      files, from));
}

/// `aligned`: times of all named hosts can be compared; `why`: what was said about that.
void note_hosts(TraceEntities& entities, bool aligned, const std::vector<std::string>& why) {
  std::set<std::string> wall;
  std::size_t wall_files = 0;
  for (const TraceFile& file : entities.files)
    wall_files += file.format == TraceFormat::kineto ? 1 : 0;
  for (const Process& process : entities.processes) {
    if (entities.files[process.file].format == TraceFormat::kineto) wall.insert(process.hostname);
  }
  // Clocks that are set by one time are not as far apart as those that count from each host's boot.
  if (aligned || wall_files < entities.files.size())
    entities.notes.insert(entities.notes.end(), why.begin(), why.end());
  if (!aligned || wall.contains("")) note_wall_clocks(wall_files, wall, entities.notes);
  if (wall_files > 0 && wall_files < entities.files.size()) {
    entities.notes.emplace_back(
        "traces of PyTorch's profiler count from 1970 and the other recordings from the host's "
        "boot: "
        "times of the two cannot be compared");
  }
}

void note_times(const TraceColumns& columns, std::vector<std::string>& notes) {
  std::size_t backwards = 0;
  for (const auto& [row, duration] : columns.duration_ns.escaped())
    backwards += duration < 0 ? 1 : 0;
  if (backwards != 0) {
    notes.push_back(fmt::format("{} dispatches end before they start; their durations are negative",
                                backwards));
  }
  const auto& starts = columns.start_ns;
  const auto timeless = std::upper_bound(starts.begin(), starts.end(), 0) - starts.begin();
  if (timeless != 0) {
    notes.push_back(
        fmt::format("{} dispatches start at time 0 or before; the span includes them", timeless));
  }
}

}  // namespace

Result<std::shared_ptr<const Trace>> finish_trace(std::vector<RawTrace> files,
                                                  const Monitor& monitor) {
  Merger merger;
  TraceEntities& entities = merger.entities();
  drop_copies(files, entities.notes);
  std::vector<std::unique_ptr<FileTables>> tables;
  for (std::size_t i = 0; i < files.size(); ++i) {
    TRY(interrupt::check());
    monitor.report("sorting dispatches", i, files.size());
    // Sorted one by one first: merging sorted files is linear.
    TRY(sort_by_start(files[i].columns));
  }
  std::vector<std::string> clocks;
  const bool aligned = align_clocks(files, clocks);
  for (RawTrace& raw : files) {
    for (std::string& note : raw.notes) {
      entities.notes.push_back(files.size() == 1 ? std::move(note) : raw.file.path + ": " + note);
    }
    tables.push_back(std::move(raw.tables));
    merger.add(raw);
  }
  if (files.size() > 1) TRY(sort_by_start(merger.columns()));
  name_kernels(entities.kernels);
  note_times(merger.columns(), entities.notes);
  note_hosts(entities, aligned, clocks);
  if (monitor.note) {
    for (const std::string& note : entities.notes) monitor.note(note);
  }
  auto secondary = std::make_unique<SecondarySource>(std::move(tables));
  return std::make_shared<const Trace>(std::move(merger.columns()), std::move(entities),
                                       std::move(secondary));
}

}  // namespace rpl
