// SPDX-License-Identifier: MIT
#include "engine/optimize/proposal.h"

#include <fmt/format.h>

#include <array>

namespace rpl {
namespace {

constexpr std::array<std::string_view, 10> kStateNames{
    "proposed", "guarded",  "built",    "screened", "verified",
    "measured", "accepted", "rejected", "approved", "reverted"};

List texts(const std::vector<std::string>& items) { return {items.begin(), items.end()}; }

List reasons_list(const std::vector<Reason>& reasons) {
  List out;
  for (const Reason& reason : reasons) {
    out.emplace_back(Record{{"rule", reason.rule},
                            {"message", reason.message},
                            {"line", reason.line > 0 ? Value(reason.line) : Value()}});
  }
  return out;
}

/// Reads the fields of one record and remembers the first that is missing or of another type.
class Fields {
 public:
  Fields(const Value& value, std::string_view what) : value_(value), what_(what) {}

  template <class T>
  T get(std::string_view name) {
    const Value* found = value_.find(name);
    const T* typed = found ? found->as<T>() : nullptr;
    if (!typed && bad_.empty()) bad_ = name;
    return typed ? *typed : T{};
  }

  std::vector<std::string> strings(std::string_view name) {
    std::vector<std::string> out;
    for (const Value& item : get<List>(name)) {
      if (const std::string* text = item.as<std::string>()) out.push_back(*text);
    }
    return out;
  }

  std::vector<Reason> reasons(std::string_view name) {
    std::vector<Reason> out;
    for (const Value& item : get<List>(name)) {
      Fields reason(item, what_);
      const Value* line = item.find("line");
      const std::int64_t* number = line ? line->as<std::int64_t>() : nullptr;
      out.push_back({reason.get<std::string>("rule"), reason.get<std::string>("message"), number ? *number : 0});
      if (!reason.bad_.empty() && bad_.empty()) bad_ = name;
    }
    return out;
  }

  [[nodiscard]] Status status() const {
    if (bad_.empty()) return {};
    return fail(Errc::corrupt, fmt::format("the session's {} has no usable field '{}'", what_, bad_));
  }

  void reject(std::string_view name) { bad_ = name; }

 private:
  const Value& value_;
  std::string_view what_;
  std::string bad_;
};

}  // namespace

std::string_view to_string(ProposalState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

std::optional<ProposalState> proposal_state(std::string_view name) {
  for (std::size_t i = 0; i < kStateNames.size(); ++i) {
    if (kStateNames[i] == name) return static_cast<ProposalState>(i);
  }
  return std::nullopt;
}

Value to_value(const Optimization& optimization) {
  return Record{{"number", optimization.number},
                {"kernel", optimization.kernel},
                {"source", optimization.source},
                {"source_sha256", optimization.source_sha256},
                {"capture", optimization.capture},
                {"architecture", optimization.architecture},
                {"flags", texts(optimization.flags)},
                {"reached", optimization.reached},
                {"profile", optimization.profile}};
}

Value to_value(const Proposal& proposal) {
  return Record{{"number", proposal.number},
                {"optimization", proposal.optimization},
                {"origin", proposal.origin},
                {"rule", proposal.rule},
                {"title", proposal.title},
                {"why", proposal.why},
                {"bit_exact", proposal.bit_exact},
                {"state", to_string(proposal.state)},
                {"decided_at", proposal.decided_at},
                {"reasons", reasons_list(proposal.reasons)},
                {"evidence", proposal.evidence}};
}

Result<Optimization> optimization_from(const Value& value) {
  Fields fields(value, "optimization");
  Optimization out;
  out.number = fields.get<std::int64_t>("number");
  out.kernel = fields.get<std::string>("kernel");
  out.source = fields.get<std::string>("source");
  out.source_sha256 = fields.get<std::string>("source_sha256");
  out.capture = fields.get<std::string>("capture");
  out.architecture = fields.get<std::string>("architecture");
  out.flags = fields.strings("flags");
  out.reached = fields.get<std::string>("reached");
  out.profile = fields.get<Record>("profile");
  TRY(fields.status());
  return out;
}

Result<Proposal> proposal_from(const Value& value) {
  Fields fields(value, "proposal");
  Proposal out;
  out.number = fields.get<std::int64_t>("number");
  out.optimization = fields.get<std::int64_t>("optimization");
  out.origin = fields.get<std::string>("origin");
  out.rule = fields.get<std::string>("rule");
  out.title = fields.get<std::string>("title");
  out.why = fields.get<std::string>("why");
  out.bit_exact = fields.get<bool>("bit_exact");
  const auto state = proposal_state(fields.get<std::string>("state"));
  if (!state) fields.reject("state");
  out.state = state.value_or(ProposalState::rejected);
  out.decided_at = fields.get<std::string>("decided_at");
  out.reasons = fields.reasons("reasons");
  out.evidence = fields.get<Record>("evidence");
  TRY(fields.status());
  return out;
}

}  // namespace rpl
