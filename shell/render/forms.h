// SPDX-License-Identifier: MIT
#pragma once

#include "shell/render/render.h"

/// One function per form; render() picks. Each streams: no form holds more than a page of rows.
namespace rpl {

Status render_json(const Document& document, const Form& form, const Sink& sink);
Status render_jsonl(const Document& document, const Form& form, const Sink& sink);
Status render_csv(const Document& document, const Form& form, const Sink& sink);
Status render_markdown(const Document& document, const Form& form, const Sink& sink);
Status render_fields(const Document& document, const Form& form, const Sink& sink);
Status render_scalar(const Document& document, const Form& form, const Sink& sink);
Status render_table(const Document& document, const Form& form, const Terminal& terminal,
                    const Sink& sink);

/// Calls `visit` for at most `form.limit` rows; gives back how many were visited and whether more are left.
struct Shown {
  std::uint64_t rows = 0;
  bool more = false;
};
Result<Shown> each_shown_row(const Document& document, const Form& form,
                             const std::function<Status(const Row&)>& visit);

/// "20 of 80 rows" and the like; "" when there is no table.
std::string count_text(const Document& document, const Shown& shown);

}  // namespace rpl
