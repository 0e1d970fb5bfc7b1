import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What a configuration file is called when nobody says so; the first that is there is taken. */
export const configNames = ['junctor.yaml', 'junctor.yml', 'junctor.json'] as const

/** The configuration file of a folder, if it has one. */
export function findConfig(folder: string): string | undefined {
  return configNames.map((name) => join(folder, name)).find((file) => existsSync(file))
}
