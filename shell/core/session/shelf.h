// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// Something that was read from a path and is open in this session.
template <class T>
struct Shelved {
  std::string id;  ///< "c1", "o2", "att1"
  std::string path;
  std::shared_ptr<const T> value;
};

/// The open things of one kind. Ids count in the order of opening and are not reused; the last one opened or used is current.
template <class T>
class Shelf {
 public:
  using Entry = std::shared_ptr<const Shelved<T>>;

  /// Ids are `prefix` and a number.
  explicit Shelf(std::string_view prefix) : prefix_(prefix) {}

  /// Adds and makes current.
  Entry add(std::string path, std::shared_ptr<const T> value) {
    entries_.push_back(std::make_shared<const Shelved<T>>(
        Shelved<T>{prefix_ + std::to_string(++opened_), std::move(path), std::move(value)}));
    return current_ = entries_.back();
  }
  void make_current(Entry entry) { current_ = std::move(entry); }

  /// By id or exact path, the latest first; null for none.
  [[nodiscard]] Entry find(std::string_view reference) const {
    for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
      if ((*entry)->id == reference || (*entry)->path == reference) return *entry;
    }
    return nullptr;
  }
  /// Null when nothing is open.
  [[nodiscard]] const Entry& current() const { return current_; }
  [[nodiscard]] const std::vector<Entry>& all() const { return entries_; }

  /// False when there is none of that name.
  bool close(std::string_view reference) {
    const Entry entry = find(reference);
    if (!entry) return false;
    std::erase(entries_, entry);
    if (current_ == entry) current_ = entries_.empty() ? nullptr : entries_.back();
    return true;
  }

 private:
  std::string prefix_;
  std::size_t opened_ = 0;
  std::vector<Entry> entries_;
  Entry current_;
};

}  // namespace rpl
