// SPDX-License-Identifier: MIT
// Where a cause is: in the lines of the source, or the instructions where there is no line table.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/device/cycle/register_use.h"
#include "engine/device/findings/measures.h"
#include "engine/isa/object/code_object.h"
#include "engine/isa/traits/architecture.h"

namespace rpl::findings {
namespace {

constexpr std::size_t kPlaces = 3;

}  // namespace

bool Measures::has_line(std::size_t operation) const {
  if (!lines_) return true;
  const auto frames = isa::own_frames(lines_->chain(executed_.program->ops[operation].address));
  return frames.empty() || frames.front().line != 0;
}

/// What the compiler made for no line in particular (line 0) belongs to the line before it.
std::string Measures::source_of(std::size_t operation) const {
  if (!lines_) return {};
  const auto& ops = executed_.program->ops;
  for (std::size_t i = operation + 1; i-- > 0;) {
    if (has_line(i)) return isa::place_text(isa::own_frames(lines_->chain(ops[i].address)));
  }
  return isa::place_text(isa::own_frames(lines_->chain(ops[operation].address)));
}

/// Whether it is of a header of others, inlined into the kernel. Such a place is also what is left of code without one: the compiler's table goes on with the line before.
bool Measures::is_of_headers(std::size_t operation) const {
  if (!lines_) return false;
  const auto frames = lines_->chain(executed_.program->ops[operation].address);
  return isa::own_frames(frames).size() < frames.size();
}

/// The instructions around which nearly as many vector registers as anywhere hold values that are needed again, each taken from its first write to its last use.
void Measures::find_registers() {
  holds_most_registers_.assign(kinds_.size(), false);
  constexpr std::size_t kNone = ~std::size_t{0};
  constexpr double kNearly = 0.9;
  std::vector<std::size_t> begin(cycle::kRegisters, kNone), end(cycle::kRegisters, 0);
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    if (row(i).executed == 0) continue;
    const auto use = cycle::register_use_of(record_.instructions[i]);
    for (const auto* ranges : {&use.writes, &use.reads}) {
      for (const auto& range : *ranges) {
        for (std::size_t k = range.first; k < std::size_t{range.first} + range.count; ++k) {
          if (begin[k] == kNone) begin[k] = i;
          end[k] = i;
        }
      }
    }
  }
  std::vector<double> held(kinds_.size() + 1);
  for (std::size_t k = 0; k < begin.size(); ++k) {
    if (begin[k] == kNone || end[k] == begin[k]) continue;
    held[begin[k]] += 1;
    held[end[k] + 1] -= 1;
  }
  double now = 0, most = 0;
  for (double& one : held) most = std::max(most, one = now += one);
  for (std::size_t i = 0; i < kinds_.size(); ++i)
    holds_most_registers_[i] = held[i] >= kNearly * most;
}

/// The instruction that switched lanes off for this one: the last before it that takes some out of the mask of lanes. Where the compiler made that for no line in particular, as
/// of a chain of comparisons, what runs with the lanes off says more: it itself.
std::size_t Measures::mask_before(std::size_t operation) const {
  for (std::size_t i = operation; i-- > 0;) {
    const std::string& text = record_.instructions[i];
    if (text.starts_with("v_cmpx") ||
        (text.starts_with("s_") && text.find("exec") != std::string::npos &&
         !text.starts_with("s_cbranch") && !text.starts_with("s_or_b64")))
      return has_line(i) ? i : operation;
  }
  return operation;
}

/// The lines of the source, or the instructions where there is no line table, that are most of a cause.
std::vector<Place> Measures::places(Cause cause) const {
  std::map<std::string, Place> by_text;
  double sum = 0;
  const auto counts = [&](std::size_t i) { return score(cause, i) > 0; };
  // Headers of others divide nothing but the size of the grid.
  bool own = false;
  for (std::size_t i = 0; i < kinds_.size() && cause == Cause::integer_division; ++i)
    own = own || (counts(i) && !is_of_headers(i));
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const double one = score(cause, i);
    if (one <= 0 || (own && is_of_headers(i))) continue;
    sum += one;
    const std::size_t at = cause == Cause::divergence ? mask_before(i) : i;
    const std::uint64_t address = executed_.program->ops[at].address;
    Place place{.address = address,
                .instruction = record_.instructions[at],
                .source = source_of(at),
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

}  // namespace rpl::findings
