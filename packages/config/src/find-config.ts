import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The default names of a configuration file, in order of preference. */
export const configNames = ['junctor.yaml', 'junctor.yml', 'junctor.json'] as const

/** Returns the path of the configuration file in a folder, if there is one. */
export function findConfig(folder: string): string | undefined {
  return configNames.map((name) => join(folder, name)).find((file) => existsSync(file))
}
