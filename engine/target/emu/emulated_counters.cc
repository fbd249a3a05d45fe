// SPDX-License-Identifier: MIT
// Counters and thread traces of the emulated devices as rows.
#include <fmt/format.h>

#include "engine/document/json.h"
#include "engine/target/emu/emulated_rows.h"

namespace rpl::profile {

using namespace emu::hip;

namespace {

/// Each XCC counts its own time: hardware has a row for each, and readers take the largest.
bool counts_time(const std::string& counter) { return counter.starts_with("GRBM_"); }

std::string_view how(const CounterRecord& counter) {
  return counter.modelled ? "modelled" : "exact";
}

}  // namespace

Status Rows::add(const CounterRecord& record) {
  counters_[record.id] = record;
  return metadata("counter_" + std::string(how(record)), record.name);
}

Result<std::int64_t> Rows::counter_on(const CounterRecord& counter, std::int64_t agent) {
  const auto [known, added] =
      pmc_rows_.try_emplace({counter.id, agent}, static_cast<std::int64_t>(pmc_rows_.size() + 1));
  if (!added) return known->second;
  const std::string block = counter.name.substr(0, counter.name.find('_'));
  TRY(insert(into("info_pmc",
                  "id,nid,pid,agent_id,target_arch,event_code,instance_id,name,symbol,description,"
                  "long_description,component,units,value_type,"
                  "block,expression,is_constant,is_derived,extdata"),
             known->second, node_, process_.pid, agent, "GPU", 0, 0, counter.name, counter.name,
             counter.meaning, fmt::format("{}: {}", how(counter), counter.meaning), "rocm", "",
             "ABS", block, "", 0, 0,
             to_json(Value(rpl::Record{{"emulated", Value(true)}, {"how", Value(how(counter))}}))));
  return known->second;
}

Status Rows::add(const CountsRecord& record) {
  const auto dispatch = dispatches_.find(record.dispatch);
  if (dispatch == dispatches_.end())
    return fail(Errc::corrupt,
                fmt::format("the recording counts for dispatch {}, which it does not have",
                            record.dispatch));
  for (const CounterValue& value : record.values) {
    const auto counter = counters_.find(value.counter);
    if (counter == counters_.end())
      return fail(
          Errc::corrupt,
          fmt::format("the recording refers to counter {}, which it does not have", value.counter));
    const std::int64_t row = TRY(counter_on(counter->second, dispatch->second.agent));
    const std::uint32_t instances = counts_time(counter->second.name) ? dies_ : 1;
    for (std::uint32_t i = 0; i < instances; ++i) {
      TRY(insert(into("pmc_event", "event_id,pmc_id,value"), dispatch->second.event, row,
                 static_cast<double>(value.value)));
    }
  }
  return {};
}

Status Rows::add(const TraceRecord& record) {
  return metadata("thread_trace", fmt::format("dispatch {}: {} ({})", record.dispatch,
                                              record.folder, record.kernel));
}

Status Rows::add(const CaptureRecord& record) {
  if (record.folder.empty()) return {};
  return metadata("capture", fmt::format("{} ({})", record.folder, record.kernel));
}

}  // namespace rpl::profile
