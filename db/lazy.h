// What is made when it is first asked for: most runs want only a part of the database.
#pragma once

#include <mutex>

#include "db/blob.h"

namespace rocvet::db {

/// Threads may ask together; the value is made once.
template <typename T>
class Lazy {
 public:
  /// The blob must outlive it.
  Lazy(const Blob& blob, T (*make)(const Blob&)) : blob_(blob), make_(make) {}
  const T& operator()() const {
    std::call_once(once_, [&] { value_ = make_(blob_); });
    return value_;
  }

 private:
  const Blob& blob_;
  T (*make_)(const Blob&);
  mutable std::once_flag once_;
  mutable T value_ = {};
};

}  // namespace rocvet::db
