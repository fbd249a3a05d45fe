// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_dispatches.h"

#include <algorithm>
#include <memory>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/trace/import/rocpd/leaf_scan.h"

namespace rpl {
namespace {

constexpr std::size_t kLeavesWorthAThread = 256;
constexpr unsigned kMaxThreads = 2;
/// One row in this many may go through the API; with more the API reads all rows faster in order.
constexpr std::size_t kOddShare = 16;
constexpr std::size_t kFewOdd = 64;

/// Keeps SQLite's shared lock while the pages are read.
class ReadLock {
 public:
  explicit ReadLock(Database& database) : database_(database) {}
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;
  ~ReadLock() {
    if (!held_) return;
    // Ending a transaction that only read cannot fail in a way that matters.
    const Status ignored = database_.execute("COMMIT");
    static_cast<void>(ignored);
  }

  Status take() {
    TRY(database_.execute("BEGIN"));
    held_ = true;
    TRY(database_.scalar("SELECT count(*) FROM sqlite_master"));
    return {};
  }

 private:
  Database& database_;
  bool held_ = false;
};

bool contains_any(std::string text, std::initializer_list<std::string_view> words) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

/// The root page of a table whose records hold its columns as declared; 0 for any other.
Result<std::uint32_t> plain_root(ForeignDatabase& database, const DispatchTable& table) {
  // Takes a table's name only if the table is WITHOUT ROWID (https://www.sqlite.org/pragma.html#pragma_index_info). pragma_table_list would say
  // it too, but looks up the columns of every view in the file for it, which takes milliseconds.
  Statement without_rowid = TRY(database.database().prepare("SELECT 1 FROM pragma_index_info(?)"));
  TRY(without_rowid.bind(table.name));
  if (TRY(without_rowid.step())) return 0;
  Statement columns =
      TRY(database.database().prepare("SELECT name, type, hidden, pk FROM pragma_table_xinfo(?)"));
  TRY(columns.bind(table.name));
  while (TRY(columns.step())) {
    if (columns.int64(2) != 0) return 0;
    const auto wanted =
        std::find(kDispatchColumns.begin(), kDispatchColumns.end(), columns.text(0));
    if (wanted == kDispatchColumns.end()) continue;
    const bool rowid = columns.int64(3) != 0;  // stored as NULL
    const std::string type(columns.text(1));
    // The order of SQLite's affinity rules: INT anywhere makes an integer column.
    const bool real = !contains_any(type, {"INT"}) && contains_any(type, {"REAL", "FLOA", "DOUB"});
    if (rowid || real) return 0;
  }
  Statement root = TRY(database.database().prepare(
      "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?"));
  TRY(root.bind(table.name));
  if (!TRY(root.step()) || root.int64(0) < 2 || root.int64(0) > 0xffffffffLL) return 0;
  return static_cast<std::uint32_t>(root.int64(0));
}

class Decoder {
 public:
  Decoder(const PageFile& file, const DispatchTable& table, std::vector<std::uint32_t> leaves,
          unsigned threads)
      : leaves_(std::move(leaves)) {
    const std::size_t shares =
        std::clamp<std::size_t>(leaves_.size() / kLeavesWorthAThread, 1, threads);
    for (std::size_t i = 0; i < shares; ++i) {
      const std::size_t from = leaves_.size() * i / shares, to = leaves_.size() * (i + 1) / shares;
      scans_.push_back(
          std::make_unique<LeafScan>(file, table, std::span(leaves_).subspan(from, to - from)));
    }
    rows_.resize(scans_.size());
  }

  bool count() {
    in_parallel([&](std::size_t i) { rows_[i] = scans_[i]->count(stop_); });
    return !stop_;
  }

  [[nodiscard]] std::size_t rows() const {
    std::size_t sum = 0;
    for (const std::size_t rows : rows_) sum += rows;
    return sum;
  }

  bool decode(TraceColumns& columns, std::size_t base, const Monitor& monitor) {
    const std::size_t share = leaves_.size() / scans_.size() + 1;
    in_parallel([&](std::size_t i) {
      // The monitor is called from the calling thread alone, for all threads.
      const auto progress = [&](std::size_t done) {
        if (i == 0) monitor.report("reading dispatches", rows() * done / share, rows());
      };
      scans_[i]->decode(columns, base + before(i), stop_, progress);
    });
    for (std::size_t i = 1; i < scans_.size(); ++i) {
      if (!scans_[i]->follows(*scans_[i - 1])) return false;
    }
    return !stop_;
  }

  [[nodiscard]] std::vector<OddRow> odd() const {
    std::vector<OddRow> all;
    for (const auto& scan : scans_) all.insert(all.end(), scan->odd.begin(), scan->odd.end());
    return all;
  }

  /// Numbers lanes and launches as the whole trace does, in the order of the rows.
  Status resolve(TraceColumns& columns, std::size_t base, RocpdEntities& entities) {
    std::vector<std::vector<std::uint32_t>> lanes(scans_.size()), launches(scans_.size());
    for (std::size_t i = 0; i < scans_.size(); ++i) {
      for (const DispatchRow& row : scans_[i]->lanes) lanes[i].push_back(TRY(entities.lane(row)));
      for (const DispatchRow& row : scans_[i]->launches)
        launches[i].push_back(TRY(entities.launch(row)));
      keep(scans_[i]->durations, columns.duration_ns);
      keep(scans_[i]->dispatch_ids, columns.dispatch_id);
      keep(scans_[i]->event_ids, columns.event_id);
    }
    // Slots of odd rows hold nothing yet; whatever index they get is replaced.
    in_parallel([&](std::size_t i) {
      const std::size_t from = base + before(i);
      renumber(std::span(columns.lane).subspan(from, rows_[i]), lanes[i]);
      renumber(std::span(columns.launch).subspan(from, rows_[i]), launches[i]);
    });
    return {};
  }

 private:
  template <class Work>
  void in_parallel(const Work& work) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < scans_.size(); ++i) threads.emplace_back([&work, i] { work(i); });
    work(0);
  }

  [[nodiscard]] std::size_t before(std::size_t share) const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < share; ++i) sum += rows_[i];
    return sum;
  }

  static void keep(const std::vector<LeafScan::Escape>& escapes, CompactColumn& column) {
    for (const LeafScan::Escape& escape : escapes) column.escaped()[escape.slot] = escape.value;
  }

  static void renumber(std::span<std::uint32_t> words, const std::vector<std::uint32_t>& map) {
    bool moved = false;
    for (std::size_t i = 0; i < map.size(); ++i) moved |= map[i] != i;
    if (!moved) return;
    for (std::uint32_t& word : words) word = word < map.size() ? map[word] : 0;
  }

  std::vector<std::uint32_t> leaves_;
  std::vector<std::unique_ptr<LeafScan>> scans_;
  std::vector<std::size_t> rows_;
  std::atomic<bool> stop_ = false;
};

void resize(TraceColumns& columns, std::size_t rows) {
  columns.start_ns.resize(rows);
  columns.duration_ns.resize(rows);
  columns.launch.resize(rows);
  columns.lane.resize(rows);
  columns.dispatch_id.resize(rows);
  columns.event_id.resize(rows);
}

/// Drops what was decoded beyond `rows`, escaped values included.
void give_up(TraceColumns& columns, std::size_t rows) {
  resize(columns, rows);
  for (CompactColumn* column : {&columns.duration_ns, &columns.dispatch_id, &columns.event_id}) {
    std::erase_if(column->escaped(), [&](const auto& entry) { return entry.first >= rows; });
  }
}

Status fill_odd(const std::vector<OddRow>& odd, TraceColumns& columns, DispatchRows& rows) {
  for (const OddRow& row : odd) {
    const RawDispatch dispatch = TRY(rows.read_one(row.rowid));
    columns.start_ns[row.slot] = dispatch.start_ns;
    columns.duration_ns.set(
        row.slot, static_cast<std::int64_t>(static_cast<std::uint64_t>(dispatch.end_ns) -
                                            static_cast<std::uint64_t>(dispatch.start_ns)));
    columns.launch[row.slot] = dispatch.launch;
    columns.lane[row.slot] = dispatch.lane;
    columns.dispatch_id.set(row.slot, dispatch.dispatch_id);
    columns.event_id.set(row.slot, dispatch.event_id);
  }
  return {};
}

}  // namespace

/// What a file that lost its end meanwhile comes to: its rows are not all there, whoever reads it.
Result<bool> left_to_sqlite(const PageFile& file, const ForeignDatabase& database) {
  if (!file.shrank()) return false;
  return fail(Errc::corrupt, database.path() + " became shorter while it was read",
              "is it being written or copied? open it again when that is done");
}

Result<bool> decode_leaves(ForeignDatabase& database, const DispatchTable& table,
                           RocpdEntities& entities, DispatchRows& rows, RawTrace& raw,
                           const ReadRequest& request) {
  ReadLock lock(database.database());
  TRY(lock.take());
  const std::uint32_t root = TRY(plain_root(database, table));
  if (root == 0) return false;
  const std::optional<PageFile> file = TRY(PageFile::map(database));
  if (!file || root > file->pages()) return false;
  auto leaves = file->leaves(root);
  if (!leaves) return left_to_sqlite(*file, database);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned threads =
      request.options.threads != 0 ? request.options.threads : std::min(cores, kMaxThreads);
  Decoder decoder(*file, table, std::move(*leaves), threads);
  if (!decoder.count()) return left_to_sqlite(*file, database);
  TraceColumns& columns = raw.columns;
  const std::size_t base = columns.start_ns.size();
  resize(columns, base + decoder.rows());
  const bool whole = decoder.decode(columns, base, request.monitor);
  const std::vector<OddRow> odd = decoder.odd();
  if (!whole || odd.size() > kFewOdd + decoder.rows() / kOddShare) {
    give_up(columns, base);
    TRY(interrupt::check());
    return left_to_sqlite(*file, database);
  }
  if (file->shrank()) {
    give_up(columns, base);
    return left_to_sqlite(*file, database);
  }
  TRY(decoder.resolve(columns, base, entities));
  const Status filled = fill_odd(odd, columns, rows);
  if (filled) return true;
  // A damaged tree may hide rows from a search that a scan meets, or the other way round: SQLite's scan decides.
  TRY(interrupt::check());
  give_up(columns, base);
  rows.forget();
  return false;
}

}  // namespace rpl
