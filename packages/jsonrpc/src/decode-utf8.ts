// Holds no state between calls: without `stream` each call stands alone. `ignoreBOM: false` is what removes the mark.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * The text of UTF-8 bytes, or undefined when they are not UTF-8: nothing is ever replaced by U+FFFD.
 *
 * One byte order mark at the very beginning is removed, as RFC 8259 section 8.1 allows a parser to do; a JSON text that
 * Junctor prints never has one. Everything else comes through, U+FEFF in other places included.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
