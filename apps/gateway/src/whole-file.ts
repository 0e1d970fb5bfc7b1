import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Creates a file. When that fails, on a full disk for example, no part of it stays: an empty file would be in the way of the next
 * try, and would be read as a configuration. Throws the error of the file system, `EEXIST` when there is a file.
 */
export function writeNew(file: string, text: string, mode = 0o666): void {
  const opened = openSync(file, 'wx', mode)
  try {
    writeFileSync(opened, text)
    fsyncSync(opened)
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(opened)
  }
}

/** Puts a new file in the place of one that may be there. When that fails, the earlier one stays as it was. Throws as `writeNew`. */
export function writeOver(file: string, text: string, mode: number): void {
  const next = join(dirname(file), `.${basename(file)}.${process.pid}.new`)
  writeNew(next, text, mode)
  try {
    renameSync(next, file)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}
