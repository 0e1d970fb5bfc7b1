/**
 * Matches a number that may change in `JSON.parse` and `JSON.stringify`: a number that follows `[`, `,`, `:` or
 * whitespace and is minus zero, has 16 or more characters (a double represents any 15 digits), an exponent, a fraction
 * that ends in zero, or six zeros after the point (printed with an exponent).
 */
const unsafeNumber = /[[,:\s](?:-0[^.]|-?\d(?:[\d.]{15}|[\d.]*[eE][-+\d]|\d*\.\d*0[\s,\]}]|\.0{6}))/

/**
 * Whether a JSON text may contain numbers that a double would change, in value or only in spelling. False is always
 * correct. It also returns true for such digits inside a string, and for any text that is only a number; the only cost
 * is that a text is kept.
 */
export function hasUnsafeNumbers(text: string): boolean {
  return unsafeNumber.test(text) || /^[-\d]/.test(text)
}
