#include "proto/wire/tile_codec.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "proto/wire/invalid.h"
#include "proto/wire/status_macros.h"

namespace thalweg::wire {
namespace {

constexpr int kCompressionLevel = 1;
constexpr int kMaxPlanes = 4;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

// Memory that a thread reuses from one layer to the next: making it costs more than coding a tile.
struct Scratch {
  std::unique_ptr<ZSTD_CCtx, FreeContext> compressor{ZSTD_createCCtx()};
  std::unique_ptr<ZSTD_DCtx, FreeContext> decompressor{ZSTD_createDCtx()};
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> residuals;
  std::vector<std::uint8_t> planes;
  std::string compressed;
};

Scratch& ThreadScratch() {
  thread_local Scratch scratch;
  return scratch;
}

constexpr absl::StatusCode kDataLoss = absl::StatusCode::kDataLoss;

void CheckOrAbort(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "tile codec: %s\n", what);
  std::abort();
}

// A value in lattice steps: floor((v + half) / 2^shift), without leaving 32 bits.
inline std::int32_t Steps(std::int32_t value, int shift, std::int32_t max) {
  const std::int32_t steps = (value >> shift) + ((value >> (shift - 1)) & 1);
  return steps < max ? steps : max;
}

std::int32_t MaxSteps(int shift) { return std::numeric_limits<std::int32_t>::max() >> shift; }

struct Extent {
  std::int32_t min;
  std::int32_t max;
};

// Writes every value in lattice steps, and returns the range of the steps.
Extent Quantise(std::span<const std::int32_t> values, int shift, std::uint32_t* steps) {
  Extent extent{std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
  const std::int32_t max = MaxSteps(shift);
  const std::int32_t* in = values.data();
  const std::size_t count = values.size();
  // Two loops, because Steps can't shift by -1.
  if (shift == 0) {
    for (std::size_t k = 0; k < count; ++k) {
      extent.min = std::min(extent.min, in[k]);
      extent.max = std::max(extent.max, in[k]);
      steps[k] = static_cast<std::uint32_t>(in[k]);
    }
    return extent;
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::int32_t step = Steps(in[k], shift, max);
    extent.min = std::min(extent.min, step);
    extent.max = std::max(extent.max, step);
    steps[k] = static_cast<std::uint32_t>(step);
  }
  return extent;
}

// Zero, -1, 1, -2 ... become 0, 1, 2, 3 ...
inline std::uint32_t ZigZag(std::uint32_t word) { return (word << 1) ^ (0U - (word >> 31)); }
inline std::uint32_t UnZigZag(std::uint32_t word) { return (word >> 1) ^ (0U - (word & 1)); }

// Subtracts the prediction west + north - north-west from a row. Returns the or of the results.
std::uint32_t PredictRow(const std::uint32_t* row, const std::uint32_t* north, int width,
                         std::uint32_t* residuals) {
  residuals[0] = ZigZag(row[0] - north[0]);
  std::uint32_t bits = residuals[0];
  for (int x = 1; x < width; ++x) {
    residuals[x] = ZigZag((row[x] - row[x - 1]) - (north[x] - north[x - 1]));
    bits |= residuals[x];
  }
  return bits;
}

void SplitPlane(const std::uint32_t* words, std::size_t count, int plane, std::uint8_t* bytes) {
  for (std::size_t k = 0; k < count; ++k) {
    bytes[k] = static_cast<std::uint8_t>(words[k] >> (8 * plane));
  }
}

// Compresses to a byte for the number of planes and one frame with all of them.
std::string Compress(Scratch& scratch, int planes, std::size_t bytes) {
  scratch.compressed.resize(1 + ZSTD_compressBound(bytes));
  scratch.compressed[0] = static_cast<char>(planes);
  const std::size_t size = ZSTD_compressCCtx(
      scratch.compressor.get(), scratch.compressed.data() + 1, scratch.compressed.size() - 1,
      scratch.planes.data(), bytes, kCompressionLevel);
  CheckOrAbort(ZSTD_isError(size) == 0, "compression failed");
  return scratch.compressed.substr(0, 1 + size);
}

absl::Status CheckSizes(int width, int height, int lattice_shift) {
  if (width < 1 || height < 1 || height > kMaxLayerValues / width) {
    return Invalid("layer", absl::StrCat("1 to ", kMaxLayerValues, " values"),
                   absl::StrCat(width, " x ", height));
  }
  if (lattice_shift < 0 || lattice_shift > kMaxLatticeShift) {
    return Invalid("lattice shift", absl::StrCat("0 to ", kMaxLatticeShift), lattice_shift,
                   kDataLoss);
  }
  return absl::OkStatus();
}

// Undoes Compress into scratch.planes; returns the number of planes.
absl::StatusOr<int> Decompress(std::string_view data, std::size_t count, Scratch& scratch) {
  if (data.empty()) return Invalid("layer", "its encoded values", "0 bytes", kDataLoss);
  const int planes = static_cast<unsigned char>(data[0]);
  if (planes < 1 || planes > kMaxPlanes) {
    return Invalid("layer", absl::StrCat("1 to ", kMaxPlanes, " byte planes"), planes, kDataLoss);
  }
  const std::string_view frame = data.substr(1);
  const std::size_t bytes = count * static_cast<std::size_t>(planes);
  const unsigned long long promised = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (promised == ZSTD_CONTENTSIZE_ERROR || promised == ZSTD_CONTENTSIZE_UNKNOWN) {
    return absl::DataLossError("invalid layer: not a Zstandard frame that gives its size");
  }
  if (promised != bytes) {
    return Invalid("layer", absl::StrCat(bytes, " bytes in its frame"), promised, kDataLoss);
  }
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) {
    return absl::DataLossError("invalid layer: not exactly one Zstandard frame");
  }
  scratch.planes.resize(bytes);
  const std::size_t got = ZSTD_decompressDCtx(scratch.decompressor.get(), scratch.planes.data(),
                                              bytes, frame.data(), frame.size());
  if (ZSTD_isError(got) != 0) {
    return Invalid("layer", "a Zstandard frame", ZSTD_getErrorName(got), kDataLoss);
  }
  if (got != bytes) return Invalid("layer", absl::StrCat(bytes, " bytes"), got, kDataLoss);
  return planes;
}

// Joins a row's byte planes. A template on their number, so that the loop is vectorised.
template <int kPlanes>
void JoinRow(const std::uint8_t* bytes, std::size_t plane_size, int width, std::uint32_t* words) {
  for (int x = 0; x < width; ++x) {
    std::uint32_t word = 0;
    for (int plane = 0; plane < kPlanes; ++plane) {
      word |= static_cast<std::uint32_t>(
                  bytes[static_cast<std::size_t>(plane) * plane_size + static_cast<std::size_t>(x)])
              << (8 * plane);
    }
    words[x] = UnZigZag(word);
  }
}

using JoinRowFunction = void (*)(const std::uint8_t*, std::size_t, int, std::uint32_t*);
constexpr JoinRowFunction kJoinRow[kMaxPlanes] = {JoinRow<1>, JoinRow<2>, JoinRow<3>, JoinRow<4>};

// Four words, for the one loop that compilers do not vectorise themselves.
using Words4 [[gnu::vector_size(16)]] = std::uint32_t;

// Sums a row's rises to values. Each group of four is summed first, so that only one addition in
// four waits for the one before it.
void SumRow(const std::uint32_t* rises, std::size_t width, int lattice_shift,
            std::int32_t* values) {
  constexpr Words4 kZero = {0, 0, 0, 0};
  Words4 sums = kZero;
  std::size_t x = 0;
  for (; x + 4 <= width; x += 4) {
    Words4 four;
    std::memcpy(&four, rises + x, sizeof(four));
    four += __builtin_shufflevector(kZero, four, 0, 4, 5, 6);
    four += __builtin_shufflevector(kZero, four, 0, 1, 4, 5);
    const Words4 out = (four + sums) << lattice_shift;
    sums += __builtin_shufflevector(four, four, 3, 3, 3, 3);
    std::memcpy(values + x, &out, sizeof(out));
  }
  for (std::uint32_t sum = sums[0]; x < width; ++x) {
    sum += rises[x];
    values[x] = static_cast<std::int32_t>(sum << lattice_shift);
  }
}

}  // namespace

std::int32_t RoundToLattice(std::int32_t value, int lattice_shift) {
  if (lattice_shift == 0) return value;
  return Steps(value, lattice_shift, MaxSteps(lattice_shift)) * (1 << lattice_shift);
}

EncodedLayer EncodeLayer(std::span<const std::int32_t> values, int width, int height,
                         int lattice_shift) {
  CheckOrAbort(CheckSizes(width, height, lattice_shift).ok(), "encode: sizes out of range");
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  CheckOrAbort(values.size() == count, "encode: values do not fill the layer");
  Scratch& scratch = ThreadScratch();
  const std::size_t row_size = static_cast<std::size_t>(width);
  // A row of zeros comes before the first, so that every row has a northern neighbour.
  scratch.words.assign(row_size, 0);
  scratch.words.resize(row_size + count);
  scratch.residuals.resize(count);
  const Extent extent = Quantise(values, lattice_shift, scratch.words.data() + row_size);

  std::uint32_t bits = 0;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    const std::uint32_t* north = scratch.words.data() + y * row_size;
    bits |= PredictRow(north + row_size, north, width, scratch.residuals.data() + y * row_size);
  }
  const int planes = std::max(1, (static_cast<int>(std::bit_width(bits)) + 7) / 8);
  scratch.planes.resize(count * static_cast<std::size_t>(planes));
  for (int plane = 0; plane < planes; ++plane) {
    SplitPlane(scratch.residuals.data(), count, plane,
               scratch.planes.data() + static_cast<std::size_t>(plane) * count);
  }
  const std::int32_t step = 1 << lattice_shift;
  return {extent.min * step, extent.max * step, Compress(scratch, planes, scratch.planes.size())};
}

absl::Status DecodeLayerInto(std::string_view data, int width, int height, int lattice_shift,
                             std::span<std::int32_t> values) {
  THALWEG_RETURN_IF_ERROR(CheckSizes(width, height, lattice_shift));
  const std::size_t row_size = static_cast<std::size_t>(width);
  const std::size_t count = row_size * static_cast<std::size_t>(height);
  if (values.size() != count) {
    return Invalid("values", absl::StrCat("room for ", count), values.size());
  }
  Scratch& scratch = ThreadScratch();
  THALWEG_ASSIGN_OR_RETURN(const int planes, Decompress(data, count, scratch));

  const JoinRowFunction join_row = kJoinRow[planes - 1];
  std::vector<std::uint32_t>& rises = scratch.residuals;  // each value minus its western neighbour
  rises.assign(2 * row_size, 0);
  std::uint32_t* row_residuals = rises.data() + row_size;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    join_row(scratch.planes.data() + y * row_size, count, width, row_residuals);
    for (std::size_t x = 0; x < row_size; ++x) rises[x] += row_residuals[x];
    SumRow(rises.data(), row_size, lattice_shift, values.data() + y * row_size);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::int32_t>> DecodeLayer(std::string_view data, int width, int height,
                                                      int lattice_shift) {
  THALWEG_RETURN_IF_ERROR(CheckSizes(width, height, lattice_shift));
  std::vector<std::int32_t> values(static_cast<std::size_t>(width) *
                                   static_cast<std::size_t>(height));
  THALWEG_RETURN_IF_ERROR(
      DecodeLayerInto(data, width, height, lattice_shift, std::span<std::int32_t>(values)));
  return values;
}

}  // namespace thalweg::wire
