/** Reads the binary format of WebAssembly (core specification, section 5). Reading beyond the end throws. */
export class BinaryReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }

  /** @throws RangeError at the end */
  byte(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw new RangeError('The bytes end early')
    this.at += 1
    return byte
  }

  /**
   * An unsigned LEB128 number of at most 32 bits.
   *
   * @throws RangeError when it is longer, or cut off
   */
  u32(): number {
    let value = 0
    for (let index = 0; index < 5; index += 1) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** (7 * index)
      if (byte < 0x80) return value
    }
    throw new RangeError('The number is too long')
  }
}

/** An unsigned number as LEB128. */
export function leb128(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...leb128(Math.floor(value / 0x80))]
}
