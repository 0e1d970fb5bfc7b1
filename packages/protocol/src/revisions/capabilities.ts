import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import { mcpExtensions } from '../mcp-extensions.ts'
import { eraOf, type Revision } from '../revision.ts'
import { allows, type Feature } from './gates.ts'

/** Converts a declared capability for a revision. Undefined means that it must not be declared. */
type Fit = (declared: JsonValue, revision: Revision) => JsonValue | undefined

const unchanged: Fit = (declared) => declared
const since =
  (feature: Feature): Fit =>
  (declared, revision) =>
    allows(revision, feature) ? declared : undefined

const clientFits: Readonly<Record<string, Fit>> = {
  experimental: unchanged,
  // From 2026-07-28 on no notification announces changed roots to a server.
  roots: (declared, revision) => (eraOf(revision) === 'handshake' ? declared : {}),
  // Before 2025-11-25 the sampling capability has no members and means the plain form.
  sampling: (declared, revision) => (allows(revision, 'samplingTools') ? declared : {}),
  elicitation: fitElicitation,
  tasks: since('tasks'),
  extensions: fitExtensions,
}

const serverFits: Readonly<Record<string, Fit>> = {
  experimental: unchanged,
  logging: unchanged,
  prompts: unchanged,
  resources: unchanged,
  tools: unchanged,
  completions: since('completionsCapability'),
  tasks: since('tasks'),
  extensions: fitExtensions,
}

/**
 * Returns the client capabilities that may be declared to an upstream of this revision. Unknown members are dropped: a
 * capability is a promise, and Junctor cannot keep a promise that it does not understand. (`experimental` stays; the
 * gateway decides whether it may pass.)
 */
export function clientCapabilitiesFor(revision: Revision, capabilities: JsonObject): JsonObject {
  return fit(clientFits, revision, capabilities)
}

/**
 * Returns the server capabilities, of the gateway or of a backend, that may be declared to a client of this revision.
 * Unknown members stay: the backend defines them, and clients ignore members that they do not know.
 */
export function serverCapabilitiesFor(revision: Revision, capabilities: JsonObject): JsonObject {
  const unknown = Object.entries(capabilities).filter(([name]) => !Object.hasOwn(serverFits, name))
  return { ...Object.fromEntries(unknown), ...fit(serverFits, revision, capabilities) }
}

/**
 * Older schemas have no `extensions`, but are open, and MCP Apps declares itself there in `initialize` (SEP-2133). Only
 * tasks are not an extension there: 2025-11-25 has them in its core.
 */
function fitExtensions(declared: JsonValue, revision: Revision): JsonValue | undefined {
  if (allows(revision, 'taskExtension') || !isJsonObject(declared)) return declared
  const rest = Object.entries(declared).filter(([identifier]) => identifier !== mcpExtensions.tasks)
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

/**
 * 2025-06-18 knows only forms, declared as `{}`. A client that declares only URL mode has nothing to declare there. `{}`
 * still means forms in 2025-11-25, and servers that do not know its modes may refuse a client that names one.
 */
function fitElicitation(declared: JsonValue, revision: Revision): JsonValue | undefined {
  if (eraOf(revision) === 'modern') return declared
  const { form, url } = elicitationModes(declared)
  if (url && allows(revision, 'urlElicitation')) return declared
  return form && allows(revision, 'elicitation') ? {} : undefined
}

/**
 * Returns the modes that an `elicitation` capability declares. Without a named mode it means forms only, as before
 * 2025-11-25.
 */
export function elicitationModes(declared: unknown): { readonly form: boolean; readonly url: boolean } {
  if (!isJsonObject(declared)) return { form: false, url: false }
  const url = isJsonObject(declared['url'])
  return { form: isJsonObject(declared['form']) || !url, url }
}

function fit(fits: Readonly<Record<string, Fit>>, revision: Revision, capabilities: JsonObject): JsonObject {
  const fitted: Record<string, JsonValue> = {}
  for (const [name, fitOne] of Object.entries(fits)) {
    const declared = capabilities[name]
    const value = declared === undefined ? undefined : fitOne(declared, revision)
    if (value !== undefined) fitted[name] = value
  }
  return fitted
}
