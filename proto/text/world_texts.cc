#include "proto/text/world_texts.h"

#include <cstddef>
#include <string>

#include "proto/text/crs_text.h"
#include "proto/text/field_message.h"
#include "proto/wire/invalid.h"
#include "proto/wire/world_name.h"

namespace thalweg::text {
namespace {

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

}  // namespace

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

}  // namespace thalweg::text
