// SPDX-License-Identifier: MIT
#include "engine/device/cycle/stream_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "engine/device/cycle/operation_kind.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::cycle {
namespace {

constexpr std::uint8_t kNoWait = Operation::kNoWait;
/// What the counter of vector memory holds.
constexpr std::uint8_t kMostOutstanding = 63;

/// What an operation does to registers, read once.
struct Form {
  RegisterUse use;
  bool load = false;  ///< writes what memory or LDS holds
  bool scratch =
      false;            ///< of the wave's own memory, where registers are kept: no link of anything
  bool passes = false;  ///< gives on what it reads: moves, conversions to a wider type
  ProductType narrow = ProductType::none;  ///< of the value that it widens
  ProductType multiplies = ProductType::none;
  bool adds_to_result = false;  ///< the first that it reads is the sum
  bool releases = false;        ///< others rely on what came before it
};

Form form_of(std::string_view text, const Operation& op) {
  Form out{.use = register_use_of(text)};
  const bool memory = op.unit == Unit::vmem || op.unit == Unit::smem || op.unit == Unit::lds;
  out.load = memory && !op.store && !out.use.writes.empty();
  out.scratch = is_scratch(text);
  out.passes =
      starts_with_one_of(text, {"v_mov_b32", "v_accvgpr", "v_cvt_f32_f16", "v_cvt_f32_bf16",
                                "v_perm", "v_lshlrev_b32", "v_and_b32", "v_lshrrev_b32", "v_pk_mov",
                                "s_mov", "v_readfirstlane", "v_cvt_f64_f32"});
  if (text.starts_with("v_cvt_f32_f16")) out.narrow = ProductType::f16;
  // A bf16 is the upper half of a float.
  if (starts_with_one_of(text, {"v_lshlrev_b32", "v_and_b32", "v_cvt_f32_bf16"}))
    out.narrow = ProductType::bf16;
  if (starts_with_one_of(text,
                         {"v_fma_f32", "v_fmac_f32", "v_pk_fma_f32", "v_mac_f32", "v_mad_f32"}))
    out.multiplies = ProductType::f32;
  if (starts_with_one_of(text, {"v_fma_f64", "v_fmac_f64"})) out.multiplies = ProductType::f64;
  if (starts_with_one_of(text, {"v_fma_mix", "v_pk_fma_f16", "v_fma_f16", "v_fmac_f16", "v_dot2"}))
    out.multiplies = ProductType::f16;
  out.adds_to_result = starts_with_one_of(text, {"v_fmac", "v_mac_", "v_dot2c"});
  out.releases = op.unit == Unit::barrier || op.unit == Unit::end || op.atomic ||
                 text.find("_wb") != std::string_view::npos ||
                 text.find("_inv") != std::string_view::npos;
  return out;
}

/// What is known of a register's value.
struct Value {
  std::uint32_t loads = 0;   ///< longest chain of loads that it came through
  std::uint32_t by = 0;      ///< the last of these: its operation
  std::uint64_t serial = 0;  ///< and which of the loads of the wave it was; 0: none
  bool loaded = false;       ///< as memory has it
  bool sum = false;          ///< of a product of two loaded values and something else
  ProductType narrow = ProductType::none;
};

/// A load that a wait has waited for, until it shows whether the wait was needed.
struct Waited {
  std::uint64_t number = 0;  ///< of the operations on the counter
  RegisterRange range;
  std::uint32_t wait = 0;   ///< operation
  std::uint64_t after = 0;  ///< operations on the counter behind it when it was waited for
  std::uint64_t at = 0;     ///< the step
  bool resolved = false;    ///< something else that was waited for then was needed before
};

/// Compilers move a few instructions between a wait and what needs it.
constexpr std::uint64_t kEarly = 8;
/// How long before they were needed waits of one operation came.
struct Delays {
  std::uint64_t waits = 0, early = 0;
  bool any = false;                         ///< whether there was anything to wait for
  std::uint32_t least = ~std::uint32_t{0};  ///< of the early ones, in instructions
};

/// Follows one wave.
class Follower {
 public:
  Follower(std::span<const Form> forms, std::span<const Operation> operations,
           const std::vector<bool>& same_for_all, std::uint32_t line_bytes,
           std::vector<OperationFacts>& out, std::vector<Delays>& delays)
      : forms_(forms),
        operations_(operations),
        same_for_all_(same_for_all),
        line_bytes_(line_bytes),
        out_(out),
        delays_(delays) {
    last_.resize(operations.size());
    fed_.resize(operations.size());
  }

  void follow(const WaveStream& wave) {
    for (const Step& step : wave.steps) this->step(wave, step);
    need_all();
  }

 private:
  void step(const WaveStream& wave, const Step& step);
  void count_lines(const WaveStream& wave, const Step& step);
  void count_straddling(std::uint32_t operation, const AccessHead& head,
                        std::span<const std::uint64_t> lines);
  [[nodiscard]] bool adds_product(const Form& form) const;
  void count_product(std::uint32_t operation);
  void write(std::uint32_t operation);
  void wait(std::uint32_t operation, std::uint8_t vm);
  void use(const RegisterRange& range);
  /// Somebody else may rely on what was waited for.
  void need_all() {
    for (const Waited& one : waited_) {
      keep(one);
      resolve(one.at);
    }
    waited_.clear();
  }
  void resolve(std::uint64_t at) {
    for (Waited& one : waited_) one.resolved = one.resolved || one.at == at;
  }
  void keep(const Waited& one) {
    std::uint8_t& enough = out_[one.wait].enough;
    enough = static_cast<std::uint8_t>(std::min<std::uint64_t>(one.after, enough));
    if (one.resolved) return;
    Delays& delays = delays_[one.wait];
    ++delays.waits;
    const std::uint64_t delay = now_ - one.at - 1;
    if (delay < kEarly) return;
    ++delays.early;
    delays.least = std::min(delays.least, static_cast<std::uint32_t>(delay));
  }
  /// The value that came through most loads.
  [[nodiscard]] Value deepest(const std::vector<RegisterRange>& ranges) const {
    Value most;
    for (const RegisterRange& range : ranges) {
      for (std::uint16_t i = 0; i < range.count; ++i) {
        if (values_[range.first + i].loads > most.loads) most = values_[range.first + i];
      }
    }
    return most;
  }
  /// A load whose value becomes a factor.
  void feed(const Value& value) {
    if (value.serial == 0 || fed_[value.by] == value.serial) return;
    fed_[value.by] = value.serial;
    ++out_[value.by].feeds;
  }

  std::span<const Form> forms_;
  std::span<const Operation> operations_;
  const std::vector<bool>& same_for_all_;  ///< by operation, of loads
  std::uint32_t line_bytes_;
  std::vector<OperationFacts>& out_;
  std::vector<Delays>& delays_;
  std::array<Value, kRegisters> values_{};
  struct Outstanding {
    std::uint64_t number = 0;
    RegisterRange range;
  };
  std::deque<Outstanding> outstanding_;
  std::vector<Waited> waited_;
  std::uint64_t now_ = 0;     ///< steps
  std::uint64_t issued_ = 0;  ///< operations on the counter of vector memory
  /// The last access of an operation; without lines: none.
  struct Last {
    std::uint64_t first = 0, head = 0;
    bool operator==(const Last&) const = default;
  };
  std::vector<Last> last_;
  std::uint64_t loads_ = 0;
  std::vector<std::uint64_t>
      fed_;  ///< by operation, the serial of its last load that became a factor
};

void Follower::step(const WaveStream& wave, const Step& step) {
  const Operation& op = operations_[step.operation];
  const Form& form = forms_[step.operation];
  ++out_[step.operation].executed;
  ++now_;
  if (op.unit == Unit::wait) {
    if (op.wait_vm != kNoWait) wait(step.operation, op.wait_vm);
    return;
  }
  if (form.releases) {
    need_all();
  } else if (!waited_.empty()) {
    for (const RegisterRange& range : form.use.reads) use(range);
    for (const RegisterRange& range : form.use.writes) use(range);
  }
  if (op.unit == Unit::vmem || op.unit == Unit::smem) count_lines(wave, step);
  if (form.multiplies != ProductType::none) count_product(step.operation);
  write(step.operation);
  if (op.unit != Unit::vmem) return;
  outstanding_.push_back(
      {.number = issued_++,
       .range = form.use.writes.empty() ? RegisterRange() : form.use.writes.front()});
}

void Follower::count_lines(const WaveStream& wave, const Step& step) {
  if (step.detail == 0 || step.detail == kAssumed || step.detail > wave.lines.size()) return;
  const AccessHead head = AccessHead::of(wave.lines[step.detail - 1]);
  const auto lines =
      std::span(wave.lines)
          .subspan(step.detail, std::min<std::size_t>(head.lines, wave.lines.size() - step.detail));
  if (lines.empty()) return;
  OperationFacts& facts = out_[step.operation];
  std::uint64_t page = ~std::uint64_t{0};
  for (const std::uint64_t line : lines) {
    const std::uint64_t of_line = line * line_bytes_ / kPage;
    if (of_line == page) continue;
    page = of_line;
    ++facts.pages;
  }
  count_straddling(step.operation, head, lines);
  const Last now{.first = lines.front(), .head = head.packed()};
  if (last_[step.operation] == now) ++facts.repeated;
  last_[step.operation] = now;
}

/// Lines side by side, one more than the bytes of all lanes fill: they begin beside a boundary.
void Follower::count_straddling(std::uint32_t operation, const AccessHead& head,
                                std::span<const std::uint64_t> lines) {
  const std::uint64_t bytes = std::uint64_t{operations_[operation].bytes} * isa::kWaveSize;
  const std::uint64_t filled = (bytes + line_bytes_ - 1) / line_bytes_;
  if (head.detail != 0 && lines.size() == filled + 1 && lines.back() - lines.front() == filled)
    ++out_[operation].straddling;
}

/// A multiply-add of two values that were loaded.
bool Follower::adds_product(const Form& form) const {
  constexpr std::size_t kOperands = 3;
  const auto& reads = form.use.reads;
  if (form.multiplies == ProductType::none || reads.size() != kOperands || form.use.writes.empty())
    return false;
  const std::size_t factors = form.adds_to_result ? 1 : 0;
  return values_[reads[factors].first].loaded && values_[reads[factors + 1].first].loaded;
}

void Follower::count_product(std::uint32_t operation) {
  const Form& form = forms_[operation];
  if (!adds_product(form)) return;
  const auto& reads = form.use.reads;
  const std::size_t factors = form.adds_to_result ? 1 : 0;
  // The sum stays in its register, or goes on from one to the next.
  if (factors == 0 && reads.back() != form.use.writes.front() && !values_[reads.back().first].sum)
    return;
  const Value &a = values_[reads[factors].first], &b = values_[reads[factors + 1].first];
  // Weights that are the same for every lane of every wave are a vector: a filter, or a matrix times it.
  if (same_for_all_[a.by] || same_for_all_[b.by]) return;
  const ProductType narrow = std::max(a.narrow, b.narrow);
  feed(a);
  feed(b);
  OperationFacts& facts = out_[operation];
  ++facts.products;
  facts.type =
      narrow != ProductType::none && form.multiplies == ProductType::f32 ? narrow : form.multiplies;
}

void Follower::write(std::uint32_t operation) {
  const Form& form = forms_[operation];
  const Unit unit = operations_[operation].unit;
  const bool memory = (unit == Unit::vmem || unit == Unit::smem) && !form.scratch;
  Value value = deepest(form.use.reads);
  value.loaded = form.load;
  value.sum = adds_product(form);
  value.narrow = ProductType::none;
  if (form.load) {
    // The load that the address came from is the link.
    if (memory && value.loads + 1 >= kChain) ++out_[value.by].chained;
    value.loads += memory ? 1 : 0;
    value.by = operation;
    value.serial = ++loads_;
  }
  if (form.passes && !form.use.reads.empty()) {
    const Value& from = values_[form.use.reads.back().first];
    value.loaded = from.loaded;
    if (from.loaded) value.by = from.by;
    if (from.loaded) value.serial = from.serial;
    value.narrow = from.loaded ? std::max(from.narrow, form.narrow) : ProductType::none;
  }
  for (const RegisterRange& range : form.use.writes) {
    for (std::uint16_t i = 0; i < range.count; ++i) values_[range.first + i] = value;
  }
}

void Follower::wait(std::uint32_t operation, std::uint8_t vm) {
  while (outstanding_.size() > vm) {
    const Outstanding& one = outstanding_.front();
    delays_[operation].any = true;
    // What a store has done is needed by whoever synchronizes next; a load by whoever uses its register.
    waited_.push_back({.number = one.number,
                       .range = one.range,
                       .wait = operation,
                       .after = issued_ - one.number - 1,
                       .at = now_});
    outstanding_.pop_front();
  }
  // A wait further on would have waited for them as well, and the counter itself holds no more than so many.
  std::erase_if(waited_, [&](const Waited& one) {
    const std::uint64_t after = issued_ - one.number - 1;
    return after >= kMostOutstanding || (one.wait != operation && after >= vm);
  });
}

void Follower::use(const RegisterRange& range) {
  for (std::size_t i = 0; i < waited_.size();) {
    if (!waited_[i].range.overlaps(range)) {
      ++i;
      continue;
    }
    keep(waited_[i]);
    const std::uint64_t at = waited_[i].at;
    waited_.erase(waited_.begin() + static_cast<std::ptrdiff_t>(i));
    resolve(at);
  }
}

/// Loads that bring every lane of every wave that was kept the same, time after time: by operation.
std::vector<bool> loads_same_for_all(const LaunchRecord& record,
                                     const std::vector<Operation>& operations) {
  std::vector<bool> differs(operations.size()), asked(operations.size());
  std::vector<std::uint64_t> first(operations.size()), now(operations.size());
  std::size_t waves = 0;
  for (const auto& workgroup : record.kept) {
    for (const auto& wave : workgroup) {
      std::ranges::fill(now, 0);
      for (const Step& step : wave->steps) {
        const Unit unit = operations[step.operation].unit;
        if (unit == Unit::lds) differs[step.operation] = true;
        if (unit != Unit::vmem && unit != Unit::smem) continue;
        asked[step.operation] = true;
        if (step.detail == 0 || step.detail == kAssumed || step.detail >= wave->lines.size()) {
          differs[step.operation] = true;
          continue;
        }
        const AccessHead head = AccessHead::of(wave->lines[step.detail - 1]);
        // One line for all lanes is one value, unless it holds one for each.
        if (unit == Unit::vmem && head.lines != 1) differs[step.operation] = true;
        constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
        now[step.operation] = (now[step.operation] + wave->lines[step.detail]) * kMix + 1;
      }
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (waves == 0) first[i] = now[i];
        if (now[i] != first[i]) differs[i] = true;
      }
      ++waves;
    }
  }
  std::vector<bool> out(operations.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = waves > 1 && asked[i] && !differs[i];
  return out;
}

}  // namespace

Result<std::vector<OperationFacts>> facts_of(const LaunchRecord& record,
                                             const std::vector<Operation>& operations) {
  // A record that was read from a file may say anything.
  const std::uint32_t line = std::max(1U, record.traffic.line);
  std::vector<OperationFacts> out(operations.size());
  std::vector<Delays> delays(operations.size());
  std::vector<Form> forms;
  for (std::size_t i = 0; i < operations.size(); ++i)
    forms.push_back(form_of(record.instructions[i], operations[i]));
  const std::vector<bool> same_for_all = loads_same_for_all(record, operations);
  for (const auto& workgroup : record.kept) {
    for (const auto& wave : workgroup) {
      Follower(forms, operations, same_for_all, line, out, delays).follow(*wave);
      TRY(interrupt::check());
    }
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    OperationFacts& facts = out[i];
    // Later waits were for the same, before anything needed it: this one is for nothing.
    if (delays[i].any && facts.enough == kNoWait) facts.enough = kMostOutstanding;
    const bool is_strict = operations[i].wait_vm != kNoWait && facts.executed > 0 &&
                           facts.enough > operations[i].wait_vm;
    if (!is_strict) facts.enough = kNoWait;
    // One for other counters too cannot be moved for this one.
    const bool movable = operations[i].wait_lgkm == kNoWait && operations[i].wait_exp == kNoWait;
    constexpr double kMost = 0.75;
    if (movable && delays[i].early > 0 &&
        static_cast<double>(delays[i].early) >= kMost * static_cast<double>(delays[i].waits))
      facts.early = delays[i].least;
  }
  return out;
}

std::string with_wait(std::string_view text, std::uint8_t vm) {
  constexpr std::string_view kCounter = "vmcnt(";
  const std::size_t at = text.find(kCounter);
  if (at == std::string_view::npos) return std::string(text);
  const std::size_t end = text.find(')', at);
  return fmt::format("{}{}{}", text.substr(0, at + kCounter.size()), vm, text.substr(end));
}

}  // namespace rpl::cycle
