import type { Log, Tool } from '@junctor/plugin-sdk'
import type { HttpClient } from '@junctor/plugin-sdk/http'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { setTimeout } from 'node:timers/promises'
import type { OpenApiConfig } from './config.ts'
import type { DocumentSource } from './document/document-source.ts'
import { apiUrl } from './operations/api-url.ts'
import { binaryProperties } from './operations/binary-properties.ts'
import type { ReadApi } from './read-api.ts'
import { credentialsFor } from './request/credentials.ts'
import { createOperationTool } from './tools/create-operation-tool.ts'
import type { OperationPlan } from './tools/operation-plan.ts'

/** What the tools of an API are made with. */
export interface ApiToolsParts {
  readonly config: OpenApiConfig
  readonly source: DocumentSource
  readonly log: Log
  /** A client that may also reach these hosts when they are private. */
  readonly clientFor: (hosts: readonly string[]) => HttpClient
}

/** The tools of an API, and what is wrong with others. */
export interface ApiTools {
  readonly tools: readonly Tool[]
  readonly findings: readonly string[]
}

/**
 * Makes the tools of the planned operations.
 *
 * @throws JunctorError `CONFIG_INVALID` when it is not known where the API is, or `auth` has names that the document has
 *   not
 */
export function createApiTools(api: ReadApi, parts: ApiToolsParts): ApiTools {
  const { config, source, log, clientFor } = parts
  refuseUnknownSchemes(api, parts)
  const planned = api.plans.map((plan) => ({
    plan,
    base: apiUrl(plan.servers ?? api.document.root['servers'], config, source.url),
  }))
  const known = planned.flatMap(({ plan, base }) => (base.kind === 'url' ? [{ plan, base: base.url }] : []))
  const unknown = planned.flatMap(({ plan, base }) =>
    base.kind === 'unknown' ? [`${plan.method} ${plan.path} has no tool: ${base.why}`] : [],
  )
  const [first] = planned
  if (known.length === 0 && first?.base.kind === 'unknown') {
    throw new JunctorError('CONFIG_INVALID', `${source.shown}: ${first.base.why}`)
  }
  // Only a document that the operator has as a file may name private hosts, beside the configuration itself.
  const hosts = source.url === undefined ? known.map(({ base }) => hostOf(base)) : []
  const send = {
    http: clientFor([...new Set(hosts)]),
    maxBytes: config.maxBytes,
    pause: (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal }),
  }
  const secrets = { schemes: api.schemes, auth: config.auth }
  const tools = known.map(({ plan, base }) =>
    createOperationTool({
      plan,
      base,
      credentials: credentialsFor(plan.security, secrets),
      headers: config.headers,
      binaryProperties: binaryProperties(api.document, plan.body),
      send,
      log,
    }),
  )
  return {
    tools,
    findings: [
      ...unknown,
      ...withoutSecrets(
        known.map(({ plan }) => plan),
        config,
      ),
    ],
  }
}

/** The host of a URL as `createHttpClient` expects it. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function refuseUnknownSchemes({ schemes }: ReadApi, { config, source }: ApiToolsParts): void {
  for (const name of Object.keys(config.auth)) {
    const scheme = schemes.get(name)
    if (scheme !== undefined && scheme.kind !== 'other') continue
    const usable = [...schemes].flatMap(([one, { kind }]) => (kind === 'other' ? [] : [one]))
    const what = scheme === undefined ? 'does not have' : `has, but of a kind that Junctor cannot do (${scheme.what})`
    const instead =
      usable.length === 0 ? 'It has none that can be used: send secrets with "headers"' : `It has ${usable.join(', ')}`
    throw new JunctorError(
      'CONFIG_INVALID',
      `"auth" names the security scheme ${JSON.stringify(name)}, which ${source.shown} ${what}. ${instead}`,
    )
  }
}

/** One line about the operations whose schemes have no secrets. They can be called; the API refuses them, probably. */
function withoutSecrets(plans: readonly OperationPlan[], { auth, headers }: OpenApiConfig): readonly string[] {
  if (Object.keys(headers).length > 0) return []
  const lacking = plans.filter(
    ({ security }) =>
      security.length > 0 && !security.some((names) => names.every((name) => Object.hasOwn(auth, name))),
  )
  if (lacking.length === 0) return []
  const names = [...new Set(lacking.flatMap(({ security }) => security.map((one) => one.join(' and '))))]
  return [
    `${lacking.length} operations are called without secrets: "auth" has none for ${names.slice(0, 5).join(' or ')}`,
  ]
}
