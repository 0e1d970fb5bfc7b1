import type { Attempt } from './ledger/attempt.ts'
import { labelOf } from './ledger/outcome.ts'
import type { StormReport } from './run-storm.ts'

/** What was seen, as a table and a verdict. */
export function stormReport({ calls, attempts, outages, faults, folder }: StormReport): string {
  const byKind = [...Map.groupBy(attempts, ({ kind }) => kind)]
  const last = [...Map.groupBy(attempts, ({ of }) => of).values()].flatMap((all) => all.at(-1) ?? [])
  const rows = byKind.map(([kind, own]) => row([kind, own.length, ...times(own), tally(own)]))
  const downs = [...Map.groupBy(outages, ({ target }) => target.role)].map(([role, all]) => `${all.length} ${role}`)
  return [
    row(['client', 'attempts', 'p50 ms', 'p99 ms', 'how they ended']),
    ...rows,
    `${calls} calls in ${attempts.length} attempts; they ended as: ${tally(last)}`,
    `killed and started again: ${downs.length === 0 ? 'nobody' : downs.join(', ')}`,
    ...(faults.length === 0
      ? ['The storm left nothing behind']
      : [...faults.map((fault) => `WRONG: ${fault}`), `Configurations and logs are in ${folder ?? 'no folder'}`]),
  ].join('\n')
}

function row([first, ...cells]: readonly (string | number)[]): string {
  const last = cells.pop()
  return `${String(first).padEnd(14)}${cells.map((cell) => String(cell).padStart(9)).join('')}  ${last}`
}

function times(attempts: readonly Attempt[]): readonly number[] {
  const sorted = attempts.map(({ began, ended }) => ended - began).toSorted((one, other) => one - other)
  return [0.5, 0.99].map((share) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0))
}

function tally(attempts: readonly Attempt[]): string {
  return [...Map.groupBy(attempts, ({ outcome }) => labelOf(outcome))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([label, all]) => `${all.length} ${label}`)
    .join(', ')
}
