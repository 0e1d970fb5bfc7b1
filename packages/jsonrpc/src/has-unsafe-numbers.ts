/**
 * A number that may not survive `JSON.parse` and `JSON.stringify`: one that follows `[`, `,`, `:` or whitespace and is
 * minus zero, has 16 or more characters (a double holds any 15 digits), an exponent, a fraction that ends in zero, or
 * six zeros after the point (printed with an exponent).
 */
const unsafeNumber = /[[,:\s](?:-0[^.]|-?\d(?:[\d.]{15}|[\d.]*[eE][-+\d]|\d*\.\d*0[\s,\]}]|\.0{6}))/

/**
 * Whether a JSON text may hold numbers that a double would change, in value or only in spelling. Never wrong when it
 * says no. It also says yes to such digits inside a string and to any text that is a number alone: that costs the
 * keeping of a text, nothing else.
 */
export function hasUnsafeNumbers(text: string): boolean {
  return unsafeNumber.test(text) || /^[-\d]/.test(text)
}
