import { printable } from '@junctor/primitives'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import { createPaint } from '../report/paint.ts'

const colors: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = {
  success: 'green',
  failure: 'red',
  pending: 'yellow',
}

/** The most characters of one member that are shown. */
const mostCharacters = 2000

/** The members that every event has. The others are shown as `name=value`. */
const common: ReadonlySet<string> = new Set(['timestamp', 'trace_id', 'status', 'event_type', 'source'])

/** An event in one line: time, status, type, its own fields, and its trace id, which finds related events. */
export function eventText(event: JsonValue, color: boolean): string {
  if (!isJsonObject(event)) return printable(JSON.stringify(event), mostCharacters)
  const status = word(event['status'])
  const format = colors[status]
  const padded = status.padEnd(7)
  const shown = format === undefined ? padded : createPaint(color)(format, padded)
  const fields = Object.entries(event).filter(([name]) => !common.has(name))
  const shownFields = [...fields, ['trace', event['trace_id']] as const].map(
    ([name, value]) => `${printable(name)}=${word(value)}`,
  )
  return [word(event['timestamp']).slice(0, 23), shown, word(event['event_type']), ...shownFields].join(' ')
}

/** Text without spaces goes without quotes; everything else is JSON. */
function word(value: JsonValue | undefined): string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && !/["=]/.test(value)
    ? value
    : printable(JSON.stringify(value ?? null), mostCharacters)
}
