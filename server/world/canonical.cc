#include "server/world/canonical.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <vector>

#include "proto/wire/sha256.h"
#include "server/world/named_nodes.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

constexpr std::size_t kIdBytes = 16;

// What follows a field's number. Part of every world's id: never change or reuse a value.
enum class Tag : char {
  kEnd = 0,  // the end of a message; stands in place of a field's number
  kMessage = 1,
  kItems = 2,
  kDouble = 3,
  kUnsigned = 4,
  kBool = 5,
  kNamedNode = 6,
  kText = 7,
};

template <typename Unsigned>
void AppendLittleEndian(Unsigned value, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof(value); ++i) {
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
}

void AppendTag(Tag tag, std::string& bytes) { bytes.push_back(static_cast<char>(tag)); }

bool IsOneofMember(const Field& field) { return field.real_containing_oneof() != nullptr; }

// Names, showplaces and places on the Earth are for people, and left out. A use of a named node is
// written as the node's number.
bool IsForPeople(const Field& field) {
  if (field.cpp_type() == Field::CPPTYPE_MESSAGE) {
    return field.message_type() == v1::Showplace::descriptor() ||
           field.message_type() == v1::Georeference::descriptor();
  }
  return field.cpp_type() == Field::CPPTYPE_STRING &&
         field.containing_type() != v1::Node::descriptor() &&
         field.containing_type() != v1::Elevation::descriptor();
}

// For a number, bool or text: whether it can be left out.
bool HasDefault(const pb::Message& message, const Field& field) {
  const pb::Reflection& reflection = *message.GetReflection();
  if (field.has_presence() && !reflection.HasField(message, &field)) return true;
  const v1::Range& range = field.options().GetExtension(v1::range);
  // For an optional number without a default, presence has a meaning.
  if (field.has_presence() && !range.has_default_()) return false;
  switch (field.cpp_type()) {
    case Field::CPPTYPE_DOUBLE:
      return reflection.GetDouble(message, &field) == range.default_();
    case Field::CPPTYPE_UINT32:
      return reflection.GetUInt32(message, &field) == range.default_();
    case Field::CPPTYPE_UINT64:
      return reflection.GetUInt64(message, &field) == 0;
    case Field::CPPTYPE_STRING:
      return reflection.GetString(message, &field).empty();
    default:
      return !reflection.GetBool(message, &field);
  }
}

std::vector<const Field*> FieldsByNumber(const pb::Descriptor& type) {
  std::vector<const Field*> fields;
  for (int i = 0; i < type.field_count(); ++i) fields.push_back(type.field(i));
  std::sort(fields.begin(), fields.end(),
            [](const Field* a, const Field* b) { return a->number() < b->number(); });
  return fields;
}

// Encodes one specification.
class Canonical {
 public:
  explicit Canonical(const v1::WorldSpec& spec) {
    for (const v1::NamedNode& node : spec.nodes()) {
      numbers_.emplace(node.name(), numbers_.size());
    }
  }

  // A message's fields, without the tag of its end; empty if all have their defaults.
  std::string Fields(const pb::Message& message) const;

 private:
  std::string FieldBytes(const pb::Message& message, const Field& field) const;
  std::string Number(const pb::Message& message, const Field& field) const;
  std::string Items(const pb::Message& message, const Field& field) const;

  std::map<std::string, std::uint64_t> numbers_;
};

std::string Closed(std::string fields) {
  AppendLittleEndian(static_cast<std::uint32_t>(Tag::kEnd), fields);
  return fields;
}

std::string Canonical::Number(const pb::Message& message, const Field& field) const {
  const pb::Reflection& reflection = *message.GetReflection();
  std::string bytes;
  const auto add = [&bytes](Tag tag, auto value) {
    AppendTag(tag, bytes);
    AppendLittleEndian(value, bytes);
  };
  switch (field.cpp_type()) {
    case Field::CPPTYPE_DOUBLE:
      // -0 becomes 0.
      add(Tag::kDouble, std::bit_cast<std::uint64_t>(reflection.GetDouble(message, &field) + 0.0));
      break;
    case Field::CPPTYPE_UINT32:
      add(Tag::kUnsigned, std::uint64_t{reflection.GetUInt32(message, &field)});
      break;
    case Field::CPPTYPE_UINT64:
      add(Tag::kUnsigned, std::uint64_t{reflection.GetUInt64(message, &field)});
      break;
    case Field::CPPTYPE_BOOL:
      add(Tag::kBool, static_cast<std::uint8_t>(reflection.GetBool(message, &field)));
      break;
    case Field::CPPTYPE_STRING:
      if (field.containing_type() == v1::Elevation::descriptor()) {
        const std::string text = reflection.GetString(message, &field);
        add(Tag::kText, static_cast<std::uint32_t>(text.size()));
        bytes += text;
        break;
      }
      add(Tag::kNamedNode, numbers_.at(reflection.GetString(message, &field)));
      break;
    default:
      // The schema has a kind of field that this code does not know.
      std::abort();
  }
  return bytes;
}

std::string Canonical::Items(const pb::Message& message, const Field& field) const {
  const pb::Reflection& reflection = *message.GetReflection();
  const int items = reflection.FieldSize(message, &field);
  if (items == 0) return "";
  std::string bytes;
  AppendTag(Tag::kItems, bytes);
  AppendLittleEndian(static_cast<std::uint32_t>(items), bytes);
  for (int i = 0; i < items; ++i) {
    bytes += Closed(Fields(reflection.GetRepeatedMessage(message, &field, i)));
  }
  return bytes;
}

// What follows a field's number; empty for a field that is left out.
std::string Canonical::FieldBytes(const pb::Message& message, const Field& field) const {
  const pb::Reflection& reflection = *message.GetReflection();
  if (IsForPeople(field)) return "";
  if (field.is_repeated()) return Items(message, field);
  // The choice of a oneof's member counts, even if the member is empty.
  const bool chosen = IsOneofMember(field) && reflection.HasField(message, &field);
  if (IsOneofMember(field) && !chosen) return "";
  if (field.cpp_type() != Field::CPPTYPE_MESSAGE) {
    return !chosen && HasDefault(message, field) ? "" : Number(message, field);
  }
  // So does the presence of a part that may be absent.
  const bool counts = chosen || (field.options().GetExtension(v1::range).may_be_absent() &&
                                 reflection.HasField(message, &field));
  const std::string fields = Fields(reflection.GetMessage(message, &field));
  if (!counts && fields.empty()) return "";
  std::string bytes;
  AppendTag(Tag::kMessage, bytes);
  return bytes + Closed(fields);
}

std::string Canonical::Fields(const pb::Message& message) const {
  std::string bytes;
  for (const Field* field : FieldsByNumber(*message.GetDescriptor())) {
    const std::string value = FieldBytes(message, *field);
    if (value.empty()) continue;
    AppendLittleEndian(static_cast<std::uint32_t>(field->number()), bytes);
    bytes += value;
  }
  return bytes;
}

}  // namespace

std::string CanonicalBytes(const v1::WorldSpec& spec) {
  const v1::WorldSpec used = WithoutUnusedNodes(spec);
  return Closed(Canonical(used).Fields(used));
}

std::string WorldId(const v1::WorldSpec& spec, std::uint32_t version) {
  std::string bytes = CanonicalBytes(spec);
  AppendLittleEndian(version, bytes);
  return wire::Sha256(bytes).substr(0, kIdBytes);
}

}  // namespace thalweg::world
