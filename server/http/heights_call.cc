#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/text/message_text.h"
#include "proto/wire/invalid.h"
#include "proto/wire/status_details.h"
#include "proto/wire/status_macros.h"
#include "server/http/ask_later.h"
#include "server/http/document.h"
#include "server/http/find_world.h"
#include "server/http/handlers.h"
#include "server/http/parameters.h"
#include "server/http/profile.h"
#include "server/http/target.h"
#include "server/tile/height_sampling.h"
#include "thalweg/v1/http.pb.h"

namespace thalweg::http {
namespace {

using tile::HeightSampling;
using Coordinates = google::protobuf::RepeatedField<double>;

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
    if (!asked_.has_level()) return wire::Invalid("level", levels, "none");
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
          call->exchange_->Run([call, heights = std::move(heights)] { call->Take(heights); });
        });
    exchange_->OnCancel([sampling = std::weak_ptr(sampling)] {
      const auto held = sampling.lock();
      if (held != nullptr) held->Stop(absl::CancelledError("sample heights: cancelled"));
    });
    sampling->Start();
  }

  void Take(const absl::StatusOr<std::vector<std::int32_t>>& heights) {
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
