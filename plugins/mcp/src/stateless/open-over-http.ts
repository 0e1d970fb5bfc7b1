import { JunctorError, type Link, methods } from '@junctor/plugin-sdk/link'
import type { McpHttpClient } from '@junctor/transport-http/back'
import type { LinkOptions } from '../link/link-options.ts'
import { askStateless } from './ask-stateless.ts'
import { HttpWire, type KnownParameters } from './http-wire.ts'
import { type Discovery, foreignServer, readDiscovery } from './read-discovery.ts'
import { StatelessLink } from './stateless-link.ts'

/**
 * Opens a link to a server of 2026-07-28 over HTTP. Undefined: it is an older server, which refuses the question in its own
 * way (2026-07-28, Streamable HTTP, "Backward Compatibility").
 *
 * @throws JunctorError `BACKEND_REFUSED` when it speaks only revisions that are newer
 */
export async function openOverHttp(
  http: McpHttpClient,
  parameters: KnownParameters,
  options: LinkOptions,
  signal: AbortSignal,
): Promise<Link | undefined> {
  const wire = new HttpWire(http, parameters)
  const found = await discover(wire, signal)
  if (found.kind === 'stateless') {
    const link = new StatelessLink({ ...options, wire, server: found.server, parameters })
    link.start()
    return link
  }
  await wire.close()
  if (found.kind === 'older') return undefined
  throw foreignServer(found.versions)
}

/** A server that gives no answer at all counts as older: its handshake shows the reason. */
async function discover(wire: HttpWire, signal: AbortSignal): Promise<Discovery> {
  try {
    return readDiscovery(await askStateless(wire, methods.serverDiscover, undefined, signal))
  } catch (error) {
    if (signal.aborted) await wire.close()
    signal.throwIfAborted()
    if (error instanceof JunctorError) return { kind: 'older' }
    throw error
  }
}
