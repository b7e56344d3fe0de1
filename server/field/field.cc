#include "server/field/field.h"

#include <utility>

#include "server/field/scheduler.h"

namespace thalweg::field {

Field::Field(std::unique_ptr<backend::Backend> backend, const FieldOptions& options)
    : scheduler_(std::make_unique<Scheduler>(std::move(backend), options)) {}

Field::~Field() = default;

Field::RequestId Field::Request(TileRequest request, Done done) {
  return scheduler_->Request(std::move(request), std::move(done));
}

void Field::Cancel(RequestId id) { scheduler_->Cancel(id); }

void Field::Stop() { scheduler_->Stop(); }

FieldStats Field::stats() const { return scheduler_->stats(); }

const std::string& Field::device_name() const { return scheduler_->backend().device_name(); }

const std::string& Field::driver() const { return scheduler_->backend().driver(); }

}  // namespace thalweg::field
