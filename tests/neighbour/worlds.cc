// Worlds that are never used.
#include "tests/neighbour/neighbour.h"

namespace thalweg::neighbour {
namespace {

constexpr int kCallers = 4;
// The longest allowed description.
constexpr std::size_t kLongest = 4'096;

void Create(Connection& connection, const std::string& name, std::uint64_t seed,
            const std::string& description, const std::stop_token& stop) {
  Connection::Call call(stop);
  v1::CreateWorldRequest request;
  v1::WorldSpec& spec = *request.mutable_spec();
  spec.set_name(name);
  spec.set_description(description);
  spec.set_seed(static_cast<std::uint32_t>(seed ^ seed >> 32));
  spec.set_levels(4);
  spec.mutable_base()->mutable_fbm()->set_wavelength_m(20'000);
  spec.mutable_base()->mutable_fbm()->set_amplitude(300);
  spec.add_rules()->mutable_detail();
  v1::CreateWorldResponse response;
  connection.stub().CreateWorld(call.get(), request, &response);
}

// Each new world replaces another one.
void CreateWorlds(const Place&, Connection& connection, std::uint64_t round,
                  const std::stop_token& stop) {
  Create(connection, "other", round, "", stop);
}

// Creates some worlds with long descriptions, and then lists all worlds again and again.
void DescribeWorlds(const Place&, Connection& connection, std::uint64_t round,
                    const std::stop_token& stop) {
  const std::uint64_t nth = round % (1U << 16);
  if (nth < 16) {
    Create(connection, "long", round, std::string(kLongest, 'x'), stop);
    return;
  }
  Connection::Call call(stop);
  v1::ListWorldsResponse response;
  connection.stub().ListWorlds(call.get(), {}, &response);
}

}  // namespace

std::vector<Neighbour> HostileWorlds() {
  return {{"created-worlds", kCallers, CreateWorlds},
          {"described-worlds", kCallers, DescribeWorlds}};
}

}  // namespace thalweg::neighbour
