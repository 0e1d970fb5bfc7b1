import type { Config } from '@junctor/config'
import type { Log } from '@junctor/exchange'
import { silentLog } from '@junctor/exchange'
import { createNode } from '@junctor/node'
import { plugins } from '../plugins.ts'
import { type Diagnosis, diagnose } from './diagnose.ts'

/** How a backend was found. */
export type CheckedBackend =
  | {
      readonly kind: 'up'
      readonly name: string
      /** Under its own names. */ readonly tools: readonly string[]
      readonly tookMs: number
    }
  | ({ readonly kind: 'failed'; readonly name: string } & Diagnosis)

/** Lines of standard error that are worth showing. */
const shownLines = 3

/** Starts one backend of a configuration, or connects to it, and asks what it offers. Leaves nothing behind. */
export async function checkBackend(config: Config, name: string, timeoutMs: number): Promise<CheckedBackend> {
  const began = performance.now()
  const lines: string[] = []
  const node = await createNode({ config: alone(config, name), plugins, log: keepingLines(lines) })
  const timeIsUp = new AbortController()
  const timer = setTimeout(() => timeIsUp.abort(), timeoutMs)
  try {
    const expired = new Promise<undefined>((resolve) =>
      timeIsUp.signal.addEventListener('abort', () => resolve(undefined)),
    )
    const statuses = await Promise.race([node.status(), expired])
    const status = statuses?.find((candidate) => candidate.name === name)
    const tookMs = performance.now() - began
    if (status?.state === 'up') return { kind: 'up', name, tools: status.tools, tookMs }
    return {
      kind: 'failed',
      name,
      ...diagnose({ error: status?.error, lines: lines.slice(-shownLines), waitedMs: tookMs }),
    }
  } finally {
    clearTimeout(timer)
    await node.close()
  }
}

/** The configuration with this backend only, and nobody to serve. */
function alone(config: Config, name: string): Config {
  const [tenant] = config.tenants
  return {
    ...config,
    listen: { ...config.listen, admin: undefined },
    backends: config.backends.filter((backend) => backend.name === name),
    tenants: tenant === undefined ? [] : [{ ...tenant, backends: [name], tools: { allow: undefined, deny: [] } }],
    auth: { apiKeys: [], anonymous: false, issuer: undefined },
    events: { ...config.events, file: undefined },
    audit: { file: undefined },
  }
}

/** What a program writes to standard error is all that it says of why it ends. */
function keepingLines(lines: string[]): Log {
  return {
    ...silentLog,
    info(_message, fields) {
      if (typeof fields?.['line'] === 'string') lines.push(fields['line'])
    },
  }
}
