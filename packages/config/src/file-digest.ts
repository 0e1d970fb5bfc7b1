import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** What a file holds, as a text that is equal for equal content; for one that cannot be read, the reason. */
export function fileDigest(file: string): string {
  try {
    // Whoever reads from a pipe takes what is in it from everybody else, or waits for ever.
    if (!statSync(file).isFile()) return 'no regular file'
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'
  }
}
