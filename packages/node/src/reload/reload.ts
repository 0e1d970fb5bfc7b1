import type { ConfigDiff, Problem } from '@junctor/config'
import { errorOf } from '@junctor/primitives'
import { requireReadConfig } from '../require-read-config.ts'
import { ServingError } from '../added-backends/serving-error.ts'
import { createFileInUse, type FileInUseParts } from './file-in-use.ts'
import type { NodeConfig, ParsedNodeConfig } from '../node-config.ts'

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
  /** The configuration of the file: without the backends that were added while the nodes run. */
  readonly file: NodeConfig
  /** Applies another configuration of the file. Never rejects. */
  reload(parsed: ParsedNodeConfig): Promise<Reloaded>
  /** Applies the same file again, because the added backends have changed. Rejects with a `ServingError`. */
  again(): Promise<void>
  /** Resolves when no configuration is being applied. */
  settled(): Promise<unknown>
}

/** What applies a configuration, and the clock for the time of the last reload. */
export interface ReloadParts extends FileInUseParts {
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Creates the reloads of a running node. */
export function createReloads({ config, served, addTo, apply, log, emit, now }: ReloadParts): Reloads {
  const inUse = createFileInUse({ config, served, addTo, apply, log, emit })
  let state: ReloadState = { result: 'none', at: undefined, problems: [] }
  let last: Promise<unknown> = Promise.resolve()

  const refused = (problems: readonly Problem[], message?: string): Reloaded => {
    state = { result: 'failure', at: now(), problems }
    emit({ kind: 'config_reloaded', result: 'failure', problems: Math.max(1, problems.length), backends: [] })
    if (message !== undefined) log.error('the new configuration cannot be served, the old one is', { reason: message })
    for (const { file: name, line, path, got, expected, next } of problems) {
      const problem = { file: name, line, path, got, expected, next }
      log.error('the new configuration has a problem, the old one is served', problem)
    }
    return { kind: 'refused', problems, message }
  }

  const take = async (parsed: ParsedNodeConfig): Promise<Reloaded> => {
    if (parsed.kind === 'invalid') return refused(parsed.problems)
    try {
      const changes = await inUse.use(requireReadConfig(parsed.config))
      state = { result: 'success', at: now(), problems: [] }
      if (changes.restart.length > 0) {
        log.warn('a part of the new configuration is served only after a restart', { words: changes.restart })
      }
      return { kind: 'taken', changes }
    } catch (error) {
      return refused([], errorOf(error).message)
    }
  }

  const takeAgain = async (): Promise<void> => {
    try {
      await inUse.use(inUse.file)
    } catch (error) {
      emit({ kind: 'config_reloaded', result: 'failure', problems: 1, backends: [] })
      const message = errorOf(error).message
      log.error('the backends that were added cannot be served, the old ones are', { reason: message })
      throw new ServingError(message, { cause: error })
    }
  }

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  return {
    get state() {
      return state
    },
    get file() {
      return inUse.file
    },
    reload: (parsed) => inTurn(() => take(parsed)),
    again: () => inTurn(takeAgain),
    settled: () => last,
  }
}
