#include "tests/stages/filled.h"

#include <google/protobuf/text_format.h>

#include <cstdlib>

#include "proto/base/world_text.h"
#include "tests/world/spec_fixtures.h"

namespace thalweg::stages {

v1::Stage Filled(const std::string& text) {
  v1::Stage stage;
  if (!google::protobuf::TextFormat::ParseFromString(text, &stage)) std::abort();
  return Filled(stage);
}

v1::Stage Filled(const v1::Stage& stage) {
  v1::WorldSpec spec = world::SmallSpec();
  *spec.mutable_rules(0)->mutable_stages(0) = stage;
  if (!text::Normalise(spec).ok()) std::abort();
  return spec.rules(0).stages(0);
}

LevelNumbers NumbersOf(double cell_size_m, int level) {
  return {.number = level,
          .cell_units = HeightUnits(cell_size_m),
          .sea_level = 131072,
          .planes = 0,
          .stream = 7,
          .from_base = level == 0};
}

}  // namespace thalweg::stages
