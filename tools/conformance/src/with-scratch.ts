import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const cache = join(import.meta.dirname, '../../../.cache')

/** Creates a folder below the repository's cache, and removes it afterwards. */
export async function withScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'conformance-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
