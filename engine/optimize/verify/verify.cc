// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/optimize/verify/oracle.h"
#include "engine/optimize/verify/reference_run.h"

namespace rpl {
namespace {

/// The type of each region's elements, from the arguments that point to it.
std::vector<Element> elements_of(const Capture& capture) {
  std::vector<Element> out(capture.regions.size(), Element::u8);
  for (const CapturedArgument& argument : capture.arguments) {
    if (!argument.buffer || !argument.element) continue;
    const std::uint64_t size = capture.regions[argument.region].size;
    if (size % size_of(*argument.element) == 0) out[argument.region] = *argument.element;
  }
  return out;
}

/// Compares the candidate with the reference on one input set.
class SetCheck {
 public:
  SetCheck(const VerifyRequest& request, const ReferenceRun& reference,
           const std::vector<Element>& elements, const std::vector<double>& own, std::string set,
           VerifyReport& report)
      : capture_(*request.capture),
        request_(request),
        reference_(reference),
        elements_(elements),
        own_(own),
        set_(std::move(set)),
        report_(report) {}

  Status run(Target& target) {
    std::array<MemoryImage, 2> after;
    for (std::size_t which = 0; which < kPoison.size(); ++which) {
      auto run = run_once(
          target, {.capture = &capture_,
                   .object = request_.candidate,
                   .memory = reference_.input[which],
                   .execute = {.mode = emu::Mode::counted,
                               .max_instructions = reference_.instructions * 20 + 1'000'000}});
      ++report_.candidate_runs;
      if (!run) return did_not_run(run.error());
      after[which] = std::move(run->memory);
    }
    for (std::size_t region = 0; region < capture_.regions.size(); ++region) check(after, region);
    return {};
  }

 private:
  void found(std::string rule, std::string message) {
    report_.findings.push_back({std::move(rule), fmt::format("{}{}", message, set_)});
  }

  /// What the kernel did is a finding; what stopped us is an error.
  Status did_not_run(const Error& error) {
    if (error.code == Errc::verification_failed) {
      found("memory-fault", error.message);
    } else if (error.code == Errc::limit) {
      found("runaway", fmt::format("stopped: {}; the baseline needs {}", error.message,
                                   reference_.instructions));
    } else if (error.code == Errc::unsupported) {
      found("not-executable", error.message);
    } else {
      return Failure(error);
    }
    return {};
  }

  void check(const std::array<MemoryImage, 2>& after, std::size_t region) {
    if (!reference_.written[region]) {
      check_input(after[0][region], region);
    } else {
      if (reference_.poisoned[region]) check_coverage(after, region);
      check_values(after, region);
    }
  }

  void check_input(const std::vector<std::byte>& after, std::size_t region) {
    const ValueComparison result =
        compare_values(elements_[region], reference_.input[0][region], after, {.exact = true});
    if (result.mismatches == 0) return;
    found("input-changed",
          fmt::format("{} is only read by the baseline, but {} of its {} elements changed; the "
                      "first at {}: {} became {}",
                      capture_.regions[region].name, result.mismatches, result.elements,
                      result.first_index, result.first_expected, result.first_found));
  }

  /// Written where the baseline writes, and nowhere else.
  void check_coverage(const std::array<MemoryImage, 2>& after, std::size_t region) {
    std::uint64_t missing = 0, extra = 0, first_missing = 0, first_extra = 0;
    const std::uint64_t size = size_of(elements_[region]);
    for (std::uint64_t at = 0; at < capture_.regions[region].size; ++at) {
      const bool wanted = !unwritten(reference_.expected, region, at);
      const bool got = !unwritten(after, region, at);
      if (wanted && !got && missing++ == 0) first_missing = at / size;
      if (!wanted && got && extra++ == 0) first_extra = at / size;
    }
    const std::string& name = capture_.regions[region].name;
    if (missing > 0) {
      found("unwritten",
            fmt::format("{}: {} elements that the baseline writes are not written; the first at {}",
                        name, (missing + size - 1) / size, first_missing));
    }
    if (extra > 0) {
      found(
          "extra-write",
          fmt::format("{}: {} elements are written that the baseline leaves alone; the first at {}",
                      name, (extra + size - 1) / size, first_extra));
    }
  }

  void check_values(const std::array<MemoryImage, 2>& after, std::size_t region) {
    Tolerance tolerance = request_.bit_exact ? Tolerance{.exact = own_[region] == 0}
                                             : default_tolerance(elements_[region]);
    tolerance.absolute = own_[region];
    ResultCheck& result = result_of(region);
    for (std::size_t which = 0; which < kPoison.size(); ++which) {
      const ValueComparison now = compare_values(
          elements_[region], reference_.expected[which][region], after[which][region], tolerance);
      const bool worse = now.mismatches > result.worst.mismatches ||
                         (now.mismatches == 0 && result.worst.mismatches == 0 &&
                          now.max_ulp >= result.worst.max_ulp);
      if (worse) result.worst = now;
      if (now.mismatches == 0 || which > 0) continue;
      found("wrong-values",
            fmt::format("{}: {} of {} elements differ{}; the first at {}: expected {}, found {}; "
                        "largest relative difference {:.3g}",
                        result.name, now.mismatches, now.elements,
                        request_.bit_exact ? " (every bit counts)" : "", now.first_index,
                        now.first_expected, now.first_found, now.max_relative));
    }
  }

  ResultCheck& result_of(std::size_t region) {
    for (ResultCheck& result : report_.results) {
      if (result.region == region) return result;
    }
    report_.results.push_back({.region = region,
                               .name = capture_.regions[region].name,
                               .element = elements_[region],
                               .poisoned = reference_.poisoned[region],
                               .own_difference = own_[region],
                               .worst = {}});
    return report_.results.back();
  }

  const Capture& capture_;
  const VerifyRequest& request_;
  const ReferenceRun& reference_;
  const std::vector<Element>& elements_;
  const std::vector<double>& own_;
  std::string set_;
  VerifyReport& report_;
};

/// Regions closer together than a page: a write past the end of one may hit the other instead of unmapped memory.
void note_neighbours(const Capture& capture, VerifyReport& report) {
  for (std::size_t i = 1; i < capture.regions.size(); ++i) {
    const CapturedRegion& below = capture.regions[i - 1];
    const std::uint64_t gap = capture.regions[i].base - (below.base + below.size);
    if (gap >= 4096) continue;
    report.notes.push_back(fmt::format("no guard band between {} and {}: {} bytes apart",
                                       below.name, capture.regions[i].name, gap));
  }
}

void note_weakness(const std::vector<InputSet>& sets, const VerifyReport& report,
                   std::vector<std::string>& notes) {
  if (sets.size() > 1 && sets[1].redrawn == 0) {
    notes.emplace_back(
        "further input sets equal the captured one: no buffer of floats could be drawn again");
  }
  for (const ResultCheck& result : report.results) {
    if (!result.poisoned) {
      notes.push_back(fmt::format("{} is read and written: it could not be poisoned", result.name));
    }
  }
  if (report.results.empty() && report.findings.empty()) {
    notes.emplace_back("the baseline changes no memory: this verification proves nothing");
  }
}

/// By region: the largest absolute difference between two runs of the baseline on the same memory.
Result<std::vector<double>> own_differences(const VerifyRequest& request,
                                            const ReferenceRun& reference,
                                            const std::vector<Element>& elements, Target& target) {
  const ReplayRun again = TRY(run_once(target, {.capture = request.capture,
                                                .object = request.baseline,
                                                .memory = reference.input[0],
                                                .execute = {.mode = emu::Mode::counted}}));
  std::vector<double> out(elements.size(), 0);
  for (std::size_t region = 0; region < out.size(); ++region)
    out[region] = compare_values(elements[region], reference.expected[0][region],
                                 again.memory[region], {.exact = true})
                      .max_absolute;
  return out;
}

void note_own_differences(const Capture& capture, const std::vector<double>& own,
                          std::vector<std::string>& notes) {
  for (std::size_t region = 0; region < own.size(); ++region) {
    if (own[region] > 0)
      notes.push_back(
          fmt::format("{}: the baseline differs from itself by up to {:.3g} from run to run, which "
                      "is added to the tolerance",
                      capture.regions[region].name, own[region]));
  }
}

/// What comparing the results of input sets tells about the oracle itself.
class OracleWatch {
 public:
  void add(const InputSet& input, const ReferenceRun& reference, const Capture& capture,
           const std::vector<Element>& elements, std::vector<std::string>& notes) {
    std::vector<std::size_t> hashes;
    for (std::size_t region = 0; region < reference.written.size(); ++region) {
      const auto& bytes = reference.expected[0][region];
      if (reference.written[region])
        hashes.push_back(std::hash<std::string_view>()(
            {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
      if (first_.empty() && reference.written[region] &&
          is_constant(bytes, size_of(elements[region])))
        notes.push_back(fmt::format("weak oracle: every element of {} becomes the same",
                                    capture.regions[region].name));
    }
    if (first_.empty()) {
      first_ = std::move(hashes);
    } else if (input.redrawn > 0) {
      redrawn_ = true;
      moved_ = moved_ || hashes != first_;
    }
  }
  void finish(std::vector<std::string>& notes) const {
    if (redrawn_ && !moved_)
      notes.emplace_back(
          "weak oracle: inputs that were drawn again have no influence on any result");
  }

 private:
  std::vector<std::size_t> first_;
  bool redrawn_ = false, moved_ = false;
};

}  // namespace

std::vector<VerifyFinding> compare_results(const Capture& capture, const MemoryImage& expected,
                                           const MemoryImage& found, bool bit_exact) {
  const std::vector<Element> elements = elements_of(capture);
  std::vector<VerifyFinding> out;
  for (std::size_t region = 0; region < elements.size(); ++region) {
    const Tolerance tolerance =
        bit_exact ? Tolerance{.exact = true} : default_tolerance(elements[region]);
    const ValueComparison compared =
        compare_values(elements[region], expected[region], found[region], tolerance);
    if (compared.mismatches == 0) continue;
    out.push_back(
        {"wrong-values-when-timed",
         fmt::format("{}: {} of {} elements differ after the timed run; the first at {}: expected "
                     "{}, found {}",
                     capture.regions[region].name, compared.mismatches, compared.elements,
                     compared.first_index, compared.first_expected, compared.first_found)});
  }
  return out;
}

Result<VerifyReport> verify(const VerifyRequest& request, Target& target) {
  VerifyReport report;
  const std::vector<Element> elements = elements_of(*request.capture);
  const std::vector<InputSet> sets =
      input_sets(*request.capture, request.more_inputs, request.seed);
  note_neighbours(*request.capture, report);
  std::vector<double> own;
  OracleWatch oracle;
  for (std::size_t i = 0; i < sets.size() && report.findings.empty(); ++i) {
    const ReferenceRun reference =
        TRY(run_reference(target, *request.capture, request.baseline, sets[i]));
    if (i == 0) {
      own = TRY(own_differences(request, reference, elements, target));
      note_own_differences(*request.capture, own, report.notes);
    }
    oracle.add(sets[i], reference, *request.capture, elements, report.notes);
    SetCheck check(request, reference, elements, own,
                   i == 0 ? " (captured input)" : fmt::format(" (input set {})", i + 1), report);
    TRY(check.run(target));
    ++report.input_sets;
  }
  oracle.finish(report.notes);
  note_weakness(sets, report, report.notes);
  report.passed = report.findings.empty() && !report.results.empty();
  if (report.results.empty() && report.findings.empty()) {
    report.findings.push_back({"no-results", "the baseline writes nothing that could be compared"});
  }
  return report;
}

}  // namespace rpl
