import { type Backend, JunctorError } from '@junctor/plugin-sdk/link'
import type { OpenApiBackendOptions } from './backend-options.ts'
import type { LiveApi } from './live-api.ts'

/**
 * A backend whose document is read when its first link is opened, so that an API that is away delays only itself. Until
 * the document can be read, links are refused with the reason.
 */
export function createOpenApiBackend(options: OpenApiBackendOptions): Backend {
  let opening: Promise<LiveApi> | undefined
  let warnings: readonly string[] = []
  const closing = new AbortController()

  async function start(): Promise<LiveApi> {
    try {
      // Most gateways have no such backend: they do not load its code.
      const { openLiveApi } = await import('./live-api.ts')
      return await openLiveApi(options, (found) => (warnings = found), closing.signal)
    } catch (error) {
      // The next link tries again.
      opening = undefined
      throw error
    }
  }

  return {
    name: options.name,
    correlates: true,
    warnings: () => warnings,
    async open(scope, client, signal) {
      if (closing.signal.aborted) throw new JunctorError('CLOSED', `Backend "${options.name}" is closed`)
      const api = await (opening ??= start())
      if (closing.signal.aborted) await api.close()
      return api.backend.open(scope, client, signal)
    },
    async close() {
      closing.abort()
      const api = await opening?.catch(() => undefined)
      await api?.close()
    },
  }
}
