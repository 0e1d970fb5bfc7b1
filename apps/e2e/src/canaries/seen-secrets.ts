import { type NamedSecret, secretsOfForm, secretsOfHeaders, secretsOfText } from './secrets-in.ts'

/** An error that a peer received. */
export interface ReceivedError {
  readonly way: string
  readonly text: string
  /** The secrets that passed between the gateway and this peer itself, before and after. */
  readonly own: ReadonlySet<string>
}

/** Someone who exchanges messages with a gateway: one connection, or one request over HTTP. */
export interface SeenPeer {
  headers(direction: string, headers: Iterable<readonly [name: string, value: unknown]>): void
  /** A form, or the query of a URL. */
  form(direction: string, text: string): void
  sent(text: string): void
  received(text: string): void
  /** What was received is an error as a whole, whatever is in it. */
  failed(): void
}

/** The secrets that pass in this process, and the errors. */
export interface SeenSecrets {
  /** Each secret with where it was seen first. */
  readonly all: ReadonlyMap<string, string>
  readonly errors: readonly ReceivedError[]
  /** A new peer. @param way how it reaches the gateway: `http`, `bus` */
  peer(way: string): SeenPeer
}

const isError = /"error"\s*:|"isError"\s*:\s*true/

/** An empty collection. Messages come in through its peers. */
export function createSeenSecrets(): SeenSecrets {
  const all = new Map<string, string>()
  const errors: ReceivedError[] = []
  return {
    all,
    errors,
    peer(way) {
      const own = new Set<string>()
      let hasFailed = false
      const add = (direction: string, secrets: readonly NamedSecret[]): void => {
        for (const [name, value] of secrets) {
          own.add(value)
          if (!all.has(value)) all.set(value, `${way}, ${direction} ${name}`)
        }
      }
      return {
        headers: (direction, headers) => add(direction, secretsOfHeaders(headers)),
        form: (direction, text) => add(direction, secretsOfForm(text)),
        sent: (text) => add('sent', secretsOfText(text)),
        received(text) {
          // An error makes no secret the peer's own: it may be the fault that is looked for.
          if (hasFailed || isError.test(text)) errors.push({ way, text, own })
          else add('received', secretsOfText(text))
        },
        failed: () => void (hasFailed = true),
      }
    },
  }
}
