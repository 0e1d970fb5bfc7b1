import type { SdkTransport } from '@junctor/connection'
import { readTarget } from '../back/read-target.ts'
import { connect } from '../back/connect.ts'
import { defaultBackLimits, type WebSocketLimits } from '../options.ts'
import { createSdkTransport } from './create-sdk-transport.ts'

/** How a client of the official SDK connects over WebSocket. */
export interface SdkClientTransportOptions {
  /** The server's endpoint, `ws:` or `wss:`. */
  readonly url: string
  /** Sent when the connection is opened: `{ authorization: 'Bearer ...' }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The limits that differ from `defaultBackLimits`. */
  readonly limits?: Partial<WebSocketLimits>
}

/**
 * A WebSocket for a client made with an official SDK: `await client.connect(createSdkClientTransport({ url }))`. Unlike
 * the SDK's own transport it sends headers, and detects a server that has vanished.
 *
 * @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used
 */
export function createSdkClientTransport({ url, headers = {}, limits }: SdkClientTransportOptions): SdkTransport {
  const target = readTarget(url, headers)
  const all = { ...defaultBackLimits, ...limits }
  return createSdkTransport((signal) => connect({ ...target, limits: all }, signal), all)
}
