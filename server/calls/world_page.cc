#include "server/calls/world_page.h"

#include <algorithm>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "proto/wire/world_name.h"

namespace thalweg::calls {
namespace {

constexpr std::size_t kShownToken = 96;

}  // namespace

absl::StatusOr<WorldPage> PageOf(const world::WorldLibrary& worlds, std::int32_t size,
                                 const std::string& token) {
  if (size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid page_size: expected 0 to ", kMaxPageSize, ", got ", size));
  }
  if (!token.empty() && !wire::IsWorldName(token)) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid page_token: expected the next_page_token of the page before, got '",
                     absl::CHexEscape(token.substr(0, kShownToken)), "'"));
  }
  const std::int32_t wanted = size == 0 ? kDefaultPageSize : std::min(size, kMaxPageSize);
  world::WorldLibrary::Page page =
      worlds.PageAfter(token, static_cast<std::size_t>(wanted), kMaxPageBytes);
  WorldPage result{.worlds = std::move(page.worlds), .next_token = ""};
  if (page.has_more) result.next_token = result.worlds.back()->name();
  return result;
}

}  // namespace thalweg::calls
