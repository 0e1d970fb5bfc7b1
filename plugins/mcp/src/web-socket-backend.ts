import type { Backend } from '@junctor/plugin-sdk/link'
import { createWebSocketClient } from '@junctor/transport-websocket/back'
import { createConnectionBackend } from './connection-backend.ts'
import { serverHeaders, type UrlBackendOptions } from './url-backend.ts'

/**
 * A backend that is a server over WebSockets: each link is its own connection.
 *
 * @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used
 */
export function createWebSocketBackend({ name, config, log, emit }: UrlBackendOptions): Backend {
  const web = createWebSocketClient({ backend: name, url: config.url, headers: serverHeaders(config), log, emit })
  return createConnectionBackend({
    name,
    log,
    emit,
    era: config.era,
    connect: (receiver, signal) => web.open(receiver, signal),
  })
}
