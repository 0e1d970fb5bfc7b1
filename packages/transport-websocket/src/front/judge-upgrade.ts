import type { Situation } from '@junctor/protocol'
import { subprotocol } from '../subprotocol.ts'

/** Why a request to become a WebSocket is turned away, whoever sends it. */
export interface UpgradeFault {
  readonly situation: Situation
  readonly message: string
  /** Instead of the catalogue's status. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Judges version and subprotocol (RFC 6455 sections 4.2.1 and 4.4). A client that offers subprotocols has to offer
 * `mcp`: it would close a connection that has none of them. One that offers none is let in, for programs that cannot.
 */
export function judgeUpgrade(header: (name: string) => string | undefined): UpgradeFault | undefined {
  const version = header('sec-websocket-version')
  if (version !== '13') {
    return {
      situation: 'invalid_request',
      message: `Expected WebSocket version 13, got ${version === undefined ? 'none' : JSON.stringify(version)}`,
      status: 426,
      headers: { 'sec-websocket-version': '13', upgrade: 'websocket' },
    }
  }
  const offered = header('sec-websocket-protocol')
  if (offered === undefined || offered.split(',').some((name) => name.trim() === subprotocol)) return undefined
  return {
    situation: 'invalid_request',
    message: `Expected the subprotocol ${subprotocol} among those that are offered, got ${JSON.stringify(offered.slice(0, 100))}`,
  }
}
