/** The character codes that structure a JSON text (RFC 8259 section 2). */
export const quote = 0x22
/** Begins an escape inside a string. */
export const backslash = 0x5c
/** Separates the name of a member from its value. */
export const colon = 0x3a
/** Separates members and items. */
export const comma = 0x2c
/** Begins an array. */
export const openBracket = 0x5b
/** Ends an array. */
export const closeBracket = 0x5d
/** Begins an object. */
export const openBrace = 0x7b
/** Ends an object. */
export const closeBrace = 0x7d

/** Whether a character is insignificant whitespace outside strings. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}
