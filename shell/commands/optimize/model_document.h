// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/optimize/loop/model_round.h"

/// How replies of a language model are shown; one shape for `propose llm` and `llm-optimize`.
namespace rpl {

const std::vector<Column>& reply_columns();
/// A row for each reply of a round, the first of them number `first`.
void add_reply_rows(const ModelRound& round, std::size_t first, std::vector<Row>& rows);
/// A line for each of them.
std::string reply_lines(const ModelRound& round, std::size_t first);

}  // namespace rpl
