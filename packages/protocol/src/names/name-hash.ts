const offset = 0xcbf29ce484222325n
const prime = 0x100000001b3n
const mask = 0xffffffffffffffffn
/** 36^13 is the first power of 36 above 2^64. */
const digits = 13

/**
 * 64-bit FNV-1a of a text's UTF-16 units (low byte first), as 13 base-36 digits: the end of a name that is too long.
 * The value is the same on every node and in every release. It protects against accidental collisions, not against
 * attackers: the code that builds the table of names refuses a name that collides with another.
 */
export function nameHash(text: string): string {
  let hash = offset
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    hash = ((hash ^ BigInt(unit & 0xff)) * prime) & mask
    hash = ((hash ^ BigInt(unit >> 8)) * prime) & mask
  }
  return hash.toString(36).padStart(digits, '0')
}
