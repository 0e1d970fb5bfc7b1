import { type Address, createNode, type JunctorNode } from '@junctor/node'
import type { Config } from '@junctor/config'
import type { Log } from '@junctor/contracts'
import {
  enterChain,
  exitCodeOf,
  failureOf,
  keepReloading,
  type LastResort,
  startedUnlessStopped,
} from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { writeGatewayState } from '../running/running-gateway.ts'
import { plugins } from '../plugins.ts'
import type { Report } from '../report/report.ts'
import { chooseSource } from './config-source.ts'
import { exampleCommand } from './example-command.ts'
import type { ServeOptions } from './serve-options.ts'
import { startedBackends } from './started-backends.ts'
import { statusCommand } from './status-command.ts'
import { typedProgram } from './typed-program.ts'

/** What `serve` uses of the process around it. */
export interface ServeEnvironment {
  readonly process: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'env' | 'argv' | 'cwd' | 'on' | 'off'>
  readonly log: Log
  readonly report: Report
  /** Handles uncaught errors. */
  readonly lastResort: Pick<LastResort, 'watch'>
  /** Resolves with the exit code when the process is asked to stop. */
  readonly stop: Promise<ExitCode>
}

/** Serves until the process is asked to stop, or the client on standard input is gone. Cleans up everything. */
export async function serve(options: ServeOptions, around: ServeEnvironment): Promise<ExitCode> {
  const source = chooseSource(options, around.process.cwd(), around.process.env)
  const below = enterChain(source.file, around.process.env)
  if (below !== undefined) {
    source.remove()
    around.report.failed(below)
    return exitCodes.config
  }
  const reloading = await keepReloading(source, around.process, around.log)
  const { parsed } = reloading
  try {
    if (parsed.kind === 'invalid') {
      around.report.invalid(parsed.problems)
      return exitCodes.config
    }
    const { config } = parsed
    const starting = createNode({ config, plugins, log: around.log, logLevel: options.logLevel })
    const node = await startedUnlessStopped(starting, around.stop)
    if (typeof node === 'number') return node
    try {
      around.lastResort.watch(node)
      reloading.serve(node)
      if (options.stdio === true) return await serveOneClient(node, config, source.file, around)
      return await serveHttp(node, config, source.file, around)
    } finally {
      // What changes from now on is for the next process.
      await Promise.all([reloading.close(), node.close()])
    }
  } catch (error) {
    around.log.debug('the gateway failed', { error })
    around.report.failed(failureOf(error))
    return exitCodeOf(error)
  } finally {
    await reloading.close()
    source.remove()
  }
}

async function serveHttp(
  node: JunctorNode,
  config: Config,
  file: string | undefined,
  around: ServeEnvironment,
): Promise<ExitCode> {
  const { process, report, stop } = around
  const { http, admin } = await node.listen()
  using leaving = new DisposableStack()
  leaving.use(remember({ http, admin }, config, file, around))
  report.starting(config.backends.map(({ name }) => name))
  const backends = await Promise.race([startedBackends(node, config), stop])
  if (typeof backends === 'number') return backends
  const program = typedProgram(process.argv[1] ?? '', process.cwd())
  report.ready({
    node: node.node,
    http: http.url,
    admin: admin && { url: admin.url, command: statusCommand({ url: admin.url, config, file, program }) },
    backends,
    example: exampleCommand({ url: http.url, config, isDemo: file === undefined }),
  })
  return await stop
}

/** Writes the state file, so that other commands find the gateway. Without it, they read the configuration instead. */
function remember(
  { http, admin }: { readonly http?: Address; readonly admin: Address | undefined },
  config: Config,
  file: string | undefined,
  { process, log }: ServeEnvironment,
): Disposable | undefined {
  const token = config.listen.admin?.token
  const known = admin !== undefined && token !== undefined ? { url: admin.url, token } : undefined
  if (http === undefined && known === undefined) return undefined
  try {
    const gateway = { ...(http && { http: http.url }), ...(known && { admin: known }) }
    return writeGatewayState(gateway, file, process.cwd(), process.env)
  } catch (error) {
    log.debug('the addresses of the gateway could not be stored for other commands', { error })
    return undefined
  }
}

async function serveOneClient(
  node: JunctorNode,
  config: Config,
  file: string | undefined,
  around: ServeEnvironment,
): Promise<ExitCode> {
  const {
    process: { stdin, stdout },
    report,
    log,
    stop,
  } = around
  using leaving = new DisposableStack()
  leaving.use(remember({ admin: await openAdmin(node, log) }, config, file, around))
  const server = node.serveStdio(stdin, stdout)
  report.ready({ node: node.node, http: undefined, admin: undefined, backends: [], example: undefined })
  const error = await Promise.race([server.closed.then((cause) => cause ?? exitCodes.done), stop])
  if (typeof error === 'number') return error
  report.failed(failureOf(error))
  return exitCodes.failed
}

/** Several clients may start the same file, but only one gateway gets the port: the others have no admin port. */
async function openAdmin(node: JunctorNode, log: Log): Promise<Address | undefined> {
  try {
    return await node.listenAdmin()
  } catch (error) {
    log.warn('the admin port is not available; the client is served without it', { error })
    return undefined
  }
}
