// SPDX-License-Identifier: MIT
#include "engine/trace/core/entity_lookup.h"

#include <array>
#include <utility>

namespace rpl {
namespace {

template <class Map, class Key>
std::uint32_t find_in(const Map& map, const Key& key) {
  const auto found = map.find(key);
  return found == map.end() ? kNone : found->second;
}

}  // namespace

EntityLookup::EntityLookup(const TraceEntities& entities, std::uint32_t file) {
  const auto ours = [&](std::uint32_t process) {
    return process < entities.processes.size() && entities.processes[process].file == file;
  };
  for (std::uint32_t i = 0; i < entities.processes.size(); ++i) {
    const Process& process = entities.processes[i];
    if (process.file == file) processes_.emplace(std::pair(process.guid, process.pid), i);
  }
  for (std::uint32_t i = 0; i < entities.agents.size(); ++i) {
    const Agent& agent = entities.agents[i];
    if (!ours(agent.process)) continue;
    agents_.emplace(Key(agent.process, static_cast<std::uint64_t>(agent.recorded_id)), i);
  }
  for (std::uint32_t i = 0; i < entities.queues.size(); ++i) {
    const Queue& queue = entities.queues[i];
    if (ours(queue.process)) queues_.emplace(Key(queue.process, queue.handle), i);
  }
  for (std::uint32_t i = 0; i < entities.streams.size(); ++i) {
    const Stream& stream = entities.streams[i];
    if (ours(stream.process)) streams_.emplace(Key(stream.process, stream.handle), i);
  }
}

std::uint32_t EntityLookup::process(std::string_view guid, std::int64_t pid) const {
  return find_in(processes_, std::pair(std::string(guid), pid));
}

std::uint32_t EntityLookup::only_process() const {
  return processes_.size() == 1 ? processes_.begin()->second : kNone;
}

std::uint32_t EntityLookup::agent(std::uint32_t process, std::int64_t recorded_id) const {
  return find_in(agents_, Key(process, static_cast<std::uint64_t>(recorded_id)));
}

std::uint32_t EntityLookup::queue(std::uint32_t process, std::uint64_t handle) const {
  return find_in(queues_, Key(process, handle));
}

std::uint32_t EntityLookup::stream(std::uint32_t process, std::uint64_t handle) const {
  return find_in(streams_, Key(process, handle));
}

namespace {

constexpr std::array<std::pair<std::string_view, SyncKind>, 7> kFunctions{{
    {"hipEventRecord", SyncKind::event_record},
    {"hipEventRecordWithFlags", SyncKind::event_record},
    {"hipStreamWaitEvent", SyncKind::event_wait},
    {"hipEventSynchronize", SyncKind::event_synchronize},
    {"hipStreamSynchronize", SyncKind::stream_synchronize},
    {"hipDeviceSynchronize", SyncKind::device_synchronize},
    {"hipCtxSynchronize", SyncKind::device_synchronize},
}};

constexpr std::string_view kPerThread = "_spt";

}  // namespace

std::optional<SyncKind> sync_kind(std::string_view function) {
  if (!function.starts_with("hip")) return std::nullopt;
  if (function.ends_with(kPerThread)) function.remove_suffix(kPerThread.size());
  for (const auto& [name, kind] : kFunctions) {
    if (function == name) return kind;
  }
  const bool copy = function.starts_with("hipMemcpy") || function.starts_with("hipDrvMemcpy");
  if (copy && function.find("Async") == std::string_view::npos) return SyncKind::blocking_copy;
  return std::nullopt;
}

bool launches_work_items(std::string_view function) {
  return function.starts_with("hipExtModuleLaunch") || function.starts_with("hipHccModuleLaunch");
}

}  // namespace rpl
