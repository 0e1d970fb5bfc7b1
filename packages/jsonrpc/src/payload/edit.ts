import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { scanMembers } from '../json/json-scan.ts'
import {
  isPayload,
  knownValue,
  payloadFromText,
  payloadOf,
  payloadOfParsed,
  printPayload,
  type Payload,
} from './payload.ts'

/** Members to set, by name; undefined removes one. */
export type Patch = Readonly<Record<string, Payload | JsonValue | undefined>>

/**
 * Returns the payload with some of its top-level members set or removed. The other members keep their text and
 * position; new members are last. The input is not changed. A payload that is not an object has no members and is
 * returned unchanged.
 *
 * The value is edited when no text must be kept. Else the text is edited, and its other members are copied exactly; a
 * known value is edited too, so that it need not be parsed again.
 */
export function edit(payload: Payload, patch: Patch): Payload {
  const names = Object.keys(patch)
  if (payload.text === undefined && !bringsText(patch, names)) {
    const value = payload.value()
    return isJsonObject(value) ? payloadOf(editValue(value, patch, names)) : payload
  }
  const text = printPayload(payload)
  if (!text.trimStart().startsWith('{')) return payload
  const value = knownValue(payload)
  if (!isJsonObject(value)) return payloadFromText(editText(text, patch))
  const isNew = names.every((name) => !Object.hasOwn(value, name))
  const edited = isNew ? appended(text, patch, names) : editText(text, patch)
  return names.every((name) => isKnown(patch[name]))
    ? payloadOfParsed(editValue(value, patch, names), edited)
    : payloadFromText(edited)
}

/** The text with members at its end. It has none of these names, so it need not be read. */
function appended(text: string, patch: Patch, names: readonly string[]): string {
  let joined = text.slice(0, text.lastIndexOf('}')).trimEnd()
  let comma = joined.endsWith('{') ? '' : ','
  for (const name of names) {
    const entry = patch[name]
    if (entry === undefined) continue
    joined += `${comma}${JSON.stringify(name)}:${printEntry(entry)}`
    comma = ','
  }
  return `${joined}}`
}

function isKnown(entry: Payload | JsonValue | undefined): boolean {
  return entry === undefined || !isPayload(entry) || knownValue(entry) !== undefined
}

/** Whether a payload to be set keeps its text. */
function bringsText(patch: Patch, names: readonly string[]): boolean {
  for (const name of names) {
    const entry = patch[name]
    if (typeof entry === 'object' && isPayload(entry) && entry.text !== undefined) return true
  }
  return false
}

function editValue(value: JsonObject, patch: Patch, names: readonly string[]): JsonObject {
  const edited: Record<string, JsonValue | undefined> = { ...value }
  for (const name of names) {
    const entry = patch[name]
    const member = typeof entry === 'object' && isPayload(entry) ? (entry.value() as JsonValue) : entry
    // Assigning to `__proto__` would replace the prototype instead of adding a member, so the member is defined.
    if (name === '__proto__')
      Object.defineProperty(edited, name, { value: member, enumerable: true, configurable: true })
    // A member that is undefined is not printed, and setting it is much cheaper than deleting it.
    else edited[name] = member
  }
  return edited
}

function editText(text: string, patch: Patch): string {
  const pieces: string[] = []
  const done = new Set<string>()
  for (const { name, nameStart, start, end } of scanMembers(text)) {
    if (!Object.hasOwn(patch, name)) pieces.push(text.slice(nameStart, end))
    else if (!done.has(name)) {
      done.add(name)
      const entry = patch[name]
      if (entry !== undefined) pieces.push(text.slice(nameStart, start) + printEntry(entry))
    }
  }
  for (const name of Object.keys(patch)) {
    const entry = patch[name]
    if (!done.has(name) && entry !== undefined) pieces.push(`${JSON.stringify(name)}:${printEntry(entry)}`)
  }
  return `{${pieces.join(',')}}`
}

function printEntry(entry: Payload | JsonValue): string {
  return isPayload(entry) ? printPayload(entry) : JSON.stringify(entry)
}
