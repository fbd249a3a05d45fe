// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>

#include "engine/trace/core/name_index.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

class CopySink {
 public:
  enum : int { kStart, kEnd, kName, kBytes, kEvent, kSource, kTarget, kFrom, kTo, kOwner };
  static constexpr auto kWanted = with_owner<9>({{{"start"},
                                                  {"end"},
                                                  {"name_id"},
                                                  {"size"},
                                                  {"event_id"},
                                                  {"src_agent_id"},
                                                  {"dst_agent_id"},
                                                  {"src_address"},
                                                  {"dst_address"}}});

  CopySink(const RocpdPart& part, CopyTable& out)
      : part_(&part), out_(&out), names_(out.names), owners_(part.scope) {}

  void row(const TableRow& row) {
    const RocpdOwner& owner = owners_[owners_(row, kOwner)];
    if (owner.process == kNone) {
      ++lost;
      return;
    }
    const auto agent = [&](int column) {
      return row.is_null(column) ? kNone : part_->scope.agent(owner.process, row.integer(column));
    };
    Copy copy;
    copy.start_ns = row.integer(kStart);
    copy.end_ns = row.integer(kEnd);
    copy.process = owner.process;
    copy.stream = owner.stream;
    copy.queue = owner.queue;
    copy.thread = owner.thread;
    copy.name = name_of(row.integer(kName));
    copy.bytes =
        row.is_null(kBytes) ? kUnknownBytes : static_cast<std::uint64_t>(row.integer(kBytes));
    copy.correlation = part_->events.correlation(row.integer(kEvent));
    copy.src_agent = agent(kSource);
    copy.dst_agent = agent(kTarget);
    copy.from_address = static_cast<std::uint64_t>(row.integer(kFrom));
    copy.to_address = static_cast<std::uint64_t>(row.integer(kTo));
    out_->rows.push_back(copy);
  }

  std::size_t lost = 0;

 private:
  std::uint32_t name_of(std::int64_t id) {
    const auto [known, fresh] = ids_.try_emplace(id, 0);
    if (fresh) known->second = names_(part_->scope.string(id));
    return known->second;
  }

  const RocpdPart* part_;
  CopyTable* out_;
  NameIndex names_;
  std::unordered_map<std::int64_t, std::uint32_t> ids_;
  OwnerIndex owners_;
};

}  // namespace

Result<std::vector<RocpdLaunched>> read_rocpd_copies(const RocpdPart& part, CopyTable& out) {
  const PreparedTable table =
      TRY(part.reader.prepare("rocpd_memory_copy", part.scope.source().suffix, CopySink::kWanted));
  CopyTable found;
  if (!out.rows.keeps_amounts()) found.rows.leave_out_amounts();
  const CopyTable empty = found;
  found.names = out.names;
  // One part, whose rows go where they stay; an attempt that failed left some.
  const auto sinks = TRY(part.reader.read(
      table,
      [&] {
        found.rows = empty.rows;
        return CopySink(part, found);
      },
      1));
  std::vector<RocpdLaunched> launched;
  launched.reserve(found.rows.size());
  for (std::size_t row = 0; row < found.rows.size(); ++row)
    launched.push_back({found.rows.correlation(row), found.rows.shape(row).stream});
  out.names = std::move(found.names);
  out.rows.append(std::move(found.rows));
  if (sinks[0].lost > 0)
    out.notes.push_back(fmt::format("{} copies name no known process", sinks[0].lost));
  return launched;
}

}  // namespace rpl
