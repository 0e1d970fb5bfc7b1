import {
  edit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  member,
  memberOf,
  metaKeys,
  type Payload,
  payloadOf,
} from '@junctor/plugin-sdk/link'
import manifest from '../../package.json' with { type: 'json' }
import { metaOf } from '../link/meta-of.ts'

/** The revision of requests without a session. */
export const statelessRevision = '2026-07-28'

const clientInfo: JsonObject = { name: 'junctor', version: manifest.version }

/** What a request declares. */
export interface Declarations {
  /** What its client can be asked. */
  readonly capabilities: JsonObject
  /** Undefined: no progress is wanted. */
  readonly progressToken?: number | undefined
  /** The lowest level of wanted log messages. Undefined: none are wanted. */
  readonly logLevel?: JsonValue | undefined
  /** The `traceparent` of the request. It replaces none of the caller's own. */
  readonly trace?: string | undefined
}

/**
 * The params of a request with what 2026-07-28 requires of its `_meta`. Extensions in it stay declared. All other members
 * are passed on unchanged, except `task`, which this revision does not have.
 */
export function declared(params: Payload | undefined, declarations: Declarations): Payload {
  const { capabilities, progressToken, logLevel, trace } = declarations
  const given = params ?? payloadOf({})
  const own = metaOf(given)
  const kept = own === undefined ? undefined : member(given, '_meta')
  const hasTrace = own?.[metaKeys.traceparent] !== undefined
  const meta = edit(kept ?? payloadOf({}), {
    [metaKeys.protocolVersion]: statelessRevision,
    [metaKeys.clientInfo]: clientInfo,
    [metaKeys.clientCapabilities]: withExtensions(capabilities, own?.[metaKeys.clientCapabilities]),
    [metaKeys.progressToken]: progressToken,
    [metaKeys.logLevel]: logLevel,
    ...(trace !== undefined && !hasTrace && { [metaKeys.traceparent]: trace }),
  })
  return edit(given, { _meta: meta, task: undefined })
}

/** The capabilities, with the extensions that the gateway itself has declared for the request. */
function withExtensions(capabilities: JsonObject, own: JsonValue | undefined): JsonObject {
  const extensions = memberOf(own, 'extensions')
  if (!isJsonObject(extensions)) return capabilities
  const { extensions: known } = capabilities
  return { ...capabilities, extensions: { ...(isJsonObject(known) && known), ...extensions } }
}
