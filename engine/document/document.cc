// SPDX-License-Identifier: MIT
#include "engine/document/document.h"

#include <fmt/format.h>

#include "engine/base/interrupt.h"

namespace rpl {

std::string_view to_string(Type type) {
  switch (type) {
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::number:
      return "number";
    case Type::string:
      return "string";
    case Type::id:
      return "id";
    case Type::kernel:
      return "kernel";
    case Type::address:
      return "address";
    case Type::dim3:
      return "dim3";
    case Type::strings:
      return "strings";
    case Type::record:
      return "record";
    case Type::any:
      return "any";
  }
  return "any";
}

std::string_view to_string(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::count:
      return "count";
    case Unit::ns:
      return "ns";
    case Unit::bytes:
      return "bytes";
    case Unit::gbps:
      return "GB/s";
    case Unit::gflops:
      return "GFLOP/s";
    case Unit::hz:
      return "Hz";
    case Unit::pct:
      return "%";
    case Unit::share:
      return "fraction";
    case Unit::ratio:
      return "ratio";
    case Unit::cycles:
      return "cycles";
  }
  return "";
}

std::string_view to_string(Provenance provenance) {
  switch (provenance) {
    case Provenance::none:
      return "none";
    case Provenance::measured:
      return "measured";
    case Provenance::modelled:
      return "modelled";
    case Provenance::recorded:
      return "recorded";
    case Provenance::estimated:
      return "estimated";
  }
  return "none";
}

void Document::set(std::string_view name, Value value) {
  for (auto& [key, held] : record) {
    if (key == name) {
      held = std::move(value);
      return;
    }
  }
  record.emplace_back(std::string(name), std::move(value));
}

const Value* Document::get(std::string_view name) const {
  for (const auto& [key, value] : record) {
    if (key == name) return &value;
  }
  return nullptr;
}

Status Document::each_row(const std::function<bool(const Row&)>& visit) const {
  if (!rows_from) {
    for (const Row& row : rows) {
      if (!visit(row)) break;
    }
    return {};
  }
  const std::unique_ptr<RowSource> source = rows_from();
  Row row;
  for (std::uint64_t count = 0; TRY(source->next(row)); ++count) {
    if (count % 4096 == 0) TRY(interrupt::check());
    if (!visit(row)) break;
  }
  return {};
}

}  // namespace rpl
