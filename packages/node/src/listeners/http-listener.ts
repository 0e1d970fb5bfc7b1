import { refusesPublicListen } from '@junctor/auth'
import type { TlsConfig } from '@junctor/config'
import { JunctorError } from '@junctor/protocol'
import type { Address } from './address.ts'
import { channelLimitNames, chosen, httpLimitNames } from '../limits.ts'
import type { ClientListenerParts, OpenFront } from './client-listener.ts'

/** An open listener for HTTP and WebSocket. */
export interface HttpListener {
  readonly address: Address
  /** See `HttpFront.renew`. */
  renew(tls: TlsConfig): void
}

/** How long clients over HTTP may take to receive the final error, in milliseconds. */
const lastWordsMs = 500

/**
 * Opens the listener for HTTP and WebSocket, as configured. Rejects with `LISTEN_FAILED`, with `CONFIG_INVALID` when a
 * listener without authentication is not allowed, or with `CLOSED`.
 *
 * @param fronts receives both fronts before they listen, so that they are always closed with the node
 * @param closing aborts when the node begins to close; then nothing is opened any more
 */
export async function openHttpListener(
  { config, front, frame, shares, log, pages }: ClientListenerParts,
  fronts: Set<OpenFront>,
  closing: AbortSignal,
): Promise<HttpListener> {
  const { listen, auth, limits, publicUrl } = config
  const { host, port, allowedHosts, allowedOrigins, trustedProxies, tls } = listen.http
  const authenticated = auth.apiKeys.length > 0 || auth.issuer !== undefined || auth.server !== undefined
  const verdict = refusesPublicListen({ host, authenticated, anonymous: auth.anonymous })
  if (verdict.refused) throw new JunctorError('CONFIG_INVALID', verdict.message)
  const admitted = { allowedHosts: withPublicHost(allowedHosts, publicUrl), allowedOrigins, trustedProxies }
  // The imports are lazy, so that a node that serves only standard streams starts faster.
  const [{ createHttpFront }, { createWebSocketFront }] = await Promise.all([
    import('@junctor/transport-http/front'),
    import('@junctor/transport-websocket/front'),
  ])
  if (closing.aborted) throw new JunctorError('CLOSED', 'expected a node that is open, got one that was closed')
  const http = createHttpFront({
    front,
    listen: { host, port, ...admitted, ...(tls && { tls }) },
    limits: { ...chosen(limits, httpLimitNames), frame },
    log,
    publicUrl,
    shares,
    pages,
  })
  const webSockets = createWebSocketFront({
    front,
    server: http.app.server,
    listen: admitted,
    limits: { ...chosen(limits, channelLimitNames), frame },
    log,
    shares,
    hasRoom: (wire) => http.hasRoom(wire),
  })
  fronts.add({ close: (leftMs) => http.close(leftMs + lastWordsMs) })
  fronts.add(webSockets)
  return { address: await http.listen(), renew: (renewed) => http.renew(renewed) }
}

/** Adds the host of the public URL to the host names of this gateway. */
function withPublicHost(allowedHosts: readonly string[], publicUrl: string | undefined): readonly string[] {
  if (publicUrl === undefined) return allowedHosts
  const own = allowedHosts.length === 0 ? ['localhost', '127.0.0.1', '[::1]'] : allowedHosts
  return [...own, new URL(publicUrl).host]
}
