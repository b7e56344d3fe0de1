#include "server/stages/stage.h"

#include <cstdlib>
#include <string_view>
#include <variant>

namespace thalweg::stages {
namespace {

// The name of a kind in specifications: "droplet".
template <typename Kind>
constexpr std::string_view kNameOf{};
#define THALWEG_STAGE(Name, field) \
  template <>                      \
  constexpr std::string_view kNameOf<Name##Stage> = #field;
#include "server/stages/stages.inc"
#undef THALWEG_STAGE

template <typename Kind>
constexpr bool StartsLevel() {
  if constexpr (requires { Kind::kStartsLevel; }) return Kind::kStartsLevel;
  return false;
}

}  // namespace

Stage Compile(const v1::Stage& stage, const LevelNumbers& level) {
  switch (stage.kind_case()) {
#define THALWEG_STAGE(Name, field) \
  case v1::Stage::k##Name:         \
    return Compile(stage.field(), level);
#include "server/stages/stages.inc"
#undef THALWEG_STAGE
    case v1::Stage::KIND_NOT_SET:
      break;
  }
  std::abort();  // Normalise refuses a stage without a kind
}

LayerAccess AccessOf(const v1::Stage& stage, bool sea) {
  switch (stage.kind_case()) {
#define THALWEG_STAGE(Name, field) \
  case v1::Stage::k##Name:         \
    return AccessOf(stage.field(), sea);
#include "server/stages/stages.inc"
#undef THALWEG_STAGE
    case v1::Stage::KIND_NOT_SET:
      break;
  }
  return {};
}

int Reach(const Stage& stage) {
  return std::visit([](const auto& kind) { return Reach(kind); }, stage);
}

int ParentReach(const Stage& stage) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.ParentReach(); }) return kind.ParentReach();
        return 0;
      },
      stage);
}

bool StartsLevel(const Stage& stage) {
  return std::visit([]<typename Kind>(const Kind& /*kind*/) { return StartsLevel<Kind>(); }, stage);
}

bool StartsLevel(const v1::Stage& stage) {
  switch (stage.kind_case()) {
#define THALWEG_STAGE(Name, field) \
  case v1::Stage::k##Name:         \
    return StartsLevel<Name##Stage>();
#include "server/stages/stages.inc"
#undef THALWEG_STAGE
    case v1::Stage::KIND_NOT_SET:
      break;
  }
  return false;
}

void Record(const Stage& stage, Recorder& recorder) {
  std::visit(
      [&]<typename Kind>(const Kind& kind) {
        recorder.Begin(kNameOf<Kind>);
        Record(kind, recorder);
      },
      stage);
}

}  // namespace thalweg::stages
