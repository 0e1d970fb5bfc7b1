import type { Origin } from '@junctor/contracts'
import type { JsonObject, Request } from '@junctor/jsonrpc'
import {
  eraOf,
  type ErrorDetails,
  headers,
  judgeMirrors,
  methods,
  type Profile,
  readRequestMeta,
  type Revision,
  type Situation,
} from '@junctor/protocol'
import { judgeDescription } from '../../shared/judge-description.ts'
import { metaOf } from '../../shared/request-view.ts'

/** Whether a request without a session is of a revision without sessions, with what it declares. */
export type StatelessRequest =
  /** It is of an older revision, or of JSON-RPC 3.0 alone. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'refused'
      readonly situation: Extract<
        Situation,
        'meta_missing' | 'meta_invalid' | 'header_mismatch' | 'unsupported_version'
      >
      readonly details: ErrorDetails
    }
  | {
      readonly kind: 'stateless'
      readonly revision: Revision
      readonly info: JsonObject
      readonly capabilities: JsonObject
    }

const none: StatelessRequest = { kind: 'none' }

/**
 * Reads the request of a client without a session. The era is known by what the request declares: modern `_meta`, or, over
 * HTTP, the headers of 2026-07-28 (Versioning, "Backward Compatibility").
 */
export function readStateless(request: Request, from: Origin): StatelessRequest {
  const { profile } = from.identity.tenant
  const meta = readRequestMeta(metaOf(request))
  if (profile.stateless.length === 0 || (meta.kind === 'absent' && !declaresByHeaders(request, from))) return none
  if (meta.kind === 'absent') {
    const message = 'Expects params._meta with "io.modelcontextprotocol/protocolVersion" and "…/clientCapabilities"'
    return { kind: 'refused', situation: 'meta_missing', details: { message } }
  }
  if (meta.kind !== 'declared') {
    return { kind: 'refused', situation: `meta_${meta.kind}`, details: { message: meta.message } }
  }
  const { version, capabilities } = meta
  const described = judgeDescription(request, meta)
  if (described.kind === 'too_long') {
    return { kind: 'refused', situation: 'meta_invalid', details: { message: described.message } }
  }
  const mismatch = from.headers === undefined ? undefined : judgeMirrors(request, version, headerOf(from.headers))
  if (mismatch !== undefined) return { kind: 'refused', situation: 'header_mismatch', details: { message: mismatch } }
  const revision = profile.stateless.find((one) => one === version)
  if (revision !== undefined) return { kind: 'stateless', revision, info: described.info, capabilities }
  return {
    kind: 'refused',
    situation: 'unsupported_version',
    details: { name: version, data: { supported: supportedVersions(profile) } },
  }
}

/** The versions that a tenant speaks, newest first: those of requests, then those of handshakes. */
export function supportedVersions({ stateless, revisions }: Pick<Profile, 'stateless' | 'revisions'>): string[] {
  return [...stateless, ...revisions]
}

/**
 * A header of an older revision, such as `MCP-Protocol-Version: 2025-11-25`, declares a handshake, regardless of others. So
 * does `initialize` without that header: some clients send `Mcp-Method` with each of their requests, in either era.
 */
function declaresByHeaders({ method }: Request, { headers: head, revision }: Origin): boolean {
  if (head === undefined) return false
  if (revision !== undefined) return eraOf(revision) === 'modern'
  return method !== methods.initialize && head.header(headers.method) !== undefined
}

function headerOf(head: NonNullable<Origin['headers']>): (name: string) => string | undefined {
  return (name) => head.header(name)
}
