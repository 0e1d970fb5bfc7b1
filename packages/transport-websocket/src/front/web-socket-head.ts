import type { IncomingMessage } from 'node:http'
import type { Head } from '@junctor/contracts'
import { requestTarget, type TrustedProxies } from '@junctor/connection'

/** An upgrade request in the form that the gateway's authenticator needs. */
export class WebSocketHead implements Head {
  readonly transport = 'websocket'
  readonly tenant: string | undefined
  readonly request: IncomingMessage
  readonly #proxies: TrustedProxies

  constructor(request: IncomingMessage, tenant: string | undefined, proxies: TrustedProxies) {
    this.request = request
    this.tenant = tenant
    this.#proxies = proxies
  }

  get loopback(): boolean {
    return this.#proxies.sourceOf(this.request).loopback
  }

  get target(): { readonly method: string; readonly path: string } {
    return requestTarget(this.request)
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
}
