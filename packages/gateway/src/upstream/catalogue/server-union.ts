import { isJsonObject, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { extensionUnion } from './extension-union.ts'
import type { KnownServer } from './known-server.ts'

/** Capabilities that the gateway declares itself, or never declares. */
const own: ReadonlySet<string> = new Set([
  'tools',
  'resources',
  'prompts',
  'logging',
  'completions',
  'tasks',
  'extensions',
])

/**
 * The capabilities for clients: those of at least one backend. Capabilities are fixed at `initialize`, and a backend
 * that is down now may come back, so a backend that was never reached counts as offering everything. Capabilities that
 * only the backend understands (`experimental`, and unknown ones) are passed on only for a single backend: with
 * several, the owner would be unclear.
 */
export function capabilityUnion(servers: readonly KnownServer[]): JsonObject {
  const offers = (name: string): boolean =>
    servers.some(({ server }) => server === undefined || isJsonObject(server.capabilities[name]))
  const subscribe = servers.some(({ server }) => {
    if (server === undefined) return true
    const resources = server.capabilities['resources']
    return memberOf(resources, 'subscribe') === true
  })
  // Backends appear and disappear, so lists change regardless of what the backends declare.
  const [one, ...others] = servers.filter(({ builtIn }) => !builtIn)
  const alone = others.length === 0 ? (one?.server?.capabilities ?? {}) : {}
  const extensions = extensionUnion(servers)
  return {
    ...Object.fromEntries(Object.entries(alone).filter(([name]) => !own.has(name))),
    ...(offers('tools') && { tools: { listChanged: true } }),
    ...(offers('resources') && { resources: { subscribe, listChanged: true } }),
    ...(offers('prompts') && { prompts: { listChanged: true } }),
    ...(offers('logging') && { logging: {} }),
    ...(offers('completions') && { completions: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/**
 * The instructions of the backends, each under a heading with its prefix, in the order of the configuration.
 * Instructions that do not fit are omitted as a whole, and the backend is named. Those of a single backend are
 * unchanged.
 *
 * @param limit the most characters
 */
export function mergeInstructions(servers: readonly KnownServer[], limit: number): string | undefined {
  const [one, ...others] = servers.filter(({ builtIn }) => !builtIn)
  const alone = others.length === 0 ? one?.server?.instructions : undefined
  if (alone !== undefined && alone.length <= limit) return alone === '' ? undefined : alone
  const sections: string[] = []
  const omitted: string[] = []
  let length = 0
  for (const { name, prefix, server } of servers) {
    const instructions = server?.instructions?.trim()
    if (instructions === undefined || instructions === '') continue
    const section = prefix === '' ? instructions : `## ${prefix}\n\n${instructions}`
    if (length + section.length > limit) omitted.push(name)
    else {
      sections.push(section)
      length += section.length
    }
  }
  if (omitted.length > 0) sections.push(`(Instructions too long to show: ${omitted.join(', ')})`)
  return sections.length === 0 ? undefined : sections.join('\n\n')
}
