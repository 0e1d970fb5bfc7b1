import { styleText } from 'node:util'
import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'

const colors = { success: 'green', failure: 'red', pending: 'yellow' } as const

/** The members that every event has; the rest is shown as `name=value`. */
const common: ReadonlySet<string> = new Set(['timestamp', 'trace_id', 'status', 'event_type', 'source'])

/** An event in one line: time, type, status, its own fields, and the trace that finds what belongs to it. */
export function eventText(event: JsonValue, color: boolean): string {
  if (!isJsonObject(event)) return JSON.stringify(event)
  const { timestamp, trace_id: trace, status, event_type: type } = event
  const word = String(status).padEnd(7)
  const format = colors[status as keyof typeof colors]
  const shown = color && format !== undefined ? styleText(format, word, { validateStream: false }) : word
  const fields = Object.entries(event)
    .filter(([name]) => !common.has(name))
    .map(
      ([name, value]) =>
        ` ${name}=${typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)}`,
    )
  return `${String(timestamp).slice(0, 23)} ${shown} ${String(type)}${fields.join('')} trace=${String(trace)}`
}
