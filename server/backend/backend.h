// The interface of everything that computes terrain: it runs a level's program on blocks.
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
#include "server/stages/dispatch.h"
#include "server/world/block.h"
#include "server/world/level_program.h"
#include "server/world/recording.h"

namespace thalweg::backend {

// A device's description, for people.
struct DeviceInfo {
  // The value for --device.
  int index = 0;
  std::string name;
  // "discrete", "integrated", "virtual", "cpu" or "other".
  std::string type;
  // The name and version of its driver.
  std::string driver;
  // The reason why it can't be used; empty if it can.
  std::string problem;

  bool usable() const { return problem.empty(); }
};

// A run of a level on a batch of blocks, submitted part by part.
class Block;

// Made by Backend::Begin, and used by the thread that uses the backend. Destroying a run before its
// end drops it, after waiting for its submitted parts. After an error it may only be destroyed.
class PendingRun {
 public:
  virtual ~PendingRun() = default;

  // The number of parts that are not submitted yet; 1 or more at first.
  virtual int parts_left() const = 0;

  // Submits the next part; there must be one. A device begins it after the parts before; a backend
  // without a device may compute it in this call.
  virtual absl::Status Submit() = 0;

  // Waits for the oldest submitted part that was not awaited.
  virtual absl::Status Await() = 0;

  // The blocks in the order of the jobs. Called when every part was awaited.
  virtual std::vector<std::shared_ptr<const Block>> Take() = 0;
};

// Cuts a recording into parts, between which a device may do other work.
using stages::Dispatch;
using stages::Segment;

// Cuts segments into at most `parts` parts that cost about the same. Keeps the order; a dispatch
// that is in several parts is cut between rows.
std::vector<std::vector<Segment>> InParts(std::vector<Segment> segments, int parts);

using world::Layer;
using world::LayerSet;

// A rectangle of a block's result, in vertices from the north-west one (apron included).
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
  // The index of the block's window.
  int window = 0;
};

struct CutValues {
  // For each layer, in the cut's order, the rectangle's width x height values, row-major.
  std::vector<std::vector<std::int32_t>> planes;
  // How far each tile of the block's core deviates from the parent's surface, in height units:
  // (block_cells / 256)^2 values, row-major; one for blocks smaller than 256 cells.
  std::vector<std::int32_t> deviations;
};

// Checks for every backend. CheckCut: INVALID_ARGUMENT unless the block has the window, the layers
// and the rectangle. CheckUpload: INVALID_ARGUMENT unless both planes have ResultSide^2 values.
absl::Status CheckCut(const Cut& cut);
absl::Status CheckUpload(const world::BlockShape& shape, std::size_t height, std::size_t flow);

// A finished block in the backend's memory. Destroying it frees that memory; a backend must outlive
// its blocks. Immutable, so thread-safe.
class Block {
 public:
  virtual ~Block() = default;

  const world::BlockShape& shape() const { return shape_; }
  const LayerSet& layers() const { return layers_; }
  // How many windows it has: one for each face that it reaches, its own first. Blocks of planes,
  // and blocks in the middle of a face, have one. All windows have the same layout.
  int windows() const { return windows_; }
  // The device memory that it takes, in bytes.
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
  // The face that the block and its parent lie on.
  int face = 0;
  // The global vertex of its core's north-west corner.
  std::int64_t x = 0;
  std::int64_t y = 0;
  // The parent, a block of the same backend; null at level 0.
  std::shared_ptr<const Block> parent;
  // The north-west corner of the parent's core, as a global vertex of the parent's level.
  std::int64_t parent_x = 0;
  std::int64_t parent_y = 0;
};

// How often the device did something, and for how long.
struct DeviceTime {
  std::uint64_t times = 0;
  double seconds = 0;

  DeviceTime& operator+=(const DeviceTime& other) {
    times += other.times;
    seconds += other.seconds;
    return *this;
  }
};
// By kind of stage.
using StageTimes = std::map<std::string, DeviceTime>;

struct RunOptions {
  // The layers that blocks keep besides those that their children inherit.
  LayerSet layers;
  // Stages skip vertices that can't reach the result. Off only in tests: the result is the same.
  bool shrink_window = true;
  // Copies values over the edges between a planet's faces. Off only in tests, which show that the
  // copies are needed.
  bool exchange_seams = true;
  // The same for those of stages only.
  bool exchange_in_stages = true;
  // Where a device with a clock adds its stages' times; may be null.
  StageTimes* stage_times = nullptr;
  // 0: one part, which no other run interrupts. Else the run is split into about this many parts of
  // equal work, if the backend can.
  int parts = 0;
};

// The layers that a run's blocks keep.
LayerSet KeptLayers(const world::LevelProgram& program, const RunOptions& options);

// How a run is recorded. cross_edges: whether blocks have windows on several faces.
world::RecordingOptions RecordingOptionsOf(const world::LevelProgram& program,
                                           const RunOptions& options, bool cross_edges);

// The layers of an uploaded block, and its planes, one after the other.
inline constexpr LayerSet kUploadedLayers = LayerSet::Inherited();
std::vector<std::int32_t> UploadedPlanes(std::span<const std::int32_t> height,
                                         std::span<const std::int32_t> flow);

// Runs level programs. Begin, its runs, ReadCuts and Upload may be used by one thread at a time;
// any thread may release blocks. Any of them may return UNAVAILABLE: the device was lost and opened
// again. Earlier blocks and runs are then gone: using one returns FAILED_PRECONDITION or
// UNAVAILABLE. A backend must outlive its runs.
class Backend {
 public:
  // The max number of runs under way at a time.
  static constexpr int kMaxRuns = 2;

  virtual ~Backend() = default;

  // The device's name, for people: "llvmpipe (LLVM 15.0.6, 256 bits)", "reference".
  virtual const std::string& device_name() const = 0;
  // The name and version of its driver, for people.
  virtual const std::string& driver() const = 0;
  // The max number of windows of a shape that one Run takes, in whole blocks; 0 if memory is too
  // small for one.
  virtual int MaxBatch(const world::BlockShape& shape) const = 0;

  // Whether it runs kernels that do several sweeps in one dispatch.
  virtual bool JoinsSweeps() const { return false; }

  // How many parts, of all runs, may be submitted and not awaited: two, if the next one is recorded
  // while one runs.
  virtual int MaxSubmitted() const { return 1; }

  // Begins to compute blocks of one level, at least one, all of one shape. The bits do not depend
  // on the rest of the batch, nor on other runs in between. Program and stage_times must outlive
  // the run. INTERNAL or UNAVAILABLE if the device fails.
  virtual absl::StatusOr<std::unique_ptr<PendingRun>> Begin(const world::LevelProgram& program,
                                                            const world::BlockShape& shape,
                                                            std::span<const Job> jobs,
                                                            const RunOptions& options) = 0;

  // As Begin, but submits all parts, awaits them and returns the blocks.
  absl::StatusOr<std::vector<std::shared_ptr<const Block>>> Run(const world::LevelProgram& program,
                                                                const world::BlockShape& shape,
                                                                std::span<const Job> jobs,
                                                                const RunOptions& options);

  // The values of each cut, in the order of the cuts, in one transfer.
  virtual absl::StatusOr<std::vector<CutValues>> ReadCuts(std::span<const Cut> cuts) = 0;

  // Read: one layer, copied to `values` (width x height). ReadDeviations: only the deviations.
  absl::Status Read(const Block& block, Layer layer, const Rect& rect,
                    std::span<std::int32_t> values, int window = 0);
  absl::StatusOr<std::vector<std::int32_t>> ReadDeviations(const Block& block);

  // Makes a block from these planes (ResultSide^2 values each), without water, vegetation and soft
  // ground. Any program can start from it. For tests.
  virtual absl::StatusOr<std::shared_ptr<const Block>> Upload(
      const world::BlockShape& shape, std::span<const std::int32_t> height,
      std::span<const std::int32_t> flow) = 0;
};

}  // namespace thalweg::backend
