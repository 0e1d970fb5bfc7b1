import type { ExchangeEvent, Outcome, Outlet, View } from '@junctor/exchange'
import type { Log } from '@junctor/contracts'
import { finalOutcome, GatheredChunks } from '@junctor/exchange'
import { payloadOf, printPayload } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import type { EncryptionKey } from './encryption-key.ts'

/**
 * Stands in front of a round whose client wants its answer encrypted: the result, and each chunk of a stream, become a
 * compact JWE of their JSON text. Errors, acks, progress and notifications stay readable.
 *
 * Encrypting takes its time, so what comes meanwhile waits for its turn: order stays, and the exchange waits as it does
 * for a slow reader. Chunks of a client that asked for no stream are gathered here, for nothing of them may be readable.
 * What cannot be encrypted is an internal error and never sent.
 *
 * @param limit bound on gathered chunks, in characters of JSON text
 */
export class EncryptingOutlet implements Outlet {
  readonly view: View
  readonly #outlet: Outlet
  readonly #key: EncryptionKey
  readonly #log: Log
  readonly #limit: number
  #gathered: GatheredChunks | undefined
  #hasFailed = false
  /** Events whose turn is to come. */
  #waiting = 0
  /** Settles with the turn of the last of them. */
  #turn: Promise<void> | undefined

  constructor(outlet: Outlet, key: EncryptionKey, log: Log, limit: number) {
    this.view = outlet.view
    this.#outlet = outlet
    this.#key = key
    this.#log = log
    this.#limit = limit
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (event.kind === 'chunk' && !this.view.stream) {
      this.#gathered ??= new GatheredChunks(this.view.method, this.#limit)
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
    // The next turn does not wait for a slow reader: the exchange does, unless it is closed.
    written(shown === undefined ? undefined : this.#outlet.write(shown))
    this.#waiting -= 1
    if (this.#waiting === 0) this.#turn = undefined
  }

  /** The event as it may be shown, if it may. */
  async #encrypted(event: ExchangeEvent): Promise<ExchangeEvent | undefined> {
    if (event.kind !== 'chunk' && event.kind !== 'outcome') return event
    try {
      if (event.kind === 'outcome') return { kind: 'outcome', outcome: await this.#encryptOutcome(event.outcome) }
      // After one that is missing, the others are no stream.
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
