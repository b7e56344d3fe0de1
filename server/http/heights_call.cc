#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/message_text.h"
#include "proto/geometry/cube_sphere.h"
#include "proto/wire/invalid.h"
#include "proto/wire/limits.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/http/ask_later.h"
#include "server/http/document.h"
#include "server/http/find_world.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"
#include "server/http/target.h"
#include "server/tile/height_sampling.h"
#include "server/world/world.h"
#include "thalweg/v1/http.pb.h"
#include "thalweg/v1/terrain.pb.h"

namespace thalweg::http {
namespace {

// Points at equal distances along a line.
struct Profile {
  v1::SampleHeightsRequest points;
  // How far each is along the line, in metres.
  std::vector<double> distances_m;
};

using Coordinates = google::protobuf::RepeatedField<double>;

// A line's points, each with its distance from the line's beginning in metres.
struct Line {
  std::vector<sphere::Vector> points;
  std::vector<double> distances_m;
};

// Two points or more.
absl::Status CheckLine(absl::string_view name, const Coordinates& coordinates) {
  if (coordinates.size() > 1) return absl::OkStatus();
  return wire::Invalid(name, "two points or more with a profile", coordinates.size());
}

// The angle between two directions of length 1, accurate for small ones too.
double AngleOf(const sphere::Vector& a, const sphere::Vector& b) {
  const sphere::Vector cross = Cross(a, b);
  return std::atan2(std::hypot(cross.x, cross.y, cross.z), Dot(a, b));
}

// The point at a part of the way: on a straight line, or on the great circle.
sphere::Vector Between(const sphere::Vector& a, const sphere::Vector& b, double part,
                       bool on_sphere) {
  double of_a = 1 - part;
  double of_b = part;
  if (const double angle = on_sphere ? AngleOf(a, b) : 0; angle > 0) {
    of_a = std::sin((1 - part) * angle) / std::sin(angle);
    of_b = std::sin(part * angle) / std::sin(angle);
  }
  return {of_a * a.x + of_b * b.x, of_a * a.y + of_b * b.y, of_a * a.z + of_b * b.z};
}

absl::StatusOr<Line> LineOf(const world::World& world, const v1::SampleHeightsRequest& given) {
  const bool on_sphere = world.spec().has_sphere();
  THALWEG_RETURN_IF_ERROR(tile::SamplePointsOf(world, given).status());
  THALWEG_RETURN_IF_ERROR(on_sphere ? CheckLine("latitude_deg", given.latitude_deg())
                                    : CheckLine("east_m", given.east_m()));
  Line line;
  double distance_m = 0;
  const int count = on_sphere ? given.latitude_deg_size() : given.east_m_size();
  for (int n = 0; n < count; ++n) {
    const sphere::Vector point =
        on_sphere ? sphere::PointOf(sphere::LatLong{given.latitude_deg(n), given.longitude_deg(n)})
                  : sphere::Vector{given.east_m(n), given.south_m(n), 0};
    if (n > 0) {
      const sphere::Vector& before = line.points.back();
      const double angle = on_sphere ? AngleOf(before, point) : 0;
      if (angle > std::numbers::pi - 1e-6) {
        return absl::InvalidArgumentError(absl::StrCat(
            "points ", n - 1, " and ", n, " are opposite on the planet: add a point between them"));
      }
      distance_m += on_sphere ? angle * world.spec().sphere().radius_m()
                              : std::hypot(point.x - before.x, point.y - before.y);
    }
    line.points.push_back(point);
    line.distances_m.push_back(distance_m);
  }
  if (distance_m > 0 && std::isfinite(distance_m)) return line;
  return absl::InvalidArgumentError(distance_m > 0
                                        ? "invalid profile: its line is too long to measure"
                                        : "invalid profile: its points are all one place");
}

void Add(const sphere::Vector& point, bool on_sphere, v1::SampleHeightsRequest& points) {
  if (!on_sphere) {
    points.add_east_m(point.x);
    points.add_south_m(point.y);
    return;
  }
  const sphere::LatLong place = sphere::LatLongOf(point);
  points.add_latitude_deg(place.latitude);
  points.add_longitude_deg(place.longitude);
}

// `count` points along the line through the points of a request, whose level the world has.
// INVALID_ARGUMENT unless they are 2 to 8,192 and the line has two points or more that are apart;
// on a planet also for neighbours on opposite sides, between which no line is shortest; and the
// errors of tile::SamplePointsOf for the line's own points.
absl::StatusOr<Profile> ProfileOf(const world::World& world, const v1::SampleHeightsRequest& given,
                                  std::uint32_t count) {
  if (count < 2 || count > wire::kMaxSamplePoints) {
    return wire::Invalid("profile", absl::StrCat("2 to ", wire::kMaxSamplePoints, " points"),
                         count);
  }
  THALWEG_ASSIGN_OR_RETURN(const Line line, LineOf(world, given));
  const bool on_sphere = world.spec().has_sphere();
  Profile profile;
  profile.points.set_level(given.level());
  std::size_t to = 1;
  for (std::uint32_t n = 0; n < count; ++n) {
    const double at_m =
        n + 1 == count ? line.distances_m.back() : line.distances_m.back() * n / (count - 1);
    while (to + 1 < line.points.size() && line.distances_m[to] < at_m) ++to;
    const double length_m = line.distances_m[to] - line.distances_m[to - 1];
    const double part = length_m > 0 ? (at_m - line.distances_m[to - 1]) / length_m : 0;
    Add(Between(line.points[to - 1], line.points[to], part, on_sphere), on_sphere, profile.points);
    profile.distances_m.push_back(at_m);
  }
  return profile;
}

using tile::HeightSampling;

struct Question {
  v1::HeightsQuestion asked;
  bool as_csv = false;
};

absl::StatusOr<Question> ParseQuestion(const Exchange& exchange, const ParameterList& list) {
  THALWEG_ASSIGN_OR_RETURN(const Parameters parameters, Parameters::Parse(list, {"format"}));
  Question question;
  const std::string_view accept = exchange.Header("Accept");
  question.as_csv = absl::StartsWithIgnoreCase({accept.data(), accept.size()}, "text/csv");
  if (const std::string* const format = parameters.Find("format")) {
    if (*format != "json" && *format != "csv") {
      return InvalidText("format", "json or csv", *format);
    }
    question.as_csv = *format == "csv";
  }
  THALWEG_RETURN_IF_ERROR(text::FromJson(exchange.message().body(), question.asked));
  return question;
}

// Copies the coordinates of points between messages that have the same lists.
template <typename From, typename To>
void CopyPlaces(const From& from, To& to) {
  *to.mutable_east_m() = from.east_m();
  *to.mutable_south_m() = from.south_m();
  *to.mutable_latitude_deg() = from.latitude_deg();
  *to.mutable_longitude_deg() = from.longitude_deg();
}

// A question under way, on the thread of its exchange.
class HeightsCall : public std::enable_shared_from_this<HeightsCall> {
 public:
  HeightsCall(const Site& site, ExchangePointer exchange, Question question,
              world::WorldPointer world)
      : tiles_(*site.engine.tiles),
        exchange_(std::move(exchange)),
        asked_(std::move(question.asked)),
        as_csv_(question.as_csv),
        world_(std::move(world)) {}

  void Start() {
    const absl::Status prepared = Prepare();
    if (!prepared.ok()) return exchange_->Fail(prepared);
    Ask();
  }

 private:
  // Finds the points, and bills their tiles.
  absl::Status Prepare() {
    const std::string levels = absl::StrCat("0 to ", world_->levels() - 1);
    if (!asked_.has_level()) return wire::Missing("level", levels);
    if (asked_.level() >= static_cast<std::uint32_t>(world_->levels())) {
      return wire::Invalid("level", levels, asked_.level(), absl::StatusCode::kOutOfRange);
    }
    request_.set_level(asked_.level());
    CopyPlaces(asked_, request_);
    if (asked_.has_profile()) {
      THALWEG_ASSIGN_OR_RETURN(Profile profile, ProfileOf(*world_, request_, asked_.profile()));
      request_ = std::move(profile.points);
      distances_m_ = std::move(profile.distances_m);
    }
    THALWEG_ASSIGN_OR_RETURN(samples_, tile::HeightSamples::Parse(world_, request_));
    return exchange_->admission().Bill(samples_->tile_query());
  }

  // The samples stay, for a question that must be asked again.
  void Ask() {
    const auto sampling = HeightSampling::Make(
        tiles_, exchange_->admission().client(), *samples_,
        [call = shared_from_this()](absl::StatusOr<std::vector<std::int32_t>> heights) {
          call->exchange_->Run([call, heights = std::move(heights)] { call->Receive(heights); });
        });
    exchange_->OnCancel([sampling = std::weak_ptr(sampling)] {
      const auto held = sampling.lock();
      if (held != nullptr) held->Stop(absl::CancelledError("sample heights: cancelled"));
    });
    sampling->Start();
  }

  void Receive(const absl::StatusOr<std::vector<std::int32_t>>& heights) {
    if (!exchange_->is_cancelled()) {
      if (const auto delay = wire::RetryDelayOf(heights.status())) {
        return AskLater(exchange_, *delay, heights.status(),
                        [call = shared_from_this()] { call->Ask(); });
      }
    }
    if (exchange_->is_cancelled() || !heights.ok()) return exchange_->Fail(heights.status());
    Answer(*heights);
  }

  void Answer(const std::vector<std::int32_t>& heights) {
    v1::HeightsAnswer answer;
    answer.set_world(world_->hex_id());
    answer.set_level(asked_.level());
    answer.mutable_distance_m()->Add(distances_m_.begin(), distances_m_.end());
    if (asked_.has_profile() || as_csv_) CopyPlaces(request_, answer);
    for (const std::int32_t height : heights) answer.add_height_m(height / 65536.0);
    auto text = as_csv_ ? absl::StatusOr<std::string>(CsvOf(answer)) : text::ToJsonLine(answer);
    if (!text.ok()) return exchange_->Fail(text.status());
    Response response{.status = 200,
                      .content_type = as_csv_ ? "text/csv; charset=utf-8" : "application/json",
                      .headers = "",
                      .body = BodyOf(*std::move(text))};
    response.Add("Cache-Control", "no-store").Add("Vary", "Accept");
    exchange_->Answer(std::move(response));
  }

  // A line for each point, after the columns' names.
  std::string CsvOf(const v1::HeightsAnswer& answer) const {
    std::vector<std::pair<const char*, const Coordinates*>> columns;
    if (asked_.has_profile()) columns.emplace_back("distance_m", &answer.distance_m());
    if (world_->spec().has_sphere()) {
      columns.emplace_back("latitude_deg", &answer.latitude_deg());
      columns.emplace_back("longitude_deg", &answer.longitude_deg());
    } else {
      columns.emplace_back("east_m", &answer.east_m());
      columns.emplace_back("south_m", &answer.south_m());
    }
    columns.emplace_back("height_m", &answer.height_m());
    std::string text = absl::StrJoin(
        columns, ",", [](std::string* out, const auto& column) { out->append(column.first); });
    for (int n = 0; n < answer.height_m_size(); ++n) {
      absl::StrAppend(&text, "\n",
                      absl::StrJoin(columns, ",", [n](std::string* out, const auto& column) {
                        out->append(PrintReal(column.second->Get(n)));
                      }));
    }
    return text + "\n";
  }

  tile::TileService& tiles_;
  const ExchangePointer exchange_;
  const v1::HeightsQuestion asked_;
  const bool as_csv_;
  const world::WorldPointer world_;
  // The points, and of a profile how far each is along its line.
  v1::SampleHeightsRequest request_;
  std::vector<double> distances_m_;
  std::optional<tile::HeightSamples> samples_;
};

}  // namespace

void HandleHeights(const Request& request) {
  const ExchangePointer& exchange = request.exchange;
  if (!CheckJsonBody(*exchange)) return;
  auto question = ParseQuestion(*exchange, request.parameters);
  if (!question.ok()) return exchange->Fail(question.status());
  FindWorld(request.site, request.path.world, exchange,
            [&site = request.site, exchange,
             question = *std::move(question)](world::WorldPointer world) mutable {
              std::make_shared<HeightsCall>(site, exchange, std::move(question), std::move(world))
                  ->Start();
            });
}

}  // namespace thalweg::http
