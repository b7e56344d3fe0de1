// Builds the dispatches of one level's program. A part of Record alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "server/backend/recording.h"

namespace thalweg::backend {

// A square of window vertices, first to last in both axes: where the state still equals the
// infinite field. Every stage leaves a smaller one.
struct Region {
  int first;
  int last;

  Region Inset(int cells) const { return {first + cells, last - cells}; }
};

// The whole of what is counted in parts of 65,536.
inline constexpr std::int64_t kWholeQ16 = 65536;
inline constexpr int kWhole = static_cast<int>(kWholeQ16);

class Recorder {
 public:
  Recorder(const world::LevelProgram& program, const world::BlockShape& shape,
           const world::BlockShape& parent, int blocks, const RunOptions& options);

  std::vector<Segment> Record();

 private:
  using Pass = kernels::Pass;

  // The cells whose droplets matter, and the vertices that settle.
  struct DropletStep {
    Region fell;
    Region settled;
  };

  void Begin(std::string_view stage) { segments_.emplace_back().stage = stage; }

  // A dispatch over the vertices from (x0, y0) to (x1, y1), both included.
  void Dispatch(Kernel kernel, const KernelParams& params, int x0, int y0, int x1, int y1,
                int argument = 0, int before = 0);

  void Dispatch(Kernel kernel, const KernelParams& params, Region region, int argument = 0,
                int before = 0);

  // The region after a stage that reaches so far. Without shrinking, every stage covers all that it
  // can, and only what is within the true region is exact.
  void Shrink(int cells) {
    if (options_.shrink_window) region_ = region_.Inset(cells);
  }

  void SwapHeights() { pass_.front = pass_.plane - pass_.front; }

  int Planes() const { return static_cast<int>(program_.planes.bits()); }
  // Values in a block of the parent buffer.
  int ParentSize() const {
    return program_.inherited.Count() * parent_.ResultSide() * parent_.ResultSide();
  }

  void Ground();
  void Export();

  // recorder_movers.cc
  void Add(const world::DropletStage& stage);
  // They are born, land and close as droplets do, with water of their own.
  void Add(const world::HydrologyStage& stage);
  void Add(const world::CollisionStage& stage);
  void Add(const world::SnowballStage& stage);
  void Add(const world::RaindropStage& stage);
  // Sets the live cells of a step of droplets, 0 to steps - 1.
  DropletStep BeginDropletStep(int step);
  // The cells whose droplets land, and after it the vertices that close.
  DropletStep EndDropletSteps(int steps);
  // Those of `around` that stand in the window; all that do when the window does not shrink.
  Region Fell(Region window, Region around) const;
  // Wash load and flow of movers of another kind than droplets.
  void Close(int grain_bits, int traffic_q16);

  // recorder_water.cc
  void Add(const world::PoolsStage& stage);
  void Add(const world::FluvialStage& stage);
  // Finds the pits that catch water, and what is above them; gives the plane of the surfaces.
  int BeginFill(const world::PoolsStage& stage);
  // Begins from the parent's surface instead.
  int InheritSurface(const world::PoolsStage& stage);
  // Fills the depressions; gives the plane of the surfaces.
  int Fill(const world::PoolsStage& stage);

  // recorder_ground.cc
  void Add(const world::ThermalStage& stage);
  void Add(const world::ReboundStage& stage);
  void Add(const world::BlurStage& stage);
  void Add(const world::ShoreStage& stage);
  void Add(const world::VegetationStage& stage);
  void Blur(const kernels::BlurParams& params);

  const world::LevelProgram& program_;
  const world::BlockShape& shape_;
  const world::BlockShape& parent_;
  const RunOptions& options_;
  Region region_{};
  Pass pass_{};
  std::vector<Segment> segments_;
};

}  // namespace thalweg::backend
