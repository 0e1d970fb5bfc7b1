import { isJsonObject, isRawNumber, type JsonObject, type JsonValue, memberOf } from '@junctor/plugin-sdk/link'
import { plainText } from '../document/plain-text.ts'
import type { OperationPlan } from '../tools/operation-plan.ts'
import { argumentValue } from './argument-value.ts'

/** Where the next page of a list is. */
export interface NextPage {
  /** The URL, when the API names one. */
  readonly url: string | undefined
  /** Arguments that differ from this call's; empty when the API names only a URL or cursor that no argument takes. */
  readonly arguments: JsonObject
  /** The cursor, when the API gives one. */
  readonly cursor: string | undefined
}

/**
 * How an answer names the next page: by a `Link` header with `rel="next"` (RFC 8288), a URL or cursor in the body, or
 * `has_more` beside a list whose items have an id. `undefined`: it says nothing, or that there is none.
 */
export function nextPage(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  value: JsonValue | undefined,
  plan: OperationPlan,
  requested: string,
): NextPage | undefined {
  const link = nextLink(headers['link'])
  if (link !== undefined) return fromUrl(link, plan, requested)
  if (!isJsonObject(value)) return undefined
  return fromBody(value, plan, requested)
}

/** The target of the first link with `rel="next"`. */
function nextLink(header: string | readonly string[] | undefined): string | undefined {
  const text = typeof header === 'string' ? header : (header ?? []).join(', ')
  const links = [...text.slice(0, 10_000).matchAll(/<([^<>]*)>([^<]*)/g)]
  return links.find(([, , parameters = '']) =>
    /;\s*rel\s*=(?:\s*")?(?:[^";]*\s)?next(?:["\s;,]|$)/i.test(parameters),
  )?.[1]
}

function fromUrl(target: string, plan: OperationPlan, requested: string): NextPage | undefined {
  const url = URL.canParse(target, requested) ? new URL(target, requested) : undefined
  if (url === undefined) return undefined
  const before = new URL(requested).searchParams
  const changed = plan.parameters.flatMap(({ argument, parameter }) => {
    const text = parameter.place === 'query' ? url.searchParams.get(parameter.name) : null
    return text === null || text === before.get(parameter.name)
      ? []
      : [[argument, argumentValue(text, argument, plan)] as const]
  })
  return { url: url.href, arguments: Object.fromEntries(changed), cursor: undefined }
}

/** Members that hold a cursor or URL of the next page, below any of {@link wrappers}. In lower case without `_`. */
const nextMembers = new Set([
  'next',
  'nextcursor',
  'nextpagetoken',
  'nexttoken',
  'continue',
  'nextlink',
  'nextpage',
  'nexturl',
])

const wrappers = ['meta', 'metadata', 'pagination', 'paging', 'links', '_links', 'page', 'response_metadata', 'cursors']

/** Arguments that take a cursor, in the order in which they are tried. */
const cursorArguments = [
  'cursor',
  'page_token',
  'pagetoken',
  'next_token',
  'nexttoken',
  'continue',
  'continuation',
  'after',
  'page',
]

function fromBody(value: JsonObject, plan: OperationPlan, requested: string): NextPage | undefined {
  const found = [value, ...wrappers.map((name) => value[name])].flatMap((place) => nextIn(place))[0]
  if (found === undefined) return afterLast(value, plan)
  if (typeof found === 'string' && /^https?:\/\/|^\/|^\?/.test(found)) return fromUrl(found, plan, requested)
  const argument = argumentFor(plan, cursorArguments)
  return {
    url: undefined,
    arguments: argument === undefined ? {} : { [argument]: argumentValue(found, argument, plan) },
    cursor: plainText(found),
  }
}

function nextIn(place: JsonValue | undefined): readonly JsonValue[] {
  if (!isJsonObject(place)) return []
  return Object.entries(place).flatMap(([name, value]) => {
    if (!nextMembers.has(name.toLowerCase().replaceAll(/[_-]/g, ''))) return []
    const target = isJsonObject(value) ? value['href'] : value
    if (target === undefined || target === '') return []
    return typeof target === 'string' || typeof target === 'number' || isRawNumber(target) ? [target] : []
  })
}

/** `has_more: true`: the next page is after the last item. */
function afterLast(value: JsonObject, plan: OperationPlan): NextPage | undefined {
  if (value['has_more'] !== true && value['hasMore'] !== true) return undefined
  const argument = argumentFor(plan, ['starting_after', 'after'])
  const items = Object.values(value).find((member) => Array.isArray(member))
  const last: JsonValue | undefined = items?.at(-1)
  const id = memberOf(last, 'id')
  const isKnown = argument !== undefined && typeof id === 'string'
  return { url: undefined, arguments: isKnown ? { [argument]: id } : {}, cursor: undefined }
}

function argumentFor(plan: OperationPlan, names: readonly string[]): string | undefined {
  const known = new Map(
    plan.parameters
      .filter(({ parameter }) => parameter.place === 'query')
      .map(({ argument, parameter }) => [parameter.name.toLowerCase().replaceAll(/[^a-z_]/g, ''), argument]),
  )
  return names.map((name) => known.get(name)).find((argument) => argument !== undefined)
}
