import type { ParsedConfig, Problem } from '@junctor/config'
import { type CheckedBackend, checkBackend } from './check-backend.ts'
import { collisionsOf } from './collisions.ts'

/** What `junctor check` found. */
export interface Checked {
  readonly backends: readonly CheckedBackend[]
  /** Of backends: those of the file itself are found before anything is started. */
  readonly problems: readonly Omit<Problem, 'kind'>[]
}

/** Backends that are tried at the same time: more would slow each other down. */
const atOnce = 8

/**
 * Tries every backend of a valid configuration, and says what is wrong where in the file.
 *
 * @param tell hears of each backend when it has been tried
 */
export async function check(
  file: string,
  { config, positions }: Extract<ParsedConfig, { kind: 'valid' }>,
  timeoutMs: number,
  tell: (backend: CheckedBackend) => void,
): Promise<Checked> {
  const waiting = config.backends.map(({ name }) => name)
  const found = new Map<string, CheckedBackend>()
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const checked = await checkBackend(config, name, timeoutMs)
      found.set(name, checked)
      tell(checked)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))

  const backends = config.backends.flatMap(({ name }) => found.get(name) ?? [])
  const placed = (name: string): Pick<Problem, 'file' | 'line' | 'column' | 'path'> => {
    return { file, ...(positions.get(name) ?? { line: 1, column: 1 }), path: `backends.${name}` }
  }
  const failures = backends.flatMap((backend) => {
    if (backend.kind === 'up') return []
    const { name, got, expected, next } = backend
    return [{ ...placed(name), got, expected, next }]
  })
  const tools = new Map(backends.map((backend) => [backend.name, backend.kind === 'up' ? backend.tools : []]))
  const collisions = collisionsOf(config, tools).map(({ tenant, name, backends: [first = '', ...others] }) => ({
    ...placed(others.at(-1) ?? first),
    got: `a tool ${name} that ${first} has too, for tenant ${tenant}`,
    expected: 'names that no other backend has: both are left out',
    next: 'Give one of them another prefix.',
  }))
  return { backends, problems: [...failures, ...collisions].toSorted((a, b) => a.line - b.line) }
}
