// SPDX-License-Identifier: MIT
#include "engine/device/findings/measures.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::findings {
namespace {

using cycle::OperationKind;

/// Lines that an access touches, of the least possible, from which on it is called uncoalesced: rows that are not aligned touch half as many more.
constexpr double kScattered = 1.75;
/// Of lanes, instructions or lines: enough to speak of; and most of what matters.
constexpr double kManyOff = 0.1, kMuch = 0.3;
/// Pages that an access lies in, in the mean: lanes side by side lie in one or two.
constexpr double kManyPages = 8;
/// By how much workgroups or waves differ from their mean; of the SIMDs that get a wave.
constexpr double kUneven = 0.25, kMost = 0.5;
/// Of the lines that are wanted: the link to the host has less than a twentieth of the bandwidth of the memory.
constexpr double kFar = 0.05;

double share(double part, double all) { return all > 0 ? part / all : 0; }

/// Instructions of an exact division of floats (AMDGPUISelLowering, LowerFDIV32).
constexpr double kOfADivision = 10;

}  // namespace

Result<Measures> Measures::of(const emu::Executed& executed, const isa::CodeObject& object,
                              const cycle::Parameters& parameters, std::span<const FarMemory> far) {
  Measures out(executed, parameters);
  if (auto lines = object.source_lines()) out.lines_ = std::move(*lines);
  out.timed_ = TRY(cycle::time_launch(out.record_, parameters, false));
  out.kinds_ = cycle::kinds_of(out.record_, out.timed_.operations);
  out.count();
  out.mark_divisions_by_place();
  out.mark_functions_by_place();
  out.mark_double_functions();
  out.mark_lines_of_scratch();
  out.mark_loops_left_by_lanes();
  out.find_registers();
  out.find_far(far);
  out.facts_ = TRY(cycle::facts_of(out.record_, out.timed_.operations));
  return out;
}

void Measures::count() {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const auto& counts = row(i);
    counts_.push_back({.lanes = counts.executed == 0
                                    ? 1
                                    : static_cast<double>(counts.active_lanes) /
                                          (static_cast<double>(counts.executed) * isa::kWaveSize),
                       .bytes = static_cast<double>(counts.bytes)});
    // Scalar instructions have no lanes.
    if (!record_.instructions[i].starts_with("v_") && !kinds_[i].load && !kinds_[i].store &&
        !kinds_[i].lds)
      counts_.back().lanes = 1;
  }
}

/// Of an operation, as place_text() writes it; "" for all without a line table.
const std::string& Measures::text_of_place(std::size_t operation) {
  if (places_.empty()) {
    for (std::size_t i = 0; i < kinds_.size(); ++i)
      places_.push_back(lines_ ? isa::place_text(lines_->chain(executed_.program->ops[i].address))
                               : std::string());
  }
  return places_[operation];
}

/// The compiler mixes the instructions of several divisions; with a line table all that come from the same place as one that is known belong to it.
void Measures::mark_divisions_by_place() {
  if (!lines_ || lines_->empty()) return;
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (record_.instructions[i].starts_with("v_rcp_iflag") ||
        cycle::scales_reciprocal(record_.instructions[i]) ||
        (kinds_[i].division && record_.instructions[i].starts_with("v_mul_hi")))
      known.insert(text_of_place(i));
  }
  known.erase("");
  if (known.empty()) return;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (cycle::may_divide(record_.instructions[i]) && known.contains(text_of_place(i)))
      cycle::of_division(kinds_[i]);
  }
}

double Measures::least_lines(std::size_t operation) const {
  const auto& counts = row(operation);
  return std::max(static_cast<double>(counts.executed),
                  static_cast<double>(counts.bytes) / std::max(1U, p_.l1_line));
}

/// The mathematics of the device library is inlined without lines of its own: what comes from the place of a call belongs to the function. A few instructions around
/// a transcendental one are the fast variant, or arithmetic of the line.
void Measures::mark_functions_by_place() {
  is_transcendental_ = executions(&OperationKind::transcendental) > 0;
  if (!lines_ || lines_->empty()) return;
  constexpr double kLong = 8;
  // The second of three parts of pi/2, of either sign: sine, cosine and tangent take quarter turns off their argument, and need no transcendental instruction (OCML, trigred).
  constexpr std::string_view kQuarterTurns = "3a22168";
  struct Function {
    double transcendental = 0, others = 0;
    bool turns = false;
  };
  std::map<std::string_view, Function> by_place;
  const auto place_of = [&](std::size_t i) {
    const cycle::OperationKind& kind = kinds_[i];
    const bool computes =
        record_.instructions[i].starts_with("v_") && !kind.division && !kind.double_precision;
    return computes ? std::string_view(text_of_place(i)) : std::string_view();
  };
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const cycle::OperationKind& kind = kinds_[i];
    if (row(i).executed > 0 && record_.instructions[i].find(kQuarterTurns) != std::string::npos)
      by_place[text_of_place(i)].turns = true;
    if (place_of(i).empty()) continue;
    Function& one = by_place[place_of(i)];
    (kind.transcendental ? one.transcendental : one.others) += static_cast<double>(row(i).executed);
  }
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (place_of(i).empty() || kinds_[i].transcendental) continue;
    const Function& one = by_place[place_of(i)];
    const bool is_long = one.transcendental > 0 && one.others >= kLong * one.transcendental;
    if (!is_long && !one.turns) continue;
    kinds_[i].function = true;
    kinds_[i].addressing = false;
  }
}

/// Functions of double precision split their argument, which arithmetic, division and square root never do; without a line table all of it is taken for functions then.
void Measures::mark_double_functions() {
  std::set<std::string_view> functions;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (row(i).executed > 0 && kinds_[i].double_precision &&
        starts_with_one_of(record_.instructions[i],
                           {"v_rndne_f64", "v_frexp_", "v_fract_f64", "v_trig_preop"}))
      functions.insert(text_of_place(i));
  }
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].double_precision && functions.contains(text_of_place(i)))
      kinds_[i].function = true;
  }
}

/// A loop over a private array is the lines that access it, with what compares, steps and branches there.
void Measures::mark_lines_of_scratch() {
  if (!lines_ || lines_->empty()) return;
  const auto line_of = [&](std::size_t i) {
    const auto frames = lines_->chain(executed_.program->ops[i].address);
    return frames.empty() ? std::pair<std::string, std::uint32_t>()
                          : std::pair(std::string(frames.front().file), frames.front().line);
  };
  std::set<std::pair<std::string, std::uint32_t>> known;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].scratch) known.insert(line_of(i));
  }
  for (std::size_t i = 0; i < kinds_.size() && !known.empty(); ++i) {
    const bool computes = starts_with_one_of(record_.instructions[i], {"v_", "s_"}) &&
                          !kinds_[i].barrier && !record_.instructions[i].starts_with("s_endpgm");
    kinds_[i].beside_scratch = computes && line_of(i).second != 0 && known.contains(line_of(i));
  }
}

/// Lines of all loads or stores, of the least possible.
double Measures::scattered(bool stores) const {
  double lines = 0, least = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!(stores ? kinds_[i].store : kinds_[i].load) || row(i).executed == 0) continue;
    if (follows_links(i)) continue;
    // What all lanes load from one place is as good as it can be.
    lines += static_cast<double>(row(i).lines);
    least += std::min(static_cast<double>(row(i).lines), least_lines(i));
  }
  return least > 0 ? lines / least : 0;
}

/// Whether lanes lie further apart than the widest access reaches: wider ones are then a part of what an access in order gives.
bool Measures::is_beyond_wide(bool stores) const {
  constexpr double kWidest = 16;
  double lines = 0, wide = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!(stores ? kinds_[i].store : kinds_[i].load) || row(i).executed == 0) continue;
    const double times = kWidest / std::max(1U, kinds_[i].bytes);
    lines += static_cast<double>(row(i).lines);
    wide += std::min(static_cast<double>(row(i).lines), times * least_lines(i));
  }
  return lines > kScattered * wide;
}

/// A load whose address came of a chain of loads: no order of the lanes puts its lines side by side.
bool Measures::follows_links(std::size_t i) const {
  constexpr double kMost = 0.5;
  return share(static_cast<double>(facts_[i].chained), static_cast<double>(facts_[i].executed)) >=
         kMost;
}

/// A load that a wave does again and again, of the same addresses.
bool Measures::is_invariant(std::size_t i) const {
  constexpr double kMost = 0.75;
  return kinds_[i].load &&
         static_cast<double>(facts_[i].repeated) >=
             kMost * static_cast<double>(std::max<std::uint64_t>(1, facts_[i].executed));
}

/// Bytes of the instructions that waves run twice or more.
double Measures::code_in_loops() const {
  const auto& ops = executed_.program->ops;
  double out = 0;
  for (std::size_t i = 0; i + 1 < kinds_.size(); ++i) {
    if (row(i).executed >= 2 * executed_.counts.waves)
      out += static_cast<double>(ops[i + 1].address - ops[i].address);
  }
  return out;
}

double Measures::lanes_off() const {
  const auto& counts = executed_.counts;
  if (counts.vector_instructions == 0) return 0;
  return 1 - static_cast<double>(counts.active_lanes) /
                 (static_cast<double>(counts.vector_instructions) * isa::kWaveSize);
}

double Measures::share_flat() const {
  return share(executions(&OperationKind::flat), sum_of([&](std::size_t i) {
                 return kinds_[i].load || kinds_[i].store ? row(i).executed : 0;
               }));
}

/// Whether barriers follow each other so closely that what lies between them is a step of something that waves do together.
bool Measures::has_dense_barriers() const {
  constexpr double kFew = 32;
  const double barriers = executions(&OperationKind::barrier);
  return barriers > 0 && static_cast<double>(executed_.counts.instructions) < kFew * barriers;
}

/// Whether private arrays are indexed at run time, so that scratch memory is reached by addresses of lanes and not by the places of registers.
bool Measures::indexes_scratch() const {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const std::string& text = record_.instructions[i];
    const bool by_place = text.starts_with("scratch_") ? text.find(" off,") != std::string::npos
                                                       : text.find(" offen") == std::string::npos;
    if (kinds_[i].scratch && row(i).executed > 0 && !by_place) return true;
  }
  return false;
}

/// Of the waves of a full workgroup.
double Measures::unused_lanes() const {
  const auto& size = executed_.modelled->workgroup;
  const double items = static_cast<double>(size[0]) * size[1] * size[2];
  return 1 - items / (static_cast<double>(record_.waves) * isa::kWaveSize);
}

bool Measures::converts_to_double() const {
  return executions(&OperationKind::double_precision) > 0 &&
         executions(&OperationKind::conversion) > 0;
}

double Measures::executions(bool OperationKind::* what) const {
  double out = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].*what) out += static_cast<double>(row(i).executed);
  }
  return out;
}

/// Exact divisions of floats, each of which ends in one instruction.
double Measures::float_divisions() const {
  return sum_of([&](std::size_t i) {
    return record_.instructions[i].starts_with("v_div_fixup_f32") ? row(i).executed : 0;
  });
}

/// Whether most of what functions take is exact division.
bool Measures::divides_floats() const {
  constexpr double kMostOfIt = 0.5;
  return float_divisions() * kOfADivision >=
         kMostOfIt * std::max(1.0, executions(&OperationKind::function) +
                                       executions(&OperationKind::transcendental));
}

/// How much of a cause an operation is; only their relation matters.
double Measures::score(Cause cause, std::size_t i) const {
  const OperationKind& kind = kinds_[i];
  const auto executed = static_cast<double>(row(i).executed),
             lines = static_cast<double>(row(i).lines);
  if (cause == Cause::transcendentals && !is_transcendental_)
    return kind.function && !kind.double_precision ? executed : 0;
  constexpr std::uint32_t kWidest = 16;  // bytes of a lane, which no load exceeds
  if (cause == Cause::narrow_loads && kind.bytes >= kWidest) return 0;
  if (const auto of = info(cause).instructions) return kind.*of ? executed : 0;
  switch (cause) {
    case Cause::uncoalesced_load:
      return kind.load && !follows_links(i) ? std::max(0.0, lines - least_lines(i)) : 0;
    case Cause::uncoalesced_store:
      return kind.store ? std::max(0.0, lines - least_lines(i)) : 0;
    case Cause::channel_camping:
      return kind.load || kind.store ? lines : 0;
    case Cause::bank_conflicts:
      return static_cast<double>(row(i).lds_conflicts);
    case Cause::host_memory:
      return in_host_[i];
    case Cause::page_migration:
      return in_managed_[i];
    case Cause::small_grid:
      // The busiest instruction says nothing; the busiest line is the work that there is.
      return lines_ && !lines_->empty() ? executed : 0;
    case Cause::lds_limited:
      return kind.lds ? executed : 0;
    case Cause::register_limited:
      return holds_most_registers_[i] ? executed : 0;
    case Cause::load_imbalance:
      return record_.instructions[i].starts_with("s_cbranch") ? executed : 0;
    case Cause::divergence:
    case Cause::unused_lanes:
      return record_.instructions[i].starts_with("v_")
                 ? executed * isa::kWaveSize - static_cast<double>(row(i).active_lanes)
                 : 0;
    case Cause::misaligned_access:
      return kind.load || kind.store ? static_cast<double>(facts_[i].straddling) : 0;
    case Cause::xcd_placement:
      return static_cast<double>(record_.traffic.rows[i].elsewhere);
    case Cause::invariant_loads:
      return is_invariant(i) ? static_cast<double>(facts_[i].repeated) : 0;
    case Cause::redundant_stores:
      return kind.store ? static_cast<double>(facts_[i].repeated) : 0;
    case Cause::dependency_chain:
      return static_cast<double>(facts_[i].chained);
    case Cause::strict_waits:
      return facts_[i].is_strict() ? executed : 0;
    case Cause::matrix_units_idle:
      return static_cast<double>(facts_[i].products);
    case Cause::instruction_cache:
      return row(i).executed >= 2 * executed_.counts.waves ? executed : 0;
    case Cause::address_translation:
      return static_cast<double>(facts_[i].pages);
    case Cause::dependent_loads:
      return kind.load ? executed + static_cast<double>(row(i).memory_lines + row(i).l2_lines) : 0;
    default:
      return 0;
  }
}

/// What follows links loads one element from each line, and not its pieces.
bool Measures::follows_links_mostly() const {
  constexpr double kMostLoads = 0.5;
  const auto loads = [&](std::size_t i) { return kinds_[i].load ? row(i).executed : 0; };
  return share(sum_of([&](std::size_t i) { return follows_links(i) ? loads(i) : 0; }),
               sum_of(loads)) >= kMostLoads;
}

/// What must be counted for a cause to be named, whatever the model would save.
bool Measures::is_there(Cause cause) const {
  switch (cause) {
    case Cause::uncoalesced_load:
      return scattered(false) >= kScattered;
    case Cause::uncoalesced_store:
      return scattered(true) >= kScattered;
    case Cause::narrow_loads:
      return !follows_links_mostly();
    case Cause::misaligned_access:
      return share(sum(cause), accesses()) >= kMuch;
    case Cause::channel_camping:
      return lines_apart() >= kMuch;
    case Cause::load_imbalance:
      return imbalance() >= kUneven;
    case Cause::small_grid:
      return static_cast<double>(executed_.counts.waves) <= kMost * p_.compute_units * p_.simds;
    case Cause::xcd_placement:
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return kinds_[i].load ? record_.traffic.rows[i].missing : 0;
                   })) >= kMuch;
    case Cause::dependency_chain:
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return kinds_[i].load ? facts_[i].executed : 0;
                   })) >= kMuch;
    case Cause::dependent_loads:
      return !is_there(Cause::dependency_chain);
    case Cause::transcendentals: {
      // The instruction alone is the fastest variant that there is.
      constexpr double kMostOfTheTime = 0.5;
      const double bare = executions(&OperationKind::transcendental) * p_.transcendental;
      const double all = sum_of([&](std::size_t i) {
        return record_.instructions[i].starts_with("v_") ? row(i).executed * p_.issue : 0;
      });
      return executions(&OperationKind::function) > 0 || share(bare, all) >= kMostOfTheTime;
    }
    case Cause::barriers: {
      // What waves pass to each other takes one: without a second there is none to take out.
      constexpr double kOneExchange = 1.5;
      return executions(&OperationKind::barrier) >=
             kOneExchange * static_cast<double>(executed_.counts.waves);
    }
    case Cause::short_dispatch:
      return timed_.time_class == cycle::TimeClass::launch;
    case Cause::matrix_units_idle:
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return record_.instructions[i].starts_with("v_") ? facts_[i].executed : 0;
                   })) >= kManyOff;
    case Cause::invariant_loads:
      return sum(cause) > 0;
    case Cause::redundant_loads:
      return !is_there(Cause::invariant_loads);
    case Cause::instruction_cache:
      return p_.instruction_cache_bytes > 0 && code_in_loops() > p_.instruction_cache_bytes;
    case Cause::address_translation:
      return share(sum(cause), accesses()) >= kManyPages;
    case Cause::host_memory:
    case Cause::page_migration:
      return share(sum(cause), sum_of([&](std::size_t i) { return touched_[i]; })) >= kFar;
    case Cause::flat_access:
      return share_flat() >= kManyOff;
    case Cause::unused_lanes:
      return unused_lanes() >= kManyOff;
    case Cause::divergence:
      return unused_lanes() < kManyOff && lanes_off() >= kManyOff;
    case Cause::double_precision:
      return converts_to_double();
    case Cause::conversions:
      return !converts_to_double();
    default:
      return true;
  }
}

std::vector<Evidence> Measures::evidence(Cause cause) const {
  const auto count = [](std::string_view what, auto value) {
    return Evidence{std::string(what), static_cast<double>(value), false};
  };
  const CauseInfo& about = info(cause);
  if (!about.counted.empty()) {
    const auto all = static_cast<double>(executed_.counts.instructions);
    std::vector<Evidence> out = {count(
        about.counted,
        about.instructions == nullptr ? sum(cause) : share(executions(about.instructions), all))};
    if (cause == Cause::transcendentals && float_divisions() > 0)
      out.push_back(count("of the instructions divide floats exactly",
                          share(float_divisions() * kOfADivision, all)));
    return out;
  }
  switch (cause) {
    case Cause::uncoalesced_load:
      return {count("times as many lines as the bytes of its loads fill", scattered(false))};
    case Cause::uncoalesced_store:
      return {count("times as many lines as the bytes of its stores fill", scattered(true))};
    case Cause::bank_conflicts:
      return {count("LDS cycles lost to conflicts", executed_.counts.lds_conflicts),
              count("LDS accesses", executed_.counts.lds_accesses)};
    case Cause::contended_atomics:
      return {count("atomics, by lane", executed_.counts.atomics),
              count("of them on the line with most", record_.traffic.hottest_line)};
    case Cause::channel_camping:
      return {count("lines on the busiest channel of an L2", record_.traffic.busiest_l2_channel)};
    case Cause::misaligned_access:
      return {count("accesses of the waves that were followed touch a line more than they fill",
                    sum(cause)),
              count("loads and stores of these waves", accesses())};
    case Cause::instruction_cache:
      return {count("bytes of code in loops", code_in_loops()),
              count("bytes of the instruction cache", p_.instruction_cache_bytes)};
    case Cause::address_translation:
      return {count("pages of 2 MiB that an access lies in, in the mean",
                    share(sum(cause), accesses()))};
    case Cause::unused_lanes:
      return {count("of the lanes of its waves are never used", unused_lanes())};
    case Cause::divergence:
      return {count("of the lanes of vector instructions are off", lanes_off())};
    case Cause::host_memory:
    case Cause::page_migration:
      return {count("of the lines that its waves want lie there",
                    share(sum(cause), sum_of([&](std::size_t i) { return touched_[i]; })))};
    case Cause::small_grid:
      return {count("waves", executed_.counts.waves), count("SIMDs", p_.compute_units * p_.simds)};
    case Cause::register_limited:
      return {count("vector registers of a work-item", record_.vgprs)};
    case Cause::lds_limited:
      return {count("bytes of LDS of a workgroup", record_.lds_bytes)};
    case Cause::small_workgroups:
      return {count("workgroups", record_.workgroups),
              count("waves of a workgroup", record_.waves)};
    case Cause::bandwidth_used_up:
      return {{"of the bandwidth of device memory", timed_.shared.memory, true},
              {"of the bandwidth of the Infinity Cache", timed_.shared.mall, true},
              {"of the bandwidth of the L2", timed_.shared.l2, true}};
    default:
      return {};
  }
}

}  // namespace rpl::findings
