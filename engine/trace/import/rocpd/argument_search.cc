// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/argument_search.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <thread>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

/// The number after "stream_id": in a small JSON text; -1 when there is none.
std::int64_t stream_id_in(std::string_view extdata) {
  constexpr std::string_view kKey = "\"stream_id\"";
  const std::size_t key = extdata.find(kKey);
  if (key == std::string_view::npos) return -1;
  const std::size_t begin = extdata.find_first_not_of(": \"", key + kKey.size());
  if (begin == std::string_view::npos) return -1;
  const std::size_t end = extdata.find_first_not_of("0123456789", begin);
  return whole_number<std::int64_t>(extdata.substr(begin, end - begin)).value_or(-1);
}

/// Takes what is wanted of the pages that are read, and which events each page holds.
class SearchSink {
 public:
  explicit SearchSink(const EventSet& wanted) : wanted_(&wanted) {}

  void row(const TableRow& row) {
    const std::int64_t event = row.integer(ArgumentColumns::kEvent);
    if (!any) first = event;
    ordered = ordered && (!any || event >= last);
    any = true;
    last = event;
    if (!wanted_->may_hold(event)) return;
    if (found.events.empty() || found.events.back() != event) found.events.push_back(event);
    const auto kind = RocpdArgument::kind_of(row);
    if (kind != RocpdArgument::Kind::other) found.arguments.push_back(RocpdArgument::of(row, kind));
  }

  FoundArguments found;
  bool any = false, ordered = true;  ///< `any`: since it was last cleared
  std::int64_t first = 0, last = 0;

 private:
  const EventSet* wanted_;
};

/// One thread's search, forwards through the table.
class Search {
 public:
  Search(TableReader& reader, const PreparedTable& table, const EventSet& wanted,
         double events_in_page)
      : pages_in_all_(static_cast<std::int64_t>(table.leaves.size())),
        sink_(wanted),
        pages_(reader, table, sink_),
        rate_(std::max(events_in_page, kLeastRate)) {}

  /// `events` rising. False when the table cannot be searched.
  bool run(std::span<const std::int64_t> events) {
    if (!read(0, here_)) return false;
    for (const std::int64_t event : events) {
      if (interrupt::pending()) return false;
      if (event < here_.last && event > here_.first) continue;
      if (!find(event)) return false;
    }
    return true;
  }

  /// In the order of their rows, and of the events.
  void order() {
    if (!std::ranges::is_sorted(sink_.found.arguments, {}, &RocpdArgument::row))
      std::ranges::sort(sink_.found.arguments, {}, &RocpdArgument::row);
    std::ranges::sort(sink_.found.events);
  }
  [[nodiscard]] FoundArguments& found() { return sink_.found; }
  [[nodiscard]] const std::vector<std::uint32_t>& taken() const { return pages_.taken(); }
  [[nodiscard]] const PageFindings& findings() const { return pages_.findings(); }

 private:
  static constexpr double kLeastRate = 0.01;

  /// A page that was read.
  struct Page {
    std::int64_t at = -1;
    std::int64_t first = 0, last = 0;
  };

  bool read(std::int64_t at, Page& into) {
    sink_.any = false;
    if (!pages_.read(static_cast<std::size_t>(at)) || !sink_.any || !sink_.ordered) return false;
    into = {at, sink_.first, sink_.last};
    return true;
  }

  /// Reads all pages with rows of `event`; here_ is then the last of them, or the last before where they would be.
  bool find(std::int64_t event) {
    if (ahead_.at >= 0 && event >= ahead_.first) {
      const Page next = ahead_;
      ahead_.at = -1;
      if (event == next.first && !read_before(next)) return false;
      here_ = next;
    }
    std::int64_t end = ahead_.at >= 0 ? ahead_.at : pages_in_all_;
    const Page from = here_;
    for (int guesses = 0; event > here_.last && here_.at + 1 < end; ++guesses) {
      Page page;
      if (!read(guess(event, end, guesses), page) || page.first < here_.last) return false;
      if (event < page.first) {
        end = page.at;
        ahead_ = page;
        continue;
      }
      if (page.at > from.at && page.last > from.last) {
        const double rate =
            static_cast<double>(page.last - from.last) / static_cast<double>(page.at - from.at);
        rate_ = std::max(kLeastRate, (rate_ + rate) / 2);
      }
      if (event == page.first && !read_before(page)) return false;
      here_ = page;
    }
    while (event == here_.last && here_.at + 1 < pages_in_all_) {
      const std::int64_t last = here_.last;
      if (ahead_.at == here_.at + 1) {
        // It was read, and begins with a later event.
        return true;
      }
      if (!read(here_.at + 1, here_) || here_.first < last) return false;
    }
    return true;
  }

  /// The first rows of an event that a page begins with may lie in the page before.
  bool read_before(const Page& page) {
    Page before;
    if (page.at - 1 <= here_.at) return true;
    return read(page.at - 1, before) && before.last <= page.first;
  }

  /// Between here_ and `end`.
  [[nodiscard]] std::int64_t guess(std::int64_t event, std::int64_t end, int guesses) const {
    constexpr int kGoodGuesses = 4;
    if (guesses >= kGoodGuesses) return here_.at + std::max<std::int64_t>(1, (end - here_.at) / 2);
    double away = static_cast<double>(event - here_.last) / rate_;
    if (ahead_.at == end && ahead_.first > here_.last) {
      const double share =
          static_cast<double>(event - here_.last) / static_cast<double>(ahead_.first - here_.last);
      away = std::min(away, share * static_cast<double>(end - here_.at));
    }
    const auto most = static_cast<double>(end - 1 - here_.at);
    return here_.at +
           std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(away + 0.5, most)));
  }

  std::int64_t pages_in_all_;
  SearchSink sink_;
  TableReader::Pages<SearchSink> pages_;
  double rate_;  ///< events in a page
  Page here_;
  Page
      ahead_;  ///< the nearest page behind here_ that was read and is wholly after what was asked for
};

/// Behind what is there, or into it: both are in order.
template <class Rows, class Key>
void append_ordered(Rows& rows, const Rows& more, Key key) {
  const auto before = static_cast<std::ptrdiff_t>(rows.size());
  rows.insert(rows.end(), more.begin(), more.end());
  const auto middle = rows.begin() + before;
  if (before == 0 || middle == rows.end()) return;
  // Two searches meet in a page or two: only what lies there takes room to be merged.
  const auto from =
                 std::ranges::upper_bound(rows.begin(), middle, std::invoke(key, *middle), {}, key),
             to = std::ranges::lower_bound(middle, rows.end(), std::invoke(key, *std::prev(middle)),
                                           {}, key);
  std::ranges::inplace_merge(from, middle, to, {}, key);
}

/// Events of the first and the last row; nullopt when some pages in between are not in order.
std::optional<std::pair<std::int64_t, std::int64_t>> ends_of(TableReader::Pages<SearchSink>& pages,
                                                             SearchSink& sink,
                                                             const PreparedTable& table) {
  constexpr std::size_t kSampled = 64;
  std::int64_t first = 0, last = 0;
  for (std::size_t i = 0; i <= kSampled; ++i) {
    sink.any = false;
    if (!pages.read((table.leaves.size() - 1) * i / kSampled) || !sink.any || !sink.ordered)
      return std::nullopt;
    if (i == 0) first = sink.first;
    if (i > 0 && sink.first < last) return std::nullopt;
    last = sink.last;
  }
  return std::pair(first, last);
}

/// Whether reading all pages, in long pieces, takes less than looking for those that are wanted.
bool is_faster_whole(std::span<const std::int64_t> events, double events_in_page,
                     std::size_t pages) {
  constexpr double kReadsForAPage = 1.4, kWorthSearching = 0.6;
  double wanted = 1;
  for (std::size_t i = 1; i < events.size(); ++i) {
    const double away = static_cast<double>(events[i] - events[i - 1]) / events_in_page;
    wanted += std::min(1.0, away);
  }
  return wanted * kReadsForAPage > kWorthSearching * static_cast<double>(pages);
}

}  // namespace

RocpdArgument RocpdArgument::of(const TableRow& row, Kind kind) {
  const std::string_view value = row.text(ArgumentColumns::kValue);
  const auto handle = parse_handle(value);
  return {row.rowid(),
          row.integer(ArgumentColumns::kEvent),
          kind == Kind::event,
          handle.has_value(),
          value.starts_with("0x"),
          handle.value_or(0),
          stream_id_in(row.text(ArgumentColumns::kExtdata))};
}

Result<std::optional<FoundArguments>> search_arguments(TableReader& reader,
                                                       const PreparedTable& table,
                                                       std::span<const std::int64_t> events) {
  constexpr std::size_t kFewPages = 64, kWorthAThread = 2048;
  const std::optional<FoundArguments> not_searched;
  if (!table.direct || table.leaves.size() < kFewPages || events.empty()) return not_searched;
  const EventSet none;
  SearchSink sink(none);
  TableReader::Pages<SearchSink> pages(reader, table, sink);
  const auto ends = ends_of(pages, sink, table);
  TRY(reader.finished(table, pages.taken(), !ends, pages.findings()));
  if (!ends) return not_searched;
  const double events_in_page = std::max(1.0, static_cast<double>(ends->second - ends->first)) /
                                static_cast<double>(table.leaves.size());
  if (is_faster_whole(events, events_in_page, table.leaves.size())) return not_searched;
  EventSet wanted;
  for (const std::int64_t event : events) wanted.add(event);
  const std::size_t parts = events.size() < kWorthAThread ? 1 : reader.parts(table, 2);
  std::vector<std::unique_ptr<Search>> searches;
  for (std::size_t i = 0; i < parts; ++i)
    searches.push_back(std::make_unique<Search>(reader, table, wanted, events_in_page));
  std::vector<char> whole(parts);
  {
    std::vector<std::jthread> threads;
    const auto work = [&](std::size_t i) {
      const std::size_t from = events.size() * i / parts, to = events.size() * (i + 1) / parts;
      whole[i] = searches[i]->run(events.subspan(from, to - from)) ? 1 : 0;
      searches[i]->order();
    };
    for (std::size_t i = 1; i < parts; ++i) threads.emplace_back(work, i);
    work(0);
  }
  FoundArguments found;
  bool stopped = false;
  for (std::size_t i = 0; i < parts; ++i) {
    stopped = !TRY(reader.finished(table, searches[i]->taken(), whole[i] == 0,
                                   searches[i]->findings())) ||
              stopped;
    const FoundArguments& part = searches[i]->found();
    append_ordered(found.arguments, part.arguments, &RocpdArgument::row);
    append_ordered(found.events, part.events, std::identity());
  }
  if (stopped) return not_searched;
  found.events.erase(std::unique(found.events.begin(), found.events.end()), found.events.end());
  return std::optional(std::move(found));
}

}  // namespace rpl
