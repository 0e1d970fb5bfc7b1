import { longestTimerMs } from '@junctor/connection'

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/**
 * Parses a duration such as `500ms`, `30s`, `2m`, `1.5h`, `7d` into milliseconds; returns `undefined` for any other
 * text, and for more than a timer can wait, about 24.8 days.
 */
export function parseDuration(text: string): number | undefined {
  const duration = written(text)
  return duration !== undefined && duration <= longestTimerMs ? duration : undefined
}

/** Whether a text is a duration, but longer than a timer can wait. */
export function isTooLong(text: string): boolean {
  return (written(text) ?? 0) > longestTimerMs
}

function written(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text) ?? []
  if (amount === undefined || unit === undefined) return undefined
  return Math.round(Number(amount) * milliseconds[unit as keyof typeof milliseconds])
}
