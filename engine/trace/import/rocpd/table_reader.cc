// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/table_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/row_shape.h"

namespace rpl {
namespace {

std::uint32_t cells_of(const std::uint8_t* leaf) { return big_endian_16(leaf + 3); }

/// Of a cell of a leaf, as far as it can be told.
std::optional<std::int64_t> rowid_in(const std::vector<std::uint8_t>& leaf, std::uint32_t cell) {
  const std::size_t bytes = leaf.size() - PageStream::kOverread,
                    pointer = 8 + 2 * std::size_t{cell};
  if (pointer + 2 > bytes) return std::nullopt;
  const std::uint8_t* at = leaf.data() + big_endian_16(leaf.data() + pointer);
  if (at + 4 > leaf.data() + bytes) return std::nullopt;
  read_varint(at);
  return static_cast<std::int64_t>(read_varint(at));
}

}  // namespace

unsigned TableAccess::most_threads() const {
  constexpr unsigned kMostThreads = 2;  // memory bandwidth is used up by then
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return threads != 0 ? threads : std::min(cores, kMostThreads);
}

TableRow ApiRow::fill(const Statement& statement) {
  std::uint32_t nulls = 0;
  bytes_.clear();
  const auto put = [&](std::uint64_t word) {
    for (int shift = 56; shift >= 0; shift -= 8)
      bytes_.push_back(static_cast<std::uint8_t>(word >> shift));
  };
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const int column = static_cast<int>(i);
    ColumnPlan& plan = plans_[i];
    plan = {static_cast<std::uint32_t>(bytes_.size()), 0, 0, false, -1};
    nulls |= statement.is_null(column) ? 1U << i : 0;
    if (layout_.columns[i].kind == ColumnKind::integer) {
      put(static_cast<std::uint64_t>(statement.int64(column)));
    } else if (layout_.columns[i].kind == ColumnKind::real) {
      plan.real = true;
      put(std::bit_cast<std::uint64_t>(statement.real(column)));
    } else {
      const std::string_view text = statement.text(column);
      bytes_.insert(bytes_.end(), text.begin(), text.end());
      plan.mask = static_cast<std::int32_t>(text.size());
    }
  }
  bytes_.resize(bytes_.size() + sizeof(std::uint64_t));
  return {0, -1, nulls, plans_.data(), bytes_.data()};
}

TableReader::TableReader(ForeignDatabase& database, const TableAccess& access)
    : database_(database), access_(access), threads_(access.most_threads()) {}

Result<std::unique_ptr<TableReader>> TableReader::begin(ForeignDatabase& database,
                                                        const TableAccess& access) {
  std::unique_ptr<TableReader> reader(new TableReader(database, access));
  TRY(database.database().execute("BEGIN"));
  reader->locked_ = true;
  database.forget_declared();
  // Only a read takes the lock.
  Statement tables = TRY(
      database.database().prepare("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'"));
  while (TRY(tables.step())) {
    const std::int64_t root = tables.int64(1);
    if (root >= 2 && root <= 0xffffffffLL)
      reader->roots_[std::string(tables.text(0))] = static_cast<std::uint32_t>(root);
  }
  TRY(reader->load_sequences());
  if (access.api_only) return reader;
  auto file = TRY(PageFile::open(database));
  if (file) reader->file_.emplace(std::move(*file));
  return reader;
}

Status TableReader::load_sequences() {
  // AUTOINCREMENT writes down the highest row id that there ever was (https://www.sqlite.org/autoinc.html).
  if (!roots_.contains("sqlite_sequence")) return {};
  Statement rows = TRY(database_.database().prepare("SELECT name, seq FROM sqlite_sequence"));
  while (TRY(rows.step())) {
    if (rows.int64(1) > 0) sequences_[std::string(rows.text(0))] = rows.int64(1);
  }
  return {};
}

TableReader::~TableReader() {
  if (!locked_) return;
  // Ending a transaction that only read cannot fail in a way that matters.
  const Status ignored = database_.database().execute("COMMIT");
  static_cast<void>(ignored);
}

Result<PreparedTable> TableReader::prepare(std::string_view base, std::string_view suffix,
                                           std::span<const WantedColumn> columns) {
  PreparedTable table;
  table.base = base;
  table.layout = TRY(table_layout(database_, table.base + std::string(suffix), columns));
  if (!file_ || table.layout.root == 0 || table.layout.root > file_->pages()) return table;
  if (access_.look_for_damage)
    table.layout.shape = TRY(RowShape::of(database_, table.layout.name, {}));
  TreeLeaves leaves = file_->leaves(table.layout.root);
  note_damage(base, leaves.findings);
  table.direct = leaves.whole();
  if (!table.direct) return table;
  table.leaves = std::move(leaves.pages);
  table.ranges = std::move(leaves.ranges);
  return table;
}

void TableReader::note_damage(std::string_view base, const PageFindings& findings) {
  if (findings.pages == 0) return;
  const std::string more = findings.pages == 1
                               ? std::string()
                               : fmt::format(" ({} more page{} of it as well)", findings.pages - 1,
                                             findings.pages == 2 ? "" : "s");
  damage().add(
      fmt::format("page {} of {} {}{}", findings.page, base, to_string(findings.fault), more));
}

void TableReader::note_damage(std::string_view base, std::string_view name, const TableRows& rows) {
  note_damage(base, rows.findings);
  const auto sequence = sequences_.find(name);
  if (!rows.whole || rows.findings.pages > 0 || sequence == sequences_.end()) return;
  const std::int64_t written = sequence->second, last = rows.rowids ? rows.rowids->second : 0;
  // Writers delete rows of what describes a process, and write them anew.
  if (last > written || (is_appended(base) && last < written)) {
    damage().add(fmt::format(
        "{} ends with row {}, and rows up to {} were written: {}", base, last, written,
        last < written ? "the last were deleted or are lost" : "its row ids were changed"));
  } else if (is_numbered(base) && rows.rowids && rows.rowids->first <= 1 &&
             rows.rows < static_cast<std::uint64_t>(last)) {
    damage().add(fmt::format("{} has {} rows and row ids up to {}: rows were deleted or are lost",
                             base, rows.rows, last));
  }
}

void TableReader::look_at(std::string_view base, std::string_view suffix, std::size_t most_leaves) {
  const auto root = roots_.find(std::string(base) + std::string(suffix));
  if (!file_ || root == roots_.end() || root->second > file_->pages()) return;
  std::vector<std::uint8_t> page(file_->page_bytes() + PageStream::kOverread);
  // Tables without row ids lie in trees of keys, which SQLite looks at.
  constexpr std::uint8_t kKeyLeaf = 0x0a, kKeyInterior = 0x02;
  if (!file_->read(root->second, 1, page.data()) || page[0] == kKeyLeaf || page[0] == kKeyInterior)
    return;
  const auto shape = RowShape::of(database_, root->first, guid_of_suffix(suffix));
  TableRows rows;
  const auto look = [&](const std::uint8_t* leaf, std::uint32_t number, const KeyRange& range) {
    const LeafFacts facts = check_leaf(leaf, file_->page_bytes(), range);
    if (facts.fault != PageFault::none)
      rows.findings.add(facts.fault, number);
    else if (shape && *shape && !(*shape)->fits_leaf(leaf, file_->page_bytes()))
      rows.findings.add(PageFault::record, number);
    if (facts.rows > 0) rows.add(facts.rows, std::pair(facts.first, facts.last));
  };
  // Most tables that describe a run are one page, which is here.
  if (page[0] == PageFile::kLeaf) {
    rows.whole = true;
    look(page.data(), root->second, {});
    note_damage(base, root->first, rows);
    return;
  }
  const TreeLeaves leaves = file_->leaves(root->second, most_leaves);
  rows.findings = leaves.findings;
  const std::size_t count = std::min(leaves.pages.size(), most_leaves);
  rows.whole = leaves.whole() && count == leaves.pages.size();
  PageStream stream(*file_, std::span(leaves.pages).first(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const leaf = stream.next();
    if (leaf == nullptr) {
      rows.whole = false;
      break;
    }
    look(leaf, leaves.pages[i], leaves.ranges[i]);
  }
  note_damage(base, root->first, rows);
}

std::optional<std::int64_t> TableReader::last_rowid(std::string_view base,
                                                    std::string_view suffix) const {
  const auto root = roots_.find(std::string(base) + std::string(suffix));
  // Numbered by SQLite, its ids are its row ids.
  if (!file_ || root == roots_.end() || !sequences_.contains(root->first)) return std::nullopt;
  std::vector<std::uint8_t> page(file_->page_bytes() + PageStream::kOverread);
  std::uint32_t number = root->second;
  for (int depth = 0; depth < PageFile::kMaxDepth; ++depth) {
    if (number < 2 || number > file_->pages() || !file_->read(number, 1, page.data()))
      return std::nullopt;
    const std::uint32_t cells = cells_of(page.data());
    if (page[0] == PageFile::kLeaf) return cells == 0 ? std::nullopt : rowid_in(page, cells - 1);
    if (page[0] != PageFile::kInterior) return std::nullopt;
    number = big_endian_32(page.data() + 8);
  }
  return std::nullopt;
}

void TableReader::note_empty(std::string_view base, std::string_view suffix) {
  const auto written = sequences_.find(std::string(base) + std::string(suffix));
  if (written == sequences_.end()) return;
  damage().add(
      fmt::format("{} has no rows, and rows up to {} were written: they were deleted or are lost",
                  base, written->second));
}

TableReader::Estimate TableReader::estimate(const PreparedTable& table) const {
  constexpr std::size_t kSampled = 32;
  if (!table.direct) return {};
  std::vector<std::uint8_t> page(file_->page_bytes() + PageStream::kOverread);
  const std::size_t step = table.leaves.size() / kSampled + 1;
  std::size_t cells = 0, sampled = 0;
  for (std::size_t i = 0; i < table.leaves.size(); i += step, ++sampled) {
    if (!file_->read(table.leaves[i], 1, page.data())) break;
    cells += cells_of(page.data());
  }
  if (sampled == 0) return {};
  // A page holds no more cells than this, whatever a damaged one says.
  const std::size_t most = table.leaves.size() * (file_->page_bytes() / 6);
  std::size_t rows = cells * table.leaves.size() / sampled;
  rows = std::min(most, rows + rows / 32 + 1024);
  // Recorders number rows without holes: then the first and the last rowid tell how many there are.
  std::optional<std::int64_t> first, last;
  if (file_->read(table.leaves.front(), 1, page.data())) first = rowid_in(page, 0);
  if (file_->read(table.leaves.back(), 1, page.data()))
    last = rowid_in(page, cells_of(page.data()) - 1);
  if (!first || !last || *first > *last) return {rows, std::nullopt};
  const std::uint64_t ids =
      static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first) + 1;
  if (ids == 0 || ids > rows) return {rows, std::nullopt};
  return {static_cast<std::size_t>(ids), first};
}

std::vector<std::size_t> TableReader::places(const PreparedTable& table, std::size_t count) const {
  const Estimate all = estimate(table);
  std::vector<std::size_t> out{0};
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t leaf = table.leaves.size() * i / count;
    // Leaves of later rows, whose numbers are longer, hold fewer of them.
    std::size_t at = all.rows * i / count + all.rows / 128;
    if (all.first) {
      const std::uint64_t ids = static_cast<std::uint64_t>(table.ranges[leaf].after) -
                                static_cast<std::uint64_t>(*all.first) + 1;
      at = static_cast<std::size_t>(std::min<std::uint64_t>(ids, all.rows));
    }
    out.push_back(std::max(at, out.back()));
  }
  out.push_back(std::max(all.rows, out.back()));
  return out;
}

bool TableReader::OddRows::fetch(std::int64_t rowid,
                                 const std::function<void(const TableRow&)>& take) {
  ApiRow row(table_.layout);
  std::optional<TableRow> filled;
  {
    const std::lock_guard lock(*reader_.access_.connection);
    if (left_ == 0) return false;
    --left_;
    if (!one_) {
      auto made = reader_.select(table_, "WHERE rowid = ?");
      if (!made) return false;
      one_ = std::move(*made);
    }
    // A damaged tree may hide from a search what a scan meets: then SQLite's scan decides.
    if (!one_->bind(rowid)) return false;
    const auto there = one_->step();
    if (!there || !*there) return false;
    filled = row.fill(*one_);
    if (!one_->reset()) return false;
  }
  take(*filled);
  return true;
}

Result<bool> TableReader::finished(const PreparedTable& table,
                                   std::span<const std::uint32_t> leaves, bool stopped,
                                   const PageFindings& findings) {
  note_damage(table.base, findings);
  TRY(interrupt::check());
  // Its rows are not all there, whoever reads it.
  if (file_->shrank()) {
    return fail(Errc::corrupt, database_.path() + " became shorter while it was read",
                "is it being written or copied? open it again when that is done");
  }
  access_.reading->add(table.base, leaves, table.leaves.size());
  return !stopped;
}

std::vector<std::uint32_t> TableReader::leaves_near(const PreparedTable& table,
                                                    std::span<const std::int64_t> keys) {
  std::vector<std::uint32_t> out;
  auto next = keys.begin();
  for (std::size_t i = 0; i < table.leaves.size() && next != keys.end(); ++i) {
    const KeyRange& range = table.ranges[i];
    next = std::upper_bound(next, keys.end(), range.after);
    if (next != keys.end() && *next <= range.last) out.push_back(table.leaves[i]);
  }
  return out;
}

Result<Statement> TableReader::select(const PreparedTable& table, std::string_view tail) {
  const TableLayout& layout = table.layout;
  std::string sql = "SELECT ";
  for (const TableColumn& column : layout.columns) {
    if (sql.back() != ' ') sql += ',';
    sql += column.at < 0 ? "NULL" : sql_name(column.name);
  }
  // An index would give another order of rows; a view has none to leave out.
  return database_.database().prepare(fmt::format("{} FROM {} {} {}", sql, sql_name(layout.name),
                                                  layout.root != 0 ? "NOT INDEXED" : "", tail));
}

Status TableReader::through_api(const PreparedTable& table,
                                const std::function<void(const TableRow&)>& take) {
  if (table.layout.name.empty()) return {};
  access_.reading->add_through_api(table.base);
  Statement rows = TRY(select(table, ""));
  ApiRow row(table.layout);
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    take(row.fill(rows));
  }
  return {};
}

}  // namespace rpl
