// One interface for everything that can compute terrain: run a level's program on blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/backend/pending_run.h"
#include "server/world/block.h"
#include "server/world/level_program.h"

namespace thalweg::backend {

using world::Layer;
using world::LayerSet;

// A rectangle of a block's result, in vertices from its north-west one (apron included).
struct Rect {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

class Block;

// What to copy from a block: a rectangle of some layers. Without layers the rectangle is ignored.
struct Cut {
  const Block* block = nullptr;
  Rect rect;
  std::vector<Layer> layers;
  // The number of the block's window.
  int window = 0;
};

struct CutValues {
  // The rectangle of each layer, in the cut's order: row-major, width x height of them.
  std::vector<std::vector<std::int32_t>> planes;
  // How far each tile of the block's core deviates from the parent's surface, in height units:
  // row-major, (block_cells / 256)^2 of them (one, for blocks under 256 cells).
  std::vector<std::int32_t> deviations;
};

// Checks for every backend: INVALID_ARGUMENT unless the block has the layers and the rectangle lies
// inside it; unless both planes are ResultSide^2 values.
absl::Status CheckCut(const Cut& cut);
absl::Status CheckUpload(const world::BlockShape& shape, std::size_t height, std::size_t flow);

// A finished block in the backend's memory. Destroying it frees that memory; a backend must outlive
// its blocks. Immutable, so thread-safe.
class Block {
 public:
  virtual ~Block() = default;

  const world::BlockShape& shape() const { return shape_; }
  const LayerSet& layers() const { return layers_; }
  // How many windows it has, one for each face that it reaches, its own first: one on a plane and
  // in a face's middle. All have the same layout.
  int windows() const { return windows_; }
  // The memory that it takes on the device.
  std::size_t bytes() const;

 protected:
  Block(const world::BlockShape& shape, const LayerSet& layers, int windows)
      : shape_(shape), layers_(layers), windows_(windows) {}

 private:
  world::BlockShape shape_;
  LayerSet layers_;
  int windows_;
};

// A block to compute.
struct Job {
  // The face that it lies on, and its parent too.
  int face = 0;
  // The global vertex of its core's north-west corner.
  std::int64_t x = 0;
  std::int64_t y = 0;
  // The parent's block, of the same backend; null at level 0.
  std::shared_ptr<const Block> parent;
  // The global vertex, of the parent's level, of the parent core's north-west corner.
  std::int64_t parent_x = 0;
  std::int64_t parent_y = 0;
};

// A kind of stage, and the device's time for it.
struct StageTime {
  std::uint64_t times = 0;
  double seconds = 0;
};
using StageTimes = std::map<std::string, StageTime>;

struct RunOptions {
  // The layers that blocks keep beside those that their children inherit.
  LayerSet layers;
  // Stages skip vertices that can't reach the result. Off only in tests: the result is the same.
  bool shrink_window = true;
  // Values are copied over the edges between a planet's faces. Off only in tests, to show that it
  // matters.
  bool exchange_seams = true;
  // Where a device with a clock adds its stages' times; may be null.
  StageTimes* stage_times = nullptr;
  // 0: one part, which no other run interrupts. Else about how many parts of equal work the run is
  // split into, if the backend can.
  int parts = 0;
};

// The layers that the blocks of a run keep.
LayerSet KeptLayers(const world::LevelProgram& program, const RunOptions& options);

// The planes of an uploaded block, one after the other, and its layers.
inline constexpr LayerSet kUploadedLayers = LayerSet::UpTo(Layer::kVegetation);
std::vector<std::int32_t> UploadedPlanes(std::span<const std::int32_t> height,
                                         std::span<const std::int32_t> flow);

// Runs level programs. Begin, its runs, ReadCuts and Upload may be used by one thread at a time;
// any thread may release blocks. UNAVAILABLE from any of them: the device was lost and opened
// again; every earlier block and run is gone, and using one gives FAILED_PRECONDITION or
// UNAVAILABLE. A backend outlives its runs.
class Backend {
 public:
  // Runs that may be under way at a time.
  static constexpr int kMaxRuns = 2;

  virtual ~Backend() = default;

  // The device's name, for people: "llvmpipe (LLVM 15.0.6, 256 bits)", "reference".
  virtual const std::string& device_name() const = 0;
  // The name and version of its driver, for people.
  virtual const std::string& driver() const = 0;
  // The most windows of a shape, of whole blocks, that one Run takes; 0 if memory is too small for
  // one.
  virtual int MaxBatch(const world::BlockShape& shape) const = 0;

  // How many parts of all runs may be submitted and not waited for: two, if one is recorded while
  // another one runs.
  virtual int MaxSubmitted() const { return 1; }

  // Begins to compute blocks of one level, 1 or more, all of one shape. The bits do not depend on
  // the rest of the batch, nor on other runs in between. Program and stage_times outlive the run.
  // INTERNAL or UNAVAILABLE when the device fails.
  virtual absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                            const world::BlockShape& shape,
                                                            std::span<const Job> jobs,
                                                            const RunOptions& options) = 0;

  // The same, from begin to end.
  absl::StatusOr<std::vector<std::shared_ptr<const Block>>> Run(const world::LevelProgram& program,
                                                                const world::BlockShape& shape,
                                                                std::span<const Job> jobs,
                                                                const RunOptions& options);

  // The values of each cut, in their order, in one transfer.
  virtual absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) = 0;

  // One layer, copied to `values` (width x height of them); the deviations only.
  absl::Status Read(const Block& block, Layer layer, const Rect& rect,
                    std::span<std::int32_t> values, int window = 0);
  absl::StatusOr<std::vector<std::int32_t>> ReadDeviations(const Block& block);

  // Makes a block of given planes (ResultSide^2 values each), dry, bare and without soft ground,
  // that any program can start from. For tests.
  virtual absl::StatusOr<std::shared_ptr<const Block>> Upload(
      const world::BlockShape& shape, std::span<const std::int32_t> height,
      std::span<const std::int32_t> flow) = 0;
};

}  // namespace thalweg::backend
