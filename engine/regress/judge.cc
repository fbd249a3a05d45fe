// SPDX-License-Identifier: MIT
#include "engine/regress/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/cycle/parameters.h"
#include "engine/device/execute/launch/modelled.h"
#include "engine/optimize/verify/value_compare.h"

namespace rpl::regress {

std::string Code::key() const {
  return fmt::format("{} {} {} {} {} {}", facts.code_hash, kernel->vgprs, kernel->agprs,
                     kernel->sgprs, kernel->lds_bytes, kernel->scratch_bytes);
}

Result<Code> read_code(const std::string& path, const std::string& kernel) {
  Code out;
  out.object = TRY(isa::CodeObject::open(path));
  out.kernel = TRY(out.object->kernel(kernel));
  out.facts = TRY(isa::static_facts(*out.object, *out.kernel));
  return out;
}

Result<Judged> judge(Code code, const RunKernel& run,
                     const std::shared_ptr<const cycle::Parameters>& parameters) {
  Judged out{.code = std::move(code), .ran = {}, .found = {}};
  out.ran = TRY(run(out.code.object, {.keep_record = true}));
  if (!out.ran.executed.modelled)
    return fail(Errc::internal, "the run was not modelled", "report this");
  const cycle::Parameters* constants = parameters.get();
  if (constants == nullptr) constants = TRY(emu::model_of(out.code.object->arch(), {}));
  out.found = TRY(findings::find(out.ran.executed, *out.code.object, *constants)).all;
  return out;
}

Result<std::optional<double>> Clock::time(const std::string& path) {
  const auto code = read_code(path, kernel_);
  if (!code) return std::optional<double>();
  const std::string key = code->key();
  if (const auto known = times_.find(key); known != times_.end()) return known->second;
  ++runs_;
  const auto ran = run_(code->object, {.max_instructions = max_instructions_});
  if (!ran && ran.error().code == Errc::interrupted) return Failure(ran.error());
  std::optional<double> out;
  if (ran && ran->executed.modelled) out = ran->executed.modelled->time_ns;
  return times_[key] = out;
}

std::string_view to_string(Results results) {
  switch (results) {
    case Results::equal:
      return "equal";
    case Results::close:
      return "close";
    case Results::different:
      break;
  }
  return "differ";
}

namespace {

/// Of one pair of buffers of equal size.
ResultsCompared compare_pair(const Output& a, const Output& b) {
  const ValueComparison exact = compare_values(a.element, a.bytes, b.bytes, {.exact = true});
  if (exact.mismatches == 0) return {};
  const ValueComparison near =
      compare_values(a.element, a.bytes, b.bytes, default_tolerance(a.element));
  const ValueComparison& shown = near.mismatches > 0 ? near : exact;
  return {.results = near.mismatches > 0 ? Results::different : Results::close,
          .says = fmt::format("{}: {} of {} elements differ{}, the first at {}: {} and {}", a.name,
                              shown.mismatches, shown.elements,
                              near.mismatches > 0 ? " by more than the tolerance" : "",
                              shown.first_index, shown.first_expected, shown.first_found)};
}

}  // namespace

ResultsCompared compare_results(const std::vector<Output>& a, const std::vector<Output>& b) {
  ResultsCompared out;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size() || i >= b.size() || a[i].bytes.size() != b[i].bytes.size())
      return {.results = Results::different, .says = "they left buffers of different sizes"};
    ResultsCompared pair = compare_pair(a[i], b[i]);
    if (pair.results > out.results) out = std::move(pair);
  }
  return out;
}

}  // namespace rpl::regress
