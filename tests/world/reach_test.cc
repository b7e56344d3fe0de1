// Reach, halos, aprons and parents: a block's parent must hold all vertices that the block reads.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "server/world/block.h"
#include "server/world/level_program.h"

namespace thalweg::world {
namespace {

LevelProgram ProgramOf(int droplet_steps, int thermal_iterations, int rebound_radius) {
  LevelProgram program;
  if (droplet_steps > 0) program.stages.emplace_back(stages::DropletStage{.steps = droplet_steps});
  if (thermal_iterations > 0) {
    program.stages.emplace_back(stages::ThermalStage{.iterations = thermal_iterations});
  }
  if (rebound_radius > 0) {
    stages::ReboundStage rebound;
    rebound.params.radius = rebound_radius;
    program.stages.emplace_back(rebound);
  }
  return program;
}

std::int64_t Half(std::int64_t x) { return x >> 1; }

// A range of vertices on one axis, in the coordinates of their level.
struct Span {
  std::int64_t first;
  std::int64_t last;
};

Span ResultOf(std::int64_t block, const BlockShape& shape) {
  const std::int64_t core = block * shape.block_cells;
  return {core - shape.apron, core + shape.block_cells + shape.apron};
}

// The vertices of the parent level that the interpolation of a block's whole window reads.
Span ReadOf(std::int64_t block, const BlockShape& shape) {
  const Span result = ResultOf(block, shape);
  return {Half(result.first - shape.halo) - 1, Half(result.last + shape.halo) + 2};
}

bool Holds(const Span& outer, const Span& inner) {
  return outer.first <= inner.first && inner.last <= outer.last;
}

TEST(ReachTest, IsTheSumOfTheStages) {
  EXPECT_EQ(ProgramOf(24, 0, 0).HaloCells(), 49);
  EXPECT_EQ(ProgramOf(0, 4, 0).HaloCells(), 8);
  EXPECT_EQ(ProgramOf(0, 0, 8).HaloCells(), 7);
  EXPECT_EQ(ProgramOf(24, 4, 8).HaloCells(), 64);
  EXPECT_EQ(LevelProgram().HaloCells(), 0);
}

TEST(BlockTest, ParentsOfNegativeBlocksAreRoundedDown) {
  EXPECT_EQ(ParentOf(PlaneLayout(), {2, 3, 4, 5}, 256), (BlockKey{2, 2, 2, 2}));
  EXPECT_EQ(ParentOf(PlaneLayout(), {0, 3, -1, -2}, 256), (BlockKey{0, 2, -1, -1}));
  EXPECT_EQ(ParentOf(PlaneLayout(), {0, 1, -3, std::int64_t{1} << 40}, 256),
            (BlockKey{0, 0, -2, std::int64_t{1} << 39}));
}

TEST(BlockTest, SidesCountVertices) {
  const BlockShape shape = {.block_cells = 256, .apron = 3, .halo = 10};
  EXPECT_EQ(shape.ResultSide(), 263);
  EXPECT_EQ(shape.WindowSide(), 283);
}

class RandomShapesTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kSeed = 20261120;

  // Programs of levels with random stages.
  std::vector<LevelProgram> RandomPrograms() {
    std::vector<LevelProgram> programs;
    const std::size_t levels = 1 + random_() % 21;
    for (std::size_t i = 0; i < levels; ++i) {
      programs.push_back(ProgramOf(static_cast<int>(random_() % 49),
                                   static_cast<int>(random_() % 33),
                                   static_cast<int>(2u << (random_() % 4))));
    }
    return programs;
  }

  std::int64_t RandomBlock() {
    const int bits = static_cast<int>(random_() % 40);
    return static_cast<std::int64_t>(random_()) >> (63 - bits);
  }

  std::mt19937_64 random_{kSeed};
};

TEST_F(RandomShapesTest, AParentContainsAllThatItsChildReads) {
  for (int round = 0; round < 300; ++round) {
    const int block_cells = 32 << (random_() % 5);
    const std::vector<BlockShape> shapes = BlockShapes(RandomPrograms(), block_cells);
    EXPECT_EQ(shapes.back().apron, kMinApron);
    for (const BlockShape& shape : shapes) EXPECT_GE(shape.apron, kMinApron);
    for (int i = 0; i < 50; ++i) {
      const std::int64_t block = RandomBlock();
      for (std::size_t level = 1; level < shapes.size(); ++level) {
        const Span parent = ResultOf(Half(block), shapes[level - 1]);
        ASSERT_TRUE(Holds(parent, ReadOf(block, shapes[level])))
            << "seed " << kSeed << " round " << round << " level " << level << " block " << block;
      }
    }
  }
}

// The twin: if the apron is two vertices narrower, the parent does not hold all.
TEST_F(RandomShapesTest, AnApronTwoVerticesNarrowerIsTooNarrow) {
  std::vector<BlockShape> shapes = BlockShapes({ProgramOf(24, 4, 0), ProgramOf(24, 4, 0)}, 256);
  shapes[0].apron -= 2;
  EXPECT_FALSE(Holds(ResultOf(Half(1), shapes[0]), ReadOf(1, shapes[1])));
}

TEST(LatticeShiftTest, GivesStepsOfAtMostASixtyFourthOfACell) {
  EXPECT_EQ(LatticeShift(512), 19);
  EXPECT_EQ(LatticeShift(1), 10);
  EXPECT_EQ(LatticeShift(1.5), 10);
  EXPECT_EQ(LatticeShift(2), 11);
  EXPECT_EQ(LatticeShift(1.0 / 512), 1);
  EXPECT_EQ(LatticeShift(1.0 / 65536), 0);
}

TEST(CellHeightUnitsTest, Are65536PerMetre) {
  EXPECT_EQ(CellHeightUnits(512), 33554432.0);
  EXPECT_EQ(CellHeightUnits(0.0078125), 512.0);
}

}  // namespace
}  // namespace thalweg::world
