// A store in memory. Tests can hold its calls back and make them fail.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "server/cache/background_store.h"

namespace thalweg::cache {

// State that a test shares with a store, since another object owns the store. Thread-safe.
class FakeStoreControl {
 public:
  // While the gate is closed, loads and saves wait.
  void Close();
  void Open();
  // Blocks until a number of calls wait at the closed gate.
  void AwaitAtGate(int calls);
  // After Fail(true), loads, saves and health() are errors, until Fail(false).
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

// A fake store in a BackgroundStore. By default its loads have an hour.
std::unique_ptr<BackgroundStore> MakeFakeBackground(std::shared_ptr<FakeStoreControl> control,
                                                    BackgroundStoreOptions options = {
                                                        .patience = std::chrono::hours(1)});

}  // namespace thalweg::cache
