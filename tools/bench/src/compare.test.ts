import { describe, expect, test } from 'vitest'
import type { Measurement } from './cell.ts'
import { compare, judge } from './compare.ts'
import type { ComparedRow } from './rows.ts'

const row: ComparedRow = {
  kind: 'compared',
  name: 'row',
  title: 'own through bare',
  subject: 'own',
  baselines: ['slow', 'fast'],
  lanes: 16,
  value: 'ratio',
  bar: { least: 0.6 },
}

function measured(perSecond: number, p50 = 0, errors: readonly string[] = []): Measurement {
  return { perSecond, p50, p99: p50, cpu: 0, clientLoad: 0, requests: perSecond, seconds: 1, errors }
}

const rounds: Readonly<Record<string, readonly Measurement[]>> = {
  own: [measured(80, 3), measured(10, 9), measured(60, 2)],
  slow: [measured(1), measured(1), measured(1)],
  fast: [measured(100, 1), measured(20, 5), measured(100, 1)],
}

describe('a comparison', () => {
  test('is made round by round against the fastest baseline, and the median of the rounds counts', () => {
    expect(compare(row, (name) => rounds[name] ?? [])).toMatchObject({
      baseline: 'fast',
      value: { median: 0.6, min: 0.5, max: 0.8 },
      verdict: 'met',
    })
  })

  test('of latencies is what the subject adds', () => {
    const added = compare({ ...row, value: 'added', bar: { below: 2 } }, (name) => rounds[name] ?? [])
    expect(added).toMatchObject({ value: { median: 2, min: 1, max: 4 }, verdict: 'missed' })
  })

  test('has no value when any answer was wrong', () => {
    const broken = { ...rounds, fast: [measured(100, 1, ['expected an echo'])] }
    expect(compare(row, (name) => broken[name as keyof typeof broken] ?? []).verdict).toBe('void')
  })
})

test.each([
  [0.6, { least: 0.6 }, 'met'],
  [0.59, { least: 0.6 }, 'missed'],
  [0.25, { below: 0.25 }, 'missed'],
  [0.24, { below: 0.25 }, 'met'],
  [7, undefined, 'no bar'],
  [NaN, { below: 1 }, 'void'],
] as const)('%f is judged by %o as %s', (value, bar, verdict) => {
  expect(judge(value, bar)).toBe(verdict)
})
