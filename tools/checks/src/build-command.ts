import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { REPOSITORY } from './workspace.ts'

const app = join(REPOSITORY, 'apps/gateway')

/**
 * Builds the `junctor` command as it is published. Returns the file that Node runs.
 *
 * @throws with what the bundler printed when it fails
 */
export async function buildCommand(): Promise<string> {
  const bundler = spawn(join(REPOSITORY, 'node_modules/.bin/tsdown'), ['--config', '../../tsdown.config.ts'], {
    cwd: app,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = Promise.all([text(bundler.stdout), text(bundler.stderr)])
  const [code] = (await once(bundler, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The command could not be built:\n${(await printed).join('')}`)
  return join(app, 'dist/main.js')
}
