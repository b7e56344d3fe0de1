// Numbers of 16 and 32 bits, packed into larger words.
uint64_t packedWords(uint low, uint high) { return (uint64_t(high) << 32) | uint64_t(low); }
uint packedPair(ivec2 pair) { return (uint(pair.y) << 16) | (uint(pair.x) & 65535u); }
ivec2 unpackedPair(uint word) { return ivec2(int(word << 16) >> 16, int(word) >> 16); }
