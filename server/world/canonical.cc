#include "server/world/canonical.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "server/world/level_program.h"

namespace thalweg::world {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptor;

constexpr std::size_t kIdBytes = 16;

// What follows a field's number. Part of every world's id: never change or reuse one.
enum class Tag : char {
  kEnd = 0,  // of a message; stands where a field's number would
  kMessage = 1,
  kItems = 2,
  kDouble = 3,
  kUnsigned = 4,
  kBool = 5,
};

template <typename Unsigned>
void AppendLittleEndian(Unsigned value, std::string& bytes) {
  for (std::size_t i = 0; i < sizeof(value); ++i) {
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }
}

void AppendTag(Tag tag, std::string& bytes) { bytes.push_back(static_cast<char>(tag)); }

void AppendMessage(const pb::Message& message, std::string& bytes);

void AppendItems(const pb::Message& message, const Field& field, std::string& bytes) {
  const pb::Reflection& reflection = *message.GetReflection();
  const int items = reflection.FieldSize(message, &field);
  AppendTag(Tag::kItems, bytes);
  AppendLittleEndian(static_cast<std::uint32_t>(items), bytes);
  for (int i = 0; i < items; ++i) {
    AppendMessage(reflection.GetRepeatedMessage(message, &field, i), bytes);
  }
}

void AppendValue(const pb::Message& message, const Field& field, std::string& bytes) {
  const pb::Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case Field::CPPTYPE_MESSAGE:
      AppendTag(Tag::kMessage, bytes);
      AppendMessage(reflection.GetMessage(message, &field), bytes);
      return;
    case Field::CPPTYPE_DOUBLE:
      AppendTag(Tag::kDouble, bytes);
      // -0 is 0.
      AppendLittleEndian(std::bit_cast<std::uint64_t>(reflection.GetDouble(message, &field) + 0.0),
                         bytes);
      return;
    case Field::CPPTYPE_UINT32:
      AppendTag(Tag::kUnsigned, bytes);
      AppendLittleEndian(std::uint64_t{reflection.GetUInt32(message, &field)}, bytes);
      return;
    case Field::CPPTYPE_UINT64:
      AppendTag(Tag::kUnsigned, bytes);
      AppendLittleEndian(std::uint64_t{reflection.GetUInt64(message, &field)}, bytes);
      return;
    case Field::CPPTYPE_BOOL:
      AppendTag(Tag::kBool, bytes);
      bytes.push_back(reflection.GetBool(message, &field) ? 1 : 0);
      return;
    default:
      // A kind of field that the schema did not have when this was written.
      std::abort();
  }
}

std::vector<const Field*> FieldsByNumber(const pb::Descriptor& type) {
  std::vector<const Field*> fields;
  for (int i = 0; i < type.field_count(); ++i) fields.push_back(type.field(i));
  std::sort(fields.begin(), fields.end(),
            [](const Field* a, const Field* b) { return a->number() < b->number(); });
  return fields;
}

bool DecidesTerrain(const Field& field) {
  return field.containing_type() != v1::WorldSpec::descriptor() ||
         (field.number() != v1::WorldSpec::kNameFieldNumber &&
          field.number() != v1::WorldSpec::kDescriptionFieldNumber);
}

void AppendMessage(const pb::Message& message, std::string& bytes) {
  const pb::Reflection& reflection = *message.GetReflection();
  for (const Field* field : FieldsByNumber(*message.GetDescriptor())) {
    if (!DecidesTerrain(*field)) continue;
    if (field->has_presence() && !reflection.HasField(message, field)) continue;
    AppendLittleEndian(static_cast<std::uint32_t>(field->number()), bytes);
    if (field->is_repeated()) {
      AppendItems(message, *field, bytes);
    } else {
      AppendValue(message, *field, bytes);
    }
  }
  AppendLittleEndian(static_cast<std::uint32_t>(Tag::kEnd), bytes);
}

}  // namespace

std::string CanonicalBytes(const v1::WorldSpec& spec) {
  std::string bytes;
  AppendMessage(spec, bytes);
  return bytes;
}

std::string WorldId(const v1::WorldSpec& spec) {
  std::string bytes = CanonicalBytes(spec);
  AppendLittleEndian(kGeneratorVersion, bytes);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    std::abort();
  }
  return std::string(digest.begin(), digest.begin() + kIdBytes);
}

}  // namespace thalweg::world
