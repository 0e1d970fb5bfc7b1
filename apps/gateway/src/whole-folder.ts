import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeNew } from './whole-file.ts'

/**
 * Creates files in a folder, and the folders that they need. When one of them cannot be written, on a full disk for example,
 * nothing of that stays: a half of the files would be in the way of the next try. Throws the error of the file system.
 *
 * @param files their texts, by path from the folder
 */
export function writeNewFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const made: string[] = []
  try {
    for (const [name, text] of Object.entries(files)) {
      const file = join(folder, name)
      const highest = mkdirSync(dirname(file), { recursive: true })
      if (highest !== undefined) made.push(highest)
      writeNew(file, text)
      made.push(file)
    }
  } catch (error) {
    for (const path of made.toReversed()) rmSync(path, { recursive: true, force: true })
    throw error
  }
}
