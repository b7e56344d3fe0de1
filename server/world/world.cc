#include "server/world/world.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/escaping.h"
#include "proto/base/message_text.h"
#include "proto/base/world_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"
#include "server/world/block.h"
#include "server/world/canonical.h"
#include "server/world/constraints.h"
#include "server/world/cost.h"
#include "server/world/level_program.h"
#include "server/world/planet.h"
#include "server/world/starting_stages.h"

namespace thalweg::world {
namespace {

// The default side: about as much land as a view at a middle level shows.
void FillInShowplace(v1::WorldSpec& spec) {
  constexpr int kLevel = 4;
  constexpr double kCells = 480;
  if (spec.showplace().has_side_m()) return;
  const int level = std::min(kLevel, static_cast<int>(spec.levels()) - 1);
  spec.mutable_showplace()->set_side_m(std::ldexp(kCells * spec.cell_size_m(), -level));
}

absl::Status Check(v1::WorldSpec& spec) {
  if (const auto errors = FieldErrors(spec); !errors.empty()) return errors.front();
  FillInShowplace(spec);
  THALWEG_RETURN_IF_ERROR(CheckSize(spec));
  return CheckConstraints(spec);
}

// A planet's window must not reach around more than one corner.
absl::Status CheckMargins(const std::vector<LevelProgram>& programs) {
  if (!programs.front().OnSphere()) return absl::OkStatus();
  const std::vector<BlockShape> shapes = BlockShapes(programs, kFaceCells);
  for (std::size_t level = 0; level < shapes.size(); ++level) {
    if (shapes[level].Margin() < kFaceCells) continue;
    return wire::Invalid(
        "rules",
        absl::StrCat("stages of level ", level, " and finer ones that reach fewer than ",
                     kFaceCells, " cells, since the world is a sphere"),
        shapes[level].Margin());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LevelProgram>> Compile(const v1::WorldSpec& spec,
                                                  ElevationFilePointer file) {
  std::shared_ptr<const Elevation> elevation;
  if (file != nullptr) {
    THALWEG_ASSIGN_OR_RETURN(elevation, Elevation::Create(spec, std::move(file)));
  }
  std::vector<LevelProgram> programs;
  for (int level = 0; level < static_cast<int>(spec.levels()); ++level) {
    THALWEG_ASSIGN_OR_RETURN(LevelProgram program, CompileLevel(spec, level, elevation));
    programs.push_back(std::move(program));
  }
  THALWEG_RETURN_IF_ERROR(CheckMargins(programs));
  return programs;
}

// The elevation file; null if the specification has none.
absl::StatusOr<ElevationFilePointer> Found(const v1::WorldSpec& spec, const FindElevation& find) {
  if (!spec.has_elevation()) return nullptr;
  if (find) return find(spec.elevation().sha256());
  return absl::NotFoundError(absl::StrCat(
      "elevation.sha256: the server has no folder of worlds (--worlds), where the file ",
      spec.elevation().sha256(), " would be"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const World>> World::Create(const v1::WorldSpec& spec,
                                                           const FindElevation& find) {
  std::shared_ptr<World> world(new World());
  world->spec_ = spec;
  const auto compiled = [&]() -> absl::StatusOr<std::vector<LevelProgram>> {
    THALWEG_RETURN_IF_ERROR(Check(world->spec_));
    THALWEG_ASSIGN_OR_RETURN(world->elevation_, Found(world->spec_, find));
    THALWEG_ASSIGN_OR_RETURN(std::vector<LevelProgram> programs,
                             Compile(world->spec_, world->elevation_));
    world->level_costs_ = LevelCosts(programs);
    THALWEG_RETURN_IF_ERROR(CheckCost(world->spec_, programs, world->level_costs_));
    return programs;
  };
  absl::StatusOr<std::vector<LevelProgram>> programs = compiled();
  if (!programs.ok()) {
    if (spec.name().empty()) return programs.status();
    constexpr std::size_t kShownName = 64;
    const std::string name = absl::CHexEscape(spec.name().substr(0, kShownName));
    return absl::Status(programs.status().code(),
                        absl::StrCat("world '", name, "': ", programs.status().message()));
  }
  world->programs_ = *std::move(programs);
  world->layers_ = OfferedLayers(world->spec_);
  world->has_lakes_ = WrittenLayers(world->spec_).Contains(Layer::kWater);
  world->id_ = WorldId(world->spec_);
  world->hex_id_ = absl::BytesToHexString(world->id_);
  return world;
}

std::uint64_t World::NextSerial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::shared_ptr<const World> World::Reseeded(std::uint64_t seed) const {
  v1::WorldSpec spec = spec_;
  spec.set_seed(seed);
  absl::StatusOr<std::shared_ptr<const World>> world =
      Create(spec, [this](const std::string&) { return elevation_; });
  // Only the seed differs, and every seed is valid, so this can't fail.
  if (!world.ok()) std::abort();
  return *std::move(world);
}

std::shared_ptr<const World> World::UpTo(int level) const {
  std::shared_ptr<World> world(new World(*this));
  world->serial_ = NextSerial();
  world->programs_.resize(static_cast<std::size_t>(level) + 1);
  world->level_costs_ = LevelCosts(world->programs_);
  return world;
}

}  // namespace thalweg::world
