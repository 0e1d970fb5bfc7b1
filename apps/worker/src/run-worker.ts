import {
  enterChain,
  exitCodeOf,
  failureOf,
  keepReloading,
  type LastResort,
  type ReloadableSource,
  startedUnlessStopped,
} from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { findConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'
import { createWorker, type ParsedNodeConfig, readConfig } from '@junctor/node'
import { demoPlugin } from '@junctor/plugin-demo'
import { httpToolsPlugin } from '@junctor/plugin-http-tools'
import { mcpPlugin } from '@junctor/plugin-mcp'
import { openApiPlugin } from '@junctor/plugin-openapi'
import { wasmPlugin } from '@junctor/plugin-wasm'
import type { ProcessLogLevel } from '@junctor/telemetry/log-levels'
import type { Report } from './report.ts'

/** The options of the command line. */
export interface WorkerWords {
  /** Default: the file of the current folder. */
  readonly config?: string
  /** Default: all backends that run on workers. */
  readonly backend?: readonly string[]
  /** Overrides the configuration, and opens an admin port when the configuration has none. */
  readonly adminPort?: number
  readonly json?: true
  readonly logLevel: ProcessLogLevel
}

/** What the worker uses of the process around it. */
export interface WorkerEnvironment {
  readonly process: Pick<NodeJS.Process, 'env' | 'cwd' | 'on' | 'off'>
  readonly log: Log
  readonly report: Report
  /** Handles uncaught errors. */
  readonly lastResort: Pick<LastResort, 'watch'>
  /** Resolves with the exit code when the process is asked to stop. */
  readonly stop: Promise<ExitCode>
}

const plugins = [mcpPlugin, openApiPlugin, httpToolsPlugin, wasmPlugin, demoPlugin]

/** Holds backends until the process is asked to stop. Cleans up everything. */
export async function runWorker(
  words: WorkerWords,
  { process, log, report, lastResort, stop }: WorkerEnvironment,
): Promise<ExitCode> {
  try {
    const source = sourceOf(words, process)
    if (source === undefined) {
      const message = 'expected --config, or junctor.yaml, junctor.yml or junctor.json in this folder, got neither'
      report.failed({ message, next: 'Name the file that the gateways use: junctor-worker --config junctor.yaml.' })
      return exitCodes.config
    }
    const below = enterChain(source.file, process.env)
    if (below !== undefined) {
      report.failed(below)
      return exitCodes.config
    }
    const reloading = await keepReloading(source, process, log)
    try {
      const { parsed } = reloading
      if (parsed.kind === 'invalid') {
        report.invalid(parsed.problems)
        return exitCodes.config
      }
      const starting = createWorker({ config: parsed.config, backends: words.backend, log })
      const worker = await startedUnlessStopped(starting, stop)
      if (typeof worker === 'number') return worker
      try {
        lastResort.watch(worker)
        reloading.serve(worker)
        const admin = await worker.listenAdmin()
        report.ready({ node: worker.node, backends: worker.backends, admin: admin?.url })
        return await stop
      } finally {
        // What changes from now on is for the next process.
        await Promise.all([reloading.close(), worker.close()])
      }
    } finally {
      await reloading.close()
    }
  } catch (error) {
    log.debug('the worker failed', { error })
    report.failed(failureOf(error))
    return exitCodeOf(error)
  }
}

/** `undefined`: no file was named, and the folder has none. */
function sourceOf(
  { config, adminPort }: WorkerWords,
  { cwd, env }: WorkerEnvironment['process'],
): ReloadableSource<ParsedNodeConfig> | undefined {
  const file = config ?? findConfig(cwd())
  if (file === undefined) return undefined
  return { file, read: async () => withAdminPort(await readConfig(file, { plugins, env }), adminPort, env) }
}

function withAdminPort(parsed: ParsedNodeConfig, port: number | undefined, env: NodeJS.ProcessEnv): ParsedNodeConfig {
  if (parsed.kind === 'invalid' || port === undefined) return parsed
  const { listen } = parsed.config
  const opened = { host: '127.0.0.1', token: env['JUNCTOR_ADMIN_TOKEN'], allowedHosts: [] }
  const admin = { ...opened, ...listen.admin, port }
  return { ...parsed, config: { ...parsed.config, listen: { ...listen, admin } } }
}
