#include "tests/parity/limits_world.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace thalweg::parity {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

constexpr int kChanges = 60;
// Messages in messages. A deeper graph of noise is not tried.
constexpr int kMaxDepth = 7;
constexpr int kMaxItems = 4;

double Fraction(Random& random) { return std::ldexp(static_cast<double>(random() >> 11), -53); }

// An end of the range, its default, or anything between; large ranges by their powers.
double AnyIn(Random& random, const v1::Range& range) {
  switch (random() % 6) {
    case 0:
    case 1:
      return range.min();
    case 2:
    case 3:
      return range.max();
    case 4:
      if (range.has_default_()) return range.default_();
      [[fallthrough]];
    default:
      if (range.min() <= 0) return range.min() + (range.max() - range.min()) * Fraction(random);
      return std::clamp(range.min() * std::pow(range.max() / range.min(), Fraction(random)),
                        range.min(), range.max());
  }
}

void SetNumber(Random& random, pb::Message& message, const Field& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  const v1::Range& range = field.options().GetExtension(v1::range);
  if (field.cpp_type() == Field::CPPTYPE_DOUBLE) {
    reflection.SetDouble(&message, &field, AnyIn(random, range));
  } else if (field.cpp_type() == Field::CPPTYPE_UINT32) {
    const auto count = static_cast<std::uint32_t>(std::round(AnyIn(random, range)));
    reflection.SetUInt32(&message, &field, range.power_of_two() ? std::bit_floor(count) : count);
  } else if (field.cpp_type() == Field::CPPTYPE_BOOL) {
    reflection.SetBool(&message, &field, random() % 2 == 0);
  }
}

// Fields that need more than a range: a name, a file, or the order of a list.
bool IsLeftOut(const Field& field) {
  static const std::set<std::string> left_out = {
      "thalweg.v1.WorldSpec.elevation",    "thalweg.v1.WorldSpec.georeference",
      "thalweg.v1.WorldSpec.showplace",    "thalweg.v1.WorldSpec.nodes",
      "thalweg.v1.WorldSpec.levels",       "thalweg.v1.Node.use",
      "thalweg.v1.LevelRule.from_level",   "thalweg.v1.LevelRule.to_level",
      "thalweg.v1.WorldSpec.height_curve",
  };
  return left_out.contains(field.full_name()) || field.cpp_type() == Field::CPPTYPE_STRING;
}

// Sets what a message must have: numbers without a default, and a member of each oneof.
void Complete(Random& random, pb::Message& message, int depth);

void CompleteField(Random& random, pb::Message& message, const Field& field, int depth) {
  const pb::Reflection& reflection = *message.GetReflection();
  const v1::Range& range = field.options().GetExtension(v1::range);
  if (field.is_repeated()) {
    for (std::uint32_t i = 0; i < range.min_items(); ++i) {
      Complete(random, *reflection.AddMessage(&message, &field), depth + 1);
    }
  } else if (field.cpp_type() == Field::CPPTYPE_MESSAGE) {
    Complete(random, *reflection.MutableMessage(&message, &field), depth + 1);
  } else {
    SetNumber(random, message, field);
  }
}

// A member of a oneof at random; near the max depth one that holds no other message of its kind.
const Field& AnyMember(Random& random, const pb::OneofDescriptor& oneof, int depth) {
  for (;;) {
    const Field& member = *oneof.field(static_cast<int>(random() % oneof.field_count()));
    if (IsLeftOut(member)) continue;
    const bool is_leaf = member.cpp_type() != Field::CPPTYPE_MESSAGE ||
                         member.message_type()->FindFieldByName("wavelength_m") != nullptr;
    if (is_leaf || oneof.containing_type()->name() != "Node" || depth < kMaxDepth) return member;
  }
}

void Complete(Random& random, pb::Message& message, int depth) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
    CompleteField(random, message, AnyMember(random, *type.oneof_decl(i), depth), depth);
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const Field& field = *type.field(i);
    if (field.real_containing_oneof() != nullptr || IsLeftOut(field)) continue;
    const v1::Range& range = field.options().GetExtension(v1::range);
    const bool is_message = field.cpp_type() == Field::CPPTYPE_MESSAGE;
    const bool is_needed = !range.has_default_() && !range.may_be_absent();
    if (is_needed || (is_message && random() % 2 == 0))
      CompleteField(random, message, field, depth);
  }
}

// Changes one field of the message, or of a message in it.
void Change(Random& random, pb::Message& message, int depth) {
  const pb::Reflection& reflection = *message.GetReflection();
  const pb::Descriptor& type = *message.GetDescriptor();
  if (type.field_count() == 0) return;
  const Field& field = *type.field(static_cast<int>(random() % type.field_count()));
  if (IsLeftOut(field)) return;
  if (field.is_repeated()) {
    const int items = reflection.FieldSize(message, &field);
    if (items > 0 && random() % 3 != 0) {
      const int item = static_cast<int>(random() % static_cast<unsigned>(items));
      Change(random, *reflection.MutableRepeatedMessage(&message, &field, item), depth + 1);
    } else if (items > 0 && random() % 2 == 0) {
      reflection.RemoveLast(&message, &field);
    } else if (items < kMaxItems && depth < kMaxDepth) {
      Complete(random, *reflection.AddMessage(&message, &field), depth + 1);
    }
  } else if (field.cpp_type() != Field::CPPTYPE_MESSAGE) {
    SetNumber(random, message, field);
  } else if (!reflection.HasField(message, &field)) {
    Complete(random, *reflection.MutableMessage(&message, &field), depth + 1);
  } else if (random() % 6 == 0) {
    reflection.ClearField(&message, &field);
  } else {
    Change(random, *reflection.MutableMessage(&message, &field), depth + 1);
  }
}

v1::WorldSpec Begun(Random& random, int max_levels) {
  v1::WorldSpec spec;
  spec.set_name("limits");
  spec.set_seed(random());
  spec.set_levels(1 + static_cast<std::uint32_t>(random() % static_cast<unsigned>(max_levels)));
  if (random() % 2 == 0) {
    spec.mutable_sphere()->set_radius_m(1e6);
  } else {
    spec.set_cell_size_m(512);
  }
  spec.mutable_base()->set_constant(0);
  for (std::uint32_t level = 0; level < spec.levels(); ++level) {
    v1::LevelRule& rule = *spec.add_rules();
    rule.set_from_level(level);
    rule.set_to_level(level);
  }
  return spec;
}

}  // namespace

std::shared_ptr<const world::World> WorldAtLimits(Random& random, int max_levels,
                                                  std::int64_t max_cells) {
  v1::WorldSpec spec = Begun(random, max_levels);
  std::shared_ptr<const world::World> world;
  for (int change = 0; change < kChanges; ++change) {
    v1::WorldSpec next = spec;
    if (change > 0) Change(random, next, 0);
    const auto created = world::World::Create(next);
    if (!created.ok()) continue;
    const auto& costs = (*created)->level_costs();
    if (*std::max_element(costs.begin(), costs.end()) > max_cells) continue;
    spec = next;
    world = *created;
  }
  EXPECT_NE(world, nullptr);
  return world;
}

}  // namespace thalweg::parity
