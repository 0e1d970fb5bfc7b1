import type { FuzzSession } from './fuzz-ledger.ts'
import type { FuzzClientKind } from './fuzz-plan.ts'
import { openBusSession } from './open-bus-session.ts'
import { openEventSession } from './open-event-session.ts'
import { type OpenOptions, openHttpSession } from './open-http-session.ts'
import { openSocketSession } from './open-socket-session.ts'
import { isGone, type Opening, type OpenSession } from './open-session.ts'
import { openStatelessSession } from './open-stateless-session.ts'

const closeMs = 10_000

const openers: Readonly<Record<FuzzClientKind, (options: OpenOptions) => Opening | Promise<Opening>>> = {
  saas: openHttpSession,
  plain: openHttpSession,
  jobs: openHttpSession,
  socket: openSocketSession,
  events: openEventSession,
  stateless: openStatelessSession,
  bus: openBusSession,
}

/** The sessions of a client. */
export class FuzzSessions {
  readonly #options: Omit<OpenOptions, 'node'>
  readonly #known: OpenSession[] = []
  #current: Promise<OpenSession | undefined> = Promise.resolve(undefined)
  #lostOpenings = 0

  constructor(options: Omit<OpenOptions, 'node'>) {
    this.#options = options
  }

  get all(): readonly FuzzSession[] {
    return this.#known.map(({ session }) => session)
  }

  /** How many openings ended without an answer, so that the client does not know whether there is a session. */
  get lostOpenings(): number {
    return this.#lostOpenings
  }

  /** Opens one more at a node. Undefined when it was not opened. */
  async open(node: number): Promise<OpenSession | undefined> {
    const opening = await openers[this.#options.kind]({ ...this.#options, node })
    if (opening.kind === 'unsure') this.#lostOpenings += 1
    if (opening.kind !== 'open') return undefined
    this.#known.push(opening.opened)
    return opening.opened
  }

  /**
   * The current session of the client. If there is none, or it is lost, opens the next one.
   *
   * @param node where to open it; undefined: do not open one
   */
  async current(node: number | undefined): Promise<OpenSession | undefined> {
    this.#current = this.#current.then((opened) =>
      node !== undefined && isGone(opened?.session) ? this.open(node) : opened,
    )
    const current = await this.#current
    return isGone(current?.session) ? undefined : current
  }

  /** Reads the streams of all that still exist. */
  listenToAll(): void {
    for (const opened of this.#known) if (opened.session.ended === undefined) opened.ensure()
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const deadline = performance.now() + closeMs
    const nodes = this.#options.urls.length
    const end = async (opened: OpenSession): Promise<void> => {
      await opened.leave()
      for (let node = 0; performance.now() < deadline; node = (node + 1) % nodes) {
        // oxlint-disable-next-line no-await-in-loop -- one node after the other
        if (await opened.end(node)) return
      }
    }
    await Promise.all(this.#known.map(end))
  }
}
