import { longestTimerMs } from '@junctor/connection'

const milliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/**
 * Parses a duration such as `500ms`, `30s`, `2m`, `1.5h`, `7d` into milliseconds; returns `undefined` for any other
 * text, and for more than a timer can wait, about 24.8 days.
 */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text) ?? []
  if (amount === undefined || unit === undefined) return undefined
  const duration = Math.round(Number(amount) * milliseconds[unit as keyof typeof milliseconds])
  return duration <= longestTimerMs ? duration : undefined
}
