import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isOutOfFiles } from './document/read-failure.ts'

/**
 * Returns a digest of a file's content, equal for equal content. For an unreadable file it returns the reason; `undefined`
 * when the file may be readable, but too many are open.
 */
export function fileDigest(file: string): string | undefined {
  try {
    // Reading from a pipe would take the data from its other readers, or wait forever.
    if (!statSync(file).isFile()) return 'no regular file'
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (error) {
    if (isOutOfFiles(error)) return undefined
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'
  }
}
