import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '@junctor/config'

/** A file that the gateway has to write, but cannot. */
interface UnwritableFile {
  readonly kind: 'file_not_writable'
  readonly path: string
  readonly got: string
  readonly expected: string
  readonly next: string
}

/** The audit and event files that the current user could not write. Creates and changes nothing. */
export function unwritableFiles({ audit, events }: Pick<Config, 'audit' | 'events'>): readonly UnwritableFile[] {
  const files = [
    ['audit.file', audit.file],
    ['events.file', events.file],
  ] as const
  return files.flatMap(([path, file]) => {
    const why = file === undefined ? undefined : problemOf(file)
    if (why === undefined) return []
    const next = 'Make its folder, and let the user that runs the gateway write there; or name another file.'
    return [{ kind: 'file_not_writable', path, got: `${file}: ${why}`, expected: 'a file that can be written', next }]
  })
}

function problemOf(file: string): string | undefined {
  try {
    const status = statSync(file, { throwIfNoEntry: false })
    if (status?.isDirectory() === true) return 'a folder'
    accessSync(status === undefined ? dirname(file) : file, constants.W_OK)
    return status !== undefined || statSync(dirname(file)).isDirectory() ? undefined : 'below what is no folder'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such folder'
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
      ? 'not allowed to write there'
      : (code ?? String(error))
  }
}
