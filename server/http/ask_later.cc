#include "server/http/ask_later.h"

#include <algorithm>
#include <utility>

namespace thalweg::http {
namespace {

// The min and max delay before a refused request is tried again.
constexpr std::chrono::milliseconds kMinDelay{50};
constexpr std::chrono::milliseconds kMaxDelay{2'000};

}  // namespace

void AskLater(const ExchangePointer& exchange, std::chrono::milliseconds delay,
              const absl::Status& refusal, Work again) {
  exchange->OnCancel([exchange, refusal] { exchange->Fail(refusal); });
  exchange->RunAfter(std::clamp(delay, kMinDelay, kMaxDelay),
                     [exchange, again = std::move(again)]() mutable {
                       if (exchange->is_cancelled()) return;
                       exchange->OnCancel(nullptr);
                       std::move(again)();
                     });
}

}  // namespace thalweg::http
