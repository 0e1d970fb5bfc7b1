import { exitCodeOf, failureOf, type LastResort, startedUnlessStopped } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import type { Log } from '@junctor/contracts'
import { createNode, readConfig } from '@junctor/node'
import { plugins } from '../plugins.ts'
import type { Report } from '../report/report.ts'
import { createComponentServer } from './component/component-server.ts'

/** Where a component is served. */
export interface ServeComponent {
  /** A configuration with the plugin as its only backend. */
  readonly file: string
  /** Where relative paths of the file start. */
  readonly folder: string
  readonly host: string
  /** 0 for a free one. */
  readonly port: number
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
  readonly report: Pick<Report, 'invalid' | 'failed'>
  /** Called with the URL when the component can be called. */
  readonly ready: (url: string) => void
  readonly lastResort: Pick<LastResort, 'watch'>
  /** Resolves when the process is asked to stop. */
  readonly stop: Promise<ExitCode>
}

/** How long calls in progress may take when the process is asked to stop, in milliseconds: as at a gateway. */
const graceMs = 10_000

/** Serves the tools of a plugin as components over plain HTTP, until the process is asked to stop. */
export async function serveComponent(options: ServeComponent): Promise<ExitCode> {
  const { file, folder, host, port, env, log, report, ready, lastResort, stop } = options
  const parsed = await readConfig(file, { folder, plugins, env })
  if (parsed.kind === 'invalid') {
    report.invalid(parsed.problems)
    return exitCodes.config
  }
  try {
    await using opened = new AsyncDisposableStack()
    const node = await startedUnlessStopped(createNode({ config: parsed.config, log }), stop)
    if (typeof node === 'number') return node
    opened.defer(() => node.close())
    lastResort.watch(node)
    const server = createComponentServer(node, parsed.config.server.version)
    opened.defer(() => server.close(graceMs))
    ready(await server.listen(host, port))
    return await stop
  } catch (error) {
    log.debug('the component failed', { error })
    report.failed(failureOf(error))
    return exitCodeOf(error)
  }
}
