#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "client/tools/survey/streams.h"

namespace thalweg::survey {
namespace {

// Draws a network of streams. Every cell that is not drawn is an outlet.
class Drawing {
 public:
  Drawing(int width, int height) {
    drainage_.width = width;
    drainage_.height = height;
    drainage_.receiver = FilledGrid(width, height, kOutlet).values;
  }

  // Draws a stream with this many steps (dx, dy).
  void Run(int x, int y, int dx, int dy, int steps) {
    for (int i = 0; i < steps; ++i) {
      const int cell = (y + i * dy) * drainage_.width + x + i * dx;
      drainage_.receiver[static_cast<std::size_t>(cell)] = cell + dy * drainage_.width + dx;
    }
  }

  Drainage Finish() {
    // Streams flow south or, within a row, east.
    for (int cell = drainage_.width * drainage_.height - 1; cell >= 0; --cell) {
      drainage_.order.push_back(cell);
    }
    Accumulate(drainage_);
    return drainage_;
  }

 private:
  Drainage drainage_;
};

// A binary tree with 2^(orders - 1) springs. Each order's streams are twice as long as the last's.
Drainage BinaryTree(int orders) {
  const int width = 4 << (orders - 1);
  Drawing drawing(width, width + 2);
  // Each spring gets one more step before its stream, since one cell's area is not yet a channel.
  for (int x = 2; x < width; x += 4) drawing.Run(x, 0, 0, 1, 1);
  int y = 1;
  for (int order = 1; order < orders; ++order) {
    const int apart = 4 << (order - 1);
    for (int x = apart / 2, i = 0; x < width; x += apart, ++i) {
      drawing.Run(x, y, i % 2 == 0 ? 1 : -1, 1, apart / 2);
    }
    y += apart / 2;
  }
  drawing.Run(width / 2, y, 0, 1, 2);
  return drawing.Finish();
}

TEST(StrahlerOrdersTest, CountStreamsOfABinaryTree) {
  const std::vector<StreamOrder> orders = StrahlerOrders(BinaryTree(5), 2);
  ASSERT_EQ(orders.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(orders[static_cast<std::size_t>(i)].streams, 16 >> i);
  }
  EXPECT_NEAR(orders[0].length, 16 * 2 * std::numbers::sqrt2, 1e-9);
  EXPECT_NEAR(orders[1].length, 8 * 4 * std::numbers::sqrt2, 1e-9);
  EXPECT_NEAR(orders[4].length, 2, 1e-9);
}

TEST(StrahlerOrdersTest, DoNotRiseWhereASmallerStreamJoins) {
  Drawing drawing(20, 20);
  drawing.Run(10, 0, 0, 1, 18);
  drawing.Run(5, 0, 1, 1, 5);
  for (const int y : {8, 11, 14}) drawing.Run(6, y, 1, 0, 4);
  const std::vector<StreamOrder> orders = StrahlerOrders(drawing.Finish(), 2);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].streams, 5);
  EXPECT_EQ(orders[1].streams, 1);
  EXPECT_EQ(orders[1].length, 13);
}

TEST(StrahlerOrdersTest, RiseByOneWhereThreeStreamsJoin) {
  Drawing drawing(9, 9);
  drawing.Run(1, 1, 1, 1, 3);
  drawing.Run(4, 1, 0, 1, 3);
  drawing.Run(7, 1, -1, 1, 3);
  drawing.Run(4, 4, 0, 1, 3);
  const std::vector<StreamOrder> orders = StrahlerOrders(drawing.Finish(), 2);
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_EQ(orders[0].streams, 3);
  EXPECT_EQ(orders[1].streams, 1);
}

TEST(StrahlerOrdersTest, AreEmptyWithoutChannels) {
  EXPECT_TRUE(StrahlerOrders(BinaryTree(3), 1'000'000).empty());
  EXPECT_FALSE(FitHortonRatios({}).has_value());
}

TEST(HortonRatiosTest, AreThoseOfABinaryTree) {
  const auto ratios = FitHortonRatios(StrahlerOrders(BinaryTree(6), 2));
  ASSERT_TRUE(ratios.has_value());
  EXPECT_EQ(ratios->orders, 6);
  EXPECT_NEAR(ratios->bifurcation, 2, 1e-9);
  EXPECT_NEAR(ratios->length, 2, 1e-9);
}

TEST(HortonRatiosTest, AreThoseOfGeometricSeries) {
  const auto ratios = FitHortonRatios({{256, 256 * 5.0}, {64, 64 * 15.0}, {16, 16 * 45.0}, {4, 1}});
  ASSERT_TRUE(ratios.has_value());
  EXPECT_NEAR(ratios->bifurcation, 4, 1e-9);
  EXPECT_NEAR(ratios->length, 3, 1e-9);
}

TEST(HackExponentTest, IsOneIfNothingJoins) {
  Drawing drawing(400, 40);
  for (int row = 1; row < 40; ++row) drawing.Run(0, row, 1, 0, 10 * row);
  const auto exponent = HackExponent(drawing.Finish(), 20);
  ASSERT_TRUE(exponent.has_value());
  EXPECT_NEAR(*exponent, 1, 0.02);
}

TEST(HackExponentTest, IsOneHalfForSquareBasins) {
  // A comb: a stream with a tributary at each step, as long as the stream.
  Drawing drawing(1200, 50);
  for (int side = 5, x = 0; side < 45; side += 3) {
    for (int column = 0; column < side; ++column) drawing.Run(x + column, 0, 0, 1, side);
    drawing.Run(x, side, 1, 0, side);
    x += side + 2;
  }
  // Tributaries are basins too, but too narrow to count.
  const auto exponent = HackExponent(drawing.Finish(), 46);
  ASSERT_TRUE(exponent.has_value());
  EXPECT_NEAR(*exponent, 0.5, 0.03);
}

TEST(HackExponentTest, IsUndefinedForAFewBasins) {
  EXPECT_FALSE(HackExponent(BinaryTree(4), 1'000).has_value());
}

}  // namespace
}  // namespace thalweg::survey
