// SPDX-License-Identifier: MIT
// Copies between host and device: beside nothing, again and again, from pageable memory.
#include <fmt/format.h>

#include <map>
#include <tuple>

#include "engine/base/stretches.h"
#include "engine/graph/application/finder.h"
#include "engine/graph/graph_arrays.h"

namespace rpl::findings {
namespace {

/// Rounds of copies and kernels from which on they can pass each other.
constexpr std::uint64_t kRounds = 3;
/// Of the span: less is not worth a word about how the memory is allocated.
constexpr double kManyBytes = 0.1;
/// Below it a copy's time says nothing about its rate.
constexpr std::uint64_t kTimed = std::uint64_t{1} << 20;
/// Copies of so few bytes are results that the host looks at.
constexpr std::uint64_t kResult = std::uint64_t{64} << 10;

class Copies {
 public:
  explicit Copies(const Application& of) : of_(of), dispatches_(of.graph.dispatches()) {
    const auto& rows = of.copies->rows;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const CopyWay way = way_of(*of.copies, rows[i]);
      if (way == CopyWay::other) continue;
      host_.push_back(i);
      const std::int64_t ns = std::max<std::int64_t>(0, rows[i].end_ns - rows[i].start_ns);
      engine_ns_[way == CopyWay::to_device ? 0 : 1] += ns;
      total_ns_ += ns;
      if (rows[i].bytes != kUnknownBytes) bytes_ += rows[i].bytes;
    }
  }

  Status add(Found& out) {
    if (host_.empty()) return {};
    free_.resize(of_.graph.operations());
    for (NodeId v = 0; v < of_.graph.operations(); ++v)
      free_[v] = of_.graph.end_ns(v) - of_.graph.start_ns(v);
    rounds_ = TRY(count_rounds());
    side_ = TRY(beside());
    const double without = TRY(without_them());
    const double repeated = TRY(add_repeated(out));
    TRY(add_exposed(without, repeated, out));
    TRY(add_pageable(out));
    // What is copied before the work and after it is done once, however long the work goes on; what pageable memory costs is told with its reason.
    const bool explained = std::ranges::any_of(out, [](const Finding& one) {
      return one.cause == Cause::pageable_copies && one.worth.has_value();
    });
    if (rounds_ < kRounds || explained) return {};
    // Copies that run beside the kernels already take what the link takes.
    const bool pageable =
        std::ranges::find(out, Cause::pageable_copies, &Finding::cause) != out.end();
    if (used_up() || pageable) {
      out.push_back(
          made(Cause::copy_bound, std::nullopt, where(host_), evidence(),
               pageable ? "not priced: what pageable memory costs of it is not known"
                        : "not priced: copies run beside kernels already, and the link is busy"));
      return {};
    }
    out.push_back(made(Cause::copy_bound, Worth{0, without}, where(host_), evidence(),
                       "copies between host and device take no time; at the least all of them are "
                       "needed"));
    return {};
  }

 private:
  [[nodiscard]] Copy copy(std::uint32_t row) const { return of_.copies->rows[row]; }
  [[nodiscard]] static std::int64_t duration(const Copy& one) {
    return std::max<std::int64_t>(0, one.end_ns - one.start_ns);
  }
  /// The share that is saved if the copies of `rows` took the times that `of` gives.
  template <class Time>
  Result<double> saved_with(const std::vector<std::uint32_t>& rows, const Time& of) const {
    Otherwise otherwise;
    otherwise.durations = free_;
    for (const std::uint32_t row : rows) otherwise.durations[dispatches_ + row] = of(copy(row));
    return of_.saved(otherwise);
  }
  Result<double> without_them() const {
    return saved_with(host_, [](const Copy&) { return std::int64_t{0}; });
  }

  [[nodiscard]] std::vector<Place> where(const std::vector<std::uint32_t>& rows) const {
    struct Counted {
      std::uint64_t count = 0, bytes = 0;
      std::int64_t total_ns = 0, from_ns = 0, to_ns = 0;
    };
    std::map<std::pair<std::string, std::string>, Counted> by_call;  // and line of the program
    for (const std::uint32_t row : rows) {
      const Copy& one = copy(row);
      const std::uint32_t call = of_.graph.arrays().launch_call.empty()
                                     ? kNone
                                     : of_.graph.arrays().launch_call[dispatches_ + row];
      std::string name(call == kNone ? of_.copies->names[one.name]
                                     : of_.name_of(of_.api->rows[call]));
      name += way_of(*of_.copies, one) == CopyWay::to_device ? " to the device" : " to the host";
      Counted& counted = by_call[{name, site_of(of_, dispatches_ + row)}];
      if (counted.count++ == 0) counted.from_ns = one.start_ns;
      counted.to_ns = one.end_ns;
      counted.total_ns += duration(one);
      counted.bytes += one.bytes == kUnknownBytes ? 0 : one.bytes;
    }
    std::vector<Place> out;
    for (const auto& [call, counted] : by_call) {
      Place place =
          named_place(fmt::format("{}, {} copies, {}", call.first, counted.count,
                                  format_bytes(static_cast<std::uint64_t>(counted.bytes))),
                      static_cast<double>(counted.total_ns) /
                          static_cast<double>(std::max<std::int64_t>(1, total_ns_)));
      place.source = call.second;
      place.from_ns = counted.from_ns - of_.graph.span_ns().first;
      place.to_ns = counted.to_ns - of_.graph.span_ns().first;
      out.push_back(std::move(place));
    }
    std::ranges::stable_sort(out, std::greater(), &Place::share);
    return out;
  }
  [[nodiscard]] std::vector<Evidence> evidence() const {
    return {{"copies between host and device", static_cast<double>(host_.size()), false},
            {"bytes of them", static_cast<double>(bytes_), false},
            {"of the span they take", of_.share(total_ns_), false}};
  }

  /// How often a copy is followed by a kernel.
  [[nodiscard]] Result<std::uint64_t> count_rounds() const {
    std::vector<std::int64_t> copies;
    for (const std::uint32_t row : host_) copies.push_back(copy(row).start_ns);
    TRY(interrupt::sort(copies));
    // Dispatches are in the order of their starts.
    std::uint64_t count = 0;
    std::size_t next = 0;
    for (NodeId v = 0; v < dispatches_ && next < copies.size(); ++v) {
      const std::size_t before = next;
      while (next < copies.size() && copies[next] < of_.graph.start_ns(v)) ++next;
      count += next > before ? 1 : 0;
    }
    return count;
  }

  /// What need not be copied need not be hidden: `repeated` is what leaving that out saves.
  Status add_exposed(double without, double repeated, Found& out) const {
    if (rounds_ < kRounds || of_.syncs == nullptr || of_.api == nullptr) return {};
    Otherwise otherwise;
    otherwise.overlapped_copies = true;
    otherwise.two_buffers = true;
    otherwise.no_wait.assign(of_.syncs->rows.size(), true);
    // At the most all copies are hidden, and the host waits for none, until an engine or the kernels never rest. Results that the host looks at are waited for all the same.
    Otherwise hidden;
    hidden.durations = free_;
    for (const std::uint32_t row : host_) hidden.durations[dispatches_ + row] = 0;
    if (bytes_ > kResult * host_.size()) {
      hidden.no_wait = otherwise.no_wait;
      hidden.gap_ns = of_.follow_gap_ns;
    }
    // What can lie beside the longest of the three and does not; with less, hiding it is not what costs.
    constexpr double kWorthHiding = 0.1;
    if (of_.share(side_.possible_ns - side_.hidden_ns) < kWorthHiding) return {};
    const double least = std::min(without, TRY(of_.saved(otherwise))),
                 engines = 1 - of_.share(side_.longest_ns),
                 most = std::max(least, std::min(TRY(of_.saved(hidden)), engines));
    out.push_back(made(Cause::exposed_copies,
                       between(std::max(0.0, least - repeated), std::max(0.0, most - repeated)),
                       where(host_), evidence(),
                       "copies run beside kernels, each array has two buffers, and the host does "
                       "not wait"));
    return {};
  }

  /// Whether most of what can run beside the longest of both directions and the kernels does so already, and the link is busy for most of the span.
  [[nodiscard]] bool used_up() const {
    constexpr double kBusy = 0.6, kHalf = 0.5;
    return of_.share(std::max(engine_ns_[0], engine_ns_[1])) >= kBusy &&
           static_cast<double>(side_.hidden_ns) >= kHalf * static_cast<double>(side_.possible_ns);
  }

  /// What runs beside what: the copies of each direction, and the kernels.
  struct Beside {
    std::int64_t longest_ns = 0;   ///< of the three
    std::int64_t possible_ns = 0;  ///< of the two others, which can lie beside that
    std::int64_t hidden_ns = 0;    ///< of copies and kernels beside another one
  };
  [[nodiscard]] Result<Beside> beside() const {
    std::int64_t kernels_ns = 0;
    for (NodeId v = 0; v < dispatches_; ++v) kernels_ns += free_[v];
    Beside out{.longest_ns = std::max({engine_ns_[0], engine_ns_[1], kernels_ns})};
    out.possible_ns = engine_ns_[0] + engine_ns_[1] + kernels_ns - out.longest_ns;
    std::vector<std::pair<std::int64_t, std::int64_t>> all;
    for (NodeId v = 0; v < dispatches_; ++v)
      all.emplace_back(of_.graph.start_ns(v), of_.graph.end_ns(v));
    for (const std::uint32_t row : host_) all.emplace_back(copy(row).start_ns, copy(row).end_ns);
    TRY(interrupt::sort(all));
    std::int64_t until = all.empty() ? 0 : all.front().first;
    for (const auto& [from, to] : all) {
      out.hidden_ns += std::max<std::int64_t>(0, std::min(to, until) - from);
      until = std::max(until, to);
    }
    return out;
  }

  /// Process, thread and start: rows of the waits that began then, which are calls.
  using Waits = std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::size_t>;
  [[nodiscard]] Waits waits_by_start() const {
    Waits out;
    for (std::size_t i = 0; of_.syncs != nullptr && i < of_.syncs->rows.size(); ++i) {
      const SyncOp& op = of_.syncs->rows[i];
      out.emplace(std::tuple(op.process, op.thread, op.start_ns), i);
    }
    return out;
  }

  void leave_out(std::uint32_t row, const Waits& waits, Otherwise& otherwise) const {
    otherwise.absent[dispatches_ + row] = true;
    const auto& calls = of_.graph.arrays().launch_call;
    if (calls.empty() || of_.api == nullptr || calls[dispatches_ + row] == kNone) return;
    const ApiCall call = of_.api->rows[calls[dispatches_ + row]];
    otherwise.free_calls[calls[dispatches_ + row]] = true;
    const auto wait = waits.find({call.process, call.thread, call.start_ns});
    if (wait != waits.end()) otherwise.no_wait[wait->second] = true;
  }

  /// The same bytes of the host to the same place of the device, all but the first. Gives what they cost.
  Result<double> add_repeated(Found& out) {
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>,
             std::vector<std::uint32_t>>
        same;
    for (const std::uint32_t row : host_) {
      const Copy& one = copy(row);
      const std::optional<bool> known = of_.sites.again(one.process, one.correlation);
      // Memory that HIP did not give out has no address; that the same bytes came from the same place is known all the same where it was noted.
      const bool from = known.value_or(one.from_address != 0);
      if (way_of(*of_.copies, one) != CopyWay::to_device || !from || one.to_address == 0) continue;
      noted_ |= known.has_value();
      // What was noted is known to be copied again, to whichever memory.
      same[{one.process, one.from_address, known ? 0 : one.to_address, one.bytes}].push_back(row);
    }
    std::vector<std::uint32_t> again;
    for (const auto& [key, rows] : same) {
      // The first of those that were noted copied what another one had copied.
      if (rows.size() + (noted_ ? 1 : 0) >= kRounds)
        again.insert(again.end(), rows.begin() + (noted_ ? 0 : 1), rows.end());
    }
    if (again.empty()) return 0;
    // A copy that is not made is not called, and holds the host up no more.
    Otherwise otherwise;
    otherwise.absent.assign(of_.graph.operations(), false);
    if (of_.syncs != nullptr) otherwise.no_wait.assign(of_.syncs->rows.size(), false);
    if (of_.api != nullptr) otherwise.free_calls.assign(of_.api->rows.size(), false);
    const Waits waits = waits_by_start();
    for (const std::uint32_t row : again) leave_out(row, waits, otherwise);
    const double worth = TRY(of_.saved(otherwise));
    // What waited for a copy may follow what is before it at once.
    otherwise.gap_ns = of_.follow_gap_ns;
    const double most = TRY(of_.saved(otherwise));
    out.push_back(
        made(Cause::repeated_copies, between(worth, most), where(again),
             {{"copies from the same place to the same place as one before",
               static_cast<double>(again.size()), false}},
             noted_ ? "what was copied once is not copied again: the same bytes lay there already, "
                      "or in memory that was freed since"
                    : "what was copied once from one place to another is not copied again; whether "
                      "its contents had changed was not recorded"));
    return worth;
  }

  /// Memory that HIP did not give out: its address is not recorded while that on the device is; or the host waited in an asynchronous copy.
  [[nodiscard]] bool is_pageable(std::uint32_t row) const {
    const Copy& one = copy(row);
    const bool to_device = way_of(*of_.copies, one) == CopyWay::to_device;
    const std::uint64_t host = to_device ? one.from_address : one.to_address,
                        device = to_device ? one.to_address : one.from_address;
    if (device != 0) return host == 0;
    const auto& calls = of_.graph.arrays().launch_call;
    if (calls.empty() || calls[dispatches_ + row] == kNone) return false;
    const ApiCall call = of_.api->rows[calls[dispatches_ + row]];
    return of_.name_of(call).find("Async") != std::string_view::npos && call.end_ns >= one.end_ns &&
           one.bytes != kUnknownBytes && one.bytes >= kTimed;
  }

  /// Whether most of these copies were asked for by calls that need not wait.
  [[nodiscard]] bool are_asynchronous(const std::vector<std::uint32_t>& rows) const {
    const auto& calls = of_.graph.arrays().launch_call;
    if (calls.empty() || of_.api == nullptr) return false;
    std::int64_t all_ns = 0, asynchronous_ns = 0;
    for (const std::uint32_t row : rows) {
      const std::int64_t ns = duration(copy(row));
      all_ns += ns;
      const std::uint32_t call = calls[dispatches_ + row];
      if (call != kNone && of_.name_of(of_.api->rows[call]).find("Async") != std::string_view::npos)
        asynchronous_ns += ns;
    }
    return asynchronous_ns * 2 > all_ns && all_ns * 2 > total_ns_;
  }

  [[nodiscard]] bool registers_memory() const {
    return of_.api != nullptr &&
           std::ranges::find(of_.api->names, "hipHostRegister") != of_.api->names.end();
  }

  Status add_pageable(Found& out) const {
    if (registers_memory()) return {};
    std::vector<std::uint32_t> pageable;
    std::int64_t ns = 0;
    double best[2] = {0, 0};  // bytes/ns of other copies, by way
    const auto rate = [](const Copy& one) {
      return static_cast<double>(one.bytes) /
             static_cast<double>(std::max<std::int64_t>(1, duration(one)));
    };
    for (const std::uint32_t row : host_) {
      const Copy& one = copy(row);
      if (is_pageable(row)) {
        pageable.push_back(row);
        ns += duration(one);
      } else if (one.bytes != kUnknownBytes && one.bytes >= kTimed) {
        double& known = best[way_of(*of_.copies, one) == CopyWay::to_device ? 0 : 1];
        known = std::max(known, rate(one));
      }
    }
    if (of_.share(ns) < kManyBytes) return {};
    std::optional<Worth> worth;
    std::string assumes =
        "not priced: no large copy of pinned memory is recorded whose rate they could have";
    const auto exposed = std::ranges::find(out, Cause::exposed_copies, &Finding::cause);
    if (exposed != out.end() && ns * 2 > total_ns_ && exposed->worth->high >= kWorthTelling) {
      // Calls that do not wait would let copies run beside kernels; the memory does not.
      // The host has to wait before it fills a buffer again.
      constexpr double kFills = 0.85;
      worth = Worth{are_asynchronous(pageable) ? 0 : kFills * exposed->worth->low,
                    exposed->worth->high};
      assumes =
          "they run beside kernels, which only copies of pinned memory do, with two buffers "
          "for each array; at the least the work needs each of them in its turn";
      out.erase(exposed);
    } else if (of_.graph.trace().presence().modelled) {
      assumes = "not priced: the emulated device moves pageable and pinned memory at one rate";
    } else if (best[0] > 0 || best[1] > 0) {
      worth = around(TRY(saved_with(pageable, [&](const Copy& one) {
        const double known = best[way_of(*of_.copies, one) == CopyWay::to_device ? 0 : 1];
        if (known <= 0 || one.bytes == kUnknownBytes) return duration(one);
        return std::min(duration(one),
                        static_cast<std::int64_t>(static_cast<double>(one.bytes) / known));
      })));
      assumes = "they move as fast as the fastest large copy of other memory in this recording";
    }
    out.push_back(made(Cause::pageable_copies, worth, where(pageable),
                       {{"copies of memory that HIP did not allocate",
                         static_cast<double>(pageable.size()), false},
                        {"of the span they take", of_.share(ns), false}},
                       std::move(assumes)));
    return {};
  }

  const Application& of_;
  NodeId dispatches_;
  std::vector<std::uint32_t> host_ = {};  ///< rows of the copies between host and device
  std::int64_t engine_ns_[2] = {0, 0}, total_ns_ = 0;
  std::uint64_t bytes_ = 0;
  bool noted_ = false;  ///< whether copies change anything
  std::uint64_t rounds_ = 0;
  Beside side_ = {};
  std::vector<std::int64_t> free_ = {};  ///< durations as recorded, by operation
};

}  // namespace

Status add_copies(const Application& of, Found& out) {
  if (of.copies == nullptr) return {};
  return Copies(of).add(out);
}

}  // namespace rpl::findings
