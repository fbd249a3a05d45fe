// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/verify_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "engine/base/interrupt.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/row_shape.h"

namespace rpl {
namespace {

constexpr int kMostComplaints = 20;
constexpr std::size_t kLeavesBetweenChecks = 512;

class Verifier {
 public:
  Verifier(ForeignDatabase& database, const Monitor& monitor)
      : database_(database), monitor_(monitor) {}

  Result<Verification> verify() {
    // One state of the file, whoever writes meanwhile.
    TRY(database_.database().execute("BEGIN"));
    Status done = look();
    const Status ended = database_.database().execute("COMMIT");
    static_cast<void>(ended);
    if (!done) return std::move(done).failure();
    return std::move(out_);
  }

 private:
  struct Root {
    std::string table;
    std::uint32_t page = 0;
  };

  Status look() {
    const std::vector<Root> roots = TRY(tables());
    find_suffix(roots);
    const auto file = TRY(PageFile::open(database_));
    TRY(sequences());
    if (file) {
      std::vector<bool> seen(file->pages() + std::size_t{1});
      for (std::size_t i = 0; i < roots.size(); ++i) {
        monitor_.report("checking pages", i, roots.size());
        TRY(pages_of(*file, roots[i], seen));
      }
    }
    TRY(complaints("integrity_check", "SQLite finds: "));
    TRY(references());
    for (const Root& root : roots) TRY(times(root.table));
    return {};
  }

  void find(std::string sentence) {
    if (std::ranges::find(out_.findings, sentence) == out_.findings.end())
      out_.findings.push_back(std::move(sentence));
  }

  /// Its name as people say it: without the guid where the file holds one recording.
  [[nodiscard]] std::string shown(std::string_view table) const {
    if (!suffix_.empty() && table.ends_with(suffix_)) table.remove_suffix(suffix_.size());
    return std::string(table);
  }

  /// The suffix that all tables of the recording have; "" when there are several, or none.
  void find_suffix(const std::vector<Root>& roots) {
    constexpr std::size_t kSuffixChars = 37;
    for (const Root& root : roots) {
      if (!root.table.starts_with("rocpd_") || root.table.size() <= kSuffixChars) continue;
      const std::string own = root.table.substr(root.table.size() - kSuffixChars);
      if (own[0] != '_' || (!suffix_.empty() && own != suffix_)) {
        suffix_.clear();
        return;
      }
      suffix_ = own;
    }
  }

  Result<std::vector<Root>> tables() {
    Statement rows = TRY(database_.database().prepare(
        "SELECT name, rootpage FROM sqlite_master WHERE type = 'table' ORDER BY name"));
    std::vector<Root> out;
    while (TRY(rows.step())) {
      const std::int64_t root = rows.int64(1);
      if (root > 1 && root <= 0xffffffffLL)
        out.push_back({std::string(rows.text(0)), static_cast<std::uint32_t>(root)});
    }
    return out;
  }

  Status sequences() {
    auto rows = database_.database().prepare("SELECT name, seq FROM sqlite_sequence");
    if (!rows) return {};  // without AUTOINCREMENT there is no such table
    while (TRY(rows->step())) sequences_[std::string(rows->text(0))] = rows->int64(1);
    return {};
  }

  Status pages_of(const PageFile& file, const Root& root, std::vector<bool>& seen) {
    VerifiedTable table{.table = root.table};
    const TreeLeaves leaves = file.leaves(root.page);
    PageFindings findings = leaves.findings;
    const bool recorded = root.table.starts_with("rocpd_");
    const auto shape = TRY(RowShape::of(database_, root.table, guid_of_suffix(suffix_)));
    PageStream stream(file, leaves.pages);
    std::optional<std::pair<std::int64_t, std::int64_t>> ids;
    for (std::size_t i = 0; i < leaves.pages.size(); ++i) {
      if (i % kLeavesBetweenChecks == 0) TRY(interrupt::check());
      const std::uint8_t* page = stream.next();
      if (page == nullptr) break;
      const std::uint32_t number = leaves.pages[i];
      if (seen[number])
        find(fmt::format("page {} belongs to {} and to another table", number, shown(root.table)));
      seen[number] = true;
      const LeafFacts facts = check_leaf(page, file.page_bytes(), leaves.ranges[i]);
      if (facts.fault != PageFault::none)
        findings.add(facts.fault, number);
      else if (recorded && shape && !shape->fits_leaf(page, file.page_bytes()))
        findings.add(PageFault::record, number);
      table.rows += facts.rows;
      if (facts.rows > 0) ids = std::pair(ids ? ids->first : facts.first, facts.last);
    }
    table.pages = leaves.pages.size();
    table.faults = findings.pages;
    if (findings.pages > 0)
      find(fmt::format("page {} of {} {}", findings.page, shown(root.table),
                       to_string(findings.fault)));
    numbers(table, ids);
    out_.tables.push_back(std::move(table));
    return {};
  }

  void numbers(VerifiedTable& table, std::optional<std::pair<std::int64_t, std::int64_t>> ids) {
    const auto written = sequences_.find(table.table);
    if (written == sequences_.end() || written->second <= 0) return;
    const std::int64_t last = ids ? ids->second : 0;
    if (last > written->second || (is_appended(table.table) && last < written->second)) {
      ++table.faults;
      find(fmt::format("{} ends with row {}, and rows up to {} were written", shown(table.table),
                       last, written->second));
    }
    if (!ids && !is_numbered(table.table) && !table.table.starts_with("rocpd_info_")) {
      ++table.faults;
      find(fmt::format("{} has no rows, and rows up to {} were written", shown(table.table),
                       written->second));
    }
    if (is_numbered(table.table) && ids && ids->first <= 1 &&
        table.rows < static_cast<std::uint64_t>(last)) {
      ++table.faults;
      find(fmt::format("{} has {} rows and row ids up to {}: rows were deleted or are lost",
                       shown(table.table), table.rows, last));
    }
  }

  /// Of a pragma that gives "ok", or a line for each complaint.
  Status complaints(const char* pragma, std::string_view before) {
    monitor_.report("checking indexes and free pages", 0, 0);
    auto rows = database_.database().prepare(fmt::format("PRAGMA {}({})", pragma, kMostComplaints));
    if (!rows) return {};
    while (true) {
      const auto more = rows->step();
      if (!more) {
        if (more.error().code == Errc::interrupted) return Failure(more.error());
        find(fmt::format("{}{}", before, more.error().message));
        return {};
      }
      if (!*more) return {};
      // One row may hold several lines.
      std::string_view text = rows->text(0);
      while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line != "ok" && !line.starts_with("***")) find(fmt::format("{}{}", before, line));
      }
    }
  }

  /// Rows whose reference is an empty text, which RPD's recorder writes for none.
  std::uint64_t empty_references(const std::string& table, std::int64_t key) {
    auto column = database_.database().prepare(
        "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ?");
    if (!column || !column->bind(table, key) || !column->step().value_or(false)) return 0;
    auto rows = database_.database().prepare(fmt::format("SELECT count(*) FROM {} WHERE {} = ''",
                                                         sql_name(table),
                                                         sql_name(std::string(column->text(0)))));
    if (!rows || !rows->step().value_or(false)) return 0;
    return static_cast<std::uint64_t>(rows->int64(0));
  }

  /// As the tables declare them (FOREIGN KEY).
  Status references() {
    monitor_.report("checking references", 0, 0);
    auto rows = database_.database().prepare("PRAGMA foreign_key_check");
    if (!rows) return {};
    std::map<std::tuple<std::string, std::string, std::int64_t>, std::uint64_t> missing;
    while (true) {
      const auto more = rows->step();
      if (!more) {
        if (more.error().code == Errc::interrupted) return Failure(more.error());
        break;  // what SQLite cannot read it has complained about
      }
      if (!*more) break;
      ++missing[{std::string(rows->text(0)), std::string(rows->text(2)), rows->int64(3)}];
    }
    for (const auto& [reference, all] : missing) {
      const auto& [from, to, key] = reference;
      const std::uint64_t count = all - std::min(all, empty_references(from, key));
      if (count == 0) continue;
      for (VerifiedTable& table : out_.tables) table.faults += table.table == from ? count : 0;
      find(fmt::format("{} reference{} of {} to {} lead{} nowhere", count, count == 1 ? "" : "s",
                       from, to, count == 1 ? "s" : ""));
    }
    return {};
  }

  /// Rows that end before they start, or outside of the life of all processes.
  Status times(const std::string& table) {
    const std::vector<std::string> columns = TRY(database_.columns(table));
    const auto has = [&](const char* name) {
      return std::ranges::find(columns, name) != columns.end();
    };
    if (!has("start") || !has("end") || table.starts_with("rocpd_info_")) return {};
    const std::string suffix = table.size() > 37 ? table.substr(table.size() - 37) : std::string();
    std::string life = "SELECT 0, 0";
    for (const std::string& process :
         {"rocpd_info_process" + suffix, std::string("rocpd_info_process")}) {
      const auto of = database_.columns(process);
      if (!of || of->empty()) continue;
      life = fmt::format("SELECT min(coalesce(start, init)), max(coalesce(\"end\", fini)) FROM {}",
                         sql_name(process));
      break;
    }
    auto rows = database_.database().prepare(fmt::format(
        "SELECT total(t.\"end\" < t.start), total(p.a > 0 AND p.b > p.a AND (t.start < p.a OR "
        "t.\"end\" > "
        "p.b)) FROM {} t, (SELECT * FROM (SELECT 0 AS a, 0 AS b WHERE 0 UNION ALL {})) p",
        sql_name(table), life));
    if (!rows) return {};
    const auto there = rows->step();
    if (!there) {
      if (there.error().code == Errc::interrupted) return Failure(there.error());
      return {};
    }
    if (!*there) return {};
    const auto say = [&](double count, const char* what) {
      if (count <= 0) return;
      for (VerifiedTable& one : out_.tables)
        one.faults += one.table == table ? static_cast<std::uint64_t>(count) : 0;
      find(fmt::format("{:.0f} row{} of {} {}", count, count == 1 ? "" : "s", shown(table), what));
    };
    say(rows->real(0), "end before they start");
    say(rows->real(1), "lie outside of the life of the process");
    return {};
  }

  ForeignDatabase& database_;
  const Monitor& monitor_;
  std::map<std::string, std::int64_t, std::less<>> sequences_;
  std::string suffix_;
  Verification out_;
};

}  // namespace

Result<Verification> verify_database(ForeignDatabase& database, const Monitor& monitor) {
  return Verifier(database, monitor).verify();
}

}  // namespace rpl
