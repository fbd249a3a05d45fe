// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/candidate_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/device/execute/state/handlers.h"
#include "engine/optimize/verify/element_order.h"
#include "engine/optimize/verify/mathematics.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

// A candidate may err twice as much as rounding can have moved the baseline: one that adds in another order has an error of the same kind and size, and both
// count in the difference.
constexpr double kTimesTheBaseline = 2;

double largest(Element element, std::span<const std::byte> bytes) {
  double out = 0;
  const std::size_t size = size_of(element);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    const double value = std::abs(element_number(element, bytes.data() + at));
    if (std::isfinite(value)) out = std::max(out, value);
  }
  return out;
}

double typical_size(Element element, std::span<const std::byte> bytes) {
  double sum = 0, finite = 0;
  const std::size_t size = size_of(element);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    const double value = element_number(element, bytes.data() + at);
    if (std::isfinite(value)) sum += value * value, ++finite;
  }
  return finite > 0 ? std::sqrt(sum / finite) : 0;
}

bool is_worse(const ValueComparison& now, const ValueComparison& before) {
  return now.mismatches > before.mismatches ||
         (now.mismatches == 0 && before.mismatches == 0 && now.max_ulp >= before.max_ulp);
}

}  // namespace

void add_result(ResultCheck result, VerifyReport& report) {
  const auto known = std::ranges::find(report.results, result.region, &ResultCheck::region);
  if (known == report.results.end()) {
    result.elements = result.worst.elements;
    report.results.push_back(std::move(result));
    return;
  }
  known->own_difference = std::max(known->own_difference, result.own_difference);
  if (result.worst.elements > 0 && is_worse(result.worst, known->worst))
    known->worst = std::move(result.worst);
}

RacePlace race_place(const emu::Race& race, const Capture& capture) {
  std::int64_t region = -1;
  for (std::size_t i = 0; !race.lds && i < capture.regions.size(); ++i) {
    const CapturedRegion& held = capture.regions[i];
    if (race.address >= held.base && race.address < held.base + held.size)
      region = static_cast<std::int64_t>(i);
  }
  return {race.lds, race.across, region};
}

Status CandidateCheck::run(const Runner& candidate, std::uint64_t seed,
                           std::shared_ptr<const emu::Path>& seen,
                           std::shared_ptr<const emu::Program>& code) {
  // Of a build that shows what its source promises only races are asked: results are those of the build that counts.
  const bool one = reference_.one_poison;
  const bool races_alone = request_.marked_build && one && reference_.runs_disordered;
  const std::size_t runs = races_alone ? 0 : request_.marked_build || one ? 1 : 2;
  std::array<MemoryImage, 2> after;
  std::shared_ptr<const emu::Path> way;
  for (std::size_t which = 0; which < runs; ++which) {
    emu::Variation variation{.fill = seed + 11 + which};
    if (one ? seed % 2 == 1 : which == 1) variation.order = emu::Variation::Order::descending;
    auto run = candidate.run(set_.input, reference_.input[which],
                             {.mode = emu::Mode::functional,
                              .max_instructions = budget_for(reference_.instructions),
                              .watch_path = which == 0 && reference_.path != nullptr,
                              .variation = variation});
    ++report_.candidate_runs;
    if (!run) return did_not_run(run.error());
    code = run->executed.program;
    if (which == 0 && run->executed.path) {
      way = run->executed.path;
      add_path(seen, *way);
    }
    after[which] = std::move(run->memory);
  }
  if (one) after[1] = after[0];
  if (!request_.marked_build) TRY(check_results(after, way, *code));
  return reference_.runs_disordered ? run_disordered(candidate, seed, seen) : Status();
}

Status CandidateCheck::check_results(const std::array<MemoryImage, 2>& after,
                                     const std::shared_ptr<const emu::Path>& way,
                                     const emu::Program& code) {
  has_matrices_ = has_matrices(*reference_.program) || has_matrices(code);
  has_dots_ = has_dots(*reference_.program);
  approximates_ = has_approximations(*reference_.program) || has_approximations(code);
  for (std::size_t region = 0; region < capture_.regions.size(); ++region)
    TRY(check(after, region));
  for (std::size_t which = 0; which < different(); ++which) check_pairs(after[which], which);
  if (way && report_.findings.empty()) check_path(*way, code);
  return {};
}

// A wrong result of a race is told as the race: that is what has to be mended.
Status CandidateCheck::run_disordered(const Runner& candidate, std::uint64_t seed,
                                      std::shared_ptr<const emu::Path>& seen) {
  const bool wrong = !report_.findings.empty();
  auto run = candidate.run(set_.input, reference_.input[0],
                           {.mode = emu::Mode::functional,
                            .max_instructions = budget_for(reference_.instructions),
                            .max_waves = reference_.disordered_waves,
                            .find_races = true,
                            .find_grid_races = true,
                            .marked_build = request_.marked_build,
                            .pages = seen,
                            .watch_path = true,
                            .variation = disordered(seed + 21)});
  ++report_.candidate_runs;
  if (!run && wrong)
    return run.error().code == Errc::interrupted ? Status(Failure(run.error())) : Status();
  if (!run) return did_not_run(run.error());
  if (run->executed.path) add_path(seen, *run->executed.path);
  if (wrong || request_.marked_build)
    find_race(*run);
  else
    check_disordered(*run);
  return {};
}

void CandidateCheck::check_path(const emu::Path& path, const emu::Program& program) {
  const emu::Path& usual = *reference_.path;
  if (path.split_barrier && !usual.split_barrier) {
    const std::uint64_t address = program.ops[*path.split_barrier].address;
    found(
        "divergent-barrier",
        fmt::format("lanes of a wave are elsewhere when the others are at the barrier at 0x{:x}{}, "
                    "and go on with them behind it",
                    address, emu::source_of(program, address)));
    report_.findings.back().addresses = {address};
  }
  for (const std::uint64_t page : path.written_pages) {
    if (usual.written_pages.contains(page)) continue;
    const std::uint64_t begin = page * emu::kPageBytes, end = begin + emu::kPageBytes;
    const CapturedRegion* only = nullptr;
    for (std::size_t i = 0; i < capture_.regions.size(); ++i) {
      const CapturedRegion& region = capture_.regions[i];
      if (region.base >= end || region.base + region.size <= begin) continue;
      only = &region;
      if (reference_.written[i]) {
        only = nullptr;
        break;
      }
    }
    if (only == nullptr) continue;
    found("input-written",
          fmt::format("{} is only read by the baseline, and the candidate stores to "
                      "it, whatever it leaves there",
                      only->name));
    return;
  }
}

bool CandidateCheck::find_race(const ReplayRun& run) {
  for (const emu::Race& race : run.executed.races) {
    if (baseline_races_.contains(race_place(race, capture_))) continue;
    const emu::Program& program = race.program ? *race.program : *run.executed.program;
    found("race", emu::sentence_of(race, program));
    report_.findings.back().addresses = {program.ops[race.second].address,
                                         program.ops[race.first].address};
    std::ranges::rotate(report_.findings, report_.findings.end() - 1);
    return true;
  }
  return false;
}

void CandidateCheck::found(std::string rule, const std::string& message) {
  report_.findings.push_back(
      {std::move(rule), fmt::format("{} ({})", message, to_string(set_.input.kind))});
}

/// What the kernel did is a finding; what stopped us is an error.
Status CandidateCheck::did_not_run(const Error& error) {
  if (error.code == Errc::verification_failed) {
    found("memory-fault", error.message);
  } else if (error.code == Errc::limit) {
    found("runaway", fmt::format("stopped: {}; the baseline needs {}", error.message,
                                 reference_.instructions));
  } else if (error.code == Errc::unsupported) {
    found("not-executable", error.message);
  } else if (error.code == Errc::usage && set_.input.kind == InputClass::launch) {
    found("launch", error.message);
  } else {
    return Failure(error);
  }
  return {};
}

Status CandidateCheck::check(const std::array<MemoryImage, 2>& after, std::size_t region) {
  if (!reference_.written[region]) {
    check_input(after[0][region], region);
    return {};
  }
  // What was left alone is poison, whose difference from the results says no more.
  if (reference_.poisoned[region] && !check_coverage(after, region)) return {};
  return check_values(after, region);
}

void CandidateCheck::check_input(const std::vector<std::byte>& after, std::size_t region) {
  const ValueComparison result =
      compare_values(traits_[region].element, reference_.input[0][region], after, {.exact = true});
  if (result.mismatches == 0) return;
  found("input-changed",
        fmt::format("{} is only read by the baseline, but {} of its {} elements changed; the "
                    "first at {}: {} became {}",
                    capture_.regions[region].name, result.mismatches, result.elements,
                    result.first_index, result.first_expected, result.first_found));
}

/// Written where the baseline writes, and nowhere else. False when something is missing.
bool CandidateCheck::check_coverage(const std::array<MemoryImage, 2>& after, std::size_t region) {
  std::uint64_t missing = 0, extra = 0, first_missing = 0, first_extra = 0;
  const std::uint64_t size = size_of(traits_[region].element), bytes = after[0][region].size();
  // A result that is rounded otherwise may have a byte of one poison by chance, and not all of an element.
  const std::uint64_t step = reference_.one_poison ? size : 1;
  const auto leaves = [&](const std::array<MemoryImage, 2>& memory, std::uint64_t first) {
    for (std::uint64_t at = first; at < std::min(first + step, bytes); ++at)
      if (!unwritten(reference_.input, memory, region, at)) return false;
    return true;
  };
  for (std::uint64_t at = 0; at < bytes; at += step) {
    const bool wanted = !leaves(reference_.expected, at), got = !leaves(after, at);
    if (wanted && !got && missing++ == 0) first_missing = at / size;
    if (!wanted && got && extra++ == 0) first_extra = at / size;
  }
  const std::string& name = capture_.regions[region].name;
  if (missing > 0) {
    found("unwritten",
          fmt::format("{}: {} elements that the baseline writes are not written; the first at {}",
                      name, (missing * step + size - 1) / size, first_missing));
  }
  if (extra > 0) {
    found("extra-write",
          fmt::format("{}: {} elements are written that the baseline leaves alone; the first at {}",
                      name, (extra * step + size - 1) / size, first_extra));
  }
  return missing == 0;
}

Tolerance CandidateCheck::tolerance_of(std::size_t region) const {
  const double own = reference_.own[region];
  const Element element = traits_[region].element;
  Tolerance out = request_.bit_exact ? Tolerance{.exact = own == 0} : default_tolerance(element);
  out.absolute = own;
  if (request_.bit_exact || !is_float(element)) return out;
  // How far rounding moves them is known by place.
  if (reference_.unsteady[region]) return out;
  const auto& rounding = more_rounding_ ? more_rounding_->distances : reference_.rounding;
  if (region < rounding.size() && !rounding[region].empty()) {
    out.each = rounding[region];
    out.each_factor = kTimesTheBaseline;
    // Then what remains is the last bits of approximations (reciprocals, exponentials), whose rounding no mode changes, and else two units in the last place, which no few runs
    // show of every element; sums inside of matrix instructions are not moved by it either.
    constexpr double kOfApproximations = 1e-6, kUnits = 0x1p-22;
    // A long run is looked at by `more_rounding_` alone.
    const auto moved = [region](const std::vector<bool>& by_region) {
      return region < by_region.size() && by_region[region];
    };
    const bool moves = has_matrices_ || has_dots_ || moved(reference_.moves_by_rounding) ||
                       (more_rounding_ && moved(more_rounding_->moves));
    if (!moves) {
      out.relative = out.rms_share = 0;
      return out;
    }
    if (size_of(element) == 4) out.underflow = double{std::numeric_limits<float>::min()};
    // Quotients and roots of doubles begin with an approximation, and are exact but for the last bits.
    constexpr double kOfDoubles = 1e-14, kUnitsOfDoubles = 0x1p-51;
    const bool is_double = element == Element::f64;
    if ((is_double || element == Element::f32) && !has_matrices_) {
      const double units = is_double ? kUnitsOfDoubles : kUnits;
      out.relative = !approximates_ ? units : is_double ? kOfDoubles : kOfApproximations;
      out.rms_share = 0;
    }
    return out;
  }
  // Numbers of such different sizes cancel each other: rounding in another order shows on the scale of the largest.
  const bool spread = set_.input.kind == InputClass::wide ||
                      set_.input.kind == InputClass::special ||
                      set_.input.kind == InputClass::edges;
  constexpr double kOfLargest = 0.2;
  const std::vector<std::byte> results = results_of(region);
  if (spread) out.absolute += kOfLargest * out.relative * largest(element, results);
  out.absolute += out.rms_share * typical_size(element, results);
  out.rms_share = 0;
  return out;
}

// Poison that was left alone may be of any size.
std::vector<std::byte> CandidateCheck::results_of(std::size_t region) const {
  std::vector<std::byte> out = reference_.expected[0][region];
  if (!reference_.poisoned[region]) return out;
  const auto& other = reference_.expected[1][region];
  const std::size_t size = size_of(traits_[region].element);
  for (std::size_t at = 0; at + size <= out.size(); at += size) {
    if (std::memcmp(&out[at], &other[at], size) != 0)
      std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(at), size, std::byte{});
  }
  return out;
}

ValueComparison CandidateCheck::compared(const std::array<MemoryImage, 2>& after,
                                         std::size_t region, std::size_t which) const {
  const Tolerance tolerance = tolerance_of(region);
  const Element element = traits_[region].element;
  // Of what depends on the order of waves only the elements as a whole are the baseline's answer.
  if (!reference_.unsteady[region])
    return compare_values(element, expected_of(after[which][region], region, which),
                          after[which][region], tolerance);
  return compare_values(element, sorted_elements(element, reference_.expected[which][region]),
                        sorted_elements(element, after[which][region]), tolerance);
}

std::vector<std::byte> CandidateCheck::expected_of(const std::vector<std::byte>& found,
                                                   std::size_t region, std::size_t which) const {
  std::vector<std::byte> out = reference_.expected[which][region];
  if (request_.bit_exact || region >= reference_.decided_by_rounding.size()) return out;
  const std::size_t size = size_of(traits_[region].element);
  const auto& plain = reference_.expected[0][region];
  const auto same = [&](const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                        std::size_t at) { return std::memcmp(&a[at], &b[at], size) == 0; };
  const auto take = [&](const std::vector<std::vector<std::byte>>& others) {
    for (const auto& other : others) {
      for (std::size_t at = 0; at + size <= out.size(); at += size) {
        if (!same(other, plain, at) && same(other, found, at))
          std::copy_n(found.data() + at, size, out.data() + at);
      }
    }
  };
  take(reference_.decided_by_rounding[region]);
  if (more_rounding_) take(more_rounding_->others[region]);
  return out;
}

Status CandidateCheck::look_closer() {
  more_rounding_ =
      TRY(more_rounding_errors(baseline_, set_.input, traits_, reference_, request_.seed));
  for (std::size_t region = 0; region < reference_.rounding.size(); ++region) {
    const std::vector<float>& first = reference_.rounding[region];
    std::vector<float>& all = more_rounding_->distances[region];
    all.resize(first.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = std::max(all[i], first[i]);
  }
  return {};
}

Status CandidateCheck::look_for_chance() {
  knows_chance_ = true;
  const auto rare =
      TRY(rounding_at_worst(baseline_, set_.input, traits_, reference_, request_.seed));
  for (std::size_t region = 0; region < rare.size(); ++region) {
    std::vector<float>& all = more_rounding_->distances[region];
    for (std::size_t i = 0; i < std::min(all.size(), rare[region].size()); ++i)
      all[i] = std::max(all[i], rare[region][i] / static_cast<float>(kTimesTheBaseline));
  }
  return {};
}

// Larger buffers have so many elements that a few runs do not meet all whose integer hangs on the last bit of a float; where it is found for some, few others are no matter of places.
bool CandidateCheck::decided_by_chance(std::size_t region, const ValueComparison& now) const {
  constexpr std::uint64_t kFew = 2'000;
  return set_.input.kind == InputClass::larger && more_rounding_ && !request_.bit_exact &&
         !more_rounding_->others[region].empty() && now.mismatches <= now.elements / kFew;
}

Status CandidateCheck::check_values(const std::array<MemoryImage, 2>& after, std::size_t region) {
  ResultCheck& result = result_of(region);
  for (std::size_t which = 0; which < different(); ++which) {
    ValueComparison now = compared(after, region, which);
    // Of long runs nobody found out what rounding does before it mattered.
    const bool known =
        region < reference_.rounding.size() &&
        (!reference_.rounding[region].empty() || !reference_.decided_by_rounding[region].empty());
    const bool has_errors = !request_.bit_exact && (known || reference_.too_long);
    // Where much differs it is no bad luck with the last bits.
    constexpr std::uint64_t kPart = 4;
    if (now.mismatches > 0 && now.mismatches <= now.elements / kPart + 1 && has_errors) {
      if (!more_rounding_) TRY(look_closer());
      now = compared(after, region, which);
    }
    // One of twenty thousand honest elements, as the ends of a normal distribution go.
    constexpr std::uint64_t kRare = 20'000;
    if (now.mismatches > 0 && now.mismatches <= now.elements / kRare + 1 && more_rounding_) {
      if (!knows_chance_) TRY(look_for_chance());
      now = compared(after, region, which);
    }
    if (now.mismatches > 0 && decided_by_chance(region, now)) continue;
    // What is said of a buffer is said of as many elements as it was captured with.
    const bool larger = set_.input.kind == InputClass::larger && now.mismatches == 0;
    if (!larger && is_worse(now, result.worst)) result.worst = now;
    if (now.mismatches == 0) continue;
    found("wrong-values",
          fmt::format("{}: {} of {} elements differ{}; the first at {}: expected {}, found {}; "
                      "largest relative difference {:.3g}",
                      result.name, now.mismatches, now.elements,
                      request_.bit_exact ? " (every bit counts)" : "", now.first_index,
                      now.first_expected, now.first_found, now.max_relative));
    return {};
  }
  check_bias(after, region);
  return {};
}

void CandidateCheck::check_bias(const std::array<MemoryImage, 2>& after, std::size_t region) {
  if (request_.bit_exact || reference_.unsteady[region]) return;
  // As many elements as there are different values.
  if (set_.input.kind == InputClass::few) return;
  // Where nobody knows how far rounding moves the baseline itself, the candidate may be the better one.
  if (region >= reference_.rounding.size() || reference_.rounding[region].empty()) return;
  const Element element = traits_[region].element;
  const Bias bias = bias_of(element, reference_.expected[0][region], after[0][region]);
  constexpr std::uint64_t kEnough = 64;
  constexpr double kByChance = 6;  // standard errors: one of 500 million honest candidates
  // Approximated reciprocals and exponentials are off by a unit at most; of 16 bits rounding leaves a quarter of one where a factor is that much.
  const double units = size_of(element) > 2 ? 1 : 0.25;
  const double allowed = units * unit_in_last_place(element) + 2 * reference_.rounding_bias[region];
  const double size = std::abs(bias.mean);
  if (bias.elements < kEnough || size <= allowed || size <= kByChance * bias.error) return;
  found("biased",
        fmt::format("{}: its {} elements are too {} by {:.2g} of their values in the mean: each is "
                    "within the tolerance, but rounding takes some up and some down",
                    capture_.regions[region].name, bias.elements, bias.mean > 0 ? "large" : "small",
                    size));
}

void CandidateCheck::check_disordered(const ReplayRun& run) {
  if (find_race(run)) return;
  if (reference_.after_part.empty()) check_pairs(run.memory, 0);
  if (!report_.findings.empty()) return;
  // Of a long run these are other work-items where the launch is another.
  if (!reference_.after_part.empty() &&
      (request_.launch != request_.baseline_launch || !capture_.then.empty()))
    return;
  for (std::size_t region = 0; region < capture_.regions.size(); ++region) {
    const Element element = traits_[region].element;
    const bool any_order = reference_.unsteady[region];
    const auto& expected = reference_.after_part.empty() ? reference_.expected[0][region]
                                                         : reference_.after_part[region];
    const auto& found_bytes = run.memory[region];
    const Tolerance tolerance =
        reference_.written[region] ? tolerance_of(region) : Tolerance{.exact = true};
    const ValueComparison now =
        any_order ? compare_values(element, sorted_elements(element, expected),
                                   sorted_elements(element, found_bytes), tolerance)
        : reference_.after_part.empty()
            ? compare_values(element, expected_of(found_bytes, region, 0), found_bytes, tolerance)
            : compare_values(element, expected, found_bytes, tolerance);
    if (now.mismatches == 0 || decided_by_chance(region, now)) continue;
    found("depends-on-order",
          fmt::format("{}: {} of {} elements are others when waves and workgroups run in another "
                      "order; the first at {}: expected {}, found {}",
                      capture_.regions[region].name, now.mismatches, now.elements, now.first_index,
                      now.first_expected, now.first_found));
    return;
  }
}

ResultCheck& CandidateCheck::result_of(std::size_t region) {
  for (ResultCheck& result : report_.results) {
    if (result.region != region) continue;
    result.own_difference = std::max(result.own_difference, reference_.own[region]);
    return result;
  }
  report_.results.push_back({.region = region,
                             .name = capture_.regions[region].name,
                             .element = traits_[region].element,
                             .poisoned = reference_.poisoned[region],
                             .own_difference = reference_.own[region],
                             .worst = {}});
  return report_.results.back();
}

}  // namespace rpl
