#include "proto/wire/status_details.h"

#include <algorithm>

#include "absl/strings/cord.h"
#include "thalweg/details/v1/status_details.pb.h"

namespace thalweg::wire {
namespace {

constexpr char kRetryInfoUrl[] = "type.googleapis.com/google.rpc.RetryInfo";
constexpr std::int64_t kMsPerS = 1'000;
constexpr std::int32_t kNsPerMs = 1'000'000;

}  // namespace

void SetRetryDelay(absl::Status& status, std::chrono::milliseconds delay) {
  details::v1::RetryInfo info;
  info.mutable_retry_delay()->set_seconds(delay.count() / kMsPerS);
  info.mutable_retry_delay()->set_nanos(static_cast<std::int32_t>(delay.count() % kMsPerS) *
                                        kNsPerMs);
  status.SetPayload(kRetryInfoUrl, absl::Cord(info.SerializeAsString()));
}

std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status) {
  const absl::optional<absl::Cord> payload = status.GetPayload(kRetryInfoUrl);
  details::v1::RetryInfo info;
  if (!payload || !info.ParseFromString(std::string(*payload))) return std::nullopt;
  // The longest duration that Protobuf allows: 10,000 years.
  constexpr std::int64_t kMaxSeconds = 315'576'000'000;
  const std::int64_t seconds =
      std::clamp<std::int64_t>(info.retry_delay().seconds(), 0, kMaxSeconds);
  const std::int32_t nanos = std::clamp(info.retry_delay().nanos(), 0, 999'999'999);
  return std::chrono::milliseconds(seconds * kMsPerS + nanos / kNsPerMs);
}

std::string EncodeDetails(const absl::Status& status) {
  details::v1::StatusDetails details;
  status.ForEachPayload([&details](absl::string_view url, const absl::Cord& payload) {
    google::protobuf::Any& any = *details.add_details();
    any.set_type_url(std::string(url));
    any.set_value(std::string(payload));
  });
  if (details.details().empty()) return "";
  details.set_code(status.raw_code());
  details.set_message(std::string(status.message()));
  return details.SerializeAsString();
}

void DecodeDetails(const std::string& bytes, absl::Status& status) {
  details::v1::StatusDetails details;
  if (bytes.empty() || !details.ParseFromString(bytes)) return;
  for (const google::protobuf::Any& any : details.details()) {
    status.SetPayload(any.type_url(), absl::Cord(any.value()));
  }
}

}  // namespace thalweg::wire
