// Builds the dispatches of a level, stage after stage.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "server/stages/dispatch.h"

namespace thalweg::stages {

// A square of window vertices, first to last in both axes.
struct WindowRegion {
  int first;
  int last;

  WindowRegion Inset(int cells) const { return {first + cells, last - cells}; }
};

// The layout of parents' results in the parent buffer; all 0 at level 0.
struct ParentLayout {
  int side = 0;  // vertices in a row
  int size = 0;  // values of a block
};

// The windows that a recording covers, side by side.
struct Windows {
  int side = 0;  // vertices in a row of one window
  int count = 0;
  bool on_sphere = false;
  // Whether blocks have windows on more than one face of a planet.
  bool cross_edges = false;
  // Whether the windows are all faces of a planet: nothing lies beyond them.
  bool whole = false;
  int planes = 0;  // the layers, as bits, that have their own plane
  ParentLayout parent;
  std::uint32_t seed_low = 0;
  std::uint32_t seed_high = 0;
  // Whether sweeps that follow each other are one dispatch where a kernel can do that. The result
  // is the same. Windows that exchange values after each sweep don't join them.
  bool join_sweeps = false;
  // Stages skip vertices that can't reach the result. Off only in tests: the result is the same.
  bool shrink = true;
};

// What Exchange copies for a plane of movers, 0 or 1.
constexpr int MoversIn(int plane) {
  return plane == 0 ? kernels::kSeamMovers : kernels::kSeamOtherMovers;
}

class Recorder {
 public:
  explicit Recorder(const Windows& windows);

  // Begins a stage: the next dispatches belong to it.
  void Begin(std::string_view stage) { segments_.emplace_back().stage = stage; }

  // Records a kernel over a region, both ends included. The kernel defines the arguments.
  void Dispatch(Kernel kernel, const KernelParams& params, WindowRegion region, int argument = 0,
                int before = 0) {
    Dispatch(kernel, params, region, region, argument, before);
  }
  // Records a kernel over a rectangle.
  void Dispatch(Kernel kernel, const KernelParams& params, WindowRegion columns, WindowRegion rows,
                int argument = 0, int before = 0);

  // Sets what an invocation of the last dispatch costs, where its kernel alone does not tell; and
  // how many of the window's rows one of its rows is.
  void SetCost(double cost) { segments_.back().dispatches.back().invocation_cost = cost; }
  void SetRowHeight(int rows) { segments_.back().dispatches.back().row_height = rows; }

  // Records a kernel of tiles that writes the region, with this ring around each tile. argument:
  // see tileArgument in shaders/stages/tile.glsl. Only if joins_sweeps().
  void DispatchTiles(Kernel kernel, const KernelParams& params, WindowRegion region, int ring,
                     int argument);
  // Whether kernels that do several sweeps at once take the place of those that do one.
  bool joins_sweeps() const { return windows_.join_sweeps && !windows_.cross_edges; }

  // Copies values that were written (kSeam..., as bits) to the vertices beyond the edges of faces.
  // reach: how many cells beyond the edges the next kernels read. Every stage starts and ends with
  // exchanged heights.
  static constexpr int kSeamReach = 8;
  void Exchange(int values, int reach = kSeamReach);
  // As Exchange, but to all vertices beyond the edges.
  void ExchangeAll(int values);
  // Off only in tests: then nothing is copied until it is on again.
  void SetExchanges(bool on) { exchanges_ = on; }

  // The region where the state still equals the infinite field. Every stage makes it smaller. If
  // windows don't shrink, a stage covers all that it can; the exact region is inside.
  WindowRegion region() const { return region_; }
  // The part of it that a stage of this reach may write, if its kernels read as far.
  WindowRegion Inner(int reach) const { return windows_.whole ? region_ : region_.Inset(reach); }
  // The part of the region that a stage may write if its kernels read neighbours.
  WindowRegion written() const { return windows_.shrink ? region_ : region_.Inset(1); }
  // Call this after a stage, or a step, with its reach.
  void Shrink(int cells) {
    if (windows_.shrink) region_ = region_.Inset(cells);
  }
  bool shrinks() const { return windows_.shrink; }

  // Makes the other plane of heights the current ground.
  void SwapHeights() { pass_.front = pass_.plane - pass_.front; }

  // Sets the cells, or vertices, whose movers can still reach the result.
  void SetLive(WindowRegion live) {
    pass_.live_first = live.first;
    pass_.live_last = live.last;
  }
  // The same for movers that count their places from where they fell, also beyond the window. On a
  // whole planet all of them reach the result.
  void SetLiveMovers(WindowRegion live) {
    SetLive(windows_.whole ? WindowRegion{-kernels::kNoEdge, kernels::kNoEdge} : live);
  }

  const Windows& windows() const { return windows_; }
  const ParentLayout& parent() const { return windows_.parent; }

  // Returns the recording. The recorder must not be used afterwards.
  std::vector<Segment> Take();

 private:
  Windows windows_;
  WindowRegion region_;
  kernels::Pass pass_{};
  bool exchanges_ = true;
  std::vector<Segment> segments_;
};

}  // namespace thalweg::stages
