// SPDX-License-Identifier: MIT
#include "engine/device/findings/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "engine/device/execute/launch/launch.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/object/source_lines.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::findings {
namespace {

using cycle::Ideal;
using cycle::OperationKind;

/// What a cause must be worth to be told, and what a symptom must.
constexpr double kWorthTelling = 0.02, kWorthASymptom = 0.2;
/// A symptom is told only while no cause with a place explains this part of it.
constexpr double kExplained = 0.5;
/// Lines that an access touches, of the least possible, from which on it is called uncoalesced: rows that are not aligned touch half as many more.
constexpr double kScattered = 1.75;
/// Of lanes, instructions or lines: enough to speak of; and most of what matters.
constexpr double kManyOff = 0.1, kMuch = 0.3;
/// Pages that an access lies in, in the mean: lanes side by side lie in one or two.
constexpr double kManyPages = 8;
/// Of a bandwidth or of the arithmetic units: used up.
constexpr double kUsedUp = 0.6;
/// A repair costs instructions of its own and saves others, and other mechanisms take a part of what one gives free: what it saves lies this far around the difference.
constexpr double kAround = 0.12, kLittle = 0.05;
constexpr std::size_t kPlaces = 3;

Worth around(double low, double high) {
  return {.low = std::max(0.0, low - kAround), .high = std::min(1.0, high + kAround)};
}

class Finder {
 public:
  Finder(const emu::Executed& executed, const isa::CodeObject& object, const cycle::Parameters& p)
      : executed_(executed), record_(*executed.record), p_(p) {
    if (auto lines = object.source_lines()) lines_ = std::move(*lines);
  }

  Result<Findings> find();

 private:
  [[nodiscard]] const emu::InstructionCounts& row(std::size_t operation) const {
    return executed_.counts.by_instruction[operation];
  }
  [[nodiscard]] double saved(std::uint64_t cycles) const {
    return std::max(0.0, 1 - static_cast<double>(cycles) / static_cast<double>(timed_.cycles));
  }
  /// Of what is counted for a cause, over all operations; and of something else.
  [[nodiscard]] double sum(Cause cause) const {
    return sum_of([&](std::size_t i) { return score(cause, i); });
  }
  template <class Count>
  [[nodiscard]] double sum_of(const Count& count) const {
    double out = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) out += static_cast<double>(count(i));
    return out;
  }
  static double share(double part, double all) { return all > 0 ? part / all : 0; }
  void mark_divisions_by_place();
  [[nodiscard]] std::size_t mask_before(std::size_t operation) const;
  [[nodiscard]] std::string source_of(std::uint64_t address) const;
  [[nodiscard]] double least_lines(std::size_t operation) const;
  [[nodiscard]] double scattered(bool stores) const;
  [[nodiscard]] bool is_misaligned(std::size_t operation) const;
  [[nodiscard]] bool is_invariant(std::size_t operation) const;
  [[nodiscard]] double code_in_loops() const;
  [[nodiscard]] double lanes_off() const;
  [[nodiscard]] double unused_lanes() const;
  [[nodiscard]] double score(Cause cause, std::size_t operation) const;
  [[nodiscard]] std::vector<Place> places(Cause cause) const;
  [[nodiscard]] bool is_there(Cause cause) const;
  [[nodiscard]] std::vector<Evidence> evidence(Cause cause) const;
  [[nodiscard]] Finding made(Cause cause, std::optional<double> worth) const;
  void add_used_up(std::vector<Finding>& out) const;
  [[nodiscard]] bool converts_to_double() const;
  [[nodiscard]] double executions(bool OperationKind::* what) const;

  const emu::Executed& executed_;
  const cycle::LaunchRecord& record_;
  const cycle::Parameters& p_;
  std::optional<isa::SourceLines> lines_;
  cycle::LaunchTime timed_;
  std::vector<OperationKind> kinds_;
  std::vector<cycle::OperationCounts> counts_;
  std::vector<cycle::OperationFacts> facts_;  ///< of the waves that were kept
};

/// The compiler mixes the instructions of several divisions; with a line table all that come from the same place as one that is known belong to it.
void Finder::mark_divisions_by_place() {
  if (!lines_ || lines_->empty()) return;
  const auto place_of = [&](std::size_t i) {
    return isa::place_text(lines_->chain(executed_.program->ops[i].address));
  };
  std::set<std::string> known;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (record_.instructions[i].starts_with("v_rcp_iflag") ||
        (kinds_[i].division && record_.instructions[i].starts_with("v_mul_hi")))
      known.insert(place_of(i));
  }
  known.erase("");
  if (known.empty()) return;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!cycle::may_divide(record_.instructions[i]) || !known.contains(place_of(i))) continue;
    kinds_[i].division = true;
    kinds_[i].addressing = false;
  }
}

/// The place, from the first frame on that is of the kernel's own folder: what headers do is not where people look.
std::string Finder::source_of(std::uint64_t address) const {
  if (!lines_) return {};
  auto chain = lines_->chain(address);
  if (chain.empty()) return {};
  const auto folder = std::filesystem::path(chain.back().file).parent_path();
  const auto own = std::ranges::find_if(chain, [&](const isa::SourcePlace& place) {
    return std::filesystem::path(place.file).parent_path() == folder;
  });
  chain.erase(chain.begin(), own);
  return isa::place_text(chain);
}

double Finder::least_lines(std::size_t operation) const {
  const auto& counts = row(operation);
  return std::max(static_cast<double>(counts.executed),
                  static_cast<double>(counts.bytes) / std::max(1U, p_.l1_line));
}

/// Lines of all loads or stores, of the least possible.
double Finder::scattered(bool stores) const {
  double lines = 0, least = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (!(stores ? kinds_[i].store : kinds_[i].load) || row(i).executed == 0) continue;
    // What all lanes load from one place is as good as it can be.
    lines += static_cast<double>(row(i).lines);
    least += std::min(static_cast<double>(row(i).lines), least_lines(i));
  }
  return least > 0 ? lines / least : 0;
}

/// One line more than its bytes fill, in most of its executions.
bool Finder::is_misaligned(std::size_t i) const {
  constexpr double kMost = 0.5, kOneMore = 1.05;
  if ((!kinds_[i].load && !kinds_[i].store) || row(i).executed == 0) return false;
  const auto executed = static_cast<double>(row(i).executed);
  const double more = (static_cast<double>(row(i).lines) - least_lines(i)) / executed;
  // A line for less than a line's bytes is not one more.
  return more >= kMost && more <= kOneMore &&
         static_cast<double>(row(i).bytes) / executed >= p_.l1_line;
}

/// A load that a wave does again and again, of the same addresses.
bool Finder::is_invariant(std::size_t i) const {
  constexpr double kMost = 0.75;
  return kinds_[i].load &&
         static_cast<double>(facts_[i].repeated) >=
             kMost * static_cast<double>(std::max<std::uint64_t>(1, facts_[i].executed));
}

/// Bytes of the instructions that waves run twice or more.
double Finder::code_in_loops() const {
  const auto& ops = executed_.program->ops;
  double out = 0;
  for (std::size_t i = 0; i + 1 < kinds_.size(); ++i) {
    if (row(i).executed >= 2 * executed_.counts.waves)
      out += static_cast<double>(ops[i + 1].address - ops[i].address);
  }
  return out;
}

double Finder::lanes_off() const {
  const auto& counts = executed_.counts;
  if (counts.vector_instructions == 0) return 0;
  return 1 - static_cast<double>(counts.active_lanes) /
                 (static_cast<double>(counts.vector_instructions) * isa::kWaveSize);
}

/// Of the waves of a full workgroup.
double Finder::unused_lanes() const {
  const auto& size = executed_.modelled->workgroup;
  const double items = static_cast<double>(size[0]) * size[1] * size[2];
  return 1 - items / (static_cast<double>(record_.waves) * isa::kWaveSize);
}

bool Finder::converts_to_double() const {
  return executions(&OperationKind::double_precision) > 0 &&
         executions(&OperationKind::conversion) > 0;
}

double Finder::executions(bool OperationKind::* what) const {
  double out = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (kinds_[i].*what) out += static_cast<double>(row(i).executed);
  }
  return out;
}

/// How much of a cause an operation is; only their relation matters.
double Finder::score(Cause cause, std::size_t i) const {
  const OperationKind& kind = kinds_[i];
  const auto executed = static_cast<double>(row(i).executed),
             lines = static_cast<double>(row(i).lines);
  if (const auto of = info(cause).instructions) return kind.*of ? executed : 0;
  switch (cause) {
    case Cause::uncoalesced_load:
      return kind.load ? std::max(0.0, lines - least_lines(i)) : 0;
    case Cause::uncoalesced_store:
      return kind.store ? std::max(0.0, lines - least_lines(i)) : 0;
    case Cause::channel_camping:
      return kind.load || kind.store ? lines : 0;
    case Cause::bank_conflicts:
      return static_cast<double>(row(i).lds_conflicts);
    case Cause::load_imbalance:
      return record_.instructions[i].starts_with("s_cbranch") ? executed : 0;
    case Cause::divergence:
    case Cause::unused_lanes:
      return record_.instructions[i].starts_with("v_")
                 ? executed * isa::kWaveSize - static_cast<double>(row(i).active_lanes)
                 : 0;
    case Cause::misaligned_access:
      return is_misaligned(i) ? lines - least_lines(i) : 0;
    case Cause::xcd_placement:
      return static_cast<double>(record_.traffic.rows[i].elsewhere);
    case Cause::invariant_loads:
      return is_invariant(i) ? static_cast<double>(facts_[i].repeated) : 0;
    case Cause::redundant_stores:
      return kind.store ? static_cast<double>(facts_[i].repeated) : 0;
    case Cause::dependency_chain:
      return static_cast<double>(facts_[i].chained);
    case Cause::strict_waits:
      return facts_[i].enough != cycle::Operation::kNoWait ? executed : 0;
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

/// The instruction that switched lanes off for this one: the last before it that writes the mask of lanes.
std::size_t Finder::mask_before(std::size_t operation) const {
  for (std::size_t i = operation; i-- > 0;) {
    const std::string& text = record_.instructions[i];
    if (text.starts_with("v_cmpx") ||
        (text.starts_with("s_") && text.find("exec") != std::string::npos &&
         !text.starts_with("s_cbranch")))
      return i;
  }
  return operation;
}

/// The lines of the source, or the instructions where there is no line table, that are most of a cause.
std::vector<Place> Finder::places(Cause cause) const {
  std::map<std::string, Place> by_text;
  double sum = 0;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const double one = score(cause, i);
    if (one <= 0) continue;
    sum += one;
    const std::size_t at = cause == Cause::divergence ? mask_before(i) : i;
    const std::uint64_t address = executed_.program->ops[at].address;
    Place place{.address = address,
                .instruction = record_.instructions[at],
                .source = source_of(address),
                .share = one};
    const auto [kept, is_new] = by_text.try_emplace(
        place.source.empty() ? fmt::format("{:x}", address) : place.source, place);
    if (!is_new) kept->second.share += one;
  }
  std::vector<Place> out;
  for (auto& [text, place] : by_text) out.push_back(std::move(place));
  std::ranges::stable_sort(out, std::greater(), &Place::share);
  if (out.size() > kPlaces) out.resize(kPlaces);
  for (Place& place : out) place.share /= sum;
  return out;
}

/// What must be counted for a cause to be named, whatever the model would save.
bool Finder::is_there(Cause cause) const {
  switch (cause) {
    case Cause::uncoalesced_load:
      return scattered(false) >= kScattered;
    case Cause::uncoalesced_store:
      return scattered(true) >= kScattered;
    case Cause::misaligned_access:
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return kinds_[i].load || kinds_[i].store ? row(i).lines : 0;
                   })) >= kManyOff;
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
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return kinds_[i].load || kinds_[i].store ? facts_[i].executed : 0;
                   })) >= kManyPages;
    case Cause::flat_access:
      return share(sum(cause), sum_of([&](std::size_t i) {
                     return kinds_[i].load || kinds_[i].store ? row(i).executed : 0;
                   })) >= kManyOff;
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

std::vector<Evidence> Finder::evidence(Cause cause) const {
  const CauseInfo& about = info(cause);
  if (!about.counted.empty()) {
    const auto all = static_cast<double>(std::max<std::uint64_t>(1, executed_.counts.instructions));
    return {{std::string(about.counted), executions(about.instructions) / all, false}};
  }
  const auto count = [](std::string_view what, auto value) {
    return Evidence{std::string(what), static_cast<double>(value), false};
  };
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
      return {count("lines more than the bytes of these accesses fill", sum(cause))};
    case Cause::xcd_placement:
      return {count("lines that an L2 loaded while the L2 of another die had them", sum(cause))};
    case Cause::invariant_loads:
      return {count("loads of the waves that were followed repeat the one before", sum(cause))};
    case Cause::redundant_stores:
      return {count("stores of the waves that were followed repeat the one before", sum(cause))};
    case Cause::dependency_chain:
      return {count("loads of the waves that were followed need one that needs another, and so on",
                    sum(cause))};
    case Cause::strict_waits:
      return {count("waits for loads that nothing needs yet", sum(cause))};
    case Cause::matrix_units_idle:
      return {count("products of loaded values that vector units added up", sum(cause))};
    case Cause::instruction_cache:
      return {count("bytes of code in loops", code_in_loops()),
              count("bytes of the instruction cache", p_.instruction_cache_bytes)};
    case Cause::address_translation:
      return {count("pages of 2 MiB that an access lies in, in the mean",
                    share(sum(cause), sum_of([&](std::size_t i) {
                            return kinds_[i].load || kinds_[i].store ? facts_[i].executed : 0;
                          })))};
    case Cause::unused_lanes:
      return {count("of the lanes of its waves are never used", unused_lanes())};
    case Cause::divergence:
      return {count("of the lanes of vector instructions are off", lanes_off())};
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

Finding Finder::made(Cause cause, std::optional<double> worth) const {
  Finding out{.cause = cause, .where = places(cause), .evidence = evidence(cause)};
  // What takes the place of a load that is left out, of LDS or of registers, may cost half of it.
  constexpr double kReplaced = 0.5;
  if (worth)
    out.worth = around(cause == Cause::redundant_loads ? kReplaced * *worth : *worth, *worth);
  if (const auto ideal = info(cause).ideal) out.assumes = cycle::info(*ideal).sentence;
  out.remedy = info(cause).remedy;
  const std::size_t at = out.remedy.find("PLACE");
  if (at != std::string::npos) {
    const std::string place = out.where.empty() ? "the kernel" : out.where.front().text();
    out.remedy.replace(at, std::string_view("PLACE").size(), place.substr(0, place.find(',')));
  }
  return out;
}

void Finder::add_used_up(std::vector<Finding>& out) const {
  using cycle::TimeClass;
  const double bandwidth = std::max({timed_.shared.memory, timed_.shared.mall, timed_.shared.l2});
  if (bandwidth >= kUsedUp) out.push_back(made(Cause::bandwidth_used_up, std::nullopt));
  if (timed_.time_class == TimeClass::compute)
    out.push_back(made(Cause::compute_used_up, std::nullopt));
  if (out.empty()) out.push_back(made(Cause::nothing_of_note, std::nullopt));
}

Result<Findings> Finder::find() {
  timed_ = TRY(cycle::time_launch(record_, p_, false));
  kinds_ = cycle::kinds_of(record_, timed_.operations);
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
  mark_divisions_by_place();
  facts_ = TRY(cycle::facts_of(record_, timed_.operations));
  const cycle::Question question{record_, p_, timed_.operations, kinds_, facts_, counts_};
  const auto other = TRY(cycle::counterfactuals(question));
  Findings out;
  std::vector<Finding> symptoms;
  std::vector<Ideal> faults;
  double best = 0;
  for (const CauseInfo& cause : causes()) {
    if (!cause.ideal || !is_there(cause.cause)) continue;
    const auto found = std::ranges::find(other, *cause.ideal, &cycle::Counterfactual::ideal);
    if (found == other.end()) continue;
    const double worth = saved(found->cycles);
    if (worth < (cause.symptom ? kWorthASymptom : kWorthTelling)) continue;
    (cause.symptom ? symptoms : out.all).push_back(made(cause.cause, worth));
    if (cause.symptom) continue;
    best = std::max(best, worth);
    faults.push_back(*cause.ideal);
  }
  std::ranges::stable_sort(out.all, std::greater(),
                           [](const Finding& one) { return one.worth->low + one.worth->high; });
  std::ranges::stable_sort(symptoms, std::greater(),
                           [](const Finding& one) { return one.worth->low + one.worth->high; });
  for (const Cause cause :
       {Cause::instruction_cache, Cause::address_translation, Cause::flat_access}) {
    if (is_there(cause)) out.all.push_back(made(cause, std::nullopt));
  }
  for (Finding& symptom : symptoms) {
    if (best < kExplained * (symptom.worth->high - kAround)) out.all.push_back(std::move(symptom));
  }
  if (!faults.empty()) {
    const double all = saved(TRY(cycle::cycles_with(question, faults)));
    double least = 0;
    for (const Finding& one : out.all) {
      if (!info(one.cause).symptom) least = std::max(least, one.worth->low);
    }
    out.without_faults = {.low = least, .high = around(0, std::max(best, all)).high};
  }
  add_used_up(out.all);
  // Where nothing is wrong, a little may be gained all the same.
  if (faults.empty())
    out.without_faults = {.low = 0,
                          .high = out.all.front().worth ? out.all.front().worth->high : kLittle};
  return out;
}

}  // namespace

Result<Findings> find(const emu::Executed& executed, const isa::CodeObject& object,
                      const cycle::Parameters& parameters) {
  if (!executed.modelled || !executed.record || !executed.program ||
      executed.counts.by_instruction.empty())
    return fail(Errc::unsupported, "the run kept nothing to time it again by",
                "run it with the cycle model: kernel run --modelled");
  return Finder(executed, object, parameters).find();
}

}  // namespace rpl::findings
