import type { ListKind } from '@junctor/contracts'
import {
  edit,
  isJsonObject,
  isPayload,
  type JsonObject,
  type JsonValue,
  memberOf,
  type Payload,
} from '@junctor/jsonrpc'
import { anyArguments } from '@junctor/protocol'
import { memberParts, withoutParts, wrongPart } from './member-parts.ts'
import { type MemberRule, type MemberRules, textRule } from './member-rules.ts'

/** A problem of one item of a list. */
export interface ListFinding {
  readonly list: ListKind
  /** The position of the item, counted from 0 over all pages. */
  readonly position: number
  /** What was found: `null`, `"description" 5`. Contains text of the backend. */
  readonly got: string
  readonly expected: string
  /** Whether clients see the item, without the invalid members. */
  readonly shown: boolean
}

/** A list that can be shown to clients. */
export interface JudgedList {
  readonly items: readonly Payload[]
  readonly findings: readonly ListFinding[]
}

/** The member that names an item of each list. */
export const nameMembers: Readonly<Record<ListKind, string>> = {
  tools: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
  prompts: 'name',
}

interface ItemShape {
  /** The test of each member. A member that fails is left out. */
  readonly members: MemberRules
  /** Members that clients require, for items that do not have them. */
  readonly insisted: (name: string) => JsonObject
}

type Test = MemberRule[0]

const listOf =
  (member: string): Test =>
  (value) =>
    Array.isArray(value) && value.every((one) => isJsonObject(one) && typeof one[member] === 'string')

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
const isToolNotes: Test = (value) =>
  isJsonObject(value) && hints.every((hint) => value[hint] === undefined || typeof value[hint] === 'boolean')
const isObjectSchema: Test = (value) => memberOf(value, 'type') === 'object'

const common: ItemShape['members'] = {
  title: textRule,
  description: textRule,
  icons: [listOf('src'), 'a list of icons'],
  _meta: [isJsonObject, 'an object'],
}
const resource: ItemShape['members'] = {
  ...common,
  name: textRule,
  mimeType: textRule,
  size: [(value) => typeof value === 'number', 'a number'],
  annotations: [isJsonObject, 'an object'],
}

/** The requirements of the specification that make clients refuse a whole list. */
const shapes: Readonly<Record<ListKind, ItemShape>> = {
  tools: {
    members: {
      ...common,
      inputSchema: [isObjectSchema, 'a schema of type "object"'],
      outputSchema: [isJsonObject, 'a schema'],
      annotations: [isToolNotes, 'an object of hints'],
      execution: [isJsonObject, 'an object'],
    },
    insisted: () => ({ inputSchema: anyArguments }),
  },
  prompts: {
    members: { ...common, arguments: [listOf('name'), 'a list of arguments'] },
    insisted: () => ({}),
  },
  resources: { members: resource, insisted: (uri) => ({ name: uri }) },
  resourceTemplates: { members: resource, insisted: (uri) => ({ name: uri }) },
}

/**
 * Validates a backend's list, item by item. This is the only place that decides which items exist. An item that is not
 * an object, or has no usable name, is dropped, and so is one whose name came before: another gateway lists a resource of
 * several servers several times. Other members that violate the specification are left out, because most
 * clients refuse a whole list for one of them, and with it the items of other backends. Everything else is unchanged.
 */
export function judgeList(list: ListKind, offered: readonly Payload[]): JudgedList {
  const items: Payload[] = []
  const findings: ListFinding[] = []
  const names = new Set<string>()
  const member = nameMembers[list]
  for (const [position, item] of offered.entries()) {
    const value = isPayload(item) ? (item.value() as JsonValue) : undefined
    const named = nameOf(member, value)
    if (named.kind === 'none') {
      const expected = `an object with a text "${member}"`
      findings.push({ list, position, got: named.got, expected, shown: false })
      continue
    }
    if (names.has(named.name)) {
      const got = `"${member}" ${briefly(named.name)} again`
      findings.push({ list, position, got, expected: 'each name once', shown: false })
      continue
    }
    names.add(named.name)
    const wrong = wrongMembers(shapes[list], named.item)
    const parts = memberParts(list, named.item).filter((part) => !wrong.includes(part))
    if (wrong.length + parts.length > 0) findings.push({ list, position, ...described(list, named.item, wrong, parts) })
    items.push(withoutParts(list, mended(shapes[list], item, named, wrong), parts))
  }
  return { items, findings }
}

/** An item's object and its name, or what was found instead. */
type Named =
  | { readonly kind: 'named'; readonly item: JsonObject; readonly name: string }
  | { readonly kind: 'none'; readonly got: string }

function nameOf(member: string, item: JsonValue | undefined): Named {
  if (!isJsonObject(item)) return { kind: 'none', got: briefly(item) }
  const name = item[member]
  if (typeof name === 'string' && name !== '' && name.isWellFormed() && !/\p{Cc}/u.test(name)) {
    return { kind: 'named', item, name }
  }
  return { kind: 'none', got: name === undefined ? `no "${member}"` : `"${member}" ${briefly(name)}` }
}

function described(
  list: ListKind,
  item: JsonObject,
  wrong: readonly string[],
  parts: readonly string[],
): Omit<ListFinding, 'list' | 'position'> {
  const inside = parts.map((member) => {
    const { part, value, expected } = wrongPart(list, member, item[member])
    return { got: `"${member}" with "${part}" ${briefly(value)}`, expected }
  })
  const whole = wrong.map((member) => ({
    got: `"${member}" ${briefly(item[member])}`,
    expected: shapes[list].members[member]?.[1],
  }))
  const all = [...whole, ...inside]
  return {
    got: all.map(({ got }) => got).join(', '),
    expected: all.map(({ expected }) => expected).join(', '),
    shown: true,
  }
}

function wrongMembers({ members }: ItemShape, item: JsonObject): readonly string[] {
  return Object.entries(members).flatMap(([member, [test]]) => {
    const value = item[member]
    return value === undefined || test(value) ? [] : [member]
  })
}

/**
 * The item without its invalid members, and with the members that clients require. Unchanged items stay the same
 * payload.
 */
function mended(
  { insisted }: ItemShape,
  item: Payload,
  { item: value, name }: Extract<Named, { kind: 'named' }>,
  wrong: readonly string[],
): Payload {
  const patch: Record<string, JsonValue | undefined> = Object.fromEntries(wrong.map((member) => [member, undefined]))
  for (const [member, instead] of Object.entries(insisted(name))) {
    if (value[member] === undefined || wrong.includes(member)) patch[member] = instead
  }
  return Object.keys(patch).length === 0 ? item : edit(item, patch)
}

const longestShown = 40

function briefly(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (isJsonObject(value)) return 'an object'
  const text = JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
