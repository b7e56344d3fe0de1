#include "client/tools/raster/raster_sink.h"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cmath>

#include "proto/base/temporary.h"
#include "proto/base/whole_file.h"
#include "proto/wire/status_macros.h"

namespace thalweg::raster_file {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are written in the machine's byte order, which must be little-endian");

class RawSink : public RasterSink {
 public:
  RawSink(RasterDescription raster, Sample sample, std::unique_ptr<files::TemporaryFile> file)
      : raster_(std::move(raster)), sample_(sample), file_(std::move(file)) {}

  absl::Status Write(std::int64_t column, std::int64_t row, int width, int height,
                     std::span<const std::int32_t> values, int /*band*/) override {
    std::vector<std::uint16_t> short_row(static_cast<std::size_t>(width));
    for (int y = 0; y < height; ++y) {
      const auto line = values.subspan(static_cast<std::size_t>(std::int64_t{y} * width),
                                       static_cast<std::size_t>(width));
      const std::int64_t of_file = raster_.from_south ? raster_.height - 1 - row - y : row + y;
      const std::int64_t at = of_file * raster_.width + column;
      if (sample_ == Sample::kInt32) {
        THALWEG_RETURN_IF_ERROR(WriteAt(at * 4, line.data(), line.size_bytes()));
        continue;
      }
      for (std::size_t x = 0; x < line.size(); ++x) {
        short_row[x] = Quantised(line[x], raster_.min, raster_.max);
      }
      THALWEG_RETURN_IF_ERROR(WriteAt(at * 2, short_row.data(), short_row.size() * 2));
    }
    return absl::OkStatus();
  }

  absl::Status Finish() override { return file_->Finish(); }

 private:
  absl::Status WriteAt(std::int64_t offset, const void* bytes, std::size_t size) {
    const auto* from = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = pwrite(file_->number(), from, size, offset);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return files::SystemError("write", raster_.path, errno);
      from += written;
      offset += written;
      size -= static_cast<std::size_t>(written);
    }
    return absl::OkStatus();
  }

  RasterDescription raster_;
  Sample sample_;
  std::unique_ptr<files::TemporaryFile> file_;
};

}  // namespace

std::uint16_t Quantised(std::int32_t value, std::int32_t min, std::int32_t max) {
  if (value <= min) return 0;
  if (value >= max) return 65535;
  const double part = (static_cast<double>(value) - min) / (static_cast<double>(max) - min);
  return static_cast<std::uint16_t>(std::lround(part * 65535));
}

absl::StatusOr<std::unique_ptr<RasterSink>> OpenRaw(const RasterDescription& raster,
                                                    Sample sample) {
  THALWEG_ASSIGN_OR_RETURN(auto file, files::TemporaryFile::Create(raster.path));
  return std::make_unique<RawSink>(raster, sample, std::move(file));
}

}  // namespace thalweg::raster_file
