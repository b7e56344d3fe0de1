#include "client/src/contract/world_spec.h"

#include "proto/text/world_text.h"

namespace thalweg {

absl::StatusOr<v1::WorldSpec> ParseWorldSpec(const std::string& specification) {
  const std::size_t begin = specification.find_first_not_of(" \t\r\n");
  const bool is_json = begin != std::string::npos && specification[begin] == '{';
  return is_json ? text::WorldFromJson(specification) : text::WorldFromText(specification);
}

}  // namespace thalweg
