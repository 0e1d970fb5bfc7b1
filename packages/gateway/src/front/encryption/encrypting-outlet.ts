import {
  type ExchangeEvent,
  finalOutcome,
  GatheredChunks,
  gatheredLimit,
  type Outcome,
  type Outlet,
  overflowOutcome,
  type View,
} from '@junctor/exchange'
import type { Log } from '@junctor/contracts'
import { payloadOf, printPayload } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import type { EncryptionKey } from './encryption-key.ts'

/**
 * Encrypts the answer for a client that asked for it: the result, and each chunk of a stream, become a compact JWE of
 * their JSON text. Errors, acks, progress and notifications stay readable.
 *
 * Encryption is asynchronous, so later events wait for their turn: their order is kept, and the exchange waits as for a
 * slow reader. The chunks for a client that asked for no stream are collected here, because they must not be readable.
 * When the encryption fails, the client gets an internal error instead of the content.
 */
export class EncryptingOutlet implements Outlet {
  readonly view: View
  readonly #outlet: Outlet
  readonly #key: EncryptionKey
  readonly #log: Log
  #gathered: GatheredChunks | undefined
  #hasFailed = false
  /** The number of events that wait for their turn. */
  #waiting = 0
  /** Settles with the turn of the last waiting event. */
  #turn: Promise<void> | undefined

  constructor(outlet: Outlet, key: EncryptionKey, log: Log) {
    this.view = outlet.view
    this.#outlet = outlet
    this.#key = key
    this.#log = log
  }

  get overflow(): Outcome | undefined {
    return overflowOutcome(this.#gathered, this.view)
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (event.kind === 'chunk' && !this.view.stream) {
      this.#gathered ??= new GatheredChunks(this.view.method, gatheredLimit, this.view.profile)
      this.#gathered.add(event.data)
      return undefined
    }
    if (this.#turn === undefined && !isSecret(event)) return this.#outlet.write(event)
    this.#waiting += 1
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = this.#afterTurn(this.#turn, event, resolve)
    return promise
  }

  begun(): void {
    this.#outlet.begun?.()
  }

  async #afterTurn(
    before: Promise<void> | undefined,
    event: ExchangeEvent,
    written: (slow: Promise<void> | undefined) => void,
  ): Promise<void> {
    await before
    const shown = await this.#encrypted(event)
    // The next turn does not wait for a slow reader; the exchange waits for it, unless it is closed.
    written(shown === undefined ? undefined : this.#outlet.write(shown))
    this.#waiting -= 1
    if (this.#waiting === 0) this.#turn = undefined
  }

  /** The event as the client may see it. `undefined`: the client must not see it. */
  async #encrypted(event: ExchangeEvent): Promise<ExchangeEvent | undefined> {
    if (event.kind !== 'chunk' && event.kind !== 'outcome') return event
    try {
      if (event.kind === 'outcome') return { kind: 'outcome', outcome: await this.#encryptOutcome(event.outcome) }
      // The chunks after a missing one would not be a valid stream.
      if (this.#hasFailed) return undefined
      return { kind: 'chunk', data: await this.#encrypt(JSON.stringify(event.data) ?? 'null') }
    } catch (error) {
      this.#hasFailed = true
      this.#log.error('an answer could not be encrypted', { method: this.view.method, error })
      return event.kind === 'chunk' ? undefined : { kind: 'outcome', outcome: this.#failure() }
    }
  }

  async #encryptOutcome(outcome: Outcome): Promise<Outcome> {
    if (this.#hasFailed) return this.#failure()
    const final = finalOutcome(outcome, this.#gathered, this.view)
    if (final.kind === 'error') return final
    return { kind: 'complete', result: payloadOf(await this.#encrypt(printPayload(final.result))) }
  }

  #failure(): Outcome {
    return { kind: 'error', error: wireError('internal_error', this.view) }
  }

  async #encrypt(text: string): Promise<string> {
    const { CompactEncrypt } = await import('jose')
    const { key, algorithm } = this.#key
    return new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: algorithm, enc: 'A256GCM', cty: 'json' })
      .encrypt(key)
  }
}

function isSecret(event: ExchangeEvent): boolean {
  return event.kind === 'chunk' || (event.kind === 'outcome' && event.outcome.kind !== 'error')
}
