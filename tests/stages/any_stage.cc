#include "tests/stages/any_stage.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace thalweg::stages {
namespace {

namespace pb = google::protobuf;

// A number from 0 to 1. Unlike std's distributions, it is the same with every library.
double Fraction(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

std::uint32_t AnyCount(std::mt19937_64& random, const v1::Range& range) {
  const auto low = static_cast<std::uint32_t>(range.min());
  const auto high = std::max(low, static_cast<std::uint32_t>(range.default_() / 2));
  const auto count = low + static_cast<std::uint32_t>(random() % (high - low + 1));
  return range.power_of_two() ? std::bit_floor(count) : count;
}

double AnyNumber(std::mt19937_64& random, const v1::Range& range) {
  const double high =
      range.has_default_() ? std::min(range.max(), 2 * range.default_()) : range.max();
  return range.min() + (high - range.min()) * Fraction(random);
}

void FillAny(std::mt19937_64& random, pb::Message& message) {
  const pb::Reflection& reflection = *message.GetReflection();
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const pb::FieldDescriptor& field = *type.field(i);
    const v1::Range& range = field.options().GetExtension(v1::range);
    if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      FillAny(random, *reflection.MutableMessage(&message, &field));
    } else if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_UINT32) {
      // Counts decide how much is computed, so they are always set.
      reflection.SetUInt32(&message, &field, AnyCount(random, range));
    } else if (field.cpp_type() == pb::FieldDescriptor::CPPTYPE_DOUBLE && random() % 2 == 0) {
      reflection.SetDouble(&message, &field, AnyNumber(random, range));
    }
  }
}

}  // namespace

std::vector<const pb::FieldDescriptor*> EveryKind() {
  const pb::OneofDescriptor& oneof = *v1::Stage::descriptor()->FindOneofByName("kind");
  std::vector<const pb::FieldDescriptor*> kinds;
  for (int i = 0; i < oneof.field_count(); ++i) kinds.push_back(oneof.field(i));
  return kinds;
}

v1::Stage AnyStage(std::mt19937_64& random, const pb::FieldDescriptor& kind) {
  v1::Stage stage;
  FillAny(random, *v1::Stage::GetReflection()->MutableMessage(&stage, &kind));
  return stage;
}

}  // namespace thalweg::stages
