// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/record_plan.h"

#include <algorithm>
#include <limits>

namespace rpl {
namespace {

using enum DispatchField;

constexpr std::uint64_t kNull = 0, kInt64 = 6, kZero = 8, kOne = 9, kFirstBlob = 12;

/// Bytes of a value by its serial type.
std::uint64_t body_bytes(std::uint64_t type) {
  static constexpr std::array<std::uint64_t, 12> kFixed = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < kFirstBlob ? kFixed[type] : (type - kFirstBlob) / 2;
}

bool is_integer(std::uint64_t type) {
  return (type > kNull && type <= kInt64) || type == kZero || type == kOne;
}

/// A column's span of bytes, as words of a key.
void add_words(std::uint32_t offset, std::uint32_t bytes, std::vector<KeyWord>& into) {
  for (std::uint32_t done = 0; done < bytes; done += 8) {
    const std::uint32_t left = std::min(bytes - done, 8U);
    into.push_back({static_cast<std::uint16_t>(offset + done),
                    left == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * left) - 1});
  }
}

}  // namespace

constexpr PlanCache::Masks PlanCache::kMasks = PlanCache::make_masks();

DispatchRow RowPlan::row(const std::uint8_t* record) const {
  DispatchRow row;
  for (std::size_t field = 0; field < kDispatchFields; ++field)
    row.values[field] = fields[field].read(record);
  row.nulls = nulls;
  return row;
}

bool PlanCache::parse(const std::uint8_t* record, std::size_t header_bytes, Parsed& into,
                      RecordPlan& plan) {
  constexpr std::uint64_t kMaxPayload = 65535;  // offsets are of 16 bits
  std::uint64_t body = header_bytes;
  for (std::size_t at = 1; at < header_bytes;) {
    std::uint64_t type = 0;
    // Types of values that fit a page take three bytes at most.
    for (int i = 0;; ++i) {
      if (at >= header_bytes || i == 4) return false;
      const std::uint8_t byte = record[at++];
      type = type << 7 | (byte & 0x7fU);
      if (byte < 0x80) break;
    }
    if (type == 10 || type == 11 || body > kMaxPayload) return false;
    into.types.push_back(type);
    into.offsets.push_back(static_cast<std::uint32_t>(body));
    body += body_bytes(type);
  }
  if (body > kMaxPayload) return false;
  plan.payload_bytes = static_cast<std::uint32_t>(body);
  return true;
}

bool PlanCache::plan_fields(const Parsed& parsed, RowPlan& plan) const {
  bool plain = true;
  for (std::size_t field = 0; field < kDispatchFields; ++field) {
    const int column = table_.column[field];
    ColumnPlan& into = plan.fields[field];
    if (column < 0) {
      plan.nulls |= 1U << field;
      continue;
    }
    const auto at = static_cast<std::size_t>(column);
    if (at >= parsed.types.size()) {
      plain = false;  // the column was added after the row: its default counts
      continue;
    }
    const std::uint64_t type = parsed.types[at];
    if (type == kNull) {
      plan.nulls |= 1U << field;
    } else if (!is_integer(type)) {
      plain = false;
    } else if (type == kZero || type == kOne) {
      into.constant = type == kOne ? 1 : 0;
    } else {
      into.offset = static_cast<std::uint16_t>(parsed.offsets[at]);
      into.shift = static_cast<std::uint8_t>(64 - 8 * body_bytes(type));
      into.mask = -1;
    }
  }
  constexpr std::uint32_t kTimes =
      1U << static_cast<unsigned>(start) | 1U << static_cast<unsigned>(end);
  return plain && (plan.nulls & kTimes) == 0;
}

bool PlanCache::plan_key(const Parsed& parsed, DispatchField first, DispatchField last,
                         KeyPlan& into) {
  Shape shape{static_cast<std::uint64_t>(first)};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;
  for (auto field = static_cast<std::size_t>(first); field <= static_cast<std::size_t>(last);
       ++field) {
    const int column = table_.column[field];
    const std::uint64_t type = column < 0 ? kNull : parsed.types[static_cast<std::size_t>(column)];
    shape.push_back(type);
    const auto bytes = static_cast<std::uint32_t>(body_bytes(type));
    if (bytes != 0) spans.emplace_back(parsed.offsets[static_cast<std::size_t>(column)], bytes);
  }
  std::sort(spans.begin(), spans.end());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (const auto& [offset, bytes] : spans) {
    if (!joined.empty() && joined.back().first + joined.back().second == offset) {
      joined.back().second += bytes;
    } else {
      joined.emplace_back(offset, bytes);
    }
  }
  std::vector<KeyWord> words;
  for (const auto& [offset, bytes] : joined) add_words(offset, bytes, words);
  if (words.size() > KeyPlan::kWords) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    into.offsets[i] = words[i].offset;
    into.masks[i] = words[i].mask;
  }
  // Records of other headers share keys when types and grouping agree, wherever the bytes lie.
  for (const auto& [offset, bytes] : joined) shape.push_back(bytes);
  into.shape = shapes_.try_emplace(std::move(shape), static_cast<std::uint32_t>(shapes_.size()))
                   .first->second;
  return true;
}

const RecordPlan* PlanCache::add(const std::uint8_t* record, std::size_t header_bytes,
                                 const TupleTable<kHeaderWords>::Key& key) {
  if (plans_.size() > std::numeric_limits<std::uint16_t>::max()) return nullptr;
  RecordPlan plan;
  RowPlan row;
  Parsed parsed;
  plan.number = static_cast<std::uint16_t>(plans_.size());
  plan.broken = !parse(record, header_bytes, parsed, plan);
  if (!plan.broken) plan.odd = !plan_fields(parsed, row);
  if (!plan.broken && !plan.odd) {
    plan.start = row.fields[static_cast<std::size_t>(start)];
    plan.end = row.fields[static_cast<std::size_t>(end)];
    plan.dispatch_id = row.fields[static_cast<std::size_t>(dispatch_id)];
    plan.event_id = row.fields[static_cast<std::size_t>(event_id)];
    plan.odd =
        !plan_key(parsed, pid, track, plan.lane) || !plan_key(parsed, kernel, grid_z, plan.launch);
  }
  index_.insert(key, plan.number);
  plans_.push_back(plan);
  rows_.push_back(row);
  return &plans_.back();
}

}  // namespace rpl
