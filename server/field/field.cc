#include "server/field/field.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/field/field_stats.h"
#include "server/field/scheduler.h"
#include "server/field/tile_reader.h"

namespace thalweg::field {
namespace {

std::vector<std::unique_ptr<backend::Backend>> ListOf(std::unique_ptr<backend::Backend> backend) {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  backends.push_back(std::move(backend));
  return backends;
}

void AddName(const std::string& name, std::string& names) {
  absl::StrAppend(&names, names.empty() ? "" : " + ", name);
}

}  // namespace

Field::Field(std::unique_ptr<backend::Backend> backend, const FieldOptions& options)
    : Field(ListOf(std::move(backend)), options) {}

Field::Field(std::vector<std::unique_ptr<backend::Backend>> backends, const FieldOptions& options)
    : options_(options), routes_(backends.size()) {
  FieldOptions share = options;
  share.max_requests = (options.max_requests + backends.size() - 1) / backends.size();
  share.values_bytes = options.values_bytes / backends.size();
  for (std::unique_ptr<backend::Backend>& backend : backends) {
    AddName(backend->device_name(), device_name_);
    AddName(backend->driver(), driver_);
    devices_.push_back(std::make_unique<Scheduler>(std::move(backend), share));
  }
}

Field::~Field() { Stop(); }

Field::RequestId Field::Request(TileRequest request, Done done) {
  // With one device there is no other to try.
  if (devices_.size() == 1) return devices_.front()->Request(std::move(request), std::move(done));
  const auto journey = std::make_shared<Journey>();
  journey->priority = request.priority;
  journey->request = std::move(request);
  journey->done = std::move(done);
  {
    const std::lock_guard lock(mutex_);
    journey->id = next_id_++;
    journeys_.emplace(journey->id, journey);
  }
  const RequestId id = journey->id;
  Send(journey);
  return id;
}

void Field::Send(const JourneyPtr& journey) {
  const std::size_t device = routes_.DeviceOf(journey->request.world->id(),
                                              BlockOf(journey->request.key, options_.block_cells));
  std::size_t station = 0;
  TileRequest request = journey->request;
  {
    const std::lock_guard lock(mutex_);
    station = ++journey->stations;
    journey->device = device;
    journey->there.reset();
    request.priority = journey->priority;
  }
  const Priority sent = request.priority;
  // The answer may come before this returns.
  const RequestId there = devices_[device]->Request(
      std::move(request), [this, journey, station](absl::StatusOr<TileValues> result) {
        Take(journey, station, std::move(result));
      });
  // What happened while it was being sent.
  bool unwanted = false;
  Priority wanted{};
  {
    const std::lock_guard lock(mutex_);
    if (journey->stations != station) return;
    journey->there = there;
    unwanted = journey->cancelled;
    wanted = journey->priority;
  }
  if (unwanted) return devices_[device]->Cancel(there);
  if (wanted < sent) devices_[device]->Raise(there, wanted);
}

void Field::Take(const JourneyPtr& journey, std::size_t station,
                 absl::StatusOr<TileValues> result) {
  bool send_on = false;
  Done done;
  {
    const std::lock_guard lock(mutex_);
    // The device could not be recreated, or was lost again with this request's work.
    send_on = absl::IsUnavailable(result.status()) && !stopping_ && !journey->cancelled &&
              station < devices_.size();
    if (!send_on) {
      journeys_.erase(journey->id);
      done = std::move(journey->done);
    }
  }
  if (!send_on) return std::move(done)(std::move(result));
  routes_.GiveUp(journey->device);
  // Computing again costs the caller nothing: a lost device is not its fault.
  journey->request.meter = nullptr;
  Send(journey);
}

void Field::Cancel(RequestId id) {
  if (devices_.size() == 1) return devices_.front()->Cancel(id);
  std::optional<RequestId> there;
  std::size_t device = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = journeys_.find(id);
    if (found == journeys_.end()) return;
    Journey& journey = *found->second;
    journey.cancelled = true;
    there = journey.there;
    device = journey.device;
  }
  // A request that is just being sent is cancelled by Send.
  if (there) devices_[device]->Cancel(*there);
}

void Field::Raise(RequestId id, Priority priority) {
  if (devices_.size() == 1) return devices_.front()->Raise(id, priority);
  std::optional<RequestId> there;
  std::size_t device = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = journeys_.find(id);
    if (found == journeys_.end() || found->second->priority <= priority) return;
    Journey& journey = *found->second;
    journey.priority = priority;
    there = journey.there;
    device = journey.device;
  }
  // A request that is just being sent is raised by Send.
  if (there) devices_[device]->Raise(*there, priority);
}

void Field::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  for (const auto& device : devices_) device->Stop();
}

FieldStats Field::stats() const {
  FieldStats sum;
  for (const auto& device : devices_) AddStats(device->stats(), sum);
  return sum;
}

}  // namespace thalweg::field
