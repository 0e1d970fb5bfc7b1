/**
 * Returns the same JSON in one line, for line-framed transports. A string of a valid JSON text contains no raw newline,
 * so every newline, and the whitespace after it, is insignificant.
 */
export function singleLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\n\r][ \t\n\r]*/g, '') : text
}
