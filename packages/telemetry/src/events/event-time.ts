/** Formats epoch microseconds as in an event: `2025-10-21T14:32:10.123456+00:00`. */
export function printEventTime(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000)
  const rest = String(microseconds - milliseconds * 1000).padStart(3, '0')
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}+00:00`
}

/** A space before the offset is the unescaped `+` of a URL query. */
const timeForm = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?([Zz]|[+\- ]\d{2}:?\d{2})?)?$/

/**
 * Parses an ISO 8601 date or time into epoch microseconds; returns undefined for any other text. Without an offset it
 * is UTC.
 */
export function parseEventTime(text: string): number | undefined {
  const [, date, time = '00:00', fraction = '', zone = 'Z'] = timeForm.exec(text) ?? []
  if (date === undefined) return undefined
  const milliseconds = Date.parse(`${date}T${time}${offset(zone)}`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'))
}

function offset(zone: string): string {
  const text = zone.replace(' ', '+').toUpperCase()
  return text.length === 5 ? `${text.slice(0, 3)}:${text.slice(3)}` : text
}
