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

/** Judges the version (RFC 6455 section 4.2.1). */
export function judgeVersion(version: string | undefined): UpgradeFault | undefined {
  if (version === '13') return undefined
  return {
    situation: 'invalid_request',
    message: `Expected WebSocket version 13, got ${version === undefined ? 'none' : JSON.stringify(version)}`,
    status: 426,
    headers: { 'sec-websocket-version': '13', upgrade: 'websocket' },
  }
}

/**
 * Judges the subprotocols that are offered (RFC 6455 section 4.4). `mcp` has to be one of them: what a program of another
 * protocol sends is not taken for messages.
 */
export function judgeSubprotocols(offered: string | undefined): UpgradeFault | undefined {
  if (offered?.split(',').some((name) => name.trim() === subprotocol) === true) return undefined
  return {
    situation: 'invalid_request',
    message: `Expected the subprotocol ${subprotocol} among those that are offered, got ${offered === undefined ? 'none' : JSON.stringify(offered.slice(0, 100))}`,
  }
}
