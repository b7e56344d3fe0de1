// 16-bit floats, for textures that every WebGL 2 device filters.

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

// Returns the nearest half towards zero; too large numbers become the largest half, tiny ones 0.
export function toHalf(value: number): number {
  float[0] = value;
  const from = bits[0]!;
  const sign = (from >>> 16) & 0x8000;
  const exponent = ((from >>> 23) & 0xff) - 112;
  if (exponent >= 31) return sign | 0x7bff;
  if (exponent > 0) return sign | (exponent << 10) | ((from >>> 13) & 0x3ff);
  if (exponent < -10) return sign;
  return sign | (((from & 0x7fffff) | 0x800000) >>> (14 - exponent));
}

export function fromHalf(half: number): number {
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  const magnitude = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}
