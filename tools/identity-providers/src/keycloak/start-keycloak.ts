import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@junctor/testkit'

/** A Keycloak on the loopback interface, with its data in memory. */
export interface Keycloak {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
  /** Ends it, and resolves when it has ended. */
  stop(): Promise<void>
}

/** The administrator of every Keycloak that is started here. */
export const administrator = { name: 'admin', password: 'an-administrator-for-tests' } as const

interface KeycloakOptions {
  /** Where it is installed. */
  readonly folder: string
  /** Features to switch on. */
  readonly features: readonly string[]
  /** The file for what it prints. */
  readonly log: string
}

// The first start with other features builds it, which takes more than a minute.
const startMs = 900_000
const endMs = 30_000

/** Starts it on a free port, and waits until it answers. It ends with this process. */
export async function startKeycloak({ folder, features, log }: KeycloakOptions): Promise<Keycloak> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // What an earlier run has left is of no use.
  await rm(join(folder, 'data'), { recursive: true, force: true })
  await mkdir(join(log, '..'), { recursive: true })
  const words = ['start-dev', '--db', 'dev-mem', '--http-host', '127.0.0.1', '--http-port', String(port)]
  const child = spawn(join(folder, 'bin/kc.sh'), [...words, ...features.map((name) => `--features=${name}`)], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The script starts Java: both end together.
    detached: true,
  })
  const output = createWriteStream(log)
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  const closed = once(child, 'close').then(() => output.end())
  const kill = (): void => signal(child, 'SIGKILL')
  process.once('exit', kill)
  const stop = async (): Promise<void> => {
    signal(child, 'SIGTERM')
    const timer = setTimeout(kill, endMs)
    await closed
    clearTimeout(timer)
    process.off('exit', kill)
  }
  try {
    await untilAnswers(`${url}/realms/master`, child)
  } catch (error) {
    await stop()
    throw new Error(`Keycloak did not start; what it printed is in ${log}`, { cause: error })
  }
  return { url, stop }
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + startMs
  while (performance.now() < until && child.exitCode === null) {
    // oxlint-disable-next-line no-await-in-loop -- until it answers
    const answer = await fetch(url).catch(() => undefined)
    // oxlint-disable-next-line no-await-in-loop -- see above
    await answer?.text()
    if (answer?.ok === true) return
    // oxlint-disable-next-line no-await-in-loop -- see above
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(
    child.exitCode === null ? `no answer in ${startMs / 1000} seconds` : `it ended with ${child.exitCode}`,
  )
}

function signal({ pid, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  process.kill(-pid, name)
}
