// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/plot/paint.h"

namespace rpl {
namespace {

/// A piece of the walk before it has a name, in the order of the walk: last first.
struct Piece {
  NodeId node = kNoNode;  ///< the latest operation of a run; of a gap, the one behind it
  bool gap = false;
  SegmentKind cause = SegmentKind::idle;
  std::uint64_t operations = 0;
  std::int64_t ns = 0;
  bool inferred = false;
};

SegmentKind cause_of(const WalkStep& step) {
  if (step.host_ns >= step.launch_ns && step.host_ns >= step.idle_ns) return SegmentKind::host;
  return step.launch_ns >= step.idle_ns ? SegmentKind::launch : SegmentKind::idle;
}

bool same_work(const Graph& graph, NodeId a, NodeId b) {
  return operation_name(graph, a) == operation_name(graph, b);
}

/// Calls visit(piece) for each run of equal operations and each gap between runs. Gaps within a run break it only when they are longer
/// than `shortest_gap_ns`; shorter ones disappear.
Status each_piece(const Graph& graph, std::int64_t shortest_gap_ns,
                  const std::function<void(const Piece&)>& visit) {
  const NodeId last = last_operation(graph);
  if (last == kNoNode) return {};
  Walk walk(graph, last);
  WalkStep step;
  Piece run;
  for (std::uint64_t count = 1; walk.next(step); ++count) {
    if (count % 65536 == 0) TRY(interrupt::check());
    if (run.operations > 0 && !same_work(graph, run.node, step.node)) {
      visit(run);
      run = {};
    }
    if (run.operations == 0) run.node = step.node;
    ++run.operations;
    run.ns += step.end_ns - step.begin_ns;
    run.inferred = step.via == EdgeClass::inferred;
    const std::int64_t gap = step.host_ns + step.idle_ns + step.launch_ns;
    if (gap < shortest_gap_ns) continue;
    // The edge that crosses the gap belongs to the gap, which comes first in time.
    Piece hole{.node = step.node,
               .gap = true,
               .cause = cause_of(step),
               .ns = gap,
               .inferred = run.inferred};
    run.inferred = false;
    visit(run);
    run = {};
    visit(hole);
  }
  if (run.operations > 0) visit(run);
  return {};
}

Bead bead_of(const Graph& graph, const Piece& piece) {
  Bead bead;
  bead.kind = piece.gap ? Bead::Kind::gap : Bead::Kind::operations;
  bead.name = piece.gap ? std::string(to_string(piece.cause))
                        : std::string(operation_name(graph, piece.node));
  bead.operations = piece.operations;
  bead.ns = piece.ns;
  bead.inferred = piece.inferred;
  return bead;
}

std::string words(const Bead& bead) {
  switch (bead.kind) {
    case Bead::Kind::gap:
      return fmt::format("gap {} ({})", format_ns(bead.ns), bead.name);
    case Bead::Kind::rest:
      return fmt::format("[{} more, {}]", format_count(bead.operations), format_ns(bead.ns));
    case Bead::Kind::operations:
      break;
  }
  const std::string times =
      bead.operations > 1 ? fmt::format(" x{}", format_count(bead.operations)) : "";
  return fmt::format("{}{} {}", bead.name, times, format_ns(bead.ns));
}

}  // namespace

std::string ribbon_text(const std::vector<Bead>& beads, const Canvas& canvas) {
  std::string text;
  std::size_t column = 0;
  for (std::size_t i = 0; i < beads.size(); ++i) {
    const std::string word = words(beads[i]);
    const std::string link = i == 0 ? "" : beads[i].inferred ? "~> " : "=> ";
    if (column > 0 && column + 1 + link.size() + word.size() > canvas.width) {
      text += "\n  ";
      column = 2;
    } else if (column > 0) {
      text += ' ';
      ++column;
    }
    text += link + word;
    column += link.size() + word.size();
  }
  return text.empty() ? text : text + '\n';
}

Result<std::vector<Bead>> path_beads(const Graph& graph, std::size_t most) {
  const auto [first, last] = graph.span_ns();
  const std::int64_t shortest_gap = std::max<std::int64_t>((last - first) / 200, 1);
  // The lengths worth keeping: the `most` longest, by a heap whose top is the shortest of them.
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> longest;
  TRY(each_piece(graph, shortest_gap, [&](const Piece& piece) {
    longest.push(piece.ns);
    if (longest.size() > most) longest.pop();
  }));
  const std::int64_t keep_from =
      longest.size() < most || longest.empty() ? INT64_MIN : longest.top();
  std::vector<Bead> beads;
  TRY(each_piece(graph, shortest_gap, [&](const Piece& piece) {
    if (piece.ns >= keep_from && beads.size() < 2 * most) {
      beads.push_back(bead_of(graph, piece));
      return;
    }
    if (beads.empty() || beads.back().kind != Bead::Kind::rest) {
      beads.push_back(
          Bead{.kind = Bead::Kind::rest, .name = "", .operations = 0, .ns = 0, .inferred = false});
    }
    beads.back().operations += piece.operations;
    beads.back().ns += piece.ns;
    beads.back().inferred = piece.inferred;
  }));
  std::ranges::reverse(beads);
  return beads;
}

}  // namespace rpl
