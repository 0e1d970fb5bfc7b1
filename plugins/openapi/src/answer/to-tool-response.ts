import { ToolResponse } from '@junctor/plugin-sdk'
import { isJsonObject, isTooDeepAnswer, type JsonObject, type JsonValue, parseExactly } from '@junctor/plugin-sdk/link'
import { essence, mediaKind } from '../operations/media-type.ts'
import type { ApiAnswer } from '../request/send-request.ts'
import type { OperationPlan } from '../tools/operation-plan.ts'
import { resultMember } from '../tools/output-schema.ts'
import { type NextPage, nextPage } from './next-page.ts'

/** The `_meta` member of a result that says where the next page is: `{ url?, cursor?, arguments? }`. */
const nextPageMeta = 'junctor/nextPage'

/** The most of the body of an error that the caller sees, in characters. */
const longestError = 4000

/** A request as far as its answer is concerned. */
export interface AnsweredRequest {
  readonly plan: OperationPlan
  /** The URL without secrets. */
  readonly shownUrl: string
}

/**
 * The result of a tool for an answer of the API: JSON as structured content, pictures and sound as such, other bytes as
 * a resource. Any status but 2xx is an error of the tool.
 */
export function toToolResponse(answer: ApiAnswer, request: AnsweredRequest): ToolResponse {
  const { status, headers, body } = answer
  if (status < 200 || status > 299) return ToolResponse.error(errorText(answer, request.plan))
  const contentType = headerText(headers['content-type'])
  if (body.length === 0) return withoutContent(answer, request)
  const json = jsonOf(body, contentType)
  if (json !== undefined) return structured(json, answer, request)
  return withStructure(unstructured(body, contentType, request), { status, contentType: contentType ?? null }, request)
}

/**
 * JSON of an answer, with raw numbers where JavaScript would change one: also without a content type, because servers forget
 * it. `undefined`: it is something else, or too deep for structured content.
 */
function jsonOf(
  body: Uint8Array,
  contentType: string | undefined,
): { readonly value: JsonValue; readonly text: string } | undefined {
  if (contentType !== undefined && mediaKind(contentType) !== 'json') return undefined
  const text = textIn(body, contentType)
  if (text === undefined || isTooDeepAnswer(text)) return undefined
  try {
    return { value: parseExactly(text) as JsonValue, text }
  } catch {
    return undefined
  }
}

/** Headers that are an answer where there is no body: where something is, and in which state. Others may be secret. */
const tellingHeaders = [
  'location',
  'content-location',
  'operation-location',
  'retry-after',
  'etag',
  'last-modified',
  'link',
]

/** Headers that describe the body which HEAD leaves out. */
const bodyHeaders = ['content-type', 'content-length']

function withoutContent({ status, headers }: ApiAnswer, request: AnsweredRequest): ToolResponse {
  const names = request.plan.method === 'HEAD' ? [...tellingHeaders, ...bodyHeaders] : tellingHeaders
  const found = names.flatMap((name) => {
    const text = headerText(headers[name])
    return text === undefined ? [] : [[name, text] as const]
  })
  const lines = [`HTTP ${status}, without content`, ...found.map(([name, text]) => `${name}: ${text}`)]
  const structure = { status, ...(found.length > 0 && { headers: Object.fromEntries(found) }) }
  return withStructure(ToolResponse.text(lines.join('\n')), structure, request)
}

function structured(
  { value, text }: { readonly value: JsonValue; readonly text: string },
  { headers }: ApiAnswer,
  { plan, shownUrl }: AnsweredRequest,
): ToolResponse {
  const next = nextPage(headers, value, plan, shownUrl)
  // The API's own text.
  const content = [text, ...(next === undefined ? [] : [nextText(next)])].map((one) => ({
    type: 'text' as const,
    text: one,
  }))
  return {
    content,
    structuredContent: isJsonObject(value) ? value : { [resultMember]: value },
    ...(next !== undefined && { _meta: { [nextPageMeta]: withoutUndefined(next) } }),
  }
}

function nextText({ arguments: args, url, cursor }: NextPage): string {
  if (Object.keys(args).length > 0) return `There are more results: call again with ${JSON.stringify(args)}.`
  const where = url ?? cursor
  return `There are more results${where === undefined ? '' : `, at ${where}`}.`
}

function withoutUndefined({ url, cursor, arguments: args }: NextPage): JsonObject {
  return { ...(url !== undefined && { url }), ...(cursor !== undefined && { cursor }), arguments: args }
}

/** A tool with an output schema must answer with structured content, whatever the API sends. */
function withStructure(response: ToolResponse, structure: JsonObject, { plan }: AnsweredRequest): ToolResponse {
  return plan.outputSchema === undefined ? response : { ...response, structuredContent: structure }
}

function unstructured(body: Uint8Array, contentType: string | undefined, request: AnsweredRequest): ToolResponse {
  const type = contentType === undefined ? undefined : essence(contentType)
  if (type?.startsWith('image/') === true && type !== 'image/svg+xml') return ToolResponse.image(body, type)
  if (type?.startsWith('audio/') === true) return ToolResponse.audio(body, type)
  const text = textIn(body, contentType)
  if (text !== undefined) return ToolResponse.text(text)
  return ToolResponse.resource(request.shownUrl, body, type ?? 'application/octet-stream')
}

/** Text of any media type that is text, or has no type and is UTF-8. */
function textIn(body: Uint8Array, contentType: string | undefined): string | undefined {
  if (contentType !== undefined && mediaKind(contentType) === 'binary') return undefined
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w-]+)/i.exec(contentType ?? '') ?? []
  try {
    return new TextDecoder(charset, { fatal: contentType === undefined }).decode(body)
  } catch {
    return contentType === undefined ? undefined : new TextDecoder().decode(body)
  }
}

function errorText({ status, headers, body }: ApiAnswer, { method, path }: OperationPlan): string {
  const location = headerText(headers['location'])
  const retryAfter = headerText(headers['retry-after'])
  const text = textIn(body, headerText(headers['content-type']))?.trim() ?? `(${body.length} bytes that are not text)`
  const more = text.length - longestError
  return [
    `${method} ${path} was answered with HTTP ${status}${location === undefined ? '' : ` to ${location}`}.`,
    ...(retryAfter === undefined
      ? []
      : [`It may be called again after: ${retryAfter}${/^\d+$/.test(retryAfter) ? ' s' : ''}.`]),
    ...(text === '' ? [] : [more > 0 ? `${text.slice(0, longestError)}… (${more} more characters)` : text]),
  ]
    .join('\n')
    .toWellFormed()
}

function headerText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}
