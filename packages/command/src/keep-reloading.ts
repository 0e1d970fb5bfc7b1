import { type ParsedConfig, watchConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'

/** The source of a configuration. */
export interface ReloadableSource {
  /** `undefined`: there is no file, so the configuration never changes. */
  readonly file: string | undefined
  /** Reads the current configuration. */
  read(): ParsedConfig
}

/** Applies configurations while it runs: a node. Never rejects. */
interface Reloadable {
  reload(parsed: ParsedConfig): Promise<unknown>
  /** Receives an error that no other handler catches. */
  uncaught(error: unknown): unknown
}

/** A configuration that is read again after each change and after each SIGHUP. */
export interface Reloading {
  /** The configuration at the first read. */
  readonly parsed: ParsedConfig
  /** From now on the node applies each change, including a change since the first read. */
  serve(node: Reloadable): void
  close(): Promise<void>
}

/**
 * Reads a configuration and watches it. An invalid configuration leaves the current one in use; the reason is in the
 * log, at the admin port and in the metrics. The demo never changes.
 */
export function keepReloading(
  source: ReloadableSource,
  process: Pick<NodeJS.Process, 'on' | 'off'>,
  log: Log,
): Reloading {
  const { file } = source
  let node: Reloadable | undefined
  let missed = false

  const reload = (why: string): void => {
    missed = node === undefined
    if (node === undefined) return
    log.info('the configuration is read again', { file, why })
    try {
      const parsed = source.read()
      watch?.follow(parsed.files)
      void node.reload(parsed)
    } catch (error) {
      node.uncaught(error)
    }
  }
  const failed = (error: unknown): void => {
    if (node === undefined) log.error('the configuration could not be read again', { file, error })
    else node.uncaught(error)
  }
  const hangUp = (): void => reload('SIGHUP')
  // Watching starts before the file is read for the first time, so that no change is missed.
  const watch = file === undefined ? undefined : watchConfig(file, () => reload('it has changed'), failed)
  if (watch !== undefined) process.on('SIGHUP', hangUp)
  const parsed = source.read()
  watch?.follow(parsed.files)

  return {
    parsed,
    serve(started) {
      node = started
      if (missed) reload('it has changed')
    },
    async close() {
      process.off('SIGHUP', hangUp)
      await watch?.close()
    },
  }
}
