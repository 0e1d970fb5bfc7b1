import { type Config, configuredSecrets, type Problem, untimelyCertificates } from '@junctor/config'
import { createRedaction } from '@junctor/primitives'
import { idlePatterns, type NameCollision, nameCollisions, type ParsedNodeConfig } from '@junctor/node'
import { type TriedBackend, tryBackend } from './try-backend.ts'
import { unwritableFiles } from './unwritable-files.ts'
import type { DiagnosisKind } from './diagnosis.ts'

/** A problem that shows only when the backends are tried. */
interface BackendProblem extends Omit<Problem, 'kind'> {
  readonly kind: DiagnosisKind | 'name_collision' | 'file_not_writable'
  /** Absent: the problem is about a file. */
  readonly backend?: string
}

/** The result of `junctor check`. */
export interface CheckResult {
  /** In the order of the configuration. */
  readonly backends: readonly TriedBackend[]
  /** In the order of the file. */
  readonly problems: readonly BackendProblem[]
  /** Settings that work, but are probably a mistake. */
  readonly warnings: readonly string[]
}

/** Backends that are tried at the same time: more would slow each other down. */
const atOnce = 8

/**
 * Tries every backend of a valid configuration, and reports each problem with its place in the file.
 *
 * @param onTried called with each backend that was tried
 * @param only the backend to try; default: all
 */
export async function check(
  file: string,
  { config, positions }: Extract<ParsedNodeConfig, { kind: 'valid' }>,
  timeoutMs: number,
  onTried: (backend: TriedBackend) => void,
  only?: string,
): Promise<CheckResult> {
  const redact = createRedaction(configuredSecrets(config))
  const waiting = config.backends.filter(({ name }) => only === undefined || name === only)
  const found = new Map<string, TriedBackend>()
  const work = async (): Promise<void> => {
    for (let backend = waiting.shift(); backend !== undefined; backend = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop
      const checked = await tryBackend(config, backend, timeoutMs, redact)
      found.set(backend.name, checked)
      onTried(checked)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))

  const backends = config.backends.flatMap(({ name }) => found.get(name) ?? [])
  const placed = (backend: string): Pick<BackendProblem, 'file' | 'line' | 'column' | 'path' | 'backend'> => {
    return { file, ...(positions.get(backend) ?? { line: 1, column: 1 }), path: `backend ${backend}`, backend }
  }
  const failures = backends.flatMap((backend) =>
    backend.state === 'up' ? [] : [{ ...placed(backend.name), ...backend.diagnosis }],
  )
  const offers = new Map(backends.flatMap((backend) => (backend.state === 'up' ? [[backend.name, backend]] : [])))
  const collisions = nameCollisions(config, offers).map(
    ({ tenant, kind, name, backends: [first = '', second = ''] }) => ({
      ...placed(second),
      kind: 'name_collision' as const,
      got: `the ${kind} ${name}, which ${first === second ? 'it has twice' : `${first} has too`} (tenant ${tenant})`,
      expected: 'names that nothing else has: clients see neither',
      next: wayOut(kind, first === second),
    }),
  )
  const warnings = only === undefined ? [...certificateWarnings(config), ...patternWarnings(config, offers)] : []
  return {
    backends,
    warnings,
    problems: [
      ...failures,
      ...collisions,
      ...unwritableFiles(config).map((problem) => ({ file, line: 1, column: 1, ...problem })),
    ].toSorted((a, b) => a.line - b.line),
  }
}

function certificateWarnings({ listen }: Config): readonly string[] {
  const { cert = '', file } = listen.http.tls ?? {}
  const where = file === undefined ? '' : ` in ${file}`
  return untimelyCertificates(cert, Date.now()).map(
    ({ problem, subject, validFrom, validTo }) =>
      `listen.http.tls: the certificate of ${subject}${where} ${problem}: it is valid from ${validFrom} to ${validTo}`,
  )
}

function patternWarnings(...[config, offers]: Parameters<typeof idlePatterns>): readonly string[] {
  return idlePatterns(config, offers).map(
    ({ tenant, list, pattern }) =>
      `tenant ${tenant}: tools.${list} has ${JSON.stringify(pattern)}, which matches no tool`,
  )
}

/** What to do about two items with the same name. Methods outside MCP have no prefix that could distinguish them. */
function wayOut(kind: NameCollision['kind'], ofOneServer: boolean): string {
  if (ofOneServer) return 'Look at the server: it gives one name twice.'
  return kind === 'method' ? 'Take one of the two out of the tenant.' : 'Give one of the two another "prefix".'
}
