import { type ParsedConfig, watchConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'
import { createExtraAuthorities } from './extra-authorities.ts'

/** The source of a configuration. */
export interface ReloadableSource<Parsed extends ParsedConfig = ParsedConfig> {
  /** `undefined`: there is no file, so the configuration never changes. */
  readonly file: string | undefined
  /** Reads the current configuration. */
  read(): Promise<Parsed>
}

/** Applies configurations while it runs: a node. Never rejects. */
interface Reloadable<Parsed> {
  reload(parsed: Parsed): Promise<unknown>
  /** Receives an error that no other handler catches. */
  uncaught(error: unknown): unknown
}

/** A configuration that is read again after each change and after each SIGHUP. */
export interface Reloading<Parsed> {
  /** The configuration at the first read. */
  readonly parsed: Parsed
  /** From now on the node applies each change, including a change since the first read. */
  serve(node: Reloadable<Parsed>): void
  /** Stops watching. A reload that has begun ends first. SIGHUP is ignored from then on. */
  close(): Promise<void>
}

/**
 * Reads a configuration and watches it. An invalid configuration leaves the current one in use; the reason is in the
 * log, at the admin port and in the metrics. The demo never changes. The authorities of `NODE_EXTRA_CA_CERTS` are watched
 * with the configuration.
 */
export async function keepReloading<Parsed extends ParsedConfig>(
  source: ReloadableSource<Parsed>,
  process: Pick<NodeJS.Process, 'on' | 'env'>,
  log: Log,
): Promise<Reloading<Parsed>> {
  const { file } = source
  const authorities = createExtraAuthorities(process.env, log)
  let node: Reloadable<Parsed> | undefined
  let missed = false
  let isClosed = false
  /** The last reload. One ends before the next begins, so that the newest configuration is applied last. */
  let last: Promise<void> = Promise.resolve()

  const reload = (why: string): void => {
    missed = node === undefined
    if (node === undefined || isClosed) return
    const served = node
    log.info('the configuration is read again', { file, why })
    last = last.then(() => apply(served))
  }
  const apply = async (served: Reloadable<Parsed>): Promise<void> => {
    try {
      const readAt = Date.now()
      authorities.renew()
      const parsed = await source.read()
      if (isClosed) return
      watch?.follow([...parsed.files, ...authorities.files], readAt)
      await served.reload(parsed)
    } catch (error) {
      served.uncaught(error)
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
  const readAt = Date.now()
  const parsed = await source.read()
  watch?.follow([...parsed.files, ...authorities.files], readAt)

  return {
    parsed,
    serve(started) {
      node = started
      if (missed) reload('it has changed')
    },
    async close() {
      isClosed = true
      // The handler stays: without one the system would end the process by the signal, and its exit code would be lost.
      await watch?.close()
    },
  }
}
