// A world: a validated specification, its id, and the programs of its levels.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "server/world/level_program.h"
#include "thalweg/v1/world.pb.h"

namespace thalweg::world {

// Immutable; shared freely between threads.
class World {
 public:
  // Checks a specification and compiles it. INVALID_ARGUMENT names the field's path, its value and
  // the allowed range. `find` finds real land: its errors, and NOT_FOUND if it is needed and empty.
  static absl::StatusOr<std::shared_ptr<const World>> Create(const v1::WorldSpec& spec,
                                                             const FindElevation& find = {});

  // The same world with another seed: same name, other terrain, other id.
  std::shared_ptr<const World> Reseeded(std::uint64_t seed) const;

  // The same world, cut off after this level: the last level needs no apron for children.
  std::shared_ptr<const World> UpTo(int level) const;

  // A number that no other world of this process has, nor had.
  std::uint64_t serial() const { return serial_; }
  // The specification with every default filled in.
  const v1::WorldSpec& spec() const { return spec_; }
  const std::string& name() const { return spec_.name(); }
  // 16 bytes.
  const std::string& id() const { return id_; }
  // 32 lower-case hexadecimal digits.
  const std::string& hex_id() const { return hex_id_; }
  int levels() const { return static_cast<int>(programs_.size()); }
  const LevelProgram& level(int level) const { return programs_[static_cast<std::size_t>(level)]; }
  const std::vector<LevelProgram>& programs() const { return programs_; }
  // What blocks of each level cost; see LevelCosts.
  const std::vector<std::int64_t>& level_costs() const { return level_costs_; }
  // The layers that can be asked for; see OfferedLayers.
  const LayerSet& layers() const { return layers_; }
  // Whether a stage makes standing water, whose height may differ from the sea's.
  bool has_lakes() const { return has_lakes_; }
  // The real land in it; null if it has none.
  const ElevationFilePointer& land() const { return elevation_; }

 private:
  World() = default;
  static std::uint64_t NextSerial();

  std::uint64_t serial_ = NextSerial();
  v1::WorldSpec spec_;
  std::string id_;
  std::string hex_id_;
  std::vector<LevelProgram> programs_;
  std::vector<std::int64_t> level_costs_;
  LayerSet layers_;
  bool has_lakes_ = false;
  ElevationFilePointer elevation_;
};

}  // namespace thalweg::world
