import { dirname } from 'node:path'
import type { Failure } from '@junctor/command'
import { isFolder } from '../is-folder.ts'

/**
 * Why no file can be at the path that an option names: there is a folder, or no folder around it. `undefined`: a file can
 * be there, or is there.
 */
export function whyUnwritable(file: string, option: string): Failure | undefined {
  const next = `Name another file with ${option}.`
  if (file === '') return { message: 'expected the name of a file, got ""', next }
  if (isFolder(file)) return { message: `expected a file, got the folder ${file}`, next }
  const folder = dirname(file)
  return isFolder(folder)
    ? undefined
    : { message: `there is no folder ${folder}`, next: `Make it, or name another with ${option}.` }
}
