// Reads the few fields of thalweg.v1.Tile (proto/thalweg/v1/tile.proto) that a viewer needs, without a Protobuf library.

export interface TileLayer {
  // The number of thalweg.v1.Layer.
  readonly layer: number;
  readonly min: number;
  readonly max: number;
  readonly latticeShift: number;
  readonly data: Uint8Array;
}

export interface TileMessage {
  // In 1/65,536 m.
  readonly geometricError: number;
  readonly layers: readonly TileLayer[];
}

// Reads a message's fields. Throws a RangeError if the bytes end too early.
class FieldReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  // Reads the lowest 32 bits of a varint, unsigned.
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('invalid tile: it ends within a number');
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError('invalid tile: a number is longer than 10 bytes');
  }

  zigzag(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  block(): Uint8Array {
    const length = this.varint();
    if (length > this.bytes.length - this.at) throw new RangeError('invalid tile: it ends too early');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.at += 8;
    else if (wireType === 2) this.block();
    else if (wireType === 5) this.at += 4;
    else throw new RangeError(`invalid tile: expected wire type 0, 1, 2 or 5, got ${wireType}`);
  }
}

function readLayer(bytes: Uint8Array): TileLayer {
  const reader = new FieldReader(bytes);
  const layer = {layer: 0, min: 0, max: 0, latticeShift: 0, data: new Uint8Array()};
  while (!reader.done) {
    const tag = reader.varint();
    switch (tag) {
      case (1 << 3) | 0: layer.layer = reader.varint(); break;
      case (2 << 3) | 0: layer.min = reader.zigzag(); break;
      case (3 << 3) | 0: layer.max = reader.zigzag(); break;
      case (4 << 3) | 0: layer.latticeShift = reader.varint(); break;
      case (5 << 3) | 2: layer.data = new Uint8Array(reader.block()); break;
      default: reader.skip(tag & 7);
    }
  }
  return layer;
}

// Throws a RangeError for an invalid message.
export function readTile(bytes: Uint8Array): TileMessage {
  const reader = new FieldReader(bytes);
  const layers: TileLayer[] = [];
  let geometricError = 0;
  while (!reader.done) {
    const tag = reader.varint();
    if (tag === ((4 << 3) | 2)) layers.push(readLayer(reader.block()));
    else if (tag === ((5 << 3) | 0)) geometricError = reader.varint();
    else reader.skip(tag & 7);
  }
  return {geometricError, layers};
}
