// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_scope.h"

#include <algorithm>

#include "engine/trace/import/rocpd/table_layout.h"

namespace rpl {
namespace {

std::string_view text_of(const std::unordered_map<std::int64_t, std::string>& table,
                         std::int64_t id) {
  const auto found = table.find(id);
  return found == table.end() ? std::string_view{} : std::string_view(found->second);
}

}  // namespace

RocpdOwnerIds RocpdOwnerIds::of(const Statement& row, int first_column) {
  RocpdOwnerIds out;
  for (int i = 0; i < kColumns; ++i) {
    out.ids[static_cast<std::size_t>(i)] = row.int64(first_column + i);
    if (row.is_null(first_column + i)) out.nulls |= 1U << i;
  }
  return out;
}

std::uint32_t OwnerIndex::find(const RocpdOwnerIds& ids) {
  TupleTable<RocpdOwnerIds::kColumns + 1>::Key key{};
  for (std::size_t i = 0; i < ids.ids.size(); ++i) key[i] = static_cast<std::uint64_t>(ids.ids[i]);
  key.back() = ids.nulls;
  const std::uint32_t* known = index_.find(key);
  last_ = known != nullptr ? *known : static_cast<std::uint32_t>(owners_.size());
  if (known == nullptr) {
    index_.insert(key, last_);
    owners_.push_back(scope_->owner(ids));
  }
  last_ids_ = ids;
  return last_;
}

Status RocpdStrings::prepare() {
  prepared_ = true;
  constexpr std::array<WantedColumn, 2> kColumns{{{"id"}, {"string", ColumnKind::text}}};
  const std::string table = source_.table("rocpd_string");
  const TableLayout layout = TRY(table_layout(database_, table, kColumns));
  const bool keyed = layout.rowid_column == 0;
  all_ = !keyed;
  one_ = TRY(select_columns(database_, table, {"id", "string"}, keyed ? "WHERE id = ?" : ""));
  return {};
}

Status RocpdStrings::load(std::int64_t id) {
  if (!prepared_) {
    TRY(prepare());
    if (all_) {
      while (TRY(one_.step())) known_.emplace(one_.int64(0), one_.text(1));
    }
  }
  if (all_) return {};
  if (known_.size() == kFew) {
    all_ = true;
    Statement rows =
        TRY(select_columns(database_, source_.table("rocpd_string"), {"id", "string"}));
    while (TRY(rows.step())) known_.emplace(rows.int64(0), rows.text(1));
    return {};
  }
  TRY(one_.bind(id));
  std::string text;
  if (TRY(one_.step())) text = one_.text(1);
  known_.emplace(id, std::move(text));
  return one_.reset();
}

std::string_view RocpdStrings::find(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  auto known = known_.find(id);
  if (known == known_.end() && status_) {
    status_ = load(id);
    known = known_.find(id);
  }
  return known == known_.end() ? std::string_view() : std::string_view(known->second);
}

Status RocpdStrings::status() {
  const std::lock_guard lock(mutex_);
  if (status_) return {};
  return Failure(status_.error());
}

RocpdScope::RocpdScope(ForeignDatabase& database, const RocpdSource& source, const Trace& trace,
                       std::uint32_t file, std::mutex& connection)
    : database_(database),
      source_(source),
      lookup_(trace.entities(), file),
      strings_(std::make_unique<RocpdStrings>(database, source, connection)) {
  const auto& processes = trace.entities().processes;
  for (std::uint32_t i = 0; i < processes.size(); ++i) {
    if (processes[i].file == file && processes[i].guid == source.guid) all_processes_.push_back(i);
  }
}

Status RocpdScope::load() {
  TRY(load_processes());
  TRY(load_categories());
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

Status RocpdScope::load_categories() {
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
    if (!rows.is_null(3)) owner.agent = agent(owner.process, rows.int64(3));
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

RocpdOwner RocpdScope::owner(const RocpdOwnerIds& row) const {
  enum : unsigned { kPid, kTid, kTrack, kAgent, kQueue, kStream };
  const auto there = [&](unsigned column) { return (row.nulls >> column & 1U) == 0; };
  RocpdOwner owner;
  if (there(kTrack)) {
    const auto found = tracks_.find(row.ids[kTrack]);
    if (found != tracks_.end()) owner = found->second;
  }
  if (there(kPid)) owner.process = process_of(row.ids[kPid]);
  if (owner.process == kNone && all_processes_.size() == 1) owner.process = all_processes_[0];
  if (there(kTid)) owner.thread = thread_of(row.ids[kTid]);
  if (there(kAgent)) owner.agent = agent(owner.process, row.ids[kAgent]);
  if (there(kQueue))
    owner.queue = lookup_.queue(owner.process, static_cast<std::uint64_t>(row.ids[kQueue]));
  if (there(kStream))
    owner.stream = stream(owner.process, static_cast<std::uint64_t>(row.ids[kStream]));
  return owner;
}

std::uint32_t RocpdScope::queue(std::uint32_t process, const Statement& row, int column) const {
  if (row.is_null(column)) return kNone;
  return lookup_.queue(process, static_cast<std::uint64_t>(row.int64(column)));
}

std::string_view RocpdScope::category(std::int64_t id) const {
  const std::string_view own = text_of(categories_, id);
  return own.empty() ? string(id) : own;
}

}  // namespace rpl
