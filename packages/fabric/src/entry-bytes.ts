import type { LogBounds } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'

/**
 * The size of an entry in bytes.
 *
 * @throws JunctorError `LIMIT_REACHED` when the entry alone exceeds the log's limit
 */
export function entryBytes(value: string, bounds: LogBounds): number {
  const bytes = Buffer.byteLength(value)
  if (bytes > bounds.bytes) {
    throw new JunctorError('LIMIT_REACHED', `expected an entry of at most ${bounds.bytes} bytes, got ${bytes}`)
  }
  return bytes
}
