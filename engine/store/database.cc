// SPDX-License-Identifier: MIT
#include "engine/store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/store/bounded.h"

namespace rpl {
namespace {

constexpr int kBusyTimeoutMs = 5000;
constexpr int kStepsBetweenInterruptChecks = 20000;

int stop_when_interrupted(void*) { return interrupt::pending() ? 1 : 0; }

/// Waits for somebody else's lock, the `waited`th time. Who is interrupted waits no longer than a Ctrl-C may take, so that an answer is still kept.
int wait_for_lock(void*, int waited) {
  constexpr int kStepMs = 10, kInterruptedMs = 100;
  if (waited * kStepMs >= (interrupt::pending() ? kInterruptedMs : kBusyTimeoutMs)) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(kStepMs));
  return 1;
}

Errc code_of(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_INTERRUPT:
      return Errc::interrupted;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return Errc::corrupt;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return Errc::io;
    case SQLITE_READONLY:
    case SQLITE_AUTH:
    case SQLITE_PERM:
      return Errc::denied;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_FULL:
      return Errc::io;
    case SQLITE_ERROR:
      return Errc::usage;
    default:
      return Errc::internal;
  }
}

std::string hint_for(int sqlite_code) {
  switch (sqlite_code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "the file is damaged or was cut short; record or copy it again";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another program is writing the file; try again when it has finished";
    case SQLITE_FULL:
      return "free some space on the disk";
    default:
      return {};
  }
}

Status checked(sqlite3* connection, int code) {
  if (code == SQLITE_OK) return {};
  return Failure(sqlite_error(connection, code));
}

void distrust(sqlite3* connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // Recordings declare defaults with double quotes ("{}"), which SQLite parses with the schema.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 1, nullptr);
  bound_queries(connection);
}

/// Pragmas whose word behind them is a name or a number that is asked about. All others set something, of the whole process some of them.
constexpr std::array<std::string_view, 10> kAskingPragmas{
    "table_info", "table_xinfo",      "index_list",        "index_info",      "index_xinfo",
    "table_list", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check"};

int refuse_what_sets(void*, int action, const char* name, const char* value, const char*,
                     const char*) {
  if (action == SQLITE_ATTACH || action == SQLITE_DETACH) return SQLITE_DENY;
  // It tells addresses of the process, and has it call an address that the query names.
  if (action == SQLITE_FUNCTION && value != nullptr &&
      sqlite3_stricmp(value, "fts3_tokenizer") == 0)
    return SQLITE_DENY;
  if (action != SQLITE_PRAGMA || value == nullptr) return SQLITE_OK;
  const auto is_one = [&](std::string_view one) {
    return sqlite3_strnicmp(name, one.data(), static_cast<int>(one.size() + 1)) == 0;
  };
  return std::ranges::any_of(kAskingPragmas, is_one) ? SQLITE_OK : SQLITE_DENY;
}

/// Queries neither write, nor open other files, nor set anything.
Status only_ask(Database& database) {
  sqlite3_limit(database.handle(), SQLITE_LIMIT_ATTACHED, 0);
  TRY(database.execute("PRAGMA query_only=ON; PRAGMA cell_size_check=ON"));
  sqlite3_set_authorizer(database.handle(), refuse_what_sets, nullptr);
  return {};
}

}  // namespace

Error sqlite_error(sqlite3* connection, int code) {
  const Errc kind = code_of(code);
  if (kind == Errc::interrupted) return Error{kind, "interrupted", {}};
  std::string message = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  return Error{kind, std::move(message), hint_for(code)};
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Status Statement::bind_one(int index, std::int64_t value) {
  return checked(sqlite3_db_handle(handle()), sqlite3_bind_int64(handle(), index, value));
}

Status Statement::bind_one(int index, double value) {
  return checked(sqlite3_db_handle(handle()), sqlite3_bind_double(handle(), index, value));
}

Status Statement::bind_one(int index, std::string_view value) {
  const char* data = value.data() ? value.data() : "";  // a null pointer would bind NULL
  return checked(
      sqlite3_db_handle(handle()),
      sqlite3_bind_text64(handle(), index, data, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

Status Statement::bind_one(int index, std::nullptr_t) {
  return checked(sqlite3_db_handle(handle()), sqlite3_bind_null(handle(), index));
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(handle());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Failure(sqlite_error(sqlite3_db_handle(handle()), code));
}

Status Statement::run() {
  while (TRY(step())) {
  }
  return reset();
}

Status Statement::reset() { return checked(sqlite3_db_handle(handle()), sqlite3_reset(handle())); }

std::int64_t Statement::int64(int column) const { return sqlite3_column_int64(handle(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle(), column); }
int Statement::type(int column) const { return sqlite3_column_type(handle(), column); }
bool Statement::is_null(int column) const { return type(column) == SQLITE_NULL; }
int Statement::column_count() const { return sqlite3_column_count(handle()); }
bool Statement::read_only() const { return sqlite3_stmt_readonly(handle()) != 0; }

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle(), column))};
}

std::string Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(handle(), column);
  return name == nullptr ? std::string() : std::string(name);
}

void Database::Close::operator()(sqlite3* connection) const {
  // Who closes a database last writes its log into it and waits for the disk, which nothing can interrupt. Whoever opens it next reads the log as well.
  if (interrupt::pending())
    sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_close_v2(connection);
}

Result<Database> Database::connect(const std::string& name, int flags) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &connection,
                                   flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  Database database;
  database.connection_.reset(connection);
  TRY(checked(connection, code));
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  // Debian's SQLite has it on.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0, nullptr);
  sqlite3_busy_handler(connection, wait_for_lock, nullptr);
  sqlite3_progress_handler(connection, kStepsBetweenInterruptChecks, stop_when_interrupted,
                           nullptr);
  return database;
}

Result<Database> Database::open(const std::string& path) {
  Database database = TRY(connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  TRY(database.execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON"));
  return database;
}

Result<Database> Database::open_memory() {
  return connect(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<Database> Database::open_empty() {
  Database database = TRY(open_memory());
  distrust(database.handle());
  TRY(only_ask(database));
  return database;
}

Result<Database> Database::open_copy(const std::string& path) {
  Database database = TRY(connect(path, SQLITE_OPEN_READWRITE));
  distrust(database.handle());
  return database;
}

Result<Database> Database::create_plain(const std::string& path) {
  return connect(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

Result<Database> Database::open_foreign(const std::string& path, bool immutable) {
  std::string name = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      name += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      name += c;
    }
  }
  name += immutable ? "?mode=ro&immutable=1" : "?mode=ro";
  Database database = TRY(connect(name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI));
  distrust(database.handle());
  TRY(only_ask(database));
  return database;
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  const int code =
      sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr);
  Statement statement;
  statement.statement_.reset(prepared);
  TRY(checked(handle(), code));
  if (prepared == nullptr)
    return fail(Errc::usage, "the query is empty", "as in: sql select name from sqlite_master");
  return statement;
}

Status Database::execute(std::string_view sql) {
  return checked(handle(),
                 sqlite3_exec(handle(), std::string(sql).c_str(), nullptr, nullptr, nullptr));
}

Result<std::optional<std::int64_t>> Database::scalar(std::string_view sql) {
  Statement statement = TRY(prepare(sql));
  if (!TRY(statement.step())) return std::optional<std::int64_t>();
  return std::optional(statement.int64(0));
}

Status Database::migrate(std::span<const Migration> steps, std::int32_t application_id) {
  Transaction transaction = TRY(Transaction::begin(*this));
  const std::int64_t done = TRY(scalar("PRAGMA user_version")).value_or(0);
  const std::int64_t marked = TRY(scalar("PRAGMA application_id")).value_or(0);
  const std::int64_t tables = TRY(scalar("SELECT count(*) FROM sqlite_master")).value_or(0);
  if (marked != application_id && (marked != 0 || tables != 0)) {
    return fail(Errc::corrupt, "this database belongs to another program", "choose another path");
  }
  if (done > static_cast<std::int64_t>(steps.size())) {
    return fail(Errc::unsupported, "the database was written by a newer rpl", "upgrade rpl");
  }
  for (std::size_t step = static_cast<std::size_t>(done); step < steps.size(); ++step) {
    TRY(execute(steps[step].sql));
  }
  // PRAGMA takes no parameters; both values are numbers.
  TRY(execute(fmt::format("PRAGMA user_version={}; PRAGMA application_id={}", steps.size(),
                          application_id)));
  return transaction.commit();
}

std::int64_t Database::last_insert_id() const { return sqlite3_last_insert_rowid(handle()); }

Result<Transaction> Transaction::begin(Database& database) {
  TRY(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // A rollback fails only when SQLite has rolled back already.
  const Status ignored = database_->execute("ROLLBACK");
  static_cast<void>(ignored);
}

Status Transaction::commit() {
  TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace rpl
