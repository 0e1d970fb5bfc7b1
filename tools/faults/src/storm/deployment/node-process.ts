import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { freePort } from '@junctor/testkit'
import { until } from '../../client/until.ts'

const bin = fileURLToPath(new URL('../../../../../bin', import.meta.url))

/** The words that each role is started with. */
const words = { gateway: [`${bin}/junctor`, 'serve'], worker: [`${bin}/junctor-worker`] } as const

/** A gateway or a worker as users start it, which can be killed and started again. */
export interface NodeProcess {
  readonly name: string
  readonly role: 'gateway' | 'worker'
  /** Where clients reach it; the same after every start. */
  readonly url: string
  /** Of the admin port, without a slash at its end. */
  readonly admin: string
  /** Starts it, and resolves when it says that it is ready. */
  start(): Promise<void>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Asks it to end; resolves with its exit code, `null` when it did not in time and was killed. */
  stop(): Promise<number | null>
  /** Of each time that it ended though nobody had asked it to: how, and what it said last. */
  readonly crashes: readonly string[]
}

export interface NodeProcessOptions {
  readonly name: string
  readonly role: 'gateway' | 'worker'
  /** Where its configuration and its log go. */
  readonly folder: string
  /** All but where it listens for HTTP. */
  readonly config: JsonObject
}

const stopMs = 15_000
/** Of what a node said before it fell, so many characters are shown. */
const lastWords = 4_000
const startMs = 60_000

export async function prepareNode({ name, role, folder, config }: NodeProcessOptions): Promise<NodeProcess> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const file = join(folder, `${name}.json`)
  const listen = { ...(config['listen'] as JsonObject), http: { port }, admin: { port: adminPort } }
  writeFileSync(file, JSON.stringify({ ...config, listen }))
  let child: ChildProcess | undefined
  let exited: Promise<unknown> = Promise.resolve()
  let isAsked = false
  const crashes: string[] = []

  const kill = async (): Promise<void> => {
    isAsked = true
    child?.kill('SIGKILL')
    await exited
  }

  return {
    name,
    role,
    url: `http://127.0.0.1:${port}/mcp`,
    admin: `http://127.0.0.1:${adminPort}`,
    async start() {
      const [command, ...first] = words[role]
      const started = spawn(command, [...first, '--config', file, '--json', '--log-level', 'warn'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { PATH: process.env['PATH'] ?? '' },
      })
      child = started
      exited = once(started, 'exit')
      isAsked = false
      started.once('exit', (code, signal) => {
        if (isAsked) return
        // Then all that it said has come.
        started.once('close', () =>
          crashes.push(`${name} ended with ${code ?? signal} by itself: ${said.slice(-lastWords)}`),
        )
      })
      const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
      let said = ''
      let isReady = false
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        log.write(text)
        said = isReady ? (said + text).slice(-lastWords) : said + text
        isReady ||= said.includes('{"ready":true')
      })
      started.stderr.on('close', () => log.end())
      try {
        await until(
          `${name} to be ready`,
          () => {
            if (started.exitCode !== null) throw new Error(`${name} ended with ${started.exitCode}: ${said}`)
            return isReady
          },
          startMs,
        )
      } catch (error) {
        await kill()
        throw error
      }
    },
    kill,
    crashes,
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? 0
      isAsked = true
      child.kill('SIGTERM')
      const tooLate = setTimeout(() => child?.kill('SIGKILL'), stopMs)
      await exited
      clearTimeout(tooLate)
      return child.exitCode
    },
  }
}
