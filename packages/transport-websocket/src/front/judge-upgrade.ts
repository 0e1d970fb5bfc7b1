import type { Situation } from '@junctor/protocol'
import { subprotocol } from '../subprotocol.ts'

/** The reason for refusing an upgrade, independent of the caller. */
export interface UpgradeFault {
  readonly situation: Situation
  readonly message: string
  /** Replaces the status of the catalogue. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Checks the version (RFC 6455 section 4.2.1). */
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
 * Checks the offered subprotocols (RFC 6455 section 4.4): `mcp` must be one of them, so that input of another protocol
 * is not parsed as messages. A client may offer none, as the one of LangChain4j does.
 */
export function judgeSubprotocols(offered: string | undefined): UpgradeFault | undefined {
  if (offered === undefined || offered.split(',').some((name) => name.trim() === subprotocol)) return undefined
  return {
    situation: 'invalid_request',
    message: `Expected the subprotocol ${subprotocol} among those that are offered, or none, got ${JSON.stringify(offered.slice(0, 100))}`,
  }
}
