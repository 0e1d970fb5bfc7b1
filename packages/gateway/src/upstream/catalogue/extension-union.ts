import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { mcpExtensions } from '@junctor/protocol'
import type { KnownServer } from './known-server.ts'

/**
 * The extensions for clients (SEP-2133): those that the gateway routes and that at least one backend has. A backend that
 * was never reached may have them. The settings are the gateway's own, because those of several backends may differ.
 * Extensions that the gateway does not know are declared where the operator allows it, and at the endpoint of a single
 * backend. With several backends, a message of such an extension does not name its backend.
 */
export function extensionUnion(servers: readonly KnownServer[]): JsonObject {
  const backends = servers.filter(({ builtIn }) => !builtIn)
  const apps = backends.some(
    (known) => known.server === undefined || known.hasViews || extensionsOf(known)[mcpExtensions.apps] !== undefined,
  )
  const skills = backends.some(
    (known) => known.server === undefined || extensionsOf(known)[mcpExtensions.skills] !== undefined,
  )
  return {
    // The gateway can list the directories of any skill, because a skill lists its files.
    ...(skills && { [mcpExtensions.skills]: { directoryRead: true } }),
    ...passedOn(backends),
    // Any tool may run as a task. Only clients of 2026-07-28 see this.
    ...(backends.length > 0 && { [mcpExtensions.tasks]: {} }),
    ...(apps && { [mcpExtensions.apps]: {} }),
  }
}

/** The declarations that pass as they are. Settings about which several backends differ are left out. */
function passedOn(backends: readonly KnownServer[]): JsonObject {
  const passed = new Map<string, JsonValue | undefined>()
  for (const known of backends) {
    const { passed: ids } = known
    for (const [id, settings] of Object.entries(extensionsOf(known))) {
      if (ids !== 'all' && !ids.includes(id)) continue
      const isAgreed = !passed.has(id) || isDeepStrictEqual(passed.get(id), settings)
      passed.set(id, isAgreed ? settings : {})
    }
  }
  return Object.fromEntries(passed)
}

/** The extensions that a backend declares. A value that is not an object declares nothing. */
export function extensionsOf({ server }: Pick<KnownServer, 'server'>): JsonObject {
  const declared = server?.capabilities['extensions']
  if (!isJsonObject(declared)) return {}
  return Object.fromEntries(Object.entries(declared).filter(([, settings]) => isJsonObject(settings)))
}
