import {
  isJsonObject,
  JunctorError,
  memberOf,
  metaKeys,
  type Response,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { isVersionRefused } from '../link/version-refused.ts'
import { statelessRevision } from './declare.ts'

/**
 * The facts about a server in its answer to `server/discover` (2026-07-28, Discovery, and "Backward Compatibility" of both
 * transports). `older`: it must be opened with a handshake.
 */
export type Discovery =
  | { readonly kind: 'stateless'; readonly server: ServerInfo }
  | { readonly kind: 'older' }
  /** It is of a newer era, and speaks no revision that is spoken here. */
  | { readonly kind: 'foreign'; readonly versions: readonly string[] }

const older: Discovery = { kind: 'older' }

/** The error for a server that is `foreign`. */
export function foreignServer(versions: readonly string[]): JunctorError {
  return new JunctorError('BACKEND_REFUSED', `The server speaks only ${versions.join(', ')}`)
}

/** Reads the answer to `server/discover`. */
export function readDiscovery(response: Response): Discovery {
  if (response.kind === 'error') {
    if (!isVersionRefused(response)) return older
    return otherVersions(memberOf(response.error.data?.value(), 'supported'))
  }
  const value = response.result.value()
  if (!isJsonObject(value)) return older
  const { supportedVersions: versions, capabilities, instructions, _meta: meta } = value
  if (!Array.isArray(versions)) return older
  if (!versions.includes(statelessRevision)) return otherVersions(versions)
  const info = memberOf(meta, metaKeys.serverInfo)
  return {
    kind: 'stateless',
    server: {
      revision: statelessRevision,
      capabilities: isJsonObject(capabilities) ? capabilities : {},
      info: isJsonObject(info) ? info : {},
      instructions: typeof instructions === 'string' ? instructions : undefined,
    },
  }
}

/** A server without 2026-07-28 may have a handshake beside what it lists. */
function otherVersions(listed: unknown): Discovery {
  const versions = Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : []
  const hasHandshake = versions.length === 0 || versions.some((one) => one < statelessRevision)
  return hasHandshake ? older : { kind: 'foreign', versions }
}
