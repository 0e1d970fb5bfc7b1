/** The character codes that structure a JSON text (RFC 8259 section 2). */
export const quote = 0x22
export const backslash = 0x5c
export const colon = 0x3a
export const comma = 0x2c
export const openBracket = 0x5b
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d

/** Whether a character is insignificant whitespace outside strings. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
