#include "proto/base/unknown_name.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/message_text.h"
#include "proto/wire/nearest_name.h"

namespace thalweg::text {

std::string UnknownField(const google::protobuf::Descriptor& type, const std::string& name) {
  // A longer list hides the mistake.
  constexpr int kMostListed = 24;
  std::vector<std::string> known;
  for (int i = 0; i < type.field_count(); ++i) known.push_back(type.field(i)->name());
  std::string text = absl::StrCat(type.name(), " has no field ", Quoted(name));
  const std::string suggestion = wire::DidYouMean(name, known);
  if (!suggestion.empty()) return text + suggestion;
  if (known.empty() || type.field_count() > kMostListed) return text;
  return absl::StrCat(text, "; it has ", absl::StrJoin(known, ", "));
}

std::string UnknownValue(const google::protobuf::FieldDescriptor& field, const std::string& value) {
  const google::protobuf::EnumDescriptor& type = *field.enum_type();
  std::vector<std::string> known;
  for (int i = 0; i < type.value_count(); ++i) known.push_back(type.value(i)->name());
  return absl::StrCat(field.name(), " has no value ", Quoted(value), ": expected one of ",
                      absl::StrJoin(known, ", "), wire::DidYouMean(value, known));
}

}  // namespace thalweg::text
