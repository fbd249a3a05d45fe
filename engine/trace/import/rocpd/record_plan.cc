// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/record_plan.h"

#include <limits>

namespace rpl {
namespace {

constexpr std::uint64_t kNull = 0, kInt64 = 6, kReal = 7, kZero = 8, kOne = 9, kFirstText = 13;

/// Bytes of a value by its serial type.
std::uint64_t body_bytes(std::uint64_t type) {
  static constexpr std::array<std::uint64_t, 12> kFixed = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return type < kFixed.size() ? kFixed[type] : (type - kFixed.size()) / 2;
}

bool is_integer(std::uint64_t type) {
  return (type > kNull && type <= kInt64) || type == kZero || type == kOne;
}

bool is_text(std::uint64_t type) { return type >= kFirstText && type % 2 == 1; }

/// How a value of a column is read; false when SQLite has to convert it.
bool plan_value(const TableColumn& column, std::uint64_t type, std::uint32_t offset,
                ColumnPlan& into) {
  if (column.kind == ColumnKind::text) {
    if (!is_text(type)) return false;
    into.offset = offset;
    into.mask = static_cast<std::int32_t>(body_bytes(type));
    return true;
  }
  into.real = type == kReal;
  if (into.real && column.kind != ColumnKind::real) return false;
  if (!into.real && !is_integer(type)) return false;
  if (type == kZero || type == kOne) {
    into.constant = type == kOne ? 1 : 0;
    return true;
  }
  into.offset = offset;
  into.shift = static_cast<std::uint8_t>(64 - 8 * body_bytes(type));
  into.mask = -1;
  return true;
}

}  // namespace

constexpr PlanCache::Masks PlanCache::kMasks = PlanCache::make_masks();

bool PlanCache::parse(const std::uint8_t* record, std::size_t header_bytes, Parsed& into,
                      RecordPlan& plan) {
  constexpr std::uint64_t kMaxPayload = 65535;  // of the largest page
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

bool PlanCache::plan_columns(const Parsed& parsed, RecordPlan& plan) {
  bool plain = true;
  for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
    const TableColumn& column = layout_.columns[i];
    ColumnPlan& into = columns_[plan.first + i];
    const std::uint32_t bit = 1U << i;
    if (static_cast<int>(i) == layout_.rowid_column) continue;
    if (column.at < 0) {
      plan.nulls |= bit;
      continue;
    }
    const auto at = static_cast<std::size_t>(column.at);
    if (at >= parsed.types.size()) {
      plain = false;  // the column was added after the row: its default counts
    } else if (parsed.types[at] == kNull) {
      plan.nulls |= bit;
    } else {
      plain = plan_value(column, parsed.types[at], parsed.offsets[at], into) && plain;
    }
  }
  return plain && (plan.nulls & layout_.needed) == 0;
}

bool PlanCache::add(const std::uint8_t* record, std::size_t header_bytes, const Key& key) {
  if (plans_.size() > std::numeric_limits<std::uint16_t>::max()) return false;
  RecordPlan plan;
  Parsed parsed;
  plan.number = static_cast<std::uint16_t>(plans_.size());
  plan.first = static_cast<std::uint32_t>(columns_.size());
  columns_.resize(columns_.size() + layout_.columns.size());
  plan.broken = !parse(record, header_bytes, parsed, plan);
  if (!plan.broken) {
    plan.odd = !plan_columns(parsed, plan);
    if (layout_.shape && !layout_.shape->fits_types(parsed.types)) ++misfits_;
  }
  index_.insert(key, plan.number);
  plans_.push_back(plan);
  return true;
}

}  // namespace rpl
