// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/document/bound.h"

namespace rpl {

/// `null` stands behind everything else; numbers by size, texts by their bytes, false before true.
bool comes_before(const Value& a, const Value& b, Order order);

/// What `--sort` takes: the names of the columns by which rows may be ordered, without their units.
std::vector<Label> sort_keys(BoundList list);
/// The column of a sort key; there must be one.
const BoundColumn& sorted_column(BoundList list, std::string_view key);
/// In which order objects come that begin at `first`, each `size` bytes long; equal ones stay as they are.
std::vector<std::size_t> sorted_order(const BoundColumn& by, Order order, const void* first,
                                      std::size_t count, std::size_t size);

/// Orders rows by a column's typed values, in the column's direction. `key` is one of sort_keys().
template <class T>
void sort_rows(std::vector<T>& rows, std::type_identity_t<Columns<T>> list, std::string_view key) {
  const BoundColumn& by = sorted_column(list, key);
  std::vector<T> sorted;
  sorted.reserve(rows.size());
  for (const std::size_t i : sorted_order(by, by.order, rows.data(), rows.size(), sizeof(T)))
    sorted.push_back(std::move(rows[i]));
  rows = std::move(sorted);
}

}  // namespace rpl
