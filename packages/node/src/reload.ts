import type { ConfigDiff, Problem } from '@junctor/config'
import { diffConfig } from '@junctor/config'
import type { Log, Emit } from '@junctor/contracts'
import type { NodeConfig, ParsedNodeConfig } from './node-config.ts'

/** The result of a reload. */
export type Reloaded =
  /** The configuration is in use, except for the words that `restart` lists. */
  | { readonly kind: 'taken'; readonly changes: ConfigDiff }
  /** The previous configuration stays in use. `message` is set when the fault is not in the file. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly message: string | undefined }

/** The result of the last reload, for the operator. */
export interface ReloadState {
  readonly result: 'none' | 'success' | 'failure'
  /** Epoch milliseconds; absent before the first reload. */
  readonly at: number | undefined
  readonly problems: readonly Problem[]
}

/** Applies configurations while a node runs, one after the other. */
export interface Reloads {
  readonly state: ReloadState
  /** Never rejects. */
  reload(parsed: ParsedNodeConfig): Promise<Reloaded>
}

export interface ReloadParts {
  readonly config: NodeConfig
  /** Applies another configuration. Rejects when it cannot; then nothing has changed. */
  readonly apply: (config: NodeConfig) => Promise<void>
  readonly log: Log
  readonly emit: Emit
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createReloads({ config, apply, log, emit, now }: ReloadParts): Reloads {
  let current = config
  let state: ReloadState = { result: 'none', at: undefined, problems: [] }
  let last: Promise<unknown> = Promise.resolve()

  const refused = (problems: readonly Problem[], message?: string): Reloaded => {
    state = { result: 'failure', at: now(), problems }
    emit({ kind: 'config_reloaded', result: 'failure', problems: Math.max(1, problems.length), backends: [] })
    if (message !== undefined) log.error('the new configuration cannot be served, the old one is', { reason: message })
    for (const { file, line, path, got, expected, next } of problems) {
      log.error('the new configuration has a problem, the old one is served', { file, line, path, got, expected, next })
    }
    return { kind: 'refused', problems, message }
  }

  const take = async (parsed: ParsedNodeConfig): Promise<Reloaded> => {
    if (parsed.kind === 'invalid') return refused(parsed.problems)
    // Words that need a restart are compared with the configuration at the start, not with the last one that was read.
    const changes = { ...diffConfig(current, parsed.config), restart: diffConfig(config, parsed.config).restart }
    try {
      await apply(parsed.config)
    } catch (error) {
      return refused([], error instanceof Error ? error.message : String(error))
    }
    current = parsed.config
    state = { result: 'success', at: now(), problems: [] }
    const { added, changed, removed } = changes.backends
    emit({ kind: 'config_reloaded', result: 'success', problems: 0, backends: [...added, ...changed, ...removed] })
    log.info('a new configuration is served', { added, changed, removed })
    if (changes.restart.length > 0) {
      log.warn('a part of the new configuration is served only after a restart', { words: changes.restart })
    }
    return { kind: 'taken', changes }
  }

  return {
    get state() {
      return state
    },
    reload(parsed) {
      const done = last.then(() => take(parsed))
      last = done
      return done
    },
  }
}
