import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { isLogLevel, type LogLevel } from '../log-level.ts'
import { metaKeys } from '../meta-keys.ts'

/**
 * What the `_meta` of a request declares in place of a handshake (2026-07-28, Base Protocol, "_meta"). `absent`: nothing,
 * so it is a request of an older revision. `missing`: only a part of what is required. `invalid`: a member of a wrong kind.
 */
export type RequestMeta =
  | { readonly kind: 'absent' }
  | { readonly kind: 'missing' | 'invalid'; readonly message: string }
  | {
      readonly kind: 'declared'
      /** Any text: the caller judges whether it is a revision that is spoken here. */
      readonly version: string
      /** `clientInfo`; empty when the client does not describe itself. */
      readonly info: JsonObject
      readonly capabilities: JsonObject
      /** The lowest level of the log messages that the client wants. Undefined: it wants none. */
      readonly logLevel: LogLevel | undefined
    }

const absent: RequestMeta = { kind: 'absent' }
const noInfo: JsonObject = {}

/** Reads the `_meta` of a request. What a client need not declare may be null. */
export function readRequestMeta(meta: JsonObject | undefined): RequestMeta {
  if (meta === undefined) return absent
  const version = meta[metaKeys.protocolVersion]
  const capabilities = meta[metaKeys.clientCapabilities]
  const info = meta[metaKeys.clientInfo] ?? undefined
  if (version === undefined && capabilities === undefined && info === undefined) return absent
  if (typeof version !== 'string') return expected(meta, metaKeys.protocolVersion, 'a string like "2026-07-28"')
  if (!isJsonObject(capabilities)) return expected(meta, metaKeys.clientCapabilities, 'an object')
  if (info !== undefined && !isJsonObject(info)) return expected(meta, metaKeys.clientInfo, 'an object or nothing')
  const logLevel = meta[metaKeys.logLevel] ?? undefined
  if (logLevel !== undefined && !isLogLevel(logLevel))
    return expected(meta, metaKeys.logLevel, 'a log level like "info"')
  return { kind: 'declared', version, info: info ?? noInfo, capabilities, logLevel }
}

function expected(meta: JsonObject, key: string, what: string): RequestMeta {
  const kind = meta[key] === undefined ? 'missing' : 'invalid'
  return { kind, message: `Expects _meta["${key}"] to be ${what}` }
}
