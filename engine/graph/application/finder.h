// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/application/application.h"
#include "engine/graph/application/sites.h"
#include "engine/graph/reschedule.h"

/// What the files of this folder share.
namespace rpl::findings {

/// What a cause must be worth to be told.
inline constexpr double kWorthTelling = 0.02;
/// The schedule knows nothing of caches that stay warm or of the host's own jitter: what a repair saves lies this far around the difference.
inline constexpr double kAround = 0.05;
/// So often a call is made in a loop.
inline constexpr std::uint64_t kAgainAndAgain = 3;
inline constexpr std::size_t kPlaces = 3;

/// What is asked of one recording.
struct Application {
  const Graph& graph;
  const ApplicationFacts& facts;
  const ApiTable* api;     ///< null: none recorded
  const SyncTable* syncs;  ///< null: none recorded
  const CopyTable* copies;
  const Sites& sites;
  std::int64_t span_ns;
  /// When the host made the first and the last launch; both 0 where no launch call is known.
  std::int64_t first_launch_ns = 0, last_launch_ns = 0;
  std::int64_t launch_latency_ns = 0;  ///< of LaunchTimes
  /// How soon a kernel follows the one before it: as neighbours do or, where there are none, after half of what a launch takes, for the host's half of it is done by then.
  std::int64_t follow_gap_ns = 0;

  [[nodiscard]] double share(std::int64_t ns) const {
    return span_ns <= 0 ? 0 : static_cast<double>(ns) / static_cast<double>(span_ns);
  }
  /// The share of the span that is saved; never negative.
  [[nodiscard]] Result<double> saved(const Otherwise& otherwise, bool moves = true) const {
    const std::int64_t now_ns = TRY(rescheduled_span_ns(graph, otherwise, moves));
    return std::clamp(share(span_ns - now_ns), 0.0, 1.0);
  }
  [[nodiscard]] std::string_view name_of(const ApiCall& call) const {
    return api->names[call.name];
  }
};

/// Around a difference; nothing for one that is not worth telling.
Worth around(double worth);
Worth between(double one, double other);

/// Calls, by name and line of the program, of which some are most: "hipMalloc, 300 calls".
class CallPlaces {
 public:
  explicit CallPlaces(const Application& of) : of_(of) {}
  /// A call that took `ns` of what is counted.
  void add(const ApiCall& call, std::int64_t ns);
  [[nodiscard]] std::vector<Place> most() const;
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::int64_t total_ns() const { return total_ns_; }

 private:
  struct Counted {
    std::uint32_t name = 0;
    std::string site = {};
    std::uint64_t count = 0;
    std::int64_t total_ns = 0, from_ns = 0, to_ns = 0;
  };
  const Application& of_;
  std::vector<Counted> by_name_ = {};
  std::uint64_t count_ = 0;
  std::int64_t total_ns_ = 0;
};

Place named_place(std::string what, double share);
/// "k45196b vectorized_elementwise_kernel": without template arguments, cut to 32 columns; never with a comma. "a copy" for none.
std::string kernel_text(const Application& of, std::uint32_t kernel);
Place kernel_place(const Application& of, std::uint32_t kernel, std::uint64_t count, double share);
/// From where an operation was asked for; "" where that is not known.
const std::string& site_of(const Application& of, NodeId operation);

/// Puts the first place for PLACE into the remedy of the cause.
Finding made(Cause cause, std::optional<Worth> worth, std::vector<Place> where,
             std::vector<Evidence> evidence, std::string assumes);

using Found = std::vector<Finding>;
// Each adds what it finds, whatever it is worth; `out` is sorted and cut by find_in_application().
Status add_calls(const Application& of, Found& out);     ///< allocation and loading of code
Status add_launches(const Application& of, Found& out);  ///< launches, waits, the host's own time
Status add_copies(const Application& of, Found& out);    ///< copies
Status add_streams(const Application& of, Found& out);   ///< streams that wait for each other
Status add_collectives(const Application& of, Found& out);  ///< collectives and ranks
Status add_idle(const Application& of, Found& out);         ///< gaps that no call explains

}  // namespace rpl::findings
