// SPDX-License-Identifier: MIT
#include "engine/att/analyse/lines.h"

#include <algorithm>
#include <map>

#include "engine/base/numbers.h"

namespace rpl::att {
namespace {

constexpr std::size_t kDeepestChain = 64, kMostChains = 4;

void add_samples(Samples& into, const Samples& from) {
  into.issued += from.issued;
  into.stalled += from.stalled;
  into.lanes += from.lanes;
  into.waves += from.waves;
  for (std::size_t i = 0; i < kStallReasons; ++i) into.reasons[i] += from.reasons[i];
}

std::vector<Place> chosen(std::vector<Place> chain, Inlining inlining) {
  if (chain.empty()) return {Place{}};
  if (inlining == Inlining::leaf) return {chain.front()};
  if (inlining == Inlining::caller) return {chain.back()};
  // A recursive inline names a place twice; the instruction still ran once.
  std::ranges::sort(chain);
  chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
  return chain;
}

}  // namespace

std::string_view file_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<Place> chain_of(std::string_view source) {
  constexpr std::string_view kArrow = " -> ";
  std::vector<Place> chain;
  while (!source.empty() && chain.size() < kDeepestChain) {
    const std::size_t end = std::min(source.find(kArrow), source.size());
    const std::string_view part = source.substr(0, end);
    source.remove_prefix(std::min(end + kArrow.size(), source.size()));
    const std::size_t colon = part.rfind(':');
    const auto line = colon == std::string_view::npos
                          ? std::nullopt
                          : whole_number<std::int64_t>(part.substr(colon + 1));
    if (part.empty()) continue;
    chain.push_back(line ? Place{std::string(part.substr(0, colon)), *line}
                         : Place{std::string(part), 0});
  }
  return chain;
}

std::vector<LineCost> lines_of(const CodeTable& code, Inlining inlining) {
  std::map<Place, LineCost> lines;
  for (std::uint32_t at = 0; at < code.rows.size(); ++at) {
    const Instruction& row = code.rows[at];
    if (row.label) continue;
    const std::vector<Place> chain = chain_of(row.source);
    for (const Place& place : chosen(chain, inlining)) {
      LineCost& line = lines[place];
      line.place = place;
      line.cost +=
          Cost{.hits = row.hit, .latency = row.latency, .stall = row.stall, .idle = row.idle};
      if (!code.samples.empty()) add_samples(line.samples, code.samples[at]);
      line.rows.push_back(at);
      if (chain.size() > 1 && line.chains.size() < kMostChains &&
          std::ranges::find(line.chains, row.source) == line.chains.end()) {
        line.chains.push_back(row.source);
      }
    }
  }
  std::vector<LineCost> out;
  for (auto& [place, line] : lines) out.push_back(std::move(line));
  std::ranges::stable_sort(out, [](const LineCost& a, const LineCost& b) {
    return a.cost.latency != b.cost.latency ? a.cost.latency > b.cost.latency
                                            : a.samples.count() > b.samples.count();
  });
  return out;
}

}  // namespace rpl::att
