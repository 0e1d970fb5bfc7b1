import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually, junctorArgs } from '@junctor/testkit'
import { watchSecrets } from './canaries/watch-secrets.ts'

/** A node in its own process, until the test is over. */
export interface NodeProcess {
  readonly process: ChildProcess
  readonly url: string
  /** Kills it like a crash: immediately and without a goodbye. */
  kill(): Promise<void>
}

/** Runs `junctor serve` on a free port. @param config the configuration as in its file, without `listen` */
export async function startNodeProcess(config: object): Promise<NodeProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-node-'))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, JSON.stringify({ listen: { http: { port: 0 } }, ...config }))
  const node = spawn(process.execPath, [...junctorArgs, 'serve', '--config', file, '--json', '--log-level', 'debug'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = async (): Promise<void> => {
    if (node.exitCode !== null || node.signalCode !== null) return
    const exited = once(node, 'exit')
    node.kill('SIGKILL')
    await exited
  }
  const watch = watchSecrets()
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true })
    watch.end()
  })
  let stderr = ''
  node.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    watch.record('log', text)
  })
  // A busy machine may need longer for a start than for most other things.
  const processTimeout = { timeout: 60_000, interval: 20 }
  const url = await eventually(() => {
    const ready = stderr.split('\n').find((line) => line.startsWith('{"ready":true')) ?? ''
    return (JSON.parse(ready) as { http: string }).http
  }, processTimeout.timeout)
  return { process: node, url, kill }
}
