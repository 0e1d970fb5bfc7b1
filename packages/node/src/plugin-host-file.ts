import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of a plugin's own process: beside this file, in the sources, in a library and in a command's bundle. */
export function pluginHostFile(): string {
  return fileURLToPath(new URL(`./plugin-host${extname(fileURLToPath(import.meta.url))}`, import.meta.url))
}
