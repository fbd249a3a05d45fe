// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "engine/document/document.h"
#include "shell/render/render.h"
#include "shell/render/scale.h"

/// One function per form; render() picks. Each streams: no form holds more than a page of rows.
namespace rpl {

Status render_json(const Document& document, const Form& form, const SinkOf<JsonText>& sink);
Status render_jsonl(const Document& document, const Form& form, const SinkOf<JsonText>& sink);
Status render_csv(const Document& document, const Form& form, const SinkOf<CsvText>& sink);
Status render_markdown(const Document& document, const Form& form,
                       const SinkOf<MarkdownText>& sink);
Status render_fields(const Document& document, const Form& form, const SinkOf<TerminalText>& sink);
Status render_scalar(const Document& document, const Form& form, const SinkOf<TerminalText>& sink);
Status render_table(const Document& document, const Form& form, const Terminal& terminal,
                    const SinkOf<TerminalText>& sink);

/// Calls `visit` for at most `form.limit` rows; gives back how many were visited and whether more are left.
struct Shown {
  std::uint64_t rows = 0;
  bool more = false;
};
Result<Shown> each_shown_row(const Document& document, const Form& form,
                             const std::function<Status(const Row&)>& visit);

/// "20 of 80 rows" and the like; "" when there is no table.
std::string count_text(const Document& document, const Shown& shown);

struct GridColumn {
  std::string heading;  ///< with the unit: "total ms"
  std::string description;
  bool right = false;  ///< numbers
  bool is_id = false, is_kernel = false;
};

struct GridCell {
  std::string text;   ///< scaled, shortened
  std::string whole;  ///< the kernel's whole name, when `text` is not it
  std::optional<double>
      share;  ///< 0 to 1, of a column of shares: of the whole, or of the largest where that is more
  std::string link = {};    ///< where it leads in a page; "" for nowhere
  std::string anchor = {};  ///< what its row is called in a page; "" for nothing
};

/// A table as people read it, whatever it is written in: numbers scaled by column, kernel names shortened, columns that text never
/// shows left out.
struct Grid {
  std::vector<GridColumn> columns;
  std::vector<std::vector<GridCell>> rows;
  std::string left_out;  ///< "25 of 80 rows"; "" when all are here
};

/// At most `limit` rows (0: all). Fails with what reading the rows fails with.
Result<Grid> grid_of(const Document& document, std::uint64_t limit,
                     ForWhom whom = ForWhom::terminal);

/// A record of records with the same keys ({"VALU": {"hits": 56, …}, …}) as a table with a row for each; nullopt for any other value.
std::optional<Grid> grid_of_record(const Value& value);

/// A list of records that the column describes ({"number": 1, "time_ns": 3}, …) as a table for a reader; nullopt for any other value.
std::optional<Grid> grid_of_list(const Column& column, const Value& value);

}  // namespace rpl
