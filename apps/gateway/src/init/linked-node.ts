import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The Node that runs this, by a name that stays when its version changes: what a clone installs lies in a folder of the
 * package manager whose name holds the version, and a link leads there.
 */
export function linkedNode(execPath: string): string {
  const [root, rest] = execPath.split(/[\\/]node_modules[\\/]\.pnpm[\\/]/)
  const link = join(root ?? '', 'node_modules/.bin/node')
  return rest !== undefined && existsSync(link) ? link : execPath
}
