import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { repository } from './workspace.ts'

const gateway = join(repository, 'apps/gateway')

/** What a run of all tests starts from built files: some of it several hundred times. */
export interface BuiltPrograms {
  /** The file of the `junctor` command, as it is published. */
  readonly junctor: string
  /** The folder of the programs of tests, in which each has the path of its source. */
  readonly folder: string
}

/**
 * Builds the `junctor` command, and the programs of `test-programs.ts`.
 *
 * @throws with what the bundler printed when it fails
 */
export async function buildPrograms(): Promise<BuiltPrograms> {
  // Beside the packages that the command finds plugins and the demo's server in. Not the folder that is published: a build
  // of the package empties it.
  const command = join(gateway, 'node_modules/.cache/junctor-program')
  const folder = join(repository, 'node_modules/.cache/test-programs')
  await Promise.all([bundle(gateway, command), bundle(repository, folder)])
  return { junctor: join(command, 'main.js'), folder }
}

async function bundle(cwd: string, folder: string): Promise<void> {
  const bundler = spawn(
    join(repository, 'node_modules/.bin/tsdown'),
    ['--config', join(repository, 'tsdown.config.ts'), '--out-dir', folder],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const printed = Promise.all([text(bundler.stdout), text(bundler.stderr)])
  const [code] = (await once(bundler, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The programs of ${cwd} could not be built:\n${(await printed).join('')}`)
  // As in a published package. Without it, Node parses each file twice to learn that it is a module.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
}
