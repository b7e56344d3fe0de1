#include "proto/text/normalise.h"

#include <google/protobuf/unknown_field_set.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "proto/text/field_message.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::text {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

absl::Status NormaliseMessage(const std::string& path, pb::Message& message);

bool IsNumber(const Field& field) {
  return field.cpp_type() == Field::CPPTYPE_DOUBLE || field.cpp_type() == Field::CPPTYPE_UINT32;
}

double NumberOf(const pb::Message& message, const Field& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  return field.cpp_type() == Field::CPPTYPE_DOUBLE ? reflection.GetDouble(message, &field)
                                                   : reflection.GetUInt32(message, &field);
}

void SetNumber(pb::Message& message, const Field& field, double value) {
  const pb::Reflection& reflection = *message.GetReflection();
  if (field.cpp_type() == Field::CPPTYPE_DOUBLE) {
    reflection.SetDouble(&message, &field, value);
  } else {
    reflection.SetUInt32(&message, &field, static_cast<std::uint32_t>(value));
  }
}

absl::Status NormaliseNumber(const std::string& path, pb::Message& message, const Field& field) {
  const v1::Range& range = field.options().GetExtension(v1::range);
  const std::string demand = absl::StrCat(Decimal(range.min()), " to ", Decimal(range.max()));
  if (field.has_presence() && !message.GetReflection()->HasField(message, &field)) {
    if (range.may_be_absent()) return absl::OkStatus();
    if (!range.has_default_()) return wire::Invalid(path, demand, "none");
    SetNumber(message, field, range.default_());
  }
  // -0 becomes 0.
  const double value = NumberOf(message, field) + 0.0;
  if (!std::isfinite(value) || value < range.min() || value > range.max()) {
    return wire::Invalid(path, demand, Decimal(value));
  }
  // Only whole numbers have the option power_of_two.
  if (range.power_of_two() && !std::has_single_bit(static_cast<std::uint32_t>(value))) {
    return wire::Invalid(path, "a power of two", Decimal(value));
  }
  SetNumber(message, field, value);
  return absl::OkStatus();
}

absl::Status NormaliseItems(const std::string& path, pb::Message& message, const Field& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  const v1::Range& range = field.options().GetExtension(v1::range);
  const int items = reflection.FieldSize(message, &field);
  if (items < static_cast<int>(range.min_items()) || items > static_cast<int>(range.max_items())) {
    return wire::Invalid(path, absl::StrCat(range.min_items(), " to ", range.max_items(), " items"),
                         items);
  }
  for (int i = 0; i < items; ++i) {
    pb::Message& item = *reflection.MutableRepeatedMessage(&message, &field, i);
    THALWEG_RETURN_IF_ERROR(NormaliseMessage(ItemPath(path, i), item));
  }
  return absl::OkStatus();
}

absl::Status NormaliseField(const std::string& path, pb::Message& message, const Field& field) {
  if (field.is_repeated()) return NormaliseItems(path, message, field);
  if (field.cpp_type() == Field::CPPTYPE_MESSAGE) {
    const pb::Reflection& reflection = *message.GetReflection();
    if (field.options().GetExtension(v1::range).may_be_absent() &&
        !reflection.HasField(message, &field)) {
      return absl::OkStatus();
    }
    // A missing message is added, so that the error for a required field in it has the full path.
    return NormaliseMessage(path, *reflection.MutableMessage(&message, &field));
  }
  if (IsNumber(field) && field.options().HasExtension(v1::range)) {
    return NormaliseNumber(path, message, field);
  }
  return absl::OkStatus();
}

absl::Status CheckUnknownFields(const std::string& path, const pb::Message& message) {
  const pb::UnknownFieldSet& unknown = message.GetReflection()->GetUnknownFields(message);
  if (unknown.empty()) return absl::OkStatus();
  return wire::Invalid(path.empty() ? "specification" : path, "only fields of this version",
                       absl::StrCat("number ", unknown.field(0).number()));
}

absl::Status CheckOneofs(const std::string& path, const pb::Message& message) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
    const pb::OneofDescriptor& oneof = *type.oneof_decl(i);
    if (message.GetReflection()->HasOneof(message, &oneof)) continue;
    std::vector<std::string> names;
    for (int f = 0; f < oneof.field_count(); ++f) names.push_back(oneof.field(f)->name());
    return wire::Invalid(path, absl::StrCat("one of ", absl::StrJoin(names, ", ")), "none");
  }
  return absl::OkStatus();
}

absl::Status NormaliseMessage(const std::string& path, pb::Message& message) {
  THALWEG_RETURN_IF_ERROR(CheckUnknownFields(path, message));
  THALWEG_RETURN_IF_ERROR(CheckOneofs(path, message));
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const Field& field = *type.field(i);
    // Only the chosen field of a oneof exists.
    if (field.real_containing_oneof() != nullptr &&
        !message.GetReflection()->HasField(message, &field)) {
      continue;
    }
    THALWEG_RETURN_IF_ERROR(NormaliseField(FieldPath(path, field.name()), message, field));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Normalise(v1::WorldSpec& spec) { return NormaliseMessage("", spec); }

}  // namespace thalweg::text
