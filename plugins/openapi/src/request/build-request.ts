import { type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'
import { bodyArgument } from '../tools/argument-names.ts'
import type { OperationPlan, PlannedParameter } from '../tools/operation-plan.ts'
import type { Credentials } from './credentials.ts'
import { encodeBody } from './encode-body.ts'
import { toHeaderText, toPairs, toPathText } from './serialize-value.ts'

/** The request of a call, or why there is none. */
export type BuiltRequest =
  | {
      readonly kind: 'request'
      readonly url: URL
      /** The URL without secrets, for results and messages. */
      readonly shownUrl: string
      readonly method: OperationPlan['method']
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array | undefined
    }
  /** The arguments cannot be sent. */
  | { readonly kind: 'refused'; readonly reason: string }

/** What the request of each call of an operation is built from. */
export interface RequestParts {
  readonly plan: OperationPlan
  /** Where the API is: what the path is appended to. */
  readonly base: URL
  readonly credentials: Credentials
  /** Headers of the configuration. */
  readonly headers: Readonly<Record<string, string>>
  /** Properties of a multipart body whose texts are base64. */
  readonly binaryProperties: ReadonlySet<string>
}

/** Builds the request for the arguments of a call, which match the schema of the tool. */
export function buildRequest(args: JsonObject, parts: RequestParts): BuiltRequest {
  try {
    return requestFor(args, parts)
  } catch (error) {
    // Half of a surrogate pair has no bytes in a URL.
    if (!(error instanceof URIError)) throw error
    return { kind: 'refused', reason: 'Expected arguments of whole characters, got half of one (a lone surrogate)' }
  }
}

function requestFor(args: JsonObject, parts: RequestParts): BuiltRequest {
  const { plan, base, credentials } = parts
  const path = pathOf(plan, args)
  if (path.kind === 'refused') return path
  const own = headersOf(plan, args)
  if (own.kind === 'refused') return own
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '')}${path.text}`
  const fixed = namesOf([...new URLSearchParams(path.query), ...base.searchParams, ...credentials.query])
  const asked = queryText(plan, args, fixed)
  const query = [path.query, asked, ...[...base.searchParams].map(([name, value]) => pair(name, value))]
  url.search = query.filter((text) => text !== '').join('&')
  const shownUrl = url.href
  const secrets = credentials.query.map(([name, value]) => pair(name, value))
  if (secrets.length > 0) url.search = [url.search.slice(1), ...secrets].filter((text) => text !== '').join('&')
  const given = plan.body === undefined ? undefined : args[bodyArgument]
  const body =
    plan.body === undefined || given === undefined ? undefined : encodeBody(plan.body, given, parts.binaryProperties)
  if (body?.kind === 'refused') return body
  const headers = {
    accept: plan.accept,
    ...own.headers,
    ...(body !== undefined && { 'content-type': body.contentType }),
    ...cookieHeader(plan, args, credentials),
    ...lowerCased(parts.headers),
    ...credentials.headers,
  }
  return { kind: 'request', url, shownUrl, method: plan.method, headers, body: body?.bytes }
}

/** The values of the arguments that are sent in one place. */
function sentIn(
  { parameters }: OperationPlan,
  args: JsonObject,
  place: PlannedParameter['parameter']['place'],
): readonly (PlannedParameter & { readonly value: JsonValue })[] {
  return parameters.flatMap((planned) => {
    const value = Object.hasOwn(args, planned.argument) ? args[planned.argument] : undefined
    return planned.parameter.place !== place || value === undefined ? [] : [{ ...planned, value }]
  })
}

/**
 * The path with its values, and the query that its template has. A fragment is no part of a request: documents
 * distinguish operations by it (`/files/{id}#share`). A value that is empty, `.` or `..` would name another path:
 * `DELETE /items/{id}` with an empty id is `DELETE /items/`.
 */
function pathOf(
  plan: OperationPlan,
  args: JsonObject,
):
  | { readonly kind: 'path'; readonly text: string; readonly query: string }
  | Extract<BuiltRequest, { kind: 'refused' }> {
  const values = sentIn(plan, args, 'path')
  const texts = new Map(
    values.map(({ parameter, value }) => [parameter.name, toPathText(parameter.name, value, parameter.form)]),
  )
  const empty = values.find(({ value }) => value === null || value === '')
  if (empty !== undefined) return refused(empty.argument, empty.value)
  const fill = (template: string): string =>
    template.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => texts.get(name) ?? whole)
  const [, template = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(plan.path) ?? []
  const segments = template.split('/').map((segment) => ({ segment, text: fill(segment) }))
  const wrong = segments.find(({ segment, text }) => segment !== text && /^(?:\.|%2e){0,2}$/i.test(text))
  if (wrong !== undefined) {
    const at = values.find(({ parameter }) => wrong.segment.includes(`{${parameter.name}}`))
    return refused(at?.argument ?? wrong.segment, at?.value ?? null)
  }
  return { kind: 'path', text: segments.map(({ text }) => text).join('/'), query: fill(query) }
}

function refused(argument: string, value: JsonValue): Extract<BuiltRequest, { kind: 'refused' }> {
  const reason = `Expected the argument ${argument} to be a part of the path, got ${JSON.stringify(value)}`
  return { kind: 'refused', reason }
}

/**
 * The names of pairs, in lower case, because some servers read them in any case. Pairs of arguments with one of these names
 * are not sent: the properties of an object may become names, and servers read the first or the last pair of a name.
 */
function namesOf(pairs: readonly (readonly [string, string])[]): ReadonlySet<string> {
  return new Set(pairs.map(([name]) => name.toLowerCase()))
}

function queryText(plan: OperationPlan, args: JsonObject, fixed: ReadonlySet<string>): string {
  return sentIn(plan, args, 'query')
    .flatMap(({ parameter: { name, form }, value }) => {
      const raw = form.kind === 'style' && form.allowReserved
      const pairs = toPairs(name, value, form).filter(([key]) => !fixed.has(key.toLowerCase()))
      return pairs.map(([key, text]) => pair(key, text, raw))
    })
    .join('&')
}

/** Reserved characters stay as they are where the document says so, except those that end a pair or the query. */
function pair(name: string, value: string, allowReserved = false): string {
  const encoded = encodeURIComponent(value)
  const text = allowReserved
    ? encoded.replaceAll(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent)
    : encoded
  return `${encodeURIComponent(name)}=${text}`
}

/** The headers of arguments. A line break would begin another header; above U+00FF, a character has no byte. */
function headersOf(
  plan: OperationPlan,
  args: JsonObject,
):
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string>> }
  | Extract<BuiltRequest, { kind: 'refused' }> {
  const sent = sentIn(plan, args, 'header').filter(({ value }) => value !== null)
  const texts = sent.map(({ parameter, value }) => toHeaderText(value, parameter.form))
  const wrong = texts.findIndex((text) => /[^\t\x20-\x7e\x80-\xff]/.test(text))
  if (wrong >= 0) {
    const got = JSON.stringify(texts[wrong]?.toWellFormed())
    const reason = `Expected the argument ${sent[wrong]?.argument} to fit in an HTTP header (one line, characters up to U+00FF), got ${got}`
    return { kind: 'refused', reason }
  }
  return {
    kind: 'headers',
    headers: Object.fromEntries(sent.map(({ parameter }, index) => [parameter.name.toLowerCase(), texts[index] ?? ''])),
  }
}

function cookieHeader(
  plan: OperationPlan,
  args: JsonObject,
  { cookies }: Credentials,
): Readonly<Record<string, string>> {
  const fixed = namesOf(cookies)
  const own = sentIn(plan, args, 'cookie')
    .flatMap(({ parameter: { name, form }, value }) => toPairs(name, value, form))
    .filter(([name]) => !fixed.has(name.toLowerCase()))
  const pairs = [...own.map(([name, text]) => [cookieName(name), encodeURIComponent(text)] as const), ...cookies]
  return pairs.length === 0 ? {} : { cookie: pairs.map(([name, text]) => `${name}=${text}`).join('; ') }
}

/** Encodes what no name of a cookie has (RFC 6265 section 4.1.1), and what would begin another one. */
function cookieName(name: string): string {
  return name.replaceAll(/[^\w!#$%&'*+.^`|~-]/gu, encodeURIComponent)
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
