import type { Scenario, Way } from './scenario.ts'

/** The result of one scenario on one transport. */
export interface ScenarioOutcome {
  readonly id: string
  readonly title: string
  readonly way: Way
  readonly verdict: 'held' | 'failed' | 'not run'
  /** The observations, the failed expectation, or what the machine lacks. */
  readonly seen: string
  readonly ms: number
}

/** No scenario takes this long: one that does has failed, and the next one begins. */
const longestMs = 300_000

/** Runs scenarios one after the other, so that each can use the whole machine and its times are meaningful. */
export async function* runScenarios(
  scenarios: readonly Scenario[],
  onProgress: (progress: string) => void,
): AsyncGenerator<ScenarioOutcome> {
  for (const scenario of scenarios) {
    for (const way of scenario.ways) {
      const { id, title } = scenario
      const began = performance.now()
      onProgress(`${id} ${way}: ${title}`)
      // oxlint-disable-next-line no-await-in-loop
      const { verdict, seen } = await run(scenario, way, (progress) => onProgress(`${id} ${way}: ${progress}`))
      yield { id, title, way, verdict, seen, ms: performance.now() - began }
    }
  }
}

async function run(
  scenario: Scenario,
  way: Way,
  onProgress: (progress: string) => void,
): Promise<Pick<ScenarioOutcome, 'verdict' | 'seen'>> {
  const lack = await scenario.lack?.()
  if (lack !== undefined) return { verdict: 'not run', seen: lack }
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`Expected an end within ${longestMs} ms`)), longestMs)
  try {
    return { verdict: 'held', seen: await Promise.race([scenario.run(way, onProgress), late.promise]) }
  } catch (error) {
    return { verdict: 'failed', seen: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    clearTimeout(timer)
  }
}

const labels = { held: 'ok', failed: 'FAILED', 'not run': 'not run' } as const

/** One line of the report; a failure takes as many as it needs. */
export function reportLine({ id, title, way, verdict, seen, ms }: ScenarioOutcome): string {
  const head = `${id.padEnd(5)} ${way.padEnd(5)} ${labels[verdict].padEnd(7)} ${(ms / 1000).toFixed(1).padStart(5)} s`
  return `${head}  ${title}: ${seen}`
}
