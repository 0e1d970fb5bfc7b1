import type { Log, Emit } from '@junctor/contracts'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { KeySetSource } from './key-set-source.ts'

/** The keys of an issuer, looked up by the headers of tokens. */
export interface IssuerKeys {
  /** The name of their source. */
  readonly place: string
  /**
   * Finds the key of a token. Rejects with `KeysMissing` when no keys are known, or when this one is not and the issuer
   * could not be asked; else with an error of jose.
   */
  readonly find: JWTVerifyGetKey
  /** Cancels a read in progress. */
  close(): void
}

/** Where the keys of an issuer come from, and how long one read may take. */
export interface IssuerKeysOptions {
  readonly source: KeySetSource
  /** The time limit of one read, metadata and keys together, in milliseconds. */
  readonly timeoutMs: number
  /** Returns milliseconds of a monotonic clock. */
  readonly elapsed: () => number
  readonly log: Log
  readonly emit: Emit
}

/** The key of a token may not be known yet, so the token cannot be judged. The caller is not at fault. */
export class KeysMissing extends Error {
  override readonly name: string = 'KeysMissing'
  /** There is no other attempt before this many milliseconds have passed. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('the keys of the issuer are not known')
    this.retryAfterMs = retryAfterMs
  }
}

const minute = 60_000

/** Keys are read again after this time, so that a key that its issuer withdraws is not trusted for longer. */
const freshMs = 10 * minute

/** Keys of an issuer that does not answer are used for this time; its tokens rarely live longer. */
const keptMs = 60 * minute

/** The pause between two reads, regardless of the number of tokens with unknown keys. */
const cooldownMs = 30_000

/** The pause between two reads while there are no keys and no caller can be admitted. */
const retryMs = 5_000

interface Loaded {
  readonly find: JWTVerifyGetKey
  readonly at: number
}

/**
 * Reads the keys when the first token needs one, and again when they are old or a token names an unknown key. Only one
 * read runs at a time. The remote key set of jose does not limit what it reads, does not pause after a failed read, and
 * does not keep its keys after a failure.
 */
export function createIssuerKeys({ source, timeoutMs, elapsed, log, emit }: IssuerKeysOptions): IssuerKeys {
  const closing = new AbortController()
  let loaded: Loaded | undefined
  let tried = -Infinity
  let hasFailed = false
  let reading: Promise<void> | undefined

  const usable = (): Loaded | undefined => (loaded && elapsed() - loaded.at < keptMs ? loaded : undefined)

  const pauseMs = (): number => tried + (usable() === undefined ? retryMs : cooldownMs) - elapsed()

  const read = async (): Promise<void> => {
    tried = elapsed()
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
      loaded = { find: createLocalJWKSet(await source.read(signal)), at: elapsed() }
      hasFailed = false
      emit({ kind: 'issuer_keys_fetched', result: 'success' })
    } catch (error) {
      if (closing.signal.aborted) return
      hasFailed = true
      log.warn('the keys of the issuer could not be read', { error })
      emit({ kind: 'issuer_keys_fetched', result: 'failure' })
    } finally {
      reading = undefined
    }
  }

  /**
   * Resolves when a read has ended, a new one or the one in progress; returns undefined during the pause. Never
   * rejects.
   */
  const refresh = (): Promise<void> | undefined => {
    if (reading === undefined && pauseMs() <= 0 && !closing.signal.aborted) reading = read()
    return reading
  }

  return {
    place: source.place,
    async find(header, token) {
      if (usable() === undefined) await refresh()
      const known = usable()
      if (known === undefined) throw new KeysMissing(Math.max(0, pauseMs()))
      // The known keys stay in use until the new ones are read.
      if (elapsed() - known.at >= freshMs) void refresh()
      try {
        return await known.find(header, token)
      } catch (error) {
        if (!isOfKeySet(error)) throw error
        await refresh()
        const renewed = usable()
        if (renewed !== undefined && renewed !== known) return renewed.find(header, token)
        // The issuer may publish the right key by now: a client whose token is called wrong throws it away.
        if (hasFailed) throw new KeysMissing(Math.max(0, pauseMs()))
        throw error
      }
    },
    close: () => closing.abort(),
  }
}

/** Whether another key set might have the key: this one has none that matches, or several. */
function isOfKeySet(error: unknown): boolean {
  return error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys
}
