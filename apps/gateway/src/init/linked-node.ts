import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The path of the running Node that stays valid when its version changes. A clone installs Node in a folder of the
 * package manager whose name contains the version; a link points to it.
 */
export function linkedNode(execPath: string): string {
  const [root, rest] = execPath.split(/[\\/]node_modules[\\/]\.pnpm[\\/]/)
  const link = join(root ?? '', 'node_modules/.bin/node')
  return rest !== undefined && existsSync(link) ? link : execPath
}
