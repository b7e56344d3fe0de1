#include "proto/text/world_text.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "proto/text/message_text.h"
#include "proto/text/node_depth.h"
#include "proto/wire/status_macros.h"

namespace thalweg::text {
namespace {

// Adds a hint for old files: the fields of Hydrology.rain were Hydrology's own once.
absl::Status WithHint(const absl::Status& status) {
  if (status.ok()) return status;
  const google::protobuf::Descriptor& droplet = *v1::Droplet::descriptor();
  for (int i = 0; i < droplet.field_count(); ++i) {
    const std::string& name = droplet.field(i)->name();
    // As Protobuf's readers of JSON and of text name the field.
    if (absl::StrContains(status.message(), absl::StrCat("hydrology) ", name, ": ")) ||
        absl::StrContains(status.message(),
                          absl::StrCat("Hydrology\" has no field named \"", name, "\""))) {
      return absl::Status(
          status.code(),
          absl::StrCat(status.message(), " Write it within 'rain': hydrology { rain { ", name,
                       ": ... } }"));
    }
  }
  return status;
}

}  // namespace

absl::StatusOr<v1::WorldSpec> WorldFromJson(const std::string& json) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(WithHint(FromJson(json, spec)));
  THALWEG_RETURN_IF_ERROR(CheckNodeDepth(spec));
  return spec;
}

absl::StatusOr<v1::WorldSpec> WorldFromText(const std::string& text) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(WithHint(FromText(text, spec)));
  THALWEG_RETURN_IF_ERROR(CheckNodeDepth(spec));
  return spec;
}

}  // namespace thalweg::text
