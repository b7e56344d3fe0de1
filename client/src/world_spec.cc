#include "client/src/world_spec.h"

#include "proto/text/message_text.h"
#include "proto/wire/status_macros.h"

namespace thalweg {

absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification) {
  const std::size_t begin = specification.find_first_not_of(" \t\r\n");
  const bool is_json = begin != std::string::npos && specification[begin] == '{';
  v1::WorldSpec spec;
  THALWEG_RETURN_IF_ERROR(is_json ? text::FromJson(specification, spec)
                                  : text::FromText(specification, spec));
  return spec;
}

}  // namespace thalweg
