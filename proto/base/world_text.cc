#include "proto/base/world_text.h"

#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "proto/base/json_mistake.h"
#include "proto/base/message_text.h"
#include "proto/base/unknown_name.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_macros.h"

namespace thalweg::text {
namespace {

bool IsPrintable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f;
}

bool IsLetter(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)); }
bool IsLetterOrDigit(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

constexpr std::size_t kLongestDescription = 4096;

// Finds C0 and C1 of ISO 6429, and DEL, in UTF-8: they move a terminal's cursor or end a line.
bool HasControlCharacter(const std::string& text) {
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (before == 0xc2 && byte < 0xa0)) return true;
    before = byte;
  }
  return false;
}

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

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
    if (!range.has_default_()) return wire::Missing(path, demand);
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

absl::Status CheckUnknownFields(const std::string& path, const pb::Message& message) {
  const pb::UnknownFieldSet& unknown = message.GetReflection()->GetUnknownFields(message);
  if (unknown.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path.empty() ? "the specification" : path,
                                                 " has field number ", unknown.field(0).number(),
                                                 ", which this version does not know"));
}

absl::Status CheckOneofs(const std::string& path, const pb::Message& message) {
  const pb::Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
    const pb::OneofDescriptor& oneof = *type.oneof_decl(i);
    if (message.GetReflection()->HasOneof(message, &oneof)) continue;
    std::vector<std::string> names;
    for (int f = 0; f < oneof.field_count(); ++f) names.push_back(oneof.field(f)->name());
    return wire::Missing(path, absl::StrCat("one of ", absl::StrJoin(names, ", ")));
  }
  return absl::OkStatus();
}

// Fills in and checks a message, and notes the errors.
class Normaliser {
 public:
  void Fill(const std::string& path, pb::Message& message) {
    Note(CheckUnknownFields(path, message));
    Note(CheckOneofs(path, message));
    const pb::Descriptor& type = *message.GetDescriptor();
    for (int i = 0; i < type.field_count(); ++i) {
      const Field& field = *type.field(i);
      // Only the chosen field of a oneof exists.
      if (field.real_containing_oneof() != nullptr &&
          !message.GetReflection()->HasField(message, &field)) {
        continue;
      }
      FillField(FieldPath(path, field.name()), message, field);
    }
  }

  std::vector<absl::Status> TakeErrors() { return std::move(errors_); }

 private:
  void Note(const absl::Status& status) {
    constexpr std::size_t kMostErrors = 50;
    if (!status.ok() && errors_.size() < kMostErrors) errors_.push_back(status);
  }

  void FillItems(const std::string& path, pb::Message& message, const Field& field) {
    const pb::Reflection& reflection = *message.GetReflection();
    const v1::Range& range = field.options().GetExtension(v1::range);
    const int items = reflection.FieldSize(message, &field);
    if (items < static_cast<int>(range.min_items()) ||
        items > static_cast<int>(range.max_items())) {
      return Note(wire::Invalid(
          path, absl::StrCat(range.min_items(), " to ", range.max_items(), " items"), items));
    }
    for (int i = 0; i < items; ++i) {
      Fill(ItemPath(path, i), *reflection.MutableRepeatedMessage(&message, &field, i));
    }
  }

  void FillField(const std::string& path, pb::Message& message, const Field& field) {
    if (field.is_repeated()) return FillItems(path, message, field);
    if (field.cpp_type() == Field::CPPTYPE_MESSAGE) {
      const pb::Reflection& reflection = *message.GetReflection();
      if (field.options().GetExtension(v1::range).may_be_absent() &&
          !reflection.HasField(message, &field)) {
        return;
      }
      // A missing message is added, so that the error for a required field in it has the full path.
      return Fill(path, *reflection.MutableMessage(&message, &field));
    }
    if (IsNumber(field) && field.options().HasExtension(v1::range)) {
      Note(NormaliseNumber(path, message, field));
    }
  }

  std::vector<absl::Status> errors_;
};

// Adds a hint for old files: the fields of Hydrology.rain were Hydrology's own once.
absl::Status WithHint(const absl::Status& status) {
  if (status.ok()) return status;
  const google::protobuf::Descriptor& droplet = *v1::Droplet::descriptor();
  for (int i = 0; i < droplet.field_count(); ++i) {
    const std::string& name = droplet.field(i)->name();
    const std::string unknown = UnknownField(*v1::Hydrology::descriptor(), name);
    if (!absl::StrContains(status.message(), unknown)) continue;
    const std::string hint =
        absl::StrCat("Hydrology has no field '", name,
                     "'; write it within 'rain': hydrology { rain { ", name, ": ... } }");
    return absl::Status(status.code(), absl::StrReplaceAll(status.message(), {{unknown, hint}}));
  }
  return status;
}

}  // namespace

bool IsCrs(const std::string& text) {
  if (text.size() > kLongestCrs || !std::all_of(text.begin(), text.end(), IsPrintable)) {
    return false;
  }
  // The first word, and the character after it.
  const auto end = std::find_if_not(text.begin(), text.end(), IsLetter);
  if (end == text.begin() || end == text.end()) return false;
  if (*end == ':') {
    return end + 1 != text.end() && std::all_of(end + 1, text.end(), IsLetterOrDigit);
  }
  return *end == '[' && text.back() == ']';
}

absl::Status CheckName(const v1::WorldSpec& spec) {
  const std::string& name = spec.name();
  if (wire::IsWorldName(name)) return absl::OkStatus();
  return wire::Invalid("name", "1 to 64 lower-case letters, digits and hyphens", Quoted(name));
}

absl::Status CheckDescription(const v1::WorldSpec& spec) {
  const std::string& description = spec.description();
  if (description.size() > kLongestDescription) {
    return wire::Invalid("description", absl::StrCat("max ", kLongestDescription, " bytes"),
                         description.size());
  }
  if (!HasControlCharacter(description)) return absl::OkStatus();
  return wire::Invalid("description", "one line without control characters", Quoted(description));
}

absl::Status CheckGeoreference(const v1::WorldSpec& spec) {
  if (!spec.has_georeference()) return absl::OkStatus();
  const std::string& crs = spec.georeference().crs();
  if (IsCrs(crs)) return absl::OkStatus();
  return wire::Invalid(
      "georeference.crs",
      absl::StrCat("a code such as EPSG:32611, or WKT in one line of max ", kLongestCrs, " bytes"),
      Quoted(crs));
}

std::vector<absl::Status> NormaliseAll(v1::WorldSpec& spec) {
  Normaliser normaliser;
  normaliser.Fill("", spec);
  return normaliser.TakeErrors();
}

absl::Status Normalise(v1::WorldSpec& spec) {
  const std::vector<absl::Status> errors = NormaliseAll(spec);
  return errors.empty() ? absl::OkStatus() : errors.front();
}

absl::StatusOr<v1::WorldSpec> WorldFromJson(const std::string& json) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(WithHint(FromJson(WithoutComments(json), spec)));
  THALWEG_RETURN_IF_ERROR(CheckNodeDepth(spec));
  return spec;
}

bool IsWorldJson(const std::string& text) {
  const std::string bare = WithoutComments(text);
  const std::size_t begin = bare.find_first_not_of(" \t\r\n");
  return begin != std::string::npos && (bare[begin] == '{' || bare[begin] == '[');
}

absl::StatusOr<v1::WorldSpec> WorldFromAny(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return absl::InvalidArgumentError("the specification is empty");
  }
  return IsWorldJson(text) ? WorldFromJson(text) : WorldFromText(text);
}

absl::StatusOr<v1::WorldSpec> WorldFromText(const std::string& text) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(WithHint(FromText(text, spec)));
  THALWEG_RETURN_IF_ERROR(CheckNodeDepth(spec));
  return spec;
}

}  // namespace thalweg::text
