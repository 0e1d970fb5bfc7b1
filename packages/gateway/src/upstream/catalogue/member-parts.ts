import type { ListKind } from '@junctor/contracts'
import {
  edit,
  isJsonObject,
  items,
  type JsonValue,
  member,
  memberOf,
  type Payload,
  payloadFromText,
  printPayload,
} from '@junctor/jsonrpc'
import * as z from 'zod'
import { type MemberRule, type MemberRules, textRule } from './member-rules.ts'

const texts: MemberRule = [
  (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'a list of texts',
]
const icons: MemberRules = {
  mimeType: textRule,
  sizes: texts,
  theme: [(value) => value === 'light' || value === 'dark', '"light" or "dark"'],
}
const schema: MemberRules = { properties: [isJsonObject, 'an object'], required: texts }
const dateTime = z.iso.datetime({ offset: true })
const resource: Readonly<Record<string, MemberRules>> = {
  icons,
  annotations: {
    audience: [
      (value) => Array.isArray(value) && value.every((one) => one === 'user' || one === 'assistant'),
      'a list of "user" and "assistant"',
    ],
    priority: [(value) => typeof value === 'number' && value >= 0 && value <= 1, 'a number from 0 to 1'],
    lastModified: [(value) => dateTime.safeParse(value).success, 'a time of ISO 8601'],
  },
}

/** What clients require of the parts of members, by list and member: an object, or a list of objects. */
const rules: Readonly<Record<ListKind, Readonly<Record<string, MemberRules>>>> = {
  tools: { icons, inputSchema: schema, outputSchema: schema, annotations: { title: textRule } },
  prompts: {
    icons,
    arguments: { description: textRule, required: [(value) => typeof value === 'boolean', 'true or false'] },
  },
  resources: resource,
  resourceTemplates: resource,
}

/** The members of an item with a part for which clients refuse the whole list. Most items have none. */
export function memberParts(list: ListKind, item: Readonly<Record<string, JsonValue | undefined>>): readonly string[] {
  return Object.entries(rules[list]).flatMap(([name, tests]) => {
    const value = item[name]
    return holdersOf(value).some((holder) => wrongIn(tests, holder).length > 0) ? [name] : []
  })
}

/** The first wrong part of such a member. */
export function wrongPart(
  list: ListKind,
  name: string,
  value: JsonValue | undefined,
): { readonly part: string; readonly value: JsonValue | undefined; readonly expected: string } {
  const tests = rules[list][name] ?? {}
  const [first] = holdersOf(value).flatMap((holder) =>
    wrongIn(tests, holder).map((part) => ({ part, value: memberOf(holder, part), expected: tests[part]?.[1] ?? '' })),
  )
  return first ?? { part: '', value: undefined, expected: '' }
}

/** The item without the wrong parts of these members. Everything else keeps its text. */
export function withoutParts(list: ListKind, item: Payload, names: readonly string[]): Payload {
  if (names.length === 0) return item
  const patch = names.map((name) => [name, partless(rules[list][name] ?? {}, member(item, name))] as const)
  return edit(item, Object.fromEntries(patch))
}

function partless(tests: MemberRules, payload: Payload | undefined): Payload | undefined {
  if (payload === undefined) return undefined
  const value = payload.value() as JsonValue
  if (Array.isArray(value)) {
    return payloadFromText(
      `[${items(payload)
        .map((one) => printPayload(partless(tests, one) ?? one))
        .join(',')}]`,
    )
  }
  return edit(payload, Object.fromEntries(wrongIn(tests, value).map((part) => [part, undefined])))
}

function wrongIn(tests: MemberRules, holder: JsonValue): readonly string[] {
  return Object.entries(tests).flatMap(([part, [test]]) => {
    const value = memberOf(holder, part)
    return value === undefined || test(value) ? [] : [part]
  })
}

function holdersOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
