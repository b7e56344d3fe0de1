#include "client/survey/fourier.h"

#include <fftw3.h>

#include <algorithm>
#include <memory>
#include <type_traits>

namespace thalweg::survey {
namespace {

struct Free {
  void operator()(void* memory) const { fftw_free(memory); }
};

struct DestroyPlan {
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};

}  // namespace

Grid<double> PowerSpectrum(const Grid<double>& samples) {
  const int side = samples.width;
  Grid<double> power = FilledGrid(side / 2 + 1, side, 0.0);
  const std::unique_ptr<double, Free> in(fftw_alloc_real(samples.values.size()));
  const std::unique_ptr<fftw_complex, Free> out(fftw_alloc_complex(power.values.size()));
  // An estimated plan depends on no measurement: the same samples give the same bits.
  const std::unique_ptr<std::remove_pointer_t<fftw_plan>, DestroyPlan> plan(
      fftw_plan_dft_r2c_2d(side, side, in.get(), out.get(), FFTW_ESTIMATE));
  std::copy(samples.values.begin(), samples.values.end(), in.get());
  fftw_execute(plan.get());
  for (std::size_t i = 0; i < power.values.size(); ++i) {
    const fftw_complex& value = out.get()[i];
    power.values[i] = value[0] * value[0] + value[1] * value[1];
  }
  return power;
}

}  // namespace thalweg::survey
