// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_scope.h"

#include <algorithm>
#include <limits>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

/// Event ids this far above the number of events are kept in a map: a damaged id must not ask for gigabytes.
constexpr std::uint64_t kHoleAllowance = std::uint64_t{1} << 20;

std::string_view text_of(const std::unordered_map<std::int64_t, std::string>& table,
                         std::int64_t id) {
  const auto found = table.find(id);
  return found == table.end() ? std::string_view{} : std::string_view(found->second);
}

}  // namespace

RocpdScope::RocpdScope(ForeignDatabase& database, const RocpdSource& source, const Trace& trace,
                       std::uint32_t file)
    : database_(database), source_(source), lookup_(trace.entities(), file) {
  const auto& processes = trace.entities().processes;
  for (std::uint32_t i = 0; i < processes.size(); ++i) {
    if (processes[i].file == file && processes[i].guid == source.guid) all_processes_.push_back(i);
  }
}

Status RocpdScope::load() {
  TRY(load_processes());
  TRY(load_strings());
  return load_tracks();
}

Status RocpdScope::load_processes() {
  Statement rows =
      TRY(select_columns(database_, source_.table("rocpd_info_process"), {"id", "guid", "pid"}));
  while (TRY(rows.step())) {
    const std::int64_t pid = rows.is_null(2) ? rows.int64(0) : rows.int64(2);
    const std::string guid = rows.is_null(1) ? source_.guid : std::string(rows.text(1));
    const std::uint32_t found = lookup_.process(guid, pid);
    if (found == kNone) continue;
    processes_[rows.is_null(0) ? pid : rows.int64(0)] = found;
    const auto known = std::find(all_processes_.begin(), all_processes_.end(), found);
    if (known == all_processes_.end()) all_processes_.push_back(found);
  }
  Statement threads =
      TRY(select_columns(database_, source_.table("rocpd_info_thread"), {"id", "tid"}));
  while (TRY(threads.step())) {
    threads_[threads.int64(0)] = threads.is_null(1) ? threads.int64(0) : threads.int64(1);
  }
  return {};
}

Status RocpdScope::load_strings() {
  Statement rows = TRY(select_columns(database_, source_.table("rocpd_string"), {"id", "string"}));
  while (TRY(rows.step())) strings_.emplace(rows.int64(0), rows.text(1));
  Statement categories = TRY(
      select_columns(database_, source_.table("rocpd_info_category"), {"id", "name", "category"}));
  while (TRY(categories.step())) {
    categories_.emplace(categories.int64(0), categories.text(categories.is_null(1) ? 2 : 1));
  }
  return {};
}

Status RocpdScope::load_tracks() {
  Statement rows = TRY(select_columns(database_, source_.table("rocpd_track"),
                                      {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"}));
  while (TRY(rows.step())) {
    RocpdOwner owner;
    if (!rows.is_null(1)) owner.process = process_of(rows.int64(1));
    if (!rows.is_null(2)) owner.thread = thread_of(rows.int64(2));
    owner.agent = agent(owner.process, rows, 3);
    owner.queue = queue(owner.process, rows, 4);
    if (!rows.is_null(5)) {
      owner.stream = stream(owner.process, static_cast<std::uint64_t>(rows.int64(5)));
    }
    tracks_.emplace(rows.int64(0), owner);
  }
  return {};
}

std::uint32_t RocpdScope::process_of(std::int64_t id) const {
  const auto found = processes_.find(id);
  if (found != processes_.end()) return found->second;
  // Dispatches may mention a process that has no row of its own.
  return lookup_.process(source_.guid, id);
}

std::int64_t RocpdScope::thread_of(std::int64_t id) const {
  const auto found = threads_.find(id);
  return found == threads_.end() ? id : found->second;
}

RocpdOwner RocpdScope::owner(const Statement& row, int first_column) const {
  RocpdOwner owner;
  const int pid = first_column, tid = pid + 1, track = pid + 2, stream_id = pid + 5;
  if (!row.is_null(track)) {
    const auto found = tracks_.find(row.int64(track));
    if (found != tracks_.end()) owner = found->second;
  }
  if (!row.is_null(pid)) owner.process = process_of(row.int64(pid));
  if (owner.process == kNone && all_processes_.size() == 1) owner.process = all_processes_[0];
  if (!row.is_null(tid)) owner.thread = thread_of(row.int64(tid));
  if (!row.is_null(pid + 3)) owner.agent = agent(owner.process, row, pid + 3);
  if (!row.is_null(pid + 4)) owner.queue = queue(owner.process, row, pid + 4);
  if (!row.is_null(stream_id)) {
    owner.stream = stream(owner.process, static_cast<std::uint64_t>(row.int64(stream_id)));
  }
  return owner;
}

std::uint32_t RocpdScope::agent(std::uint32_t process, const Statement& row, int column) const {
  return row.is_null(column) ? kNone : lookup_.agent(process, row.int64(column));
}

std::uint32_t RocpdScope::queue(std::uint32_t process, const Statement& row, int column) const {
  if (row.is_null(column)) return kNone;
  return lookup_.queue(process, static_cast<std::uint64_t>(row.int64(column)));
}

std::string_view RocpdScope::string(std::int64_t id) const { return text_of(strings_, id); }

std::string_view RocpdScope::category(std::int64_t id) const {
  const std::string_view own = text_of(categories_, id);
  return own.empty() ? string(id) : own;
}

Status RocpdEvents::load(const RocpdScope& scope) {
  Statement rows = TRY(select_columns(scope.database(), scope.source().table("rocpd_event"),
                                      {"id", "stack_id", "category_id"}));
  std::unordered_map<std::int64_t, std::uint32_t> category_index;
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const std::int64_t id = rows.int64(0);
    const auto [category, added] =
        category_index.try_emplace(rows.int64(2), static_cast<std::uint32_t>(names_.size()));
    if (added) names_.emplace_back(scope.category(rows.int64(2)));
    const Event event{static_cast<std::uint64_t>(rows.int64(1)), category->second};
    const auto slot = static_cast<std::uint64_t>(id);
    const bool fits = slot < 2 * count + kHoleAllowance &&
                      event.category <= std::numeric_limits<std::uint8_t>::max();
    if (!fits) {
      sparse_.insert_or_assign(id, event);
      continue;
    }
    if (stacks_.size() <= slot) {
      stacks_.resize(slot + 1);
      categories_.resize(slot + 1);
    }
    stacks_[slot] = event.stack;
    categories_[slot] = static_cast<std::uint8_t>(event.category);
  }
  return {};
}

RocpdEvents::Event RocpdEvents::find(std::int64_t event) const {
  const auto slot = static_cast<std::uint64_t>(event);
  if (slot < stacks_.size() && (stacks_[slot] != 0 || categories_[slot] != 0)) {
    return {stacks_[slot], categories_[slot]};
  }
  if (sparse_.empty()) return {};
  const auto found = sparse_.find(event);
  return found == sparse_.end() ? Event{} : found->second;
}

}  // namespace rpl
