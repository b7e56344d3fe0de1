#include "server/calls/call_record.h"

namespace thalweg::calls {

CallRecord::CallRecord(const CallListeners& listeners, Method method, std::string id, Peer peer)
    : listeners_(listeners),
      method_(method),
      peer_(std::move(peer)),
      begun_(std::chrono::steady_clock::now()),
      id_(std::move(id)) {
  for (CallListener* const listener : listeners_) listener->Began(method_);
}

void CallRecord::Sent(std::size_t bytes) const {
  for (CallListener* const listener : listeners_) listener->Sent(method_, bytes);
}

void CallRecord::End(const absl::Status& status) const {
  if (listeners_.empty()) return;
  const std::string peer = status.ok() ? std::string() : peer_();
  const CallReport report{.id = id_,
                          .method = method_,
                          .duration = std::chrono::steady_clock::now() - begun_,
                          .peer = peer,
                          .token_name = token_name_,
                          .status = status};
  for (CallListener* const listener : listeners_) listener->Ended(report);
}

}  // namespace thalweg::calls
