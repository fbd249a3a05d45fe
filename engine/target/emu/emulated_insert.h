// SPDX-License-Identifier: MIT
#pragma once

#include "engine/store/database.h"

namespace rpl::profile {

/// Runs an INSERT with these values.
template <class... Values>
Status insert(Result<Statement*> statement, const Values&... values) {
  Statement* into = TRY(std::move(statement));
  TRY(into->bind(values...));
  return into->run();
}

}  // namespace rpl::profile
