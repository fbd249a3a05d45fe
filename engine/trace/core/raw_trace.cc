// SPDX-License-Identifier: MIT
#include <cstring>

#include "engine/trace/core/reader.h"

namespace rpl {
namespace {

template <class... Parts>
std::string key_of(const Parts&... parts) {
  std::string key((sizeof(parts) + ...), '\0');
  std::size_t at = 0;
  ((std::memcpy(key.data() + at, &parts, sizeof(parts)), at += sizeof(parts)), ...);
  return key;
}

template <class Entity, class Index>
std::pair<std::uint32_t, bool> place(std::vector<Entity>& table, Index& index, std::string key,
                                     const Entity& entity) {
  const auto next = static_cast<std::uint32_t>(table.size());
  const auto [found, added] = index.try_emplace(std::move(key), next);
  if (added) table.push_back(entity);
  return {found->second, added};
}

template <class T>
void fill(T& held, const T& more) {
  if (held == T{}) held = more;
}

}  // namespace

std::uint32_t RawTrace::process(Process process) {
  const auto [at, added] =
      place(processes_, process_index_, key_of(process.pid) + process.guid, process);
  if (added) return at;
  Process& held = processes_[at];
  fill(held.hostname, process.hostname);
  fill(held.command, process.command);
  fill(held.start_ns, process.start_ns);
  fill(held.end_ns, process.end_ns);
  if (held.rank < 0) held.rank = process.rank;
  fill(held.world_size, process.world_size);
  return at;
}

std::uint32_t RawTrace::agent(Agent agent) {
  const auto [at, added] =
      place(agents_, agent_index_, key_of(agent.process, agent.recorded_id), agent);
  const bool tells = !agent.arch.empty() || !agent.product.empty() || !agent.details.empty();
  if (!added && tells && agents_[at].arch.empty()) agents_[at] = std::move(agent);
  return at;
}

std::uint32_t RawTrace::queue(Queue queue) {
  const auto [at, added] = place(queues_, queue_index_, key_of(queue.process, queue.handle), queue);
  if (!added) fill(queues_[at].name, queue.name);
  return at;
}

std::uint32_t RawTrace::stream(Stream stream) {
  const auto [at, added] =
      place(streams_, stream_index_, key_of(stream.process, stream.handle), stream);
  if (!added) fill(streams_[at].name, stream.name);
  return at;
}

std::uint32_t RawTrace::kernel(Kernel kernel) {
  if (kernel.mangled.empty()) kernel.mangled = kernel.name;
  if (kernel.mangled.ends_with(".kd")) kernel.mangled.resize(kernel.mangled.size() - 3);
  if (kernel.name.empty()) kernel.name = kernel.mangled;
  return place(kernels_, kernel_index_, kernel.mangled, kernel).first;
}

std::uint32_t RawTrace::launch(const Launch& launch) {
  std::string key =
      key_of(launch.kernel, launch.grid, launch.workgroup, launch.lds_bytes, launch.scratch_bytes);
  return place(launches_, launch_index_, std::move(key), launch).first;
}

std::uint32_t RawTrace::lane(const Lane& lane) {
  std::string key = key_of(lane.process, lane.agent, lane.queue, lane.stream, lane.thread);
  return place(lanes_, lane_index_, std::move(key), lane).first;
}

void RawTrace::reserve(std::size_t dispatches) { columns.reserve(dispatches); }

void RawTrace::add(const RawDispatch& dispatch) {
  columns.start_ns.push_back(dispatch.start_ns);
  columns.duration_ns.push_back(static_cast<std::int64_t>(
      static_cast<std::uint64_t>(dispatch.end_ns) - static_cast<std::uint64_t>(dispatch.start_ns)));
  columns.launch.push_back(dispatch.launch);
  columns.lane.push_back(dispatch.lane);
  columns.dispatch_id.push_back(dispatch.dispatch_id);
  columns.event_id.push_back(dispatch.event_id);
}

}  // namespace rpl
