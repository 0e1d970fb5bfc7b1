import { type ConfigDiff, diffBackends, wordsForRestart } from '@junctor/config'
import type { Emit, Log } from '@junctor/contracts'
import type { WithAdded } from '../added-backends/with-added.ts'
import type { NodeConfig } from '../node-config.ts'

/** The configuration of the file that a node uses. */
export interface FileInUse {
  /** Without the backends that were added while the nodes run. */
  readonly file: NodeConfig
  /** Applies a file with the added backends. Rejects when that is not possible; then nothing has changed. */
  use(next: NodeConfig): Promise<ConfigDiff>
}

/** The configuration at the start, with and without the added backends, and how another one is applied. */
export interface FileInUseParts {
  /** The configuration of the file at the start. */
  readonly config: NodeConfig
  /** The configuration that is in use: that of the file with the added backends. */
  readonly served: NodeConfig
  /** Adds the backends that were added while the nodes run. */
  readonly addTo: (file: NodeConfig) => WithAdded
  /** Applies another configuration. Rejects when it cannot; then nothing has changed. */
  readonly apply: (config: NodeConfig) => Promise<void>
  readonly log: Log
  readonly emit: Emit
}

/** Creates the use of a file, from the first configuration on. */
export function createFileInUse({ config, served, addTo, apply, log, emit }: FileInUseParts): FileInUse {
  let file = config
  let current = served
  return {
    get file() {
      return file
    },
    async use(next) {
      const { config: wanted, unserved } = addTo(next)
      // Words that need a restart are compared with the configuration at the start, not with the last one that was read.
      const changes = { backends: diffBackends(current, wanted), restart: wordsForRestart(config, wanted) }
      await apply(wanted)
      file = next
      current = wanted
      const { added, changed, removed } = changes.backends
      emit({ kind: 'config_reloaded', result: 'success', problems: 0, backends: [...added, ...changed, ...removed] })
      log.info('a new configuration is served', { added, changed, removed })
      for (const [backend, problems] of unserved) {
        log.warn('a backend that was added cannot be served with this configuration', { backend, problems })
      }
      return changes
    },
  }
}
