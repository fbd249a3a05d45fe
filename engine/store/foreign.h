// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/store/database.h"

namespace rpl {

/// A SQLite database that somebody else wrote. It is opened read-only, is never changed, and nothing (journal, WAL, shared
/// memory) appears beside it. A database that needs recovery (hot journal, non-empty WAL) is copied with its side files
/// to a private folder (mode 0700, removed with this object) and recovered there; note() says so.
///
/// The schema is not trusted: no triggers or functions of the file run, double-quoted strings are no
/// literals, and every query ends when the interrupt flag is up.
class ForeignDatabase {
 public:
  /// Fails with not_found, io (a folder, no permission), corrupt (empty, cut short, not a database or encrypted),
  /// each naming `path`.
  static Result<std::shared_ptr<ForeignDatabase>> open(const std::string& path);
  /// Unpacks nothing itself: `folder` holds the database `file` that was unpacked from `path`, and is removed with this object. Errors name `path`.
  static Result<std::shared_ptr<ForeignDatabase>> open_unpacked(const std::string& path,
                                                                ScratchFolder folder,
                                                                const std::string& file);

  ~ForeignDatabase();
  ForeignDatabase(const ForeignDatabase&) = delete;
  ForeignDatabase& operator=(const ForeignDatabase&) = delete;

  [[nodiscard]] Database& database() { return database_; }
  /// The path that was asked for.
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The file that SQLite reads: path(), or the recovered copy.
  [[nodiscard]] const std::string& opened_path() const { return opened_path_; }
  /// Of opened_path(), for reading pages while a transaction holds SQLite's lock. Closed after SQLite's connection, because
  /// closing any descriptor of a file drops the POSIX locks of the whole process on it.
  [[nodiscard]] int fd() const { return fd_; }
  /// For people; "" when there is nothing to say.
  [[nodiscard]] const std::string& note() const { return note_; }
  /// Tables and views, sorted.
  [[nodiscard]] Result<std::vector<std::string>> tables();
  /// Column names in table order, without those that are hidden or generated; empty when there is no such table.
  [[nodiscard]] Result<std::vector<std::string>> columns(std::string_view table);
  /// A column as its table or view declares it.
  struct Declared {
    std::string name, type;
    bool hidden = false;  ///< hidden, or generated from others
    bool key = false;     ///< of the primary key
    bool not_null = false;
  };
  /// All of a table or view, in its order; none when there is none of that name. Asked once, and kept until forget_declared().
  [[nodiscard]] Result<const std::vector<Declared>*> declared(std::string_view table);
  /// Another transaction may see another schema. What declared() gave is gone.
  void forget_declared() { declared_.clear(); }

 private:
  ForeignDatabase() = default;

  int fd_ = -1;
  Database database_;
  std::map<std::string, std::vector<Declared>, std::less<>> declared_;
  std::string path_, opened_path_, note_;
  std::filesystem::path folder_;  ///< the private copy's, empty without one
  std::optional<ScratchFolder> unpacked_;
};

}  // namespace rpl
