import { printable } from '@junctor/primitives'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Paint } from '../report/paint.ts'

const colors = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const

/** The most characters of one field. Texts are already cut when they are logged. */
const mostCharacters = 16 * 1024

type Level = keyof typeof colors

/** A record as the log prints it; all other members are fields. */
interface LogRecord {
  readonly level: Level
  /** ISO 8601. */
  readonly time: string
  readonly message: string
}

/**
 * One record of the log as one line: time of day, level, message, and the fields as `name=value`. At the level `debug`,
 * the stack of an error follows in lines of its own: this level is for people who look for the code.
 */
export function prettyLine(record: JsonObject & LogRecord, paint: Paint): string {
  const { level, time, message, ...fields } = record
  const shown = paint(colors[level], level.padEnd(5))
  const rest = Object.entries(fields).map(
    ([name, value]) => ` ${printable(name)}=${printable(fieldText(value), mostCharacters)}`,
  )
  const below = level === 'debug' ? Object.values(fields).flatMap(stackLines) : []
  return `${time.slice(11, 23)} ${shown} ${printable(message, mostCharacters)}${rest.join('')}\n${below.join('')}`
}

function stackLines(value: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(value) || typeof value['stack'] !== 'string') return []
  return value['stack'].split('\n').map((line) => `    ${printable(line.trim(), mostCharacters)}\n`)
}

/** An error is shown as its message. Text without spaces has no quotes. */
function fieldText(value: JsonValue | undefined): string {
  if (isJsonObject(value) && typeof value['message'] === 'string') return JSON.stringify(value['message'])
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}
