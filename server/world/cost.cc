#include "server/world/cost.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "proto/base/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "proto/wire/tile_key.h"
#include "server/world/block.h"
#include "server/world/constraints.h"
#include "server/world/recording.h"

namespace thalweg::world {
namespace {

// What two cores with lavapipe need for a cell, in picoseconds of one core.
constexpr double kCellCost = 2.0e6;

// Windows beyond the first have mostly vertices that other windows compute.
constexpr double kFurtherWindow = 0.1;

constexpr int kFaces = 6;

double CostOf(const stages::Segment& segment) {
  double cost = 0;
  for (const stages::Dispatch& dispatch : segment.dispatches) cost += dispatch.Cost();
  return cost;
}

// A level's recording for one window, or for the whole planet where one block has it. It keeps what
// every block keeps.
std::vector<stages::Segment> Recorded(std::span<const LevelProgram> programs,
                                      std::span<const BlockShape> shapes, std::size_t level) {
  const LevelProgram& program = programs[level];
  const bool whole = program.surface->IsOneBlock(program.level);
  return Record(program, shapes[level], level == 0 ? BlockShape{} : shapes[level - 1],
                whole ? kFaces : 1, {.kept = program.inherited, .exchange_seams = whole});
}

// The noise that costs most, and its place in the specification.
struct Costliest {
  double octaves = 0;
  std::string path;
};

// Octaves shorter than two cells are left out.
template <typename Octaves>
double OctavesOf(const Octaves& noise, double cell_m) {
  const double drawn = std::floor(std::log2(noise.wavelength_m() / (2 * cell_m))) + 1;
  return std::clamp<double>(drawn, 0, noise.octaves());
}

void FindCostliest(const google::protobuf::Message& message, const std::string& path, double cell_m,
                   Costliest& found) {
  double octaves = 0;
  if (const auto* noise = dynamic_cast<const v1::Noise*>(&message)) {
    octaves = OctavesOf(*noise, cell_m);
  } else if (const auto* craters = dynamic_cast<const v1::Craters*>(&message)) {
    octaves = OctavesOf(*craters, cell_m);
  }
  if (octaves > found.octaves) found = {octaves, path};
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* const field : fields) {
    if (field->message_type() == nullptr) continue;
    const std::string place = text::FieldPath(path, field->name());
    if (!field->is_repeated()) {
      FindCostliest(reflection.GetMessage(message, field), place, cell_m, found);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      FindCostliest(reflection.GetRepeatedMessage(message, field, i), text::ItemPath(place, i),
                    cell_m, found);
    }
  }
}

std::string CostliestNode(const v1::WorldSpec& spec, double cell_m) {
  Costliest found{0, "base"};
  FindCostliest(spec.base(), "base", cell_m, found);
  FindCostliest(spec.steepness(), "steepness", cell_m, found);
  for (int i = 0; i < spec.nodes_size(); ++i) {
    FindCostliest(spec.nodes(i), text::ItemPath("nodes", i), cell_m, found);
  }
  return found.path;
}

}  // namespace

std::vector<double> WindowCells(std::span<const LevelProgram> programs,
                                std::span<const BlockShape> shapes) {
  std::vector<double> cells;
  for (std::size_t level = 0; level < programs.size(); ++level) {
    double cost = 0;
    for (const stages::Segment& segment : Recorded(programs, shapes, level))
      cost += CostOf(segment);
    cells.push_back(cost / kCellCost);
  }
  return cells;
}

double BlockCells(const LevelProgram& program, double window_cells, int windows) {
  if (program.surface->IsOneBlock(program.level)) return windows * window_cells;
  return (1 + kFurtherWindow * (windows - 1)) * window_cells;
}

std::vector<std::int64_t> LevelCosts(std::span<const LevelProgram> programs) {
  const std::vector<BlockShape> shapes =
      BlockShapes({programs.begin(), programs.end()}, wire::kTileCells);
  const std::vector<double> windows = WindowCells(programs, shapes);
  std::vector<std::int64_t> costs;
  for (std::size_t level = 0; level < programs.size(); ++level) {
    const LevelProgram& program = programs[level];
    const bool whole = program.surface->IsOneBlock(program.level);
    costs.push_back(std::llround(BlockCells(program, windows[level], whole ? kFaces : 1)));
  }
  return costs;
}

absl::Status CheckCost(const v1::WorldSpec& spec, std::span<const LevelProgram> programs,
                       std::span<const std::int64_t> costs) {
  const auto most = std::max_element(costs.begin(), costs.end());
  if (*most <= kMaxBlockCells) return absl::OkStatus();
  const auto level = static_cast<std::size_t>(most - costs.begin());
  const LevelProgram& program = programs[level];
  const std::vector<stages::Segment> segments =
      Recorded(programs, BlockShapes({programs.begin(), programs.end()}, wire::kTileCells), level);
  // Before the stages comes the ground, and real land after it.
  const std::size_t first = 1 + (program.elevation != nullptr && program.base_size > 0 ? 1 : 0);
  std::string path = program.base_size > 0 ? CostliestNode(spec, program.cell_size_m) : "rules";
  double largest = CostOf(segments.front());
  double all = 0;
  for (const stages::Segment& segment : segments) all += CostOf(segment);
  for (std::size_t i = 0; i < program.stages.size(); ++i) {
    const stages::Segment& segment = segments[first + i];
    if (CostOf(segment) <= largest) continue;
    largest = CostOf(segment);
    const int rule = RuleOf(spec, program.level);
    path = text::FieldPath(text::ItemPath(text::FieldPath(text::ItemPath("rules", rule), "stages"),
                                          static_cast<int>(i)),
                           std::string(segment.stage));
  }
  return wire::Invalid(
      path,
      absl::StrCat("blocks of level ", level, " that cost max ", kMaxBlockCells,
                   " cells of work (fewer steps, iterations, octaves or stages help)"),
      absl::StrCat(*most, ", of which this takes ", std::lround(100 * largest / all), " %"));
}

}  // namespace thalweg::world
