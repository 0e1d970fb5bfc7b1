import type { LogBounds } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'

/**
 * How many bytes an entry counts.
 *
 * @throws JunctorError `LIMIT_REACHED` when its log can never hold that many
 */
export function entryBytes(value: string, bounds: LogBounds): number {
  const bytes = Buffer.byteLength(value)
  if (bytes > bounds.bytes) {
    throw new JunctorError('LIMIT_REACHED', `expected an entry of at most ${bounds.bytes} bytes, got ${bytes}`)
  }
  return bytes
}
