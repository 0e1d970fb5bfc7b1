import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { REPOSITORY } from './workspace.ts'

const app = join(REPOSITORY, 'apps/gateway')

/**
 * Beside the packages that it finds plugins and the demo's server in. Not the folder that is published: tests of the bench
 * build that one again, and it is empty meanwhile.
 */
const built = join(app, 'node_modules/.cache/junctor-program')

/**
 * Builds the `junctor` command as it is published. Returns the file that Node runs.
 *
 * @throws with what the bundler printed when it fails
 */
export async function buildCommand(): Promise<string> {
  const options = ['--config', '../../tsdown.config.ts', '--out-dir', built]
  const bundler = spawn(join(REPOSITORY, 'node_modules/.bin/tsdown'), options, {
    cwd: app,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = Promise.all([text(bundler.stdout), text(bundler.stderr)])
  const [code] = (await once(bundler, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The command could not be built:\n${(await printed).join('')}`)
  return join(built, 'main.js')
}
