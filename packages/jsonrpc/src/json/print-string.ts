/** What JSON cannot hold as it is, and half surrogate pairs, which UTF-8 cannot. */
// oxlint-disable-next-line no-control-regex
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * Prints a string as JSON. Method names and messages rarely need escapes; the check is cheaper than `JSON.stringify`.
 */
export function printString(text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`
}
