import { isDeepStrictEqual } from 'node:util'
import { type BackendConfig, sameBackend, type Config } from '@junctor/config'
import type { Backend, Log } from '@junctor/contracts'
import type { BackendEntry } from '@junctor/gateway'
import type { Plugin, GatewaySite } from '@junctor/plugin-sdk'
import { errorOf, settlesWithin } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import { type BackendParts, type BackendPlace, createBackendEntry, type CreatedBackend } from './backend-entry.ts'
import type { BackendOffers } from './backend-offers.ts'
import type { NodeConfig } from '../node-config.ts'

/** The backends of a node, which change with its configuration. */
export interface BackendSet {
  /**
   * Creates the backends that are new or changed in a configuration; unchanged backends keep their objects. Nothing
   * changes until `commit`. Rejects with the error of a plugin, after it has closed the backends that it created; a
   * backend that is not in the file is left out instead, so that it harms no other.
   */
  prepare(config: NodeConfig): Promise<PreparedBackends>
  /** Why backends that are not in the file could not be created, by name. */
  readonly failures: ReadonlyMap<string, Error>
  /** Lets the current backends finish what they do besides requests, for at most this many milliseconds. Never rejects. */
  drain(graceMs: number): Promise<void>
  /** Closes all backends. A failure does not prevent closing the others, and rejects at the end. */
  close(): Promise<void>
}

/** The backends of a configuration that is not in use yet. */
export interface PreparedBackends {
  /** In the order of the configuration. */
  readonly entries: readonly BackendEntry[]
  /** What they offer beside their links, by name. */
  readonly offers: ReadonlyMap<string, BackendOffers>
  /** Makes these the current backends. The returned function closes the previous backends that are no longer used. */
  commit(): () => Promise<void>
  /** Closes the backends that were created for a configuration that is not used. */
  discard(): Promise<void>
}

/** A backend, and the configuration it was created from. */
interface Made extends CreatedBackend {
  readonly config: BackendConfig<Plugin>
  readonly place: BackendPlace
}

/** How long a backend that a reload has replaced may finish its work, in milliseconds. */
const replacedMs = 10_000

/**
 * Creates an empty set. A backend whose configuration, folder and site are equal to those before is used again, with
 * its links.
 */
export function createBackendSet(parts: BackendParts): BackendSet {
  let current: readonly Made[] = []
  let failures: ReadonlyMap<string, Error> = new Map()

  const make = async (config: NodeConfig, backend: BackendConfig<Plugin>): Promise<Made> => {
    const place = { folder: config.folder, site: siteOf(config) }
    const same = current.find((made) => isDeepStrictEqual(made.place, place) && sameBackend(made.config, backend))
    return same ?? { config: backend, place, ...(await createBackendEntry(backend, place, parts)) }
  }

  return {
    async prepare(config) {
      const results = await Promise.allSettled(config.backends.map((backend) => make(config, backend)))
      const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      const discard = (): Promise<void> =>
        closeAll(
          made.filter((backend) => !current.includes(backend)),
          parts.log,
        )
      const failed = results.flatMap((result, index) => {
        const backend = config.backends[index]
        return result.status === 'rejected' && backend !== undefined ? [{ backend, error: errorOf(result.reason) }] : []
      })
      const fatal = failed.find(({ backend }) => backend.added !== true)
      if (fatal !== undefined) {
        await Promise.allSettled([discard()])
        throw withName(fatal.backend.name, fatal.error)
      }
      for (const { backend, error } of failed) {
        parts.log.error('a backend that was added cannot be created', { backend: backend.name, error })
      }
      return {
        entries: made.map(({ entry }) => entry),
        offers: new Map(made.map(({ config: { name }, offers }) => [name, offers])),
        commit() {
          const gone = current.filter((backend) => !made.includes(backend))
          current = made
          failures = new Map(failed.map(({ backend, error }) => [backend.name, error]))
          const drained = drainAll(gone, replacedMs, parts.log)
          return async () => {
            await drained
            await closeAll(gone, parts.log)
          }
        },
        discard,
      }
    },
    get failures() {
      return failures
    },
    drain: (graceMs) => drainAll(current, graceMs, parts.log),
    close: () => closeAll(current, parts.log),
  }
}

/** Names the backend in the error of its plugin: nobody could tell otherwise which one to look at. */
function withName(backend: string, error: Error): Error {
  const problem = `Backend "${backend}" could not be created`
  if (!(error instanceof JunctorError)) return new Error(`${problem}: ${error.message}`, { cause: error })
  return new JunctorError(error.code, `${problem}: ${error.problem}`, { cause: error.cause })
}

/** How long a backend may take to close, in milliseconds: its programs have some seconds to end. */
const closeMs = 10_000

/** A plugin whose `close` never ends must not keep the node from ending. */
async function closeInTime(backend: Backend): Promise<void> {
  if (await settlesWithin(backend.close(), closeMs)) return
  throw new JunctorError('BACKEND_REFUSED', `it has not closed after ${closeMs / 1_000} s, and is left as it is`)
}

async function drainAll(backends: readonly Made[], ms: number, log: Log): Promise<void> {
  await Promise.all(backends.map(({ entry }) => drain(entry.backend, ms, log)))
}

async function drain(backend: Backend, ms: number, log: Log): Promise<void> {
  if (backend.drain === undefined) return
  try {
    if (await settlesWithin(backend.drain(), ms)) return
    log.warn('a backend has not finished in time, and is closed', { backend: backend.name, ms })
  } catch (error) {
    log.error('a backend could not finish its work', { backend: backend.name, error })
  }
}

async function closeAll(backends: readonly Made[], log: Log): Promise<void> {
  const results = await Promise.allSettled(backends.map(({ entry }) => closeInTime(entry.backend)))
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ backend: backends[index]?.config.name, error: errorOf(result.reason) }] : [],
  )
  for (const failure of failures) log.error('a backend did not close cleanly', failure)
  if (failures.length === 0) return
  const names = failures.map(({ backend }) => backend).join(', ')
  throw new AggregateError(
    failures.map(({ error }) => error),
    `not every backend closed cleanly: ${names}`,
  )
}

/** What the gateway of a configuration is for the world outside. */
function siteOf({ publicUrl, discovery }: Pick<Config, 'publicUrl' | 'discovery'>): GatewaySite {
  return { publicUrl, oauthPaths: discovery.oauthPaths }
}
