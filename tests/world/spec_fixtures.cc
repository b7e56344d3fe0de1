#include "tests/world/spec_fixtures.h"

#include <google/protobuf/text_format.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "absl/strings/str_cat.h"
#include "proto/base/message_text.h"
#include "tests/stages/any_stage.h"
#include "tests/world/random_placed.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;
using Random = std::mt19937_64;

// Unlike std's distributions, these give the same with every library.
std::uint32_t Pick(Random& random, std::uint32_t count) {
  return static_cast<std::uint32_t>(random() % count);
}

double Between(Random& random, double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(random() >> 11), -53);
}

v1::Noise RandomNoise(Random& random) {
  v1::Noise noise;
  noise.set_wavelength_m(Between(random, 2000, 200000));
  if (Pick(random, 2) == 0) noise.set_amplitude(Between(random, -2000, 2000));
  if (Pick(random, 2) == 0) noise.set_octaves(1 + Pick(random, 6));
  if (Pick(random, 2) == 0) noise.set_gain(Between(random, 0, 1));
  if (Pick(random, 2) == 0) noise.set_offset(Between(random, -500, 500));
  if (Pick(random, 2) == 0) noise.set_salt(Pick(random, 65536));
  return noise;
}

v1::Node RandomNode(Random& random, int depth);

v1::Nodes RandomNodes(Random& random, int depth) {
  v1::Nodes nodes;
  const std::uint32_t count = 1 + Pick(random, 2);
  for (std::uint32_t i = 0; i < count; ++i) *nodes.add_nodes() = RandomNode(random, depth);
  return nodes;
}

v1::Curve RandomCurve(Random& random, int depth) {
  v1::Curve curve;
  *curve.mutable_source() = RandomNode(random, depth);
  double in = Between(random, -100, 100);
  const std::uint32_t count = 2 + Pick(random, 4);
  for (std::uint32_t i = 0; i < count; ++i, in += Between(random, 0.001, 10)) {
    v1::Point& point = *curve.add_points();
    point.set_in(in);
    point.set_out(Between(random, -1000, 1000));
  }
  curve.set_smooth(Pick(random, 2) == 0);
  return curve;
}

v1::Node RandomInnerNode(Random& random, int depth) {
  v1::Node node;
  switch (Pick(random, 7)) {
    case 0:
      *node.mutable_warp()->mutable_source() = RandomNode(random, depth);
      *node.mutable_warp()->mutable_displacement() = RandomNoise(random);
      break;
    case 1:
      *node.mutable_blend()->mutable_low() = RandomNode(random, depth);
      *node.mutable_blend()->mutable_high() = RandomNode(random, depth);
      *node.mutable_blend()->mutable_mask() = RandomNode(random, depth);
      break;
    case 2:
      *node.mutable_curve() = RandomCurve(random, depth);
      break;
    case 3:
      *node.mutable_sum() = RandomNodes(random, depth);
      break;
    case 4:
      *node.mutable_product() = RandomNodes(random, depth);
      break;
    case 5:
      *node.mutable_min() = RandomNodes(random, depth);
      break;
    default:
      *node.mutable_max() = RandomNodes(random, depth);
      break;
  }
  return node;
}

v1::Node RandomNode(Random& random, int depth) {
  if (depth > 0) return RandomInnerNode(random, depth - 1);
  v1::Node node;
  switch (Pick(random, 5)) {
    case 0:
      node.set_constant(Between(random, -1000, 1000));
      break;
    case 1:
      *node.mutable_fbm() = RandomNoise(random);
      break;
    case 2:
      *node.mutable_ridged() = RandomNoise(random);
      break;
    case 3:
      return RandomPlaced(random, {.on_sphere = false, .size_m = 1e5}, 1000);
    default:
      *node.mutable_billow() = RandomNoise(random);
      break;
  }
  return node;
}

// A stage that may stand anywhere in a rule.
v1::Stage RandomStage(Random& random) {
  auto kinds = stages::EveryKind();
  std::erase_if(kinds, [](const auto* kind) { return kind->name() == "ground"; });
  return stages::AnyStage(random, *kinds[Pick(random, static_cast<std::uint32_t>(kinds.size()))]);
}

// Replaces the stages of the last rule, at times, by one that starts its levels.
void SetStartingStage(Random& random, v1::WorldSpec& spec) {
  if (Pick(random, 2) == 0) return;
  spec.mutable_rules(0)->clear_stages();
  // The ground may have rivers, which begin above it. Hillslopes are so long that all cells resolve
  // them.
  v1::Rivers& rivers = *spec.mutable_rules(0)->add_stages()->mutable_rivers();
  rivers.set_steepness(0);
  rivers.set_channel_area_m2(1'000'000'000);
  v1::LevelRule& rule = *spec.mutable_rules(1);
  rule.set_from_level(1);
  rule.clear_stages();
  for (const auto* kind : stages::EveryKind()) {
    if (kind->name() == "ground") *rule.add_stages() = stages::AnyStage(random, *kind);
  }
}

void VisitField(const NumberField& at, const std::function<void(const NumberField&)>& visit);

void VisitMessage(pb::Message& message, const std::function<void(const NumberField&)>& visit,
                  const std::string& path) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    VisitField({text::FieldPath(path, type.field(i)->name()), &message, type.field(i)}, visit);
  }
}

void VisitField(const NumberField& at, const std::function<void(const NumberField&)>& visit) {
  const pb::Reflection& reflection = *at.message->GetReflection();
  if (at.field->is_repeated()) {
    for (int i = 0; i < reflection.FieldSize(*at.message, at.field); ++i) {
      VisitMessage(*reflection.MutableRepeatedMessage(at.message, at.field, i), visit,
                   text::ItemPath(at.path, i));
    }
    return;
  }
  if (at.field->has_presence() && !reflection.HasField(*at.message, at.field)) return;
  if (at.field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) {
    VisitMessage(*reflection.MutableMessage(at.message, at.field), visit, at.path);
  } else if (at.field->cpp_type() != pb::FieldDescriptor::CPPTYPE_STRING) {
    visit(at);
  }
}

}  // namespace

v1::WorldSpec SmallSpec() {
  v1::WorldSpec spec;
  spec.set_name("alps");
  spec.set_levels(3);
  spec.mutable_base()->mutable_fbm()->set_wavelength_m(100000);
  v1::LevelRule& rule = *spec.add_rules();
  rule.add_stages()->mutable_droplet();
  rule.add_stages()->mutable_thermal();
  rule.add_stages()->mutable_rebound();
  return spec;
}

v1::WorldSpec SmallSpecWith(const std::string& text) {
  v1::WorldSpec spec = SmallSpec();
  pb::TextFormat::Parser parser;
  if (!parser.MergeFromString(text, &spec)) std::abort();
  return spec;
}

v1::WorldSpec RandomSpec(std::uint64_t seed) {
  Random random(seed);
  v1::WorldSpec spec;
  spec.set_name(absl::StrCat("random-", seed));
  spec.set_description("Any world");
  spec.set_seed(random());
  if (Pick(random, 2) == 0) spec.set_cell_size_m(Between(random, 64, 4096));
  spec.set_levels(1 + Pick(random, 14));
  // Stages that read water need a sea.
  spec.set_sea_level_m(Between(random, -100, 100));
  if (Pick(random, 2) == 0) {
    v1::Point& low = *spec.mutable_height_curve()->add_points();
    low.set_in(spec.sea_level_m());
    low.set_out(spec.sea_level_m());
    v1::Point& high = *spec.mutable_height_curve()->add_points();
    high.set_in(low.in() + Between(random, 50, 100));
    high.set_out(low.out() + Between(random, 5, 800));
  }
  if (Pick(random, 2) == 0) spec.mutable_climate()->set_rain_mm(Between(random, 0, 3000));
  *spec.mutable_base() = RandomNode(random, static_cast<int>(Pick(random, 4)));
  const std::uint32_t split = Pick(random, 14);
  for (int i = 0; i < 2; ++i) {
    v1::LevelRule& rule = *spec.add_rules();
    if (i == 0) rule.set_to_level(split);
    if (i == 1 && Pick(random, 2) == 0) rule.set_from_level(split);
    if (Pick(random, 2) == 0) rule.mutable_detail()->set_roughness(Between(random, 0, 1));
    const std::uint32_t stages = Pick(random, 4);
    for (std::uint32_t s = 0; s < stages; ++s) *rule.add_stages() = RandomStage(random);
  }
  SetStartingStage(random, spec);
  return spec;
}

void ForEachNumber(pb::Message& message, const std::function<void(const NumberField&)>& visit) {
  VisitMessage(message, visit, "");
}

void ChangeNumber(const NumberField& number) {
  const pb::Reflection& reflection = *number.message->GetReflection();
  pb::Message* message = number.message;
  const pb::FieldDescriptor* field = number.field;
  switch (field->cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_DOUBLE:
      // The smallest possible change.
      reflection.SetDouble(message, field,
                           std::nextafter(reflection.GetDouble(*message, field), 1e300));
      break;
    case pb::FieldDescriptor::CPPTYPE_UINT32:
      reflection.SetUInt32(message, field, reflection.GetUInt32(*message, field) + 1);
      break;
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      reflection.SetUInt64(message, field, reflection.GetUInt64(*message, field) + 1);
      break;
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      reflection.SetBool(message, field, !reflection.GetBool(*message, field));
      break;
    default:
      std::abort();
  }
}

}  // namespace thalweg::world
