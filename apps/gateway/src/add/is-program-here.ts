import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a program is on the PATH; a path must name a file that can be run. */
export function isProgramHere(program: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (/[\\/]/.test(program)) return canRun(program)
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : ['']
  return folders.some((folder) => endings.some((ending) => canRun(join(folder, `${program}${ending}`))))
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
