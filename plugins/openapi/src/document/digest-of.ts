import { createHash } from 'node:crypto'

/** A text that differs when the given one does, and is short. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
