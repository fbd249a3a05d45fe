// SPDX-License-Identifier: MIT
#include "engine/base/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace rpl {
namespace {

std::string hash_of(std::string_view text, Sha256::Code code,
                    std::size_t piece = std::string_view::npos) {
  Sha256 hash(code);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, piece);
    hash.add(std::as_bytes(std::span(part)));
    text.remove_prefix(part.size());
  }
  return hash.hex();
}

class Sha256Of : public testing::TestWithParam<Sha256::Code> {};

// The examples of FIPS 180-4 and of NIST's test vectors.
TEST_P(Sha256Of, KnownMessages) {
  EXPECT_EQ(hash_of("", GetParam()),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc", GetParam()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", GetParam()),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of(std::string(1'000'000, 'a'), GetParam()),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_P(Sha256Of, PiecesGiveTheHashOfTheWhole) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 37);
  const std::string whole = hash_of(text, GetParam());
  for (const std::size_t piece : {1U, 3U, 55U, 56U, 63U, 64U, 65U, 127U, 128U, 129U, 999U}) {
    EXPECT_EQ(hash_of(text, GetParam(), piece), whole) << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(Codes, Sha256Of,
                         testing::Values(Sha256::Code::portable, Sha256::Code::fastest),
                         [](const auto& code) {
                           return code.param == Sha256::Code::portable ? "Portable" : "Fastest";
                         });

TEST(Sha256, InstructionsAgreeWithPlainCode) {
  if (!Sha256::has_instructions()) GTEST_SKIP() << "this processor has no SHA instructions";
  std::string text;
  for (unsigned size = 0; size < 300; ++size) {
    EXPECT_EQ(hash_of(text, Sha256::Code::fastest), hash_of(text, Sha256::Code::portable)) << size;
    text += static_cast<char>(size * size + 11);
  }
}

}  // namespace
}  // namespace rpl
