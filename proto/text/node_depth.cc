#include "proto/text/node_depth.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/wire/invalid.h"

namespace thalweg::text {
namespace {

namespace pb = google::protobuf;

// The path of fields to the first node that is too deep, if there is one.
std::optional<std::string> TooDeep(const pb::Message& message, int depth) {
  if (message.GetDescriptor() == v1::Node::descriptor() && ++depth > kMaxNodeDepth) return "";
  const pb::Reflection& reflection = *message.GetReflection();
  std::vector<const pb::FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const pb::Message& inner = field->is_repeated()
                                     ? reflection.GetRepeatedMessage(message, field, i)
                                     : reflection.GetMessage(message, field);
      const std::optional<std::string> path = TooDeep(inner, depth);
      if (!path) continue;
      const std::string name =
          field->is_repeated() ? absl::StrCat(field->name(), "[", i, "]") : field->name();
      return path->empty() ? name : absl::StrCat(name, ".", *path);
    }
  }
  return std::nullopt;
}

}  // namespace

absl::Status CheckNodeDepth(const v1::WorldSpec& spec) {
  const std::optional<std::string> path = TooDeep(spec, 0);
  if (!path) return absl::OkStatus();
  return wire::Invalid(*path, absl::StrCat("max ", kMaxNodeDepth, " nodes in each other"),
                       "one more");
}

}  // namespace thalweg::text
