#include "client/tools/cli/bake_format.h"

#include <gtest/gtest.h>

#include "client/tools/cli/arguments.h"

namespace thalweg::cli {
namespace {

TEST(BakeSizeTest, UnrealNeedsWholeComponents) {
  for (const auto& [width, height] : {std::pair{127, 127},
                                      {1009, 1009},
                                      {8129, 8129},
                                      {8161, 8161},
                                      {8161, 4081},
                                      {505, 1009},
                                      {64, 64},
                                      {16321, 16321}}) {
    EXPECT_TRUE(CheckSizeFor(Engine::kUnreal, width, height).ok()) << width << " x " << height;
  }
  for (const auto& [width, height] :
       {std::pair{1000, 1000}, {8192, 8192}, {1, 1}, {8161, 8129}, {16321 + 510, 16321 + 510}}) {
    EXPECT_FALSE(CheckSizeFor(Engine::kUnreal, width, height).ok()) << width << " x " << height;
  }
}

TEST(BakeSizeTest, UnityNeedsSquaresOfAPowerOfTwoPlusOne) {
  EXPECT_TRUE(CheckSizeFor(Engine::kUnity, 4097, 4097).ok());
  EXPECT_FALSE(CheckSizeFor(Engine::kUnity, 4097, 2049).ok());
  EXPECT_FALSE(CheckSizeFor(Engine::kUnity, 4096, 4096).ok());
  EXPECT_FALSE(CheckSizeFor(Engine::kUnity, 8193, 8193).ok());
}

TEST(BakeSizeTest, OtherFormatsTakeAnySize) {
  EXPECT_TRUE(CheckSizeFor(Engine::kAny, 7, 1000).ok());
}

}  // namespace
}  // namespace thalweg::cli
