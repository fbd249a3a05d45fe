// SPDX-License-Identifier: MIT
#include "engine/device/findings/finding.h"

#include "engine/document/json.h"
#include "engine/document/records.h"

namespace rpl::findings {
namespace {

bool is_share(double number) { return number >= 0 && number <= 1; }

constexpr auto kWorth =
    bound_to<Worth>(column<&Worth::low>("low").only(&is_share, "a number between 0 and 1"),
                    column<&Worth::high>("high").only(&is_share, "a number between 0 and 1"));

constexpr auto kPlace = bound_to<Place>(
    column<&Place::source>("source"), column<&Place::instruction>("instruction"),
    column<&Place::address>("address"),
    column<&Place::share>("share").only(&is_share, "a number between 0 and 1"),
    column<&Place::what>("what").if_known(), column<&Place::from_ns>("from_ns").if_known(),
    column<&Place::to_ns>("to_ns").if_known());

constexpr auto kEvidence =
    bound_to<Evidence>(column<&Evidence::what>("what"), column<&Evidence::value>("value"),
                       column<&Evidence::modelled>("modelled"));

constexpr auto kFinding =
    bound_to<Finding>(column<&Finding::cause>("cause"), column<&Finding::worth>("worth").if_known(),
                      column<&Finding::assumes>("assumes"), column<&Finding::remedy>("remedy"),
                      column<&Finding::where>("where"), column<&Finding::evidence>("evidence"));

constexpr auto kFindings = bound_to<Findings>(column<&Findings::without_faults>("without_faults"),
                                              column<&Findings::all>("findings"));

}  // namespace

Columns<Place> bound(const Place* /*of*/) { return kPlace; }
Columns<Evidence> bound(const Evidence* /*of*/) { return kEvidence; }
Columns<Worth> bound(const Worth* /*of*/) { return kWorth; }
Columns<Finding> bound(const Finding* /*of*/) { return kFinding; }

std::string to_json(const Findings& found) {
  Record record;
  append(record, kFindings, found);
  return rpl::to_json(Value(std::move(record)));
}

Result<Findings> findings_from_json(std::string_view text) {
  constexpr std::size_t kMostFindings = 100;
  Findings out = TRY(from_value(kFindings, TRY(parse_json(text)), "findings"));
  if (out.all.empty() || out.all.size() > kMostFindings)
    return fail(Errc::corrupt, "findings without a finding, or with too many");
  return out;
}

}  // namespace rpl::findings
