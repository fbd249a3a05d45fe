// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/rules/kernel_text.h"

/// Kernels whose work-items take an element each of something with two dimensions.
namespace rpl::rules {

/// `const int column = blockIdx.x * blockDim.x + threadIdx.x;`
struct Place {
  std::string_view name;
  std::size_t begin = 0, end = 0;  ///< tokens of the value
  std::size_t thread = 0;          ///< its token `threadIdx`
};

/// What a work-item knows of where it is: two numbers, and nothing else.
struct TwoPlaces {
  Place x, y;  ///< by the dimension of `threadIdx`: neighbouring lanes differ in x
};

/// None with the reason in `why`: another kind of kernel, or work-items that may meet. A number may stand for `blockDim` where captured workgroups are that large; the numbers of workgroup and work-item may be of
/// different dimensions where both are equally large.
std::optional<TwoPlaces> two_places(const KernelCase& on, std::string& why);

/// `if (row >= n || column >= m) return;` at the top of a body, or `if (row < n && column < m) { … }` around the rest of it: what keeps out work-items without
/// an element, place by place.
struct PlaceGuard {
  std::size_t begin = 0,
              end = 0;  ///< tokens of the statement, without the rest; equal where there is none
  std::size_t rest_begin = 0, rest_end = 0;  ///< tokens of what is guarded
  std::string x = {}, y = {};  ///< when a place has elements: "(row < n)"; "" for always
};

/// None with the reason in `why`.
std::optional<PlaceGuard> place_guard(const KernelCase& on, const TwoPlaces& places,
                                      std::string& why);

/// The text of tokens [begin, end) with other words for some names.
struct NewName {
  std::string_view name;
  std::string text;
};
std::string renamed(const SourceText& text, std::size_t begin, std::size_t end,
                    const std::vector<NewName>& names);
/// The same of a condition.
std::string renamed(std::string_view condition, const std::vector<NewName>& names);

/// Whether tokens [begin, end) have the name, and whether they multiply it: `row * n`, `(row + 1) * n` not.
bool mentions(const SourceText& text, std::string_view name, std::size_t begin, std::size_t end);
bool multiplies(const SourceText& text, std::string_view name, std::size_t begin, std::size_t end);

/// The value of a place with other words for its number in the workgroup: "blockIdx.x * blockDim.x + at % 16".
std::string value_at(const SourceText& text, const Place& place, std::string_view number);

/// When a work-item has an element: both conditions of a guard; "" for always.
std::string inside(const PlaceGuard& guard);

/// "16 by 16 work-items", of captured workgroups.
std::string shape_of_workgroups(const KernelCase& on);

}  // namespace rpl::rules
