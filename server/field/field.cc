#include "server/field/field.h"

#include <utility>

#include "server/field/router.h"

namespace thalweg::field {
namespace {

std::vector<std::unique_ptr<backend::Backend>> AloneIn(std::unique_ptr<backend::Backend> backend) {
  std::vector<std::unique_ptr<backend::Backend>> backends;
  backends.push_back(std::move(backend));
  return backends;
}

}  // namespace

Field::Field(std::unique_ptr<backend::Backend> backend, const FieldOptions& options)
    : Field(AloneIn(std::move(backend)), options) {}

Field::Field(std::vector<std::unique_ptr<backend::Backend>> backends, const FieldOptions& options)
    : router_(std::make_unique<Router>(std::move(backends), options)) {}

Field::~Field() = default;

Field::RequestId Field::Request(TileRequest request, Done done) {
  return router_->Request(std::move(request), std::move(done));
}

void Field::Cancel(RequestId id) { router_->Cancel(id); }

void Field::Stop() { router_->Stop(); }

FieldStats Field::stats() const { return router_->stats(); }

const std::string& Field::device_name() const { return router_->device_name(); }

const std::string& Field::driver() const { return router_->driver(); }

}  // namespace thalweg::field
