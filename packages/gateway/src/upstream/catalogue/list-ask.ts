import type { Backend, Link, Log, ServerInfo } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import { errorOf } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { withTimeout } from '../../shared/timeouts.ts'
import { pauseAfter } from '../links/backoff.ts'
import { codeOf } from '../links/link-errors.ts'
import type { LinkSlot, OpenFailure } from '../links/link-slot.ts'
import { type BackendCatalogue, type ListAnswer, unreportedAgeMs } from './backend-catalogue.ts'
import { findingTexts } from './finding-texts.ts'
import { unapprovedTexts } from './judge-pins.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/**
 * Such lists are not asked again before this time, in milliseconds, also when the backend says that they are not to be kept:
 * clients that list at the same time share an answer.
 */
const shortestAgeMs = 1_000
/** A backend that did not answer is asked again after this time, in milliseconds. Until then, its lists are missing. */
const failedAgeMs = 1_000
const listTimeoutMs = 15_000

/** Asks a link for its lists, and decides how long the answer is valid. */
export class ListAsk {
  readonly #catalogue: BackendCatalogue
  readonly #log: Log
  readonly #clock: Clock
  /** The problems of each backend's lists that were logged last. */
  readonly #reported = new WeakMap<Backend, string>()

  constructor(catalogue: BackendCatalogue, log: Log, clock: Clock) {
    this.#catalogue = catalogue
    this.#log = log
    this.#clock = clock
  }

  /** @param opened the slot's link, or why there is none */
  async run({ entry, scope }: LinkSlot, opened: Link | OpenFailure): Promise<ListAnswer> {
    const { now } = this.#clock
    if ('kind' in opened) {
      return { snapshot: undefined, expires: now() + Math.max(failedAgeMs, opened.retryAfterMs ?? 0) }
    }
    const before = this.#catalogue.changes(entry)
    // A person's access may have ended: then the lists that it gave are not shown.
    const known = entry.backend.isPersonal === true ? undefined : this.#catalogue.latest(entry, scope)
    try {
      const snapshot = await withTimeout(this.#clock, listTimeoutMs, (signal) =>
        takeSnapshot(opened, { takenAt: now(), pins: entry.pins, known }, signal),
      )
      this.#report(entry, snapshot)
      const [failure] = Object.values(snapshot.failures)
      if (failure !== undefined) this.#warn(entry, failure)
      const isCurrent = this.#catalogue.changes(entry) === before
      // Longer and longer: clients wait for the answer, although they have most of it.
      const failures = failure === undefined ? 0 : this.#catalogue.failures(entry, scope) + 1
      const expires = failures === 0 ? keptUntil(snapshot, now()) : now() + pauseAfter(failures, failedAgeMs)
      return { snapshot, expires: isCurrent ? expires : 0, failures, ...(failure && { failure }) }
    } catch (error) {
      const failure = errorOf(error)
      this.#warn(entry, failure)
      return { snapshot: undefined, expires: now() + failedAgeMs, failure }
    }
  }

  /** The end of a link whose client has left is no failure of the backend. */
  #warn({ backend }: BackendEntry, failure: Error): void {
    if (codeOf(failure) === 'CLOSED') return
    this.#log.warn('a backend did not list what it offers', { backend: backend.name, error: failure.message })
  }

  /** Logs the problems of a backend's lists. The same problems are not logged again. */
  #report({ backend }: BackendEntry, { problems, findings, unapproved }: Snapshot): void {
    const items = findingTexts(findings)
    const tools = unapprovedTexts(unapproved)
    const text = [...problems, ...items, ...tools].join('\n')
    if ((this.#reported.get(backend) ?? '') === text) return
    this.#reported.set(backend, text)
    const { name } = backend
    if (problems.length > 0) {
      this.#log.warn('a backend does not end its lists as it should', { backend: name, problems })
    }
    if (items.length > 0) this.#log.warn('a backend lists what cannot be shown as it came', { backend: name, items })
    if (tools.length > 0) this.#log.warn('a backend offers tools that nobody has approved', { backend: name, tools })
  }
}

/** Until when all lists of a backend are valid, in epoch milliseconds. */
function keptUntil({ server, hints }: Snapshot, now: number): number {
  if (announcesChanges(server)) return Infinity
  const declared = Object.values(hints).map(({ expires }) => expires)
  return Math.min(now + unreportedAgeMs, Math.max(now + shortestAgeMs, Math.min(...declared)))
}

function announcesChanges(server: ServerInfo): boolean {
  return ['tools', 'resources', 'prompts'].every((name) => {
    const capability = server.capabilities[name]
    return !isJsonObject(capability) || capability['listChanged'] === true
  })
}
