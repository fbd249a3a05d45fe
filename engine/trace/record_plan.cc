// SPDX-License-Identifier: MIT
#include "engine/trace/record_plan.h"

#include <algorithm>

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
    into.push_back(
        {offset + done, left == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * left) - 1});
  }
}

}  // namespace

constexpr PlanCache::Masks PlanCache::kMasks = PlanCache::make_masks();

DispatchRow RecordPlan::row(const std::uint8_t* record) const {
  DispatchRow row;
  for (std::size_t field = 0; field < kDispatchFields; ++field)
    row.values[field] = fields[field].read(record);
  row.nulls = nulls;
  return row;
}

bool PlanCache::parse(const std::uint8_t* record, std::size_t header_bytes, Parsed& into,
                      RecordPlan& plan) {
  constexpr std::uint64_t kMaxPayload = 65536;
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

void PlanCache::plan_fields(const Parsed& parsed, RecordPlan& plan) const {
  for (std::size_t field = 0; field < kDispatchFields; ++field) {
    const int column = table_.column[field];
    ColumnPlan& into = plan.fields[field];
    if (column < 0) {
      plan.nulls |= 1U << field;
      continue;
    }
    const auto at = static_cast<std::size_t>(column);
    if (at >= parsed.types.size()) {
      plan.odd = true;  // the column was added after the row: its default counts
      continue;
    }
    const std::uint64_t type = parsed.types[at];
    if (type == kNull) {
      plan.nulls |= 1U << field;
    } else if (!is_integer(type)) {
      plan.odd = true;
    } else if (type == kZero || type == kOne) {
      into.constant = type == kOne ? 1 : 0;
    } else {
      into.offset = parsed.offsets[at];
      into.shift = static_cast<std::uint32_t>(64 - 8 * body_bytes(type));
      into.mask = -1;
    }
  }
  constexpr std::uint32_t kTimes =
      1U << static_cast<unsigned>(start) | 1U << static_cast<unsigned>(end);
  plan.odd |= (plan.nulls & kTimes) != 0;
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
  if (words.size() > into.words.size()) return false;
  std::copy(words.begin(), words.end(), into.words.begin());
  // Records of other headers share keys when types and grouping agree, wherever the bytes lie.
  for (const auto& [offset, bytes] : joined) shape.push_back(bytes);
  into.shape = shapes_.try_emplace(std::move(shape), shapes_.size()).first->second;
  return true;
}

const RecordPlan& PlanCache::add(const std::uint8_t* record, std::size_t header_bytes,
                                 const TupleTable<kHeaderWords>::Key& key) {
  RecordPlan plan;
  Parsed parsed;
  plan.broken = !parse(record, header_bytes, parsed, plan);
  if (!plan.broken) plan_fields(parsed, plan);
  if (!plan.broken && !plan.odd) {
    plan.start = plan.fields[static_cast<std::size_t>(start)];
    plan.end = plan.fields[static_cast<std::size_t>(end)];
    plan.dispatch_id = plan.fields[static_cast<std::size_t>(dispatch_id)];
    plan.event_id = plan.fields[static_cast<std::size_t>(event_id)];
    plan.odd =
        !plan_key(parsed, pid, track, plan.lane) || !plan_key(parsed, kernel, grid_z, plan.launch);
  }
  index_.insert(key, static_cast<std::uint32_t>(plans_.size()));
  plans_.push_back(plan);
  return plans_.back();
}

}  // namespace rpl
