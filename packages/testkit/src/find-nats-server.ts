import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { unpackDebianPackages } from './debian-packages.ts'

const run = promisify(execFile)

const cache = resolve(import.meta.dirname, '../../../.cache/nats-server')

/**
 * A nats-server for tests: the program in `NATS_SERVER_BIN`, else the one on the PATH or in Debian's folder, else one
 * from Debian's packages in the repository's cache. Rejects with an explanation when there is none.
 */
export async function findNatsServer(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = env['NATS_SERVER_BIN']
  if (named !== undefined) {
    if (await runs(named)) return named
    throw new Error(`NATS_SERVER_BIN names ${named}, which does not run as a nats-server`)
  }
  for (const program of ['nats-server', '/usr/sbin/nats-server']) if (await runs(program)) return program
  try {
    await unpackDebianPackages({ names: ['nats-server'], takes: (name) => name === 'nats-server' }, cache)
  } catch (error) {
    throw new Error('There is no nats-server: install nats-server, or name one in NATS_SERVER_BIN', { cause: error })
  }
  const program = join(cache, 'usr/sbin/nats-server')
  if (!(await runs(program))) {
    throw new Error(`The nats-server in ${cache} does not run: install one, or name one in NATS_SERVER_BIN`)
  }
  return program
}

async function runs(program: string): Promise<boolean> {
  try {
    const { stdout } = await run(program, ['--version'])
    return stdout.includes('nats-server')
  } catch {
    return false
  }
}
