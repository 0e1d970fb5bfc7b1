import { type ParsedConfig, watchConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'

/** Where a configuration comes from. */
export interface ReloadableSource {
  /** `undefined`: there is no file, so it never changes. */
  readonly file: string | undefined
  /** Reads it as it is now. */
  read(): ParsedConfig
}

/** What takes configurations over while it runs: a node. Never rejects. */
interface Reloadable {
  reload(parsed: ParsedConfig): Promise<unknown>
  /** Takes an error that nobody else catches. */
  uncaught(error: unknown): unknown
}

/** A configuration that is read again whenever it changes, and whenever SIGHUP comes. */
export interface Reloading {
  /** As it was first. */
  readonly parsed: ParsedConfig
  /** From now on the node serves what it becomes; also what it has become meanwhile. */
  serve(node: Reloadable): void
  close(): Promise<void>
}

/**
 * Reads a configuration and keeps an eye on it. A bad one keeps what is served; why is in the log, at the admin port and
 * in the metrics. The demo never changes.
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
  // Begun before the file is read for the first time, so that no change is missed.
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
