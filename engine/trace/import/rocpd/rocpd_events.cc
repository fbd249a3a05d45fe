// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_events.h"

#include <array>
#include <limits>
#include <utility>

namespace rpl {
namespace {

/// Ids this far above the number of events are kept in a map: a damaged id must not ask for gigabytes.
constexpr std::uint64_t kHoleAllowance = std::uint64_t{1} << 20;

constexpr std::array<WantedColumn, 3> kColumns{{{"id"}, {"stack_id"}, {"category_id"}}};

}  // namespace

/// One thread's share; categories are numbered as it first saw them.
class RocpdEvents::Sink {
 public:
  explicit Sink(std::size_t rows) {
    part.stacks.reserve(rows);
    part.categories.reserve(rows);
  }

  void row(const TableRow& row) {
    const std::int64_t id = row.integer(0);
    const auto stack = static_cast<std::uint64_t>(row.integer(1));
    const std::uint32_t category = number_of(row.integer(2));
    if (part.stacks.empty()) part.first = id;
    const std::uint64_t slot = part.slot(id), next = part.stacks.size();
    const bool fits =
        stack < CompactColumn::kEscaped && category <= std::numeric_limits<std::uint8_t>::max();
    if (!fits || slot < next || slot > 2 * ++rows_ + kHoleAllowance) {
      sparse.insert_or_assign(id, Event{stack, category});
      return;
    }
    part.stacks.resize(slot, CompactColumn::kEscaped);
    part.categories.resize(slot, 0);
    part.stacks.push_back(static_cast<std::uint32_t>(stack));
    part.categories.push_back(static_cast<std::uint8_t>(category));
  }

  Part part;
  std::unordered_map<std::int64_t, Event> sparse;
  std::vector<std::int64_t> categories;  ///< ids, number 1 first

 private:
  std::uint32_t number_of(std::int64_t category) {
    Remembered& last = remembered_[static_cast<std::uint64_t>(category) % remembered_.size()];
    if (last.number == 0 || last.category != category) {
      const auto [known, fresh] =
          numbers_.try_emplace(category, static_cast<std::uint32_t>(categories.size() + 1));
      if (fresh) categories.push_back(category);
      last = {category, known->second};
    }
    return last.number;
  }

  /// Categories of calls and dispatches come by turns.
  struct Remembered {
    std::int64_t category = 0;
    std::uint32_t number = 0;  ///< 0: none yet
  };

  std::size_t rows_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> numbers_;
  std::array<Remembered, 16> remembered_{};
};

Status RocpdEvents::load(const RocpdScope& scope, TableReader& reader) {
  const PreparedTable table = TRY(reader.prepare("rocpd_event", scope.source().suffix, kColumns));
  const std::size_t rows = reader.estimated_rows(table);
  // Ids that are no key may come twice, of which the last one counts.
  const unsigned parts = table.layout.rowid_column == 0 ? 2 : 1;
  auto sinks =
      TRY(reader.read(table, [&] { return Sink(rows / reader.parts(table, parts)); }, parts));
  std::unordered_map<std::int64_t, std::uint32_t> numbers;
  for (Sink& sink : sinks) {
    std::vector<std::uint32_t> moved{0};
    bool same = true;
    for (const std::int64_t category : sink.categories) {
      const auto [known, fresh] =
          numbers.try_emplace(category, static_cast<std::uint32_t>(names_.size()));
      if (fresh) names_.emplace_back(scope.category(category));
      same = same && known->second == moved.size();
      moved.push_back(known->second);
    }
    const bool wide = names_.size() > std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1;
    for (auto& [id, event] : sink.sparse) {
      event.category = moved[event.category];
      sparse_.insert_or_assign(id, event);
    }
    if (!same && !wide) {
      for (std::uint8_t& category : sink.part.categories)
        category = static_cast<std::uint8_t>(moved[category]);
      same = true;
    }
    for (std::size_t slot = 0; !same && slot < sink.part.categories.size(); ++slot) {
      const std::uint32_t category = moved[sink.part.categories[slot]];
      if (category > std::numeric_limits<std::uint8_t>::max() &&
          sink.part.stacks[slot] != CompactColumn::kEscaped) {
        const auto id =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(sink.part.first) + slot);
        sparse_.insert_or_assign(id, Event{sink.part.stacks[slot], category});
        sink.part.stacks[slot] = CompactColumn::kEscaped;
      }
      sink.part.categories[slot] = static_cast<std::uint8_t>(category);
    }
    parts_.push_back(std::move(sink.part));
  }
  return scope.strings_read();
}

RocpdEvents::Event RocpdEvents::far(std::int64_t event) const {
  if (sparse_.empty()) return {};
  const auto found = sparse_.find(event);
  return found == sparse_.end() ? Event{} : found->second;
}

}  // namespace rpl
