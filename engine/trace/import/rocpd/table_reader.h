// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/trace/core/damage.h"
#include "engine/trace/core/reading.h"
#include "engine/trace/import/rocpd/leaf_scan.h"

namespace rpl {

/// How the tables of one database are read, and where it is written down.
struct TableAccess {
  bool api_only = false;        ///< through SQLite's API even where pages could be decoded
  unsigned threads = 0;         ///< that decode; 0 = as many as there are cores, at most 2
  bool look_for_damage = true;  ///< OpenOptions
  std::shared_ptr<Reading> reading = std::make_shared<Reading>();
  std::shared_ptr<Damage> damage = std::make_shared<Damage>();
  /// Held while SQLite's connection is used in a thread that decodes.
  std::shared_ptr<std::mutex> connection = std::make_shared<std::mutex>();

  [[nodiscard]] unsigned most_threads() const;
};

/// A row as SQLite's API gives it, in the form of a TableRow.
class ApiRow {
 public:
  explicit ApiRow(const TableLayout& layout) : layout_(layout), plans_(layout.columns.size()) {}
  /// The columns that select() of a TableReader asks for; valid until the next call.
  TableRow fill(const Statement& statement);

 private:
  const TableLayout& layout_;
  std::vector<ColumnPlan> plans_;
  std::vector<std::uint8_t> bytes_;
};

/// A table made ready for reading.
struct PreparedTable {
  TableLayout layout;
  std::string base;                   ///< as Reading names it
  bool direct = false;                ///< its pages can be decoded
  std::vector<std::uint32_t> leaves;  ///< in key order
  std::vector<KeyRange> ranges;       ///< of the leaves
};

/// Reads chosen columns of tables from the pages of their file while a read transaction keeps writers out; through SQLite's API
/// whatever a rule of the decoder is not met by, from single rows to whole databases. Both give the same rows in the same order.
class TableReader {
 public:
  static Result<std::unique_ptr<TableReader>> begin(ForeignDatabase& database,
                                                    const TableAccess& access);
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  ~TableReader();

  /// `suffix`: of the recording's tables, "" for none.
  Result<PreparedTable> prepare(std::string_view base, std::string_view suffix,
                                std::span<const WantedColumn> columns);

  /// Gives every row of the table to a sink, which has `void row(const TableRow&)`. Sinks are made by `make()`, one for each part of
  /// the table; the result has them in the table's order. At most `most_parts` parts, read by a thread each. A table that is
  /// missing has no rows. What sinks of an attempt that failed had taken is dropped with them.
  template <class Make>
  auto read(const PreparedTable& table, Make make, unsigned most_parts = 2)
      -> Result<std::vector<decltype(make())>> {
    using Sink = decltype(make());
    std::vector<Sink> sinks;
    if (table.direct && !table.leaves.empty()) {
      const std::size_t count = parts(table, most_parts);
      sinks.reserve(count);
      for (std::size_t i = 0; i < count; ++i) sinks.push_back(make());
      if (TRY(scan(table, table.leaves, std::span(sinks)))) return sinks;
      sinks.clear();
    }
    sinks.push_back(make());
    TRY(through_api(table, [&](const TableRow& row) { sinks[0].row(row); }));
    return sinks;
  }

  /// Gives the rows of those pages that may hold some keys of the table to one sink, made by `make()`: all of its rows where the first of its columns is not
  /// its key, or its pages are not read or not to be trusted. `keys` rise.
  template <class Make>
  auto read_near(const PreparedTable& table, std::span<const std::int64_t> keys, Make make)
      -> Result<std::vector<decltype(make())>> {
    if (table.layout.rowid_column != 0 || table.leaves.empty() ||
        table.ranges.size() != table.leaves.size())
      return read(table, make);
    std::vector<decltype(make())> sinks;
    sinks.push_back(make());
    const std::vector<std::uint32_t> near = leaves_near(table, keys);
    if (near.empty() || TRY(scan(table, near, std::span(sinks)))) return sinks;
    return read(table, make);
  }

  /// Gives the rows of leaves to sinks as a LeafScan has them, one share to each, in parallel. False when the pages are not to be
  /// trusted. Fails when interrupted, or when the file has become shorter.
  template <class RowSink>
  Result<bool> scan_rows(const PreparedTable& table, std::span<const std::uint32_t> leaves,
                         std::span<RowSink> sinks, const Monitor& monitor = {}) {
    std::vector<std::unique_ptr<LeafScan<RowSink>>> scans;
    const bool all = leaves.data() == table.leaves.data() && leaves.size() == table.leaves.size();
    const std::span<const KeyRange> ranges = all ? table.ranges : std::span<const KeyRange>();
    for (std::size_t i = 0; i < sinks.size(); ++i) {
      const std::size_t from = leaves.size() * i / sinks.size(),
                        count = leaves.size() * (i + 1) / sinks.size() - from;
      scans.push_back(std::make_unique<LeafScan<RowSink>>(
          *file_, table.layout, leaves.subspan(from, count),
          ranges.empty() ? ranges : ranges.subspan(from, count), table.leaves.size() == 1, sinks[i],
          access_.look_for_damage));
    }
    std::atomic<bool> stop = false;
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < scans.size(); ++i)
        threads.emplace_back([&, i] { scans[i]->run(stop, [](std::size_t) {}); });
      // The monitor is called from the calling thread alone, for all threads.
      scans[0]->run(stop, [&](std::size_t done) {
        monitor.report("reading dispatches", done * sinks.size(), leaves.size());
      });
    }
    TableRows rows;
    for (std::size_t i = 0; i < scans.size(); ++i) {
      if (i > 0) stop = stop || !scans[i]->follows(*scans[i - 1]);
      rows.findings.add(scans[i]->findings());
      rows.add(scans[i]->rows(), scans[i]->rowids());
    }
    rows.whole = all && !stop;
    note_damage(table.base, table.layout.name, rows);
    return finished(table, leaves, stop);
  }
  /// Looks at the pages of a small table that SQLite reads, whatever its records mean: at most so many of them.
  void look_at(std::string_view base, std::string_view suffix,
               std::size_t most_leaves = kFewLeaves);
  /// The id that a table with AUTOINCREMENT ends with, from the pages on the way there; nullopt for no rows, no such table, and pages that cannot be read as they should.
  [[nodiscard]] std::optional<std::int64_t> last_rowid(std::string_view base,
                                                       std::string_view suffix) const;
  /// A table that was found to have no rows: says so where rows of it were written once.
  void note_empty(std::string_view base, std::string_view suffix);
  /// To which what speaks against the file is added.
  [[nodiscard]] Damage& damage() { return *access_.damage; }
  /// At most so many read at once.
  [[nodiscard]] unsigned threads() const { return threads_; }
  /// nullptr where the pages are left to SQLite.
  [[nodiscard]] const PageFile* pages() const { return file_ ? &*file_ : nullptr; }
  /// Writes down what was read. False when it had to stop; fails when interrupted, or when the file has become shorter.
  Result<bool> finished(const PreparedTable& table, std::span<const std::uint32_t> leaves,
                        bool stopped, const PageFindings& findings = {});
  /// Into how many parts the leaves are worth being cut.
  [[nodiscard]] std::size_t parts(const PreparedTable& table, unsigned most) const {
    return std::clamp<std::size_t>(table.leaves.size() / kLeavesWorthAThread, 1,
                                   std::min(threads_, most));
  }

  /// That somebody else read a table as a whole, through SQLite's API.
  void note_api_read(std::string_view base) { access_.reading->add_through_api(base); }
  /// About as many rows as the table has, from some of its leaves, and a little more; 0 when they are not known.
  [[nodiscard]] std::size_t estimated_rows(const PreparedTable& table) const {
    return estimate(table).rows;
  }
  /// Where the rows of each of `count` parts may begin when all are to lie behind each other, and the end of the last. A part has no more
  /// rows than there is room for, as far as row ids without holes tell, and mostly no fewer.
  [[nodiscard]] std::vector<std::size_t> places(const PreparedTable& table,
                                                std::size_t count) const;

 private:
  /// Rows that the plan cannot read are fetched one by one, from whichever thread.
  class OddRows {
   public:
    OddRows(TableReader& reader, const PreparedTable& table)
        : reader_(reader), table_(table), left_(kFewOdd + table.leaves.size()) {}
    bool fetch(std::int64_t rowid, const std::function<void(const TableRow&)>& take);

   private:
    /// With more than about one in a page the API reads all rows faster in order.
    static constexpr std::size_t kFewOdd = 64;

    TableReader& reader_;
    const PreparedTable& table_;
    std::size_t left_;
    std::optional<Statement> one_;
  };
  template <class Sink>
  struct PageSink {
    Sink& sink;
    OddRows& odd_rows;

    [[gnu::always_inline]] bool row(const TableRow& row, const RecordPlan&) {
      sink.row(row);
      return true;
    }
    bool odd(std::int64_t rowid) {
      return odd_rows.fetch(rowid, [this](const TableRow& row) { sink.row(row); });
    }
  };
  static constexpr std::size_t kLeavesWorthAThread = 256;
  /// More would be felt where most of a recording are names of kernels that it does not use.
  static constexpr std::size_t kFewLeaves = 48;

  /// What a scan of leaves found out beside the rows.
  struct TableRows {
    PageFindings findings;
    std::uint64_t rows = 0;
    std::optional<std::pair<std::int64_t, std::int64_t>> rowids;
    bool whole = false;  ///< all leaves of the table, to the end

    void add(std::uint64_t more, std::optional<std::pair<std::int64_t, std::int64_t>> ids) {
      rows += more;
      if (!ids) return;
      rowids = std::pair(rowids ? rowids->first : ids->first, ids->second);
    }
  };
  struct Estimate {
    std::size_t rows = 0;
    std::optional<std::int64_t> first;  ///< row id, where it and the last tell how many there are
  };
  [[nodiscard]] Estimate estimate(const PreparedTable& table) const;
  void note_damage(std::string_view base, std::string_view name, const TableRows& rows);
  void note_damage(std::string_view base, const PageFindings& findings);

 public:
  /// Reads single leaves of a table in any order, for one thread.
  template <class Sink>
  class Pages {
   public:
    Pages(TableReader& reader, const PreparedTable& table, Sink& sink)
        : file_(*reader.file_),
          table_(table),
          odd_rows_(reader, table),
          page_sink_{sink, odd_rows_},
          scan_(file_, table.layout, {}, {}, table.leaves.size() == 1, page_sink_),
          bytes_(file_.page_bytes() + PageStream::kOverread) {}

    /// Gives the rows of a leaf, by its place among the table's, to the sink. False when it cannot be trusted.
    bool read(std::size_t leaf) {
      taken_.push_back(table_.leaves[leaf]);
      return file_.read(table_.leaves[leaf], 1, bytes_.data()) &&
             scan_.page(bytes_.data(), table_.leaves[leaf], table_.ranges[leaf]);
    }
    /// What was wrong with them.
    [[nodiscard]] const PageFindings& findings() const { return scan_.findings(); }
    /// The leaves that were read.
    [[nodiscard]] const std::vector<std::uint32_t>& taken() const { return taken_; }

   private:
    const PageFile& file_;
    const PreparedTable& table_;
    OddRows odd_rows_;
    PageSink<Sink> page_sink_;
    LeafScan<PageSink<Sink>> scan_;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint32_t> taken_;
  };

 private:
  TableReader(ForeignDatabase& database, const TableAccess& access);

  template <class Sink>
  Result<bool> scan(const PreparedTable& table, std::span<const std::uint32_t> leaves,
                    std::span<Sink> sinks) {
    OddRows odd_rows(*this, table);
    std::vector<PageSink<Sink>> into;
    for (Sink& sink : sinks) into.push_back({sink, odd_rows});
    return scan_rows(table, leaves, std::span(into));
  }
  static std::vector<std::uint32_t> leaves_near(const PreparedTable& table,
                                                std::span<const std::int64_t> keys);
  Result<Statement> select(const PreparedTable& table, std::string_view tail);
  Status through_api(const PreparedTable& table, const std::function<void(const TableRow&)>& take);

  ForeignDatabase& database_;
  TableAccess access_;
  unsigned threads_;
  bool locked_ = false;
  std::optional<PageFile> file_;
  Status load_sequences();

  std::map<std::string, std::uint32_t, std::less<>> roots_;     ///< of the tables, by name
  std::map<std::string, std::int64_t, std::less<>> sequences_;  ///< highest row ids ever, by table
};

}  // namespace rpl
