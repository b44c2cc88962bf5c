// What random numbers must be like, whoever made them. Pure.
#pragma once

#include <cstdint>
#include <span>

#include "selftests/selftest.h"

namespace rocvet::library {

/// Sobol's points of the first dimension, which every table of direction numbers agrees in:
/// `points` must be those from the first or from the second (zero left out) on, bit for bit.
Verification check_sobol(std::span<const std::uint32_t> points);

/// Independent numbers in (0, 1], evenly spread: mean, variance, spread over 64 equal parts,
/// correlation of neighbours. The error is in standard deviations of what chance allows;
/// tolerance 7. At least a thousand numbers.
Verification check_uniform(std::span<const float> numbers);

/// The same for a normal distribution of this mean and standard deviation, with its third and
/// fourth moments.
Verification check_normal(std::span<const float> numbers, double mean, double deviation);

}  // namespace rocvet::library
