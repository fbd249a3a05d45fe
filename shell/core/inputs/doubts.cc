// SPDX-License-Identifier: MIT
#include "shell/core/inputs/doubts.h"

#include <fmt/format.h>

namespace rpl {
namespace {

/// Of its own type, as what is kept with a trace is found by type.
struct HeldDoubts : std::vector<Doubt> {};

}  // namespace

Result<std::shared_ptr<const std::vector<Doubt>>> doubts_of(const Inputs& inputs,
                                                            const Loaded& loaded) {
  if (auto held = loaded.open->cached<HeldDoubts>()) return held;
  const auto graph = TRY(graph_of(inputs, loaded));
  // A window lacks what lies outside.
  const DoubtOptions options{.whole = loaded.open->origin().empty()};
  std::vector<Doubt> doubts = TRY(find_doubts(*graph, options));
  auto found = std::make_shared<const HeldDoubts>(HeldDoubts{std::move(doubts)});
  loaded.open->cache<HeldDoubts>(found);
  return found;
}

std::optional<std::string> doubt_note(const std::vector<Doubt>& doubts) {
  if (doubts.empty()) return std::nullopt;
  std::string kinds;
  for (const Doubt& doubt : doubts)
    kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", to_string(doubt.kind));
  return fmt::format("the recording is less sure than others ({}): info warnings says why", kinds);
}

double trust_in_kernels(const std::vector<Doubt>& doubts) {
  constexpr double kOfEach = 0.75;
  double out = 1;
  for (const Doubt& doubt : doubts) out *= is_of_kernels(doubt.kind) ? kOfEach : 1;
  return out;
}

}  // namespace rpl
