import { Socket } from 'node:net'
import { inspect } from 'node:util'
import { createNodeName } from '@junctor/fabric'
import { createPipeFabric, type PipeFabric } from '@junctor/fabric/pipe'
import { corkedWrites } from '../corked-writes.ts'
import { controls, pluginService } from '../plugin-requests.ts'
import { HostedPlugin } from './hosted-plugin.ts'

/** The pipe to the node, as `startPluginProcess` opens it. */
const pipeDescriptor = 3

/**
 * Runs one plugin for the node that has started this process, until the node is gone or asks for the end.
 *
 * @param file the module of the plugin
 * @param packageName the name that the plugin must have. Default: any
 */
export async function runPluginHost(
  process: NodeJS.Process,
  file: string,
  packageName: string | undefined,
): Promise<void> {
  const socket = new Socket({ fd: pipeDescriptor, readable: true, writable: true })
  const calls: PipeFabric = createPipeFabric({
    node: createNodeName(),
    write: corkedWrites(socket),
    onControl({ kind }) {
      if (kind === controls.ping) {
        calls.control({ kind: controls.pong, body: process.memoryUsage.rss() })
        reportWarnings()
      }
      if (kind === controls.end) void plugin.close().finally(() => process.exit(0))
    },
    unreadable: (problem) => calls.control({ kind: controls.failure, body: problem }),
  })
  let reported = '[]'
  const reportWarnings = (): void => {
    try {
      const warnings = plugin.warnings()
      const text = JSON.stringify(warnings)
      if (text !== reported) calls.control({ kind: controls.warnings, body: [...warnings] })
      reported = text
    } catch (error) {
      failed(error)
    }
  }
  const plugin = new HostedPlugin({ file, packageName: packageName === '' ? undefined : packageName, calls })
  // As in the node: an uncaught error is reported, and everything else of the plugin continues.
  const failed = (error: unknown): void => calls.control({ kind: controls.failure, body: inspect(error) })
  process.on('uncaughtException', failed)
  process.on('unhandledRejection', failed)
  // A stop is asked for over the pipe. A ^C on the terminal of the node is not for this process.
  process.on('SIGINT', () => {})
  await calls.serve(pluginService, plugin.handler)
  socket.on('data', (chunk: Buffer) => calls.receive(chunk))
  socket.on('error', () => process.exit(1))
  socket.once('close', () => process.exit(0))
}
