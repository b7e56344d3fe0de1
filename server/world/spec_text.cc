#include "server/world/spec_text.h"

#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg::world {

absl::StatusOr<v1::WorldSpec> SpecFromJson(const std::string& json) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(text::FromJson(json, spec));
  return spec;
}

absl::StatusOr<v1::WorldSpec> SpecFromText(const std::string& text) {
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(text::FromText(text, spec));
  return spec;
}

std::string JsonOfSpec(const v1::WorldSpec& spec) { return text::ToJson(spec); }

}  // namespace thalweg::world
