// A store in memory whose calls tests can hold back and let fail.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "server/cache/background_store.h"

namespace thalweg::cache {

// The state that tests share with a store that another object owns. Thread-safe.
class FakeStoreControl {
 public:
  // Loads and saves wait while it is closed.
  void Close();
  void Open();
  // Blocks until a number of calls wait at the closed gate.
  void AwaitAtGate(int calls);
  // Loads and saves are errors, and the health is one, until it is called with false.
  void Fail(bool failing);

  int loads() const;
  int saves() const;
  void Put(const TileId& id, TileBytes bytes);
  bool Has(const TileId& id) const;

 private:
  friend class FakeStore;

  void Pass(std::unique_lock<std::mutex>& lock);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  bool failing_ = false;
  int at_gate_ = 0;
  int loads_ = 0;
  int saves_ = 0;
  absl::flat_hash_map<TileId, TileBytes> tiles_;
};

std::unique_ptr<TileStore> MakeFakeStore(std::shared_ptr<FakeStoreControl> control);

// In the background; it waits without limit by default.
std::unique_ptr<BackgroundStore> MakeFakeBackground(std::shared_ptr<FakeStoreControl> control,
                                                    BackgroundStoreOptions options = {
                                                        .patience = std::chrono::hours(1)});

}  // namespace thalweg::cache
