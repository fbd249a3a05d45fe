// SPDX-License-Identifier: MIT
#include "tests/support/broken_values.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace rpl::test {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Handle = std::unique_ptr<sqlite3, Close>;
using Rows = std::unique_ptr<sqlite3_stmt, Close>;

Rows prepare(const Handle& database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database.get(), sql.c_str(), -1, &statement, nullptr);
  return Rows(statement);
}

bool execute(const Handle& database, const char* sql) {
  return sqlite3_exec(database.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::string text_at(const Rows& rows, int column) {
  const void* const text = sqlite3_column_blob(rows.get(), column);
  const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(rows.get(), column));
  return text == nullptr ? std::string() : std::string(static_cast<const char*>(text), bytes);
}

std::vector<std::string> texts(const Handle& database, const std::string& sql) {
  std::vector<std::string> out;
  const Rows rows = prepare(database, sql);
  while (rows && sqlite3_step(rows.get()) == SQLITE_ROW) out.push_back(text_at(rows, 0));
  return out;
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char one : name) out += one == '"' ? "\"\"" : std::string(1, one);
  return out + '"';
}

/// The bytes 18 and 19 of the file: 2 for a write-ahead log, which a database in memory cannot have.
constexpr std::size_t kJournalAt = 18;

Handle open_in_memory(std::string_view bytes) {
  sqlite3* opened = nullptr;
  const bool made = sqlite3_open(":memory:", &opened) == SQLITE_OK;
  Handle database(opened);
  auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (copy == nullptr) return nullptr;
  std::ranges::copy(bytes, copy);
  copy[kJournalAt] = copy[kJournalAt + 1] = 1;
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (!made || sqlite3_deserialize(
                   database.get(), "main", copy, size, size,
                   SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) != SQLITE_OK)
    return nullptr;
  return database;
}

/// Takes triggers and STRICT out of the schema while it lives, and puts the schema back as it was.
class Unguarded {
 public:
  explicit Unguarded(const Handle& database) : database_(database) {
    execute(database_,
            "PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF; PRAGMA "
            "writable_schema=ON; CREATE TEMP TABLE kept AS SELECT rowid AS place, * FROM "
            "main.sqlite_master; DELETE FROM main.sqlite_master WHERE type = 'trigger'; UPDATE "
            "main.sqlite_master SET sql = rtrim(replace(sql, ') STRICT', ')')) WHERE type = "
            "'table'; PRAGMA writable_schema=RESET");
  }
  ~Unguarded() {
    execute(database_,
            "PRAGMA writable_schema=ON; DELETE FROM main.sqlite_master; INSERT INTO "
            "main.sqlite_master(rowid, type, name, tbl_name, rootpage, sql) SELECT place, type, "
            "name, tbl_name, rootpage, sql FROM kept; DROP TABLE temp.kept");
  }
  Unguarded(const Unguarded&) = delete;
  Unguarded& operator=(const Unguarded&) = delete;

 private:
  const Handle& database_;
};

struct Value {
  enum class Kind { null, integer, real, text, blob } kind = Kind::null;
  sqlite3_int64 integer = 0;
  double real = 0;
  std::string text = {};
};

Value odd(Random& random) {
  using Kind = Value::Kind;
  static const std::vector<Value> kValues{
      {},
      {.kind = Kind::integer, .integer = 0},
      {.kind = Kind::integer, .integer = -1},
      {.kind = Kind::integer, .integer = INT64_MAX},
      {.kind = Kind::integer, .integer = INT64_MIN},
      {.kind = Kind::integer, .integer = sqlite3_int64{1} << 32},
      {.kind = Kind::real, .real = 1e308},
      {.kind = Kind::real, .real = -0.5},
      {.kind = Kind::text},
      {.kind = Kind::text, .text = "x"},
      {.kind = Kind::text, .text = "/etc/passwd"},
      {.kind = Kind::text, .text = "../../x"},
      {.kind = Kind::text, .text = "\x1b]0;x\x07\xc2\x9b"},
      {.kind = Kind::text, .text = "\xff\xfe\xc3"},
      {.kind = Kind::text, .text = std::string("a\0b", 3)},
      {.kind = Kind::text, .text = std::string(70000, 'a')},
      {.kind = Kind::text, .text = std::string(2000, '[')},
      {.kind = Kind::text, .text = "{}"},
      {.kind = Kind::text, .text = "[1, \"x\", null]"},
      {.kind = Kind::text, .text = "{\"number\": 1e999}"},
      {.kind = Kind::blob, .text = std::string(16, '\0')}};
  return kValues[random.below(kValues.size())];
}

void give(const Rows& rows, const Value& value) {
  const auto size = static_cast<int>(value.text.size());
  switch (value.kind) {
    case Value::Kind::null:
      sqlite3_bind_null(rows.get(), 1);
      break;
    case Value::Kind::integer:
      sqlite3_bind_int64(rows.get(), 1, value.integer);
      break;
    case Value::Kind::real:
      sqlite3_bind_double(rows.get(), 1, value.real);
      break;
    case Value::Kind::text:
      sqlite3_bind_text(rows.get(), 1, value.text.data(), size, nullptr);
      break;
    case Value::Kind::blob:
      sqlite3_bind_blob(rows.get(), 1, value.text.data(), size, nullptr);
      break;
  }
}

template <class T>
const T& any_of(const std::vector<T>& all, Random& random) {
  return all[random.below(all.size())];
}

/// Where a value stands: a column of a row.
struct Spot {
  std::string table, column, row;
};

bool choose(const Handle& database, Random& random, Spot& spot) {
  const auto tables = texts(database,
                            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 "
                            "AND name NOT LIKE 'sqlite_stat%' ORDER BY name");
  for (int tries = 0; tries < 20 && !tables.empty(); ++tries) {
    spot.table = any_of(tables, random);
    const auto rows =
        texts(database, "SELECT rowid FROM " + quoted(spot.table) + " ORDER BY rowid LIMIT 5000");
    const auto columns = texts(
        database, "SELECT name FROM pragma_table_info(" + quoted(spot.table) + ") ORDER BY cid");
    if (rows.empty() || columns.empty()) continue;
    spot.row = any_of(rows, random);
    spot.column = any_of(columns, random);
    return true;
  }
  return false;
}

bool replace_one(const Handle& database, Random& random, const BreakText& broken,
                 std::string& what) {
  Spot spot;
  if (!choose(database, random, spot)) return false;
  const std::string where = " FROM " + quoted(spot.table) + " WHERE rowid = " + spot.row;
  Value value = odd(random);
  std::string other;
  if (random.chance(0.6)) {
    const auto now = texts(database, "SELECT " + quoted(spot.column) + where);
    other = now.empty() ? std::string() : broken(now.front());
  }
  if (!other.empty()) value = {.kind = Value::Kind::text, .text = other};
  what = "value: " + spot.table + "." + spot.column;
  const Rows change = prepare(database, "UPDATE " + quoted(spot.table) + " SET " +
                                            quoted(spot.column) + " = ? WHERE rowid = " + spot.row);
  if (!change) return false;
  give(change, value);
  return sqlite3_step(change.get()) == SQLITE_DONE;
}

}  // namespace

std::string broken_value(std::string_view database, Random& random, const BreakText& broken,
                         std::string& what) {
  if (database.size() <= 100) return {};
  const Handle opened = open_in_memory(database);
  if (!opened) return {};
  bool changed = false;
  {
    const Unguarded unguarded(opened);
    changed = replace_one(opened, random, broken, what);
  }
  sqlite3_int64 size = 0;
  unsigned char* const bytes =
      changed ? sqlite3_serialize(opened.get(), "main", &size, 0) : nullptr;
  if (bytes == nullptr) {
    what.clear();
    return {};
  }
  std::string out(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  sqlite3_free(bytes);
  out.replace(kJournalAt, 2, database.substr(kJournalAt, 2));
  return out;
}

}  // namespace rpl::test
