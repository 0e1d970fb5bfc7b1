const OFFSET = 0xcbf29ce484222325n
const PRIME = 0x100000001b3n
const MASK = 0xffffffffffffffffn
/** 36^13 is the first power of 36 above 2^64. */
const DIGITS = 13

/**
 * 64-bit FNV-1a of a text's UTF-16 units (low byte first), as 13 base-36 digits: the end of a name that is too long.
 * The value is the same on every node and in every release. It protects against accidental collisions, not against
 * attackers: the code that builds the table of names refuses a name that collides with another.
 */
export function nameHash(text: string): string {
  let hash = OFFSET
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    hash = ((hash ^ BigInt(unit & 0xff)) * PRIME) & MASK
    hash = ((hash ^ BigInt(unit >> 8)) * PRIME) & MASK
  }
  return hash.toString(36).padStart(DIGITS, '0')
}
