// SPDX-License-Identifier: MIT
#include "engine/trace/core/copy_rows.h"

#include <utility>

namespace rpl {

Copy CopyRows::operator[](std::size_t row) const {
  const Shape& one = shape(row);
  Copy copy;
  copy.start_ns = rows_.start_ns(row);
  copy.end_ns = rows_.end_ns(row);
  copy.process = one.process;
  copy.stream = one.stream;
  copy.queue = one.queue;
  copy.thread = one.thread;
  copy.name = one.name;
  copy.src_agent = one.src_agent;
  copy.dst_agent = one.dst_agent;
  copy.correlation = rows_.correlation(row);
  const Amount amount = kept_.empty() ? Amount{kUnknownBytes, 0, 0} : kept_[row];
  copy.bytes = amount.bytes;
  copy.from_address = amount.from_address;
  copy.to_address = amount.to_address;
  return copy;
}

std::uint32_t CopyRows::intern(const Shape& shape) {
  const auto [known, fresh] = known_.try_emplace(shape, static_cast<std::uint32_t>(shapes_.size()));
  if (fresh) shapes_.push_back(shape);
  return known->second;
}

void CopyRows::push_back(const Copy& copy) {
  const std::uint32_t shape = intern({copy.process, copy.stream, copy.queue, copy.thread, copy.name,
                                      copy.src_agent, copy.dst_agent});
  rows_.add(copy.start_ns, copy.end_ns, shape, copy.correlation);
  if (amounts_) kept_.push_back({copy.bytes, copy.from_address, copy.to_address});
}

void CopyRows::append(CopyRows more) {
  if (empty()) {
    *this = std::move(more);
    return;
  }
  const std::size_t before = size();
  std::vector<std::uint32_t> shapes;
  for (const Shape& shape : more.shapes_) shapes.push_back(intern(shape));
  more.rows_.renumber(shapes);
  rows_.append(std::move(more.rows_));
  if (!amounts_) return;
  constexpr Amount kUnknown{kUnknownBytes, 0, 0};
  kept_.resize(before, kUnknown);
  kept_.insert(kept_.end(), more.kept_.begin(), more.kept_.end());
  kept_.resize(size(), kUnknown);
}

void CopyRows::rename(std::span<const std::uint32_t> names) {
  known_.clear();
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    shapes_[i].name = names[shapes_[i].name];
    known_.emplace(shapes_[i], i);
  }
}

void CopyRows::sort() {
  const std::vector<std::uint32_t> same(shapes_.size(), 0);
  const std::vector<std::uint32_t> order = rows_.sort(same, !kept_.empty());
  if (order.empty()) return;
  std::vector<Amount> moved;
  moved.reserve(order.size());
  for (const std::uint32_t row : order) moved.push_back(kept_[row]);
  kept_ = std::move(moved);
}

}  // namespace rpl
