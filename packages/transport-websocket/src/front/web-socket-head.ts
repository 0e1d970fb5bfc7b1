import type { IncomingMessage } from 'node:http'
import type { Head } from '@junctor/contracts'
import { isLoopbackAddress, requestTarget } from '@junctor/connection'

/** An upgrade request in the form that the gateway's authenticator needs. */
export class WebSocketHead implements Head {
  readonly transport = 'websocket'
  readonly tenant: string | undefined
  readonly request: IncomingMessage

  constructor(request: IncomingMessage, tenant: string | undefined) {
    this.request = request
    this.tenant = tenant
  }

  get loopback(): boolean {
    return isLoopbackAddress(this.request.socket.remoteAddress ?? '')
  }

  get target(): { readonly method: string; readonly path: string } {
    return requestTarget(this.request)
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : undefined
  }
}
