// Attention forward: O = softmax(scale * Q * K^T) * V, with the softmax taken on the way.
//
// Q and O are [batch][heads][queries][d], K and V [batch][kv_heads][keys][d], dense, 16-bit
// elements, d = 64 or 128. heads is a multiple of kv_heads (grouped-query). Causal: query i of n
// sees the keys up to i + keys - n, so that the last query sees all. A query that sees no key gives
// zeros.
#pragma once

#include "tile.h"

namespace rocvet::kernel {

struct AttentionShape {
  u32 heads, kv_heads, queries, keys, causal;
  float scale;  ///< times log2(e): the exponentials are powers of two

  ROCVET_BOTH u32 tiles(u32 block) const { return (queries + block - 1) / block; }
  /// How many keys query `query` sees; there may be queries past the end.
  ROCVET_DEVICE u32 visible(u32 query) const {
    if (!causal) return keys;
    const u32 end = smaller(query, queries - 1) + 1 + keys;
    return end > queries ? smaller(end - queries, keys) : 0;
  }
};

/// Which head and queries a block works on: the longest rows of a causal head go first.
struct AttentionBlock {
  u32 head, kv_head, first_query;
  ROCVET_DEVICE AttentionBlock(const AttentionShape& shape, u32 block, u32 queries_of_block) {
    const u32 tiles = shape.tiles(queries_of_block);
    head = block / tiles;  // batch included
    const u32 batch = head / shape.heads, group = shape.heads / shape.kv_heads;
    kv_head = batch * shape.kv_heads + head % shape.heads / group;
    first_query = (tiles - 1 - block % tiles) * queries_of_block;
  }
};

constexpr float kMinusInfinity = -__builtin_huge_valf();

/// exp2(x - max) where max is what may still be minus infinity: then there is nothing to weigh.
ROCVET_DEVICE float finite_or_zero(float max) {
  return max == kMinusInfinity ? 0.0f : max;
}

}  // namespace rocvet::kernel
