#include "server/field/field.h"

#include <algorithm>
#include <cmath>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "server/field/scheduler.h"
#include "server/field/tile_reader.h"
#include "server/sharing/rendezvous.h"

namespace thalweg::field {
namespace {

// Adds the statistics of a device to a sum.
void AddStats(const FieldStats& one, FieldStats& sum);

// The blocks of two consecutive levels take their route from the same ancestor.
constexpr int kLevelsARoute = 2;

world::BlockKey RouteOf(const world::BlockKey& block) {
  if (block.level == 0) return block;
  const int up = (block.level - 1) % kLevelsARoute + 1;
  return {block.face, block.level - up, block.x >> up, block.y >> up};
}

// Devices take turns along each row, and each row begins some devices after the row before. So any
// square with as many ancestors as devices, or a few more, has work for all of them.
std::size_t TurnOf(const world::BlockKey& route, std::uint64_t offset, std::size_t devices) {
  const auto count = static_cast<std::int64_t>(devices);
  const auto step = static_cast<std::int64_t>(std::sqrt(static_cast<double>(devices)));
  const std::int64_t turn =
      route.x % count + step * (route.y % count) + static_cast<std::int64_t>(offset % devices);
  return static_cast<std::size_t>((turn % count + count) % count);
}

std::vector<std::unique_ptr<backend::Backend>> ListOf(std::unique_ptr<backend::Backend> backend) {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  backends.push_back(std::move(backend));
  return backends;
}

void AddName(const std::string& name, std::string& names) {
  absl::StrAppend(&names, names.empty() ? "" : " + ", name);
}

void AddStats(const FieldStats& one, FieldStats& sum) {
  sum.blocks_computed += one.blocks_computed;
  sum.blocks_dropped += one.blocks_dropped;
  sum.batches += one.batches;
  sum.requests_refused += one.requests_refused;
  sum.runs_failed += one.runs_failed;
  sum.device_losses += one.device_losses;
  sum.blocks_evicted += one.blocks_evicted;
  sum.reads += one.reads;
  sum.levels.resize(std::max(sum.levels.size(), one.levels.size()));
  for (std::size_t level = 0; level < one.levels.size(); ++level) {
    sum.levels[level].runs += one.levels[level].runs;
    sum.levels[level].blocks_computed += one.levels[level].blocks_computed;
  }
  for (const auto& [stage, time] : one.stages) sum.stages[stage] += time;
  sum.requests_waiting += one.requests_waiting;
  sum.blocks_queued += one.blocks_queued;
  sum.blocks_on_device += one.blocks_on_device;
  sum.bytes_on_device += one.bytes_on_device;
  sum.budget_bytes += one.budget_bytes;
}

}  // namespace

std::size_t DeviceRoutes::DeviceOf(std::string_view world_id, const world::BlockKey& block) const {
  constexpr std::uint64_t kDeviceStep = 0x9e3779b97f4a7c15;
  const world::BlockKey ancestor = RouteOf(block);
  const std::uint64_t route = absl::HashOf(world_id, ancestor);
  const std::uint64_t offset = absl::HashOf(world_id, ancestor.face, ancestor.level);
  const Clock::time_point now = now_();
  const std::lock_guard lock(mutex_);
  const std::size_t turn = TurnOf(ancestor, offset, given_up_.size());
  if (given_up_[turn] <= now) return turn;
  std::vector<std::uint64_t> nodes;
  for (std::size_t n = 1; n <= given_up_.size(); ++n) nodes.push_back(n * kDeviceStep);
  const std::vector<std::size_t> order = sharing::RendezvousOrder(route, nodes);
  const auto works = [&](std::size_t device) { return given_up_[device] <= now; };
  const auto first = std::find_if(order.begin(), order.end(), works);
  return first == order.end() ? order.front() : *first;
}

void DeviceRoutes::GiveUp(std::size_t device) {
  const std::lock_guard lock(mutex_);
  given_up_[device] = now_() + kRest;
}

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
  const auto routed = std::make_shared<RoutedRequest>();
  routed->priority = request.priority;
  routed->request = std::move(request);
  routed->done = std::move(done);
  {
    const std::lock_guard lock(mutex_);
    routed->id = next_id_++;
    routed_.emplace(routed->id, routed);
  }
  const RequestId id = routed->id;
  Send(routed);
  return id;
}

void Field::Send(const RoutedRequestPtr& routed) {
  const std::size_t device = routes_.DeviceOf(routed->request.world->id(),
                                              BlockOf(routed->request.key, options_.block_cells));
  std::size_t attempt = 0;
  TileRequest request = routed->request;
  {
    const std::lock_guard lock(mutex_);
    attempt = ++routed->attempts;
    routed->device = device;
    routed->there.reset();
    request.priority = routed->priority;
  }
  const Priority sent = request.priority;
  // The answer may come before this returns.
  const RequestId there = devices_[device]->Request(
      std::move(request), [this, routed, attempt](absl::StatusOr<TileValues> result) {
        OnAnswer(routed, attempt, std::move(result));
      });
  // What happened while it was being sent.
  bool unwanted = false;
  Priority wanted{};
  {
    const std::lock_guard lock(mutex_);
    if (routed->attempts != attempt) return;
    routed->there = there;
    unwanted = routed->cancelled;
    wanted = routed->priority;
  }
  if (unwanted) return devices_[device]->Cancel(there);
  if (wanted < sent) devices_[device]->Raise(there, wanted);
}

void Field::OnAnswer(const RoutedRequestPtr& routed, std::size_t attempt,
                     absl::StatusOr<TileValues> result) {
  bool send_on = false;
  Done done;
  {
    const std::lock_guard lock(mutex_);
    // The device could not be recreated, or was lost again with this request's work.
    send_on = absl::IsUnavailable(result.status()) && !stopping_ && !routed->cancelled &&
              attempt < devices_.size();
    if (!send_on) {
      routed_.erase(routed->id);
      done = std::move(routed->done);
    }
  }
  if (!send_on) return std::move(done)(std::move(result));
  routes_.GiveUp(routed->device);
  // Computing again costs the caller nothing: a lost device is not its fault.
  routed->request.meter = nullptr;
  Send(routed);
}

void Field::Cancel(RequestId id) {
  if (devices_.size() == 1) return devices_.front()->Cancel(id);
  std::optional<RequestId> there;
  std::size_t device = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = routed_.find(id);
    if (found == routed_.end()) return;
    RoutedRequest& routed = *found->second;
    routed.cancelled = true;
    there = routed.there;
    device = routed.device;
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
    const auto found = routed_.find(id);
    if (found == routed_.end() || found->second->priority <= priority) return;
    RoutedRequest& routed = *found->second;
    routed.priority = priority;
    there = routed.there;
    device = routed.device;
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
