// SPDX-License-Identifier: MIT
#pragma once

struct sqlite3;

namespace rpl {

/// Keeps what a query on somebody's file does within steps that are short, so that the progress handler, which is asked between them, is asked often: no text
/// or blob longer than 64 MiB, `instr` and `replace` in linear time, bounded patterns of LIKE and GLOB; and within a quarter of the machine's memory, for all
/// connections of the process together.
void bound_queries(sqlite3* connection);

}  // namespace rpl
