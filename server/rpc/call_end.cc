#include "server/rpc/call_end.h"

namespace thalweg::rpc {

void CallEnd::Done() {
  const std::lock_guard lock(open_->mutex);
  open_->context = nullptr;
}

void CallEnd::CancelLater() {
  if (counting_.exchange(true)) return;
  patience_.timer->Post(std::chrono::steady_clock::now() + patience_.time,
                        [call = std::weak_ptr<Open>(open_)] {
                          const auto open = call.lock();
                          if (open == nullptr) return;
                          // Held meanwhile, so that the context lives. gRPC calls its reactors by
                          // threads of its own, not from TryCancel.
                          const std::lock_guard lock(open->mutex);
                          if (open->context != nullptr) open->context->TryCancel();
                        });
}

}  // namespace thalweg::rpc
