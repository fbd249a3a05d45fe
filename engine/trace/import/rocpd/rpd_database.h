// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/store/foreign.h"
#include "engine/trace/core/entities.h"

namespace rpl {

/// One row of rocpd_op: something that a GPU did.
struct RpdOp {
  std::int64_t id = 0, gpu = 0, queue = 0;
  std::int64_t start_ns = 0, end_ns = 0;
  std::int64_t description = 0, type = 0;  ///< string ids
  std::int64_t api = 0;                    ///< the call that issued it; 0 = unknown
};

enum class RpdKind { kernel, copy, other };

/// The host call behind an operation.
struct RpdCall {
  std::int64_t pid = 0, tid = 0, name = 0;
};

/// A database of rocmProfileData (schema version 2), its rows by column name (reference: the tables of a real file, rocpd.md
/// §1.10).
class RpdDatabase {
 public:
  explicit RpdDatabase(std::shared_ptr<ForeignDatabase> database);

  /// Reads the links from operations to calls; fails with unsupported when the tables lack a needed column.
  Status load();

  [[nodiscard]] ForeignDatabase& database() const { return *database_; }
  /// A string by id; "" for an unknown one. Kept, so meant for names, not for arguments.
  Result<std::string_view> text(std::int64_t id);
  /// Operations in the order of the file.
  Status each_op(const std::function<Status(const RpdOp&)>& body);
  /// Kernels are what is called so, or of an unknown type with a name of its own; "Copy…", "Fill…" and the like are copies.
  Result<RpdKind> kind(const RpdOp& op);
  /// The call with this id; all zero for an unknown one.
  Result<RpdCall> call(std::int64_t id);
  /// The process of operations without a call: that of the first call.
  [[nodiscard]] std::int64_t first_pid() const { return first_pid_; }

  /// A row looked up by a key column, false when there is none. `lookup` prepares itself on first use.
  struct Lookup {
    std::string table, key;
    std::vector<std::string_view> columns;
    Statement statement;
    bool prepared = false, absent = false;
  };
  Result<bool> find(Lookup& lookup, std::int64_t key);

 private:
  Status require(const std::string& table, std::initializer_list<std::string_view> columns);

  std::shared_ptr<ForeignDatabase> database_;
  std::unordered_map<std::int64_t, std::int64_t> api_of_op_;
  std::unordered_map<std::int64_t, std::string> texts_;
  Lookup string_, call_;
  std::int64_t first_pid_ = 0;
};

}  // namespace rpl
