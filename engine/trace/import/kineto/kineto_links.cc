// SPDX-License-Identifier: MIT
#include "engine/trace/import/kineto/kineto_links.h"

namespace rpl {

KinetoLinks::KinetoLinks(const KinetoRows& rows)
    : rows_(rows), call_(rows.calls.size()), given_(rows.given.size()) {
  for (std::size_t i = 0; i < rows.calls.size(); ++i) {
    if (const std::uint64_t id = rows.calls.correlation(i); id != 0)
      call_.set(id, rows.calls.shape(i));
  }
  for (std::size_t i = 0; i < rows.given.size(); ++i) {
    if (rows.given[i].correlation != 0)
      given_.set(rows.given[i].correlation, static_cast<std::uint32_t>(i));
  }
  for (const KinetoRows::Dispatch& row : rows.dispatches) {
    const KinetoRows::Given* by = given(row.correlation);
    if (by != nullptr && by->stream_handle)
      places_.insert_or_assign(*by->stream_handle, rows.places[row.place]);
  }
}

const KinetoRows::HostShape* KinetoLinks::call(std::uint64_t correlation) const {
  const std::uint32_t shape = correlation == 0 ? kNone : call_.find(correlation);
  return shape == kNone ? nullptr : &rows_.host_shapes[shape];
}

const KinetoRows::Given* KinetoLinks::given(std::uint64_t correlation) const {
  const std::uint32_t number = correlation == 0 ? kNone : given_.find(correlation);
  return number == kNone ? nullptr : &rows_.given[number];
}

std::optional<KinetoRows::Place> KinetoLinks::place_by_handle(std::uint64_t correlation) const {
  const KinetoRows::Given* by = given(correlation);
  if (by == nullptr || !by->stream_handle) return std::nullopt;
  const auto found = places_.find(*by->stream_handle);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

std::vector<KinetoOrder> kineto_orders(const KinetoRows& rows, const KinetoLinks& links) {
  std::vector<KinetoOrder> out;
  out.reserve(rows.orders.size());
  std::unordered_map<std::uint64_t, std::size_t> by_correlation;
  for (const KinetoRows::Order& order : rows.orders) {
    if (order.correlation != 0) by_correlation.emplace(order.correlation, out.size());
    out.push_back({order, links.place_by_handle(order.correlation), 0});
  }
  const auto place = [](const KinetoRows::Wait& wait, std::optional<std::int64_t> stream) {
    std::optional<KinetoRows::Place> found;
    if (stream) found = {wait.device.value_or(KinetoRows::kNoPlace), *stream};
    return found;
  };
  for (const KinetoRows::Wait& wait : rows.waits) {
    const auto call = by_correlation.find(wait.correlation);
    if (call == by_correlation.end()) continue;
    KinetoOrder& waits = out[call->second];
    if (wait.kind == SyncKind::event_wait || wait.kind == SyncKind::stream_synchronize)
      waits.place = place(wait, wait.stream);
    if (!wait.waited_record) continue;
    const auto record = by_correlation.find(static_cast<std::uint64_t>(*wait.waited_record));
    if (record == by_correlation.end()) continue;
    // An event is recorded again and again; each record is one of its own.
    KinetoOrder& recorded = out[record->second];
    recorded.event = waits.event = static_cast<std::uint64_t>(*wait.waited_record);
    if (wait.waited_stream) recorded.place = place(wait, wait.waited_stream);
  }
  return out;
}

}  // namespace rpl
