#include "tests/cache/fake_store.h"

#include <utility>

namespace thalweg::cache {

void FakeStoreControl::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

void FakeStoreControl::Open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

void FakeStoreControl::AwaitAtGate(int calls) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this, calls] { return at_gate_ >= calls; });
}

void FakeStoreControl::Fail(bool failing) {
  const std::lock_guard lock(mutex_);
  failing_ = failing;
}

int FakeStoreControl::loads() const {
  const std::lock_guard lock(mutex_);
  return loads_;
}

int FakeStoreControl::saves() const {
  const std::lock_guard lock(mutex_);
  return saves_;
}

void FakeStoreControl::Put(const TileId& id, TileBytes bytes) {
  const std::lock_guard lock(mutex_);
  tiles_[id] = std::move(bytes);
}

bool FakeStoreControl::Has(const TileId& id) const {
  const std::lock_guard lock(mutex_);
  return tiles_.contains(id);
}

void FakeStoreControl::Pass(std::unique_lock<std::mutex>& lock) {
  ++at_gate_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !closed_; });
  --at_gate_;
}

class FakeStore final : public TileStore {
 public:
  explicit FakeStore(std::shared_ptr<FakeStoreControl> control) : control_(std::move(control)) {}

  const std::string& name() const override { return name_; }

  LoadResult Load(const TileId& id) override {
    std::unique_lock lock(control_->mutex_);
    ++control_->loads_;
    control_->Pass(lock);
    if (control_->failing_) return {LoadOutcome::kError, nullptr};
    const auto found = control_->tiles_.find(id);
    if (found == control_->tiles_.end()) return {LoadOutcome::kMiss, nullptr};
    return {LoadOutcome::kHit, found->second};
  }

  SaveOutcome Save(const TileId& id, const TileBytes& bytes) override {
    std::unique_lock lock(control_->mutex_);
    ++control_->saves_;
    control_->Pass(lock);
    if (control_->failing_) return SaveOutcome::kError;
    control_->tiles_[id] = bytes;
    return SaveOutcome::kSaved;
  }

  std::size_t bytes() const override { return 0; }

  absl::Status health() const override {
    const std::lock_guard lock(control_->mutex_);
    return control_->failing_ ? absl::UnavailableError("fake store: broken") : absl::OkStatus();
  }

 private:
  const std::string name_ = "fake store";
  const std::shared_ptr<FakeStoreControl> control_;
};

std::unique_ptr<TileStore> MakeFakeStore(std::shared_ptr<FakeStoreControl> control) {
  return std::make_unique<FakeStore>(std::move(control));
}

std::unique_ptr<BackgroundStore> MakeFakeBackground(std::shared_ptr<FakeStoreControl> control,
                                                    BackgroundStoreOptions options) {
  return std::make_unique<BackgroundStore>(MakeFakeStore(std::move(control)), std::move(options));
}

}  // namespace thalweg::cache
