// Requests over several devices: each goes to the device of its block, and to another one if that
// is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "server/field/device_routes.h"
#include "server/field/field.h"
#include "server/field/scheduler.h"

namespace thalweg::field {

// Does what Field declares, over one scheduler a device.
class Field::Router {
 public:
  Router(std::vector<std::unique_ptr<backend::Backend>> backends, const FieldOptions& options);
  ~Router();

  RequestId Request(TileRequest request, Done done);
  void Cancel(RequestId id);
  void Stop();
  // Of all devices together.
  FieldStats stats() const;
  const std::string& device_name() const { return device_name_; }
  const std::string& driver() const { return driver_; }

 private:
  // A request on its way over devices. Guarded by the mutex, but for the request.
  struct Journey {
    RequestId id = 0;
    TileRequest request;
    Done done;
    bool cancelled = false;
    // Devices that it was sent to, and where it is now.
    std::size_t stations = 0;
    std::size_t device = 0;
    // None while it is being sent.
    std::optional<RequestId> there = std::nullopt;
  };
  using JourneyPtr = std::shared_ptr<Journey>;

  void Send(const JourneyPtr& journey);
  void Take(const JourneyPtr& journey, std::size_t station, absl::StatusOr<TileValues> result);

  const FieldOptions options_;
  DeviceRoutes routes_;
  std::string device_name_;
  std::string driver_;

  std::mutex mutex_;
  bool stopping_ = false;
  RequestId next_id_ = 1;
  absl::flat_hash_map<RequestId, JourneyPtr> journeys_;

  // Last: their threads use what stands above.
  std::vector<std::unique_ptr<Scheduler>> devices_;
};

}  // namespace thalweg::field
