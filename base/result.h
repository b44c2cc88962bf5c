// A value, or the reason there is none. std::expected is C++23; this has the same member names.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace rocvet {

/// Why a fact could not be had. `missing` and `denied` are apart because the advice differs.
struct Error {
  enum class Kind {
    missing,       ///< it is not there
    denied,        ///< it is there, and this user may not read it
    malformed,     ///< it was read and makes no sense
    not_captured,  ///< the snapshot does not say
    timed_out,     ///< no answer before the deadline
    unsupported,   ///< this build or machine cannot ask
    failed,        ///< anything else
  };
  Kind kind = Kind::failed;
  std::string where;  ///< path, command, function, or file:line:column
  std::string what;   ///< one sentence, no full stop, no "error:"

  std::string text() const { return where.empty() ? what : where + ": " + what; }
  bool operator==(const Error&) const = default;
};

inline Error not_captured(std::string where) {
  return {Error::Kind::not_captured, std::move(where), "not captured"};
}
inline Error missing(std::string where, std::string what = "does not exist") {
  return {Error::Kind::missing, std::move(where), std::move(what)};
}
inline Error malformed(std::string where, std::string what) {
  return {Error::Kind::malformed, std::move(where), std::move(what)};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  /// A fact nobody has looked for yet is "not captured", never an empty value.
  Result() : state_(not_captured("")) {}
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  const T& operator*() const& { return *std::get_if<0>(&state_); }
  T& operator*() & { return *std::get_if<0>(&state_); }
  T&& operator*() && { return std::move(*std::get_if<0>(&state_)); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }

  const Error& error() const { return *std::get_if<1>(&state_); }
  bool is(Error::Kind kind) const { return !has_value() && error().kind == kind; }
  /// True when it is known that the thing does not exist (not merely unread).
  bool is_missing() const { return is(Error::Kind::missing); }

  template <typename U>
  T value_or(U&& fallback) const {
    return has_value() ? **this : static_cast<T>(std::forward<U>(fallback));
  }
  std::optional<T> optional() const {
    return has_value() ? std::optional<T>(**this) : std::nullopt;
  }

  /// f: T -> Result<U>; an error passes through.
  template <typename F>
  auto and_then(F&& f) const -> std::invoke_result_t<F, const T&> {
    if (has_value()) return std::forward<F>(f)(**this);
    return error();
  }
  /// f: T -> U; an error passes through.
  template <typename F>
  auto transform(F&& f) const -> Result<std::invoke_result_t<F, const T&>> {
    if (has_value()) return std::forward<F>(f)(**this);
    return error();
  }
  bool operator==(const Result&) const = default;

 private:
  std::variant<T, Error> state_;
};

/// Success without a value.
struct Done {
  bool operator==(const Done&) const = default;
};

}  // namespace rocvet
