// Without `stream` a decoder has no state, so one decoder serves all streams: making a fatal decoder costs more than a
// small event. The decoder keeps a byte order mark: the parser removes it at the beginning of a stream.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of some bytes of a stream, and the first bytes of an incomplete character at their end. */
export interface DecodedChunk {
  readonly text: string
  readonly rest: Uint8Array | undefined
}

/** Decodes bytes of a UTF-8 stream up to the last complete character; undefined when they are not UTF-8. */
export function decodeChunk(bytes: Uint8Array): DecodedChunk | undefined {
  const end = lastBoundary(bytes)
  try {
    const text = decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end))
    return { text, rest: end === bytes.length ? undefined : bytes.slice(end) }
  } catch {
    return undefined
  }
}

/** The index after the last character that is complete, or that no further byte could complete. */
function lastBoundary(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) return length
    if (byte >= 0xc0) return back < sequenceLength(byte) ? length - back : length
  }
  return length
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : 2
}
