#include "server/calls/request_id.h"

#include <algorithm>
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

}  // namespace thalweg::calls
