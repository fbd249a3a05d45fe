// SPDX-License-Identifier: MIT
#include "engine/trace/core/call_rows.h"

#include <utility>

namespace rpl {

std::uint32_t CallRows::intern(const Shape& shape) {
  const auto [known, fresh] = known_.try_emplace(shape, static_cast<std::uint32_t>(shapes_.size()));
  if (fresh) shapes_.push_back(shape);
  return known->second;
}

void CallRows::push_back(const ApiCall& call) {
  add(call.start_ns, call.end_ns, intern({call.process, call.thread, call.name, call.category}),
      call.correlation);
}

void CallRows::absorb(TimedRows rows, std::span<const std::uint32_t> shapes) {
  rows.renumber(shapes);
  rows_.append(std::move(rows));
}

void CallRows::append(CallRows more) {
  if (empty()) {
    *this = std::move(more);
    return;
  }
  std::vector<std::uint32_t> shapes;
  for (const Shape& shape : more.shapes_) shapes.push_back(intern(shape));
  absorb(std::move(more.rows_), shapes);
}

void CallRows::rename(std::span<const std::uint32_t> names) {
  known_.clear();
  for (std::uint32_t i = 0; i < shapes_.size(); ++i) {
    shapes_[i].name = names[shapes_[i].name];
    shapes_[i].category = names[shapes_[i].category];
    known_.emplace(shapes_[i], i);
  }
}

void CallRows::sort() {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> ranks;
  for (const Shape& shape : shapes_) ranks.emplace(std::pair(shape.process, shape.thread), 0);
  std::uint32_t next = 0;
  for (auto& [thread, rank] : ranks) rank = next++;
  std::vector<std::uint32_t> of_shape;
  for (const Shape& shape : shapes_) of_shape.push_back(ranks.at({shape.process, shape.thread}));
  rows_.sort(of_shape);
}

}  // namespace rpl
