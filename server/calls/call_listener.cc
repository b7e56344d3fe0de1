#include "server/calls/call_listener.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace thalweg::calls {
namespace {

constexpr std::size_t kMaxBytes = 64;

bool IsIdCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
}

}  // namespace

bool IsRequestId(std::string_view id) {
  return !id.empty() && id.size() <= kMaxBytes && std::all_of(id.begin(), id.end(), IsIdCharacter);
}

std::string MakeRequestId() {
  // Ids must differ, but need not be secret.
  thread_local std::mt19937_64 random{[] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }()};
  return absl::StrCat(absl::Hex(random(), absl::kZeroPad16));
}

std::string RequestIdOf(const std::optional<std::string_view>& callers) {
  return callers && IsRequestId(*callers) ? std::string(*callers) : MakeRequestId();
}

std::string_view NameOf(Method method) {
  static constexpr std::array<std::string_view, kMethodCount> kNames{
      "ListWorlds",        "GetWorld",          "GetTile",      "StreamTiles", "Session",
      "SampleHeights",     "CreateWorld",       "DeleteWorld",  "http_worlds", "http_world",
      "http_create_world", "http_delete_world", "http_heights", "http_tile",   "http_tilejson",
      "http_metrics",      "http_other"};
  return kNames[static_cast<std::size_t>(method)];
}

}  // namespace thalweg::calls
