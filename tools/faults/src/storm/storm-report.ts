import type { Attempt } from './ledger/attempt.ts'
import { labelOf } from './ledger/outcome.ts'
import type { StormReport } from './run-storm.ts'

/** Whether all promises were checked and kept. */
export function isAllKept({ verdicts }: Pick<StormReport, 'verdicts'>): boolean {
  return verdicts.length > 0 && verdicts.every(({ faults }) => faults.length === 0)
}

/** The report: tables of attempts by client and by call, then each promise with whether it was kept. */
export function stormReport(report: StormReport): string {
  const { calls, attempts, outages, verdicts, folder } = report
  const last = [...Map.groupBy(attempts, ({ of }) => of).values()].flatMap((all) => all.at(-1) ?? [])
  const downs = [...Map.groupBy(outages, ({ target }) => target.role)].map(([role, all]) => `${all.length} ${role}`)
  return [
    ...table('client', attempts, ({ kind }) => kind),
    ...table('call', attempts, ({ tool }) => tool),
    `${calls} calls in ${attempts.length} attempts; they ended as: ${tally(last)}`,
    `killed and started again: ${downs.length === 0 ? 'none' : downs.join(', ')}`,
    ...verdicts.flatMap(({ promise, faults }) => [
      `${faults.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}`,
      ...faults.map((fault) => `  ${fault}`),
    ]),
    isAllKept(report) ? 'Every promise was kept' : `NOT every promise was kept: logs are in ${folder ?? 'no folder'}`,
  ].join('\n')
}

function table(name: string, attempts: readonly Attempt[], of: (attempt: Attempt) => string): readonly string[] {
  return [
    row([name, 'attempts', 'p50 ms', 'p99 ms', 'how they ended']),
    ...[...Map.groupBy(attempts, of)].map(([value, own]) => row([value, own.length, ...times(own), tally(own)])),
  ]
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
