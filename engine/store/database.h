// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rpl {

/// A prepared statement. Text that it returns lives until the next step() or reset().
class Statement {
 public:
  Statement() = default;

  /// Binds parameters 1, 2, … and resets the statement.
  template <class... Args>
  Status bind(const Args&... args) {
    TRY(reset());
    int index = 0;
    Status status;
    ((status = status ? bind_one(++index, args) : std::move(status)), ...);
    return status;
  }
  /// True while there is a row.
  Result<bool> step();
  /// Steps to the end and resets, for statements without rows.
  Status run();
  Status reset();

  /// Column getters, 0-based. SQLite's conversions apply: NULL is 0 or "".
  [[nodiscard]] std::int64_t int64(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  /// SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB or SQLITE_NULL.
  [[nodiscard]] int type(int column) const;
  [[nodiscard]] int column_count() const;
  [[nodiscard]] std::string column_name(int column) const;
  [[nodiscard]] bool read_only() const;
  [[nodiscard]] sqlite3_stmt* handle() const { return statement_.get(); }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  Status bind_one(int index, std::int64_t value);
  Status bind_one(int index, int value) { return bind_one(index, std::int64_t{value}); }
  Status bind_one(int index, std::uint32_t value) { return bind_one(index, std::int64_t{value}); }
  Status bind_one(int index, double value);
  Status bind_one(int index, std::string_view value);
  Status bind_one(int index, const std::string& value) {
    return bind_one(index, std::string_view(value));
  }
  Status bind_one(int index, const char* value) { return bind_one(index, std::string_view(value)); }
  Status bind_one(int index, std::nullptr_t);
  template <class T>
  Status bind_one(int index, const std::optional<T>& value) {
    return value ? bind_one(index, *value) : bind_one(index, nullptr);
  }

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One step of a schema's history, run in its own transaction.
struct Migration {
  std::string_view sql;  ///< one or more statements
};

/// An open SQLite connection, for one thread at a time.
class Database {
 public:
  Database() = default;

  /// Our own file: read-write, created when absent, WAL, foreign keys, DQS off, busy timeout 5 s.
  static Result<Database> open(const std::string& path);
  /// A foreign file, without any recovery: `immutable` skips locking and side files. See ForeignDatabase.
  static Result<Database> open_foreign(const std::string& path, bool immutable);
  /// A private copy of a foreign file, read-write, so that SQLite can recover it.
  static Result<Database> open_copy(const std::string& path);
  /// A new file without any of our settings, for writing other programs' formats.
  static Result<Database> create_plain(const std::string& path);
  static Result<Database> open_memory();
  /// An empty one in memory that queries of others are put to: bounded as a foreign file, and nothing can be written or attached.
  static Result<Database> open_empty();

  Result<Statement> prepare(std::string_view sql);
  /// Runs statements without rows.
  Status execute(std::string_view sql);
  /// The first column of the first row; nullopt without a row.
  Result<std::optional<std::int64_t>> scalar(std::string_view sql);

  /// Brings our own file to the newest schema: `user_version` counts the steps done, `application_id` marks the file as
  /// ours. Fails with unsupported for a file written by a newer build, corrupt for somebody else's file.
  Status migrate(std::span<const Migration> steps, std::int32_t application_id);

  [[nodiscard]] std::int64_t last_insert_id() const;
  [[nodiscard]] sqlite3* handle() const { return connection_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  static Result<Database> connect(const std::string& name, int flags);

  std::unique_ptr<sqlite3, Close> connection_;
};

/// Rolls back unless committed.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

/// An Error for SQLite's last failure on `connection`, in words.
Error sqlite_error(sqlite3* connection, int code);

}  // namespace rpl
