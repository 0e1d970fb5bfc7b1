import { createBackend } from '@junctor/plugin-sdk'
import { createHttpClient } from '@junctor/plugin-sdk/http'
import type { Backend, Log } from '@junctor/plugin-sdk/link'
import type { HttpToolsConfig } from './config.ts'
import { Discovery } from './discovery.ts'
import { createRequests } from './requests.ts'
import { namedHosts, sourceOf } from './sources.ts'

/** How components behind HTTP become a backend. */
export interface HttpToolsOptions {
  /** The backend's name: in logs and errors. */
  readonly name: string
  readonly config: HttpToolsConfig
  readonly log: Log
}

/** A backend whose tools are components behind HTTP. Its list changes as components appear, change and go. */
export function createHttpTools({ name, config, log }: HttpToolsOptions): Backend {
  const requests = createRequests(config, createHttpClient({ allowed: namedHosts(config) }))
  const backend = createBackend({
    name,
    log,
    tools: [],
    async close() {
      discovery.stop()
      await requests.close()
    },
  })
  const discovery = new Discovery({
    source: sourceOf(config),
    requests,
    refreshMs: config.refresh,
    log,
    changed: (tools) => backend.replace({ tools }),
  })
  return {
    ...backend,
    async open(scope, client, signal) {
      await discovery.ready()
      signal.throwIfAborted()
      return backend.open(scope, client, signal)
    },
    changesAlone: true,
    warnings: () => discovery.problems,
  }
}
