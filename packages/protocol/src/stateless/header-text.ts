/*
 * Values of the body in HTTP headers (2026-07-28, Streamable HTTP, "Value Encoding").
 */

/** Text of a header, decoded. `invalid`: it is not what an encoder would send. */
export type HeaderText = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'invalid' }

const start = '=?base64?'
const end = '?='

/** Visible ASCII, with blanks only inside. */
const plain = /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/

/** Returns a text as the value of a header: itself if a header can carry it, else in Base64. */
export function encodeHeaderText(text: string): string {
  return isPlainText(text) ? text : `${start}${Buffer.from(text).toString('base64')}${end}`
}

/** Whether a header carries a text as it is. */
export function isPlainText(text: string): boolean {
  return plain.test(text) && !isEncoded(text)
}

/** Returns the text that the value of a header stands for. */
export function decodeHeaderText(value: string): HeaderText {
  // Blanks at the end are looked for where they begin: at each of many blanks it would take quadratic time.
  const trimmed = value.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, '')
  if (!isEncoded(trimmed)) return plain.test(trimmed) ? { kind: 'text', text: trimmed } : { kind: 'invalid' }
  const base64 = trimmed.slice(start.length, -end.length)
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString()
  // Node skips characters that are not Base64, and replaces bytes that are not UTF-8.
  const isExact = bytes.toString('base64') === base64 && Buffer.from(text).equals(bytes)
  return isExact ? { kind: 'text', text } : { kind: 'invalid' }
}

function isEncoded(text: string): boolean {
  return text.startsWith(start) && text.endsWith(end)
}
