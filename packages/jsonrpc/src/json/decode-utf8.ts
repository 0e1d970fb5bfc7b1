// The decoder keeps no state between calls, because `stream` is not set. `ignoreBOM: false` removes the byte order
// mark.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/**
 * Decodes UTF-8 bytes. Returns undefined when they are not UTF-8; nothing is ever replaced by U+FFFD.
 *
 * One byte order mark at the very beginning is removed, as RFC 8259 section 8.1 allows a parser to do; a JSON text that
 * Junctor prints never has one. Everything else is kept, including U+FEFF in other places.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
