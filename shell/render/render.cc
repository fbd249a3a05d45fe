// SPDX-License-Identifier: MIT
#include "shell/render/render.h"

#include <fmt/format.h>

#include "shell/render/forms.h"
#include "shell/render/scale.h"

namespace rpl {

Result<Shown> each_shown_row(const Document& document, const Form& form,
                             const std::function<Status(const Row&)>& visit) {
  Shown shown;
  Status status;
  const std::uint64_t limit = form.limit.value_or(0);
  TRY(document.each_row([&](const Row& row) {
    if (limit != 0 && shown.rows == limit) {
      shown.more = true;
      return false;
    }
    status = visit(row);
    ++shown.rows;
    return status.has_value();
  }));
  if (!status) return std::move(status).failure();
  return shown;
}

std::string count_text(const Document& document, const Shown& shown) {
  if (!document.has_table()) return {};
  const auto rows = static_cast<std::int64_t>(shown.rows);
  const std::uint64_t total = document.total_rows != 0 ? document.total_rows : document.rows.size();
  if (total > shown.rows) {
    return fmt::format("{} of {} rows", grouped(rows), grouped(static_cast<std::int64_t>(total)));
  }
  if (shown.more) return fmt::format("first {} rows", grouped(rows));
  return fmt::format("{} row{}", grouped(rows), rows == 1 ? "" : "s");
}

Status render(const Document& document, const Form& form, const Terminal& terminal,
              const Sink& sink) {
  switch (form.format) {
    case Format::json:
      return render_json(document, form, sink);
    case Format::jsonl:
      return render_jsonl(document, form, sink);
    case Format::csv:
    case Format::csv_raw:
      return render_csv(document, form, sink);
    case Format::markdown:
      return render_markdown(document, form, sink);
    case Format::fields:
      return render_fields(document, form, sink);
    case Format::scalar:
      return render_scalar(document, form, sink);
    case Format::text:
      break;
  }
  return render_table(document, form, terminal, sink);
}

TerminalText render_text(const Document& document, const Terminal& terminal) {
  TerminalText out;
  const auto status = render_table(document, {}, terminal, [&](const TerminalText& text) {
    out += text;
    return Status();
  });
  if (!status) out.add("({})\n", status.error().message);
  return out;
}

}  // namespace rpl
