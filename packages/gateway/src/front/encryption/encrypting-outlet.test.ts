import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type ExchangeEvent, gatheredLimit, type Outcome, type Outlet, type View } from '@junctor/exchange'
import { silentLog } from '@junctor/contracts'
import { payloadFromText, payloadOf, requestId } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { compactDecrypt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { EncryptingOutlet } from './encrypting-outlet.ts'
import type { EncryptionKey } from './encryption-key.ts'
import { eventually } from '@junctor/testkit'

const view: View = {
  id: requestId(1),
  method: 'listen.logs',
  revision: '2025-11-25',
  dialect: '3.0',
  profile: mcpProfile,
  asks: 'live',
  progressToken: undefined,
  stream: true,
  extensions: ['encrypt'],
}

const { publicKey, privateKey } = generateKeyPairSync('x25519')
const ecdh: EncryptionKey = { key: publicKey, algorithm: 'ECDH-ES+A256KW' }

/** An outlet that keeps its events. */
function round(more: Partial<View> = {}, slow?: Promise<void>) {
  const events: ExchangeEvent[] = []
  const outlet: Outlet = { view: { ...view, ...more }, write: (event) => (events.push(event), slow) }
  return { outlet, events }
}

async function decrypt(jwe: unknown, key: KeyObject = privateKey): Promise<unknown> {
  if (typeof jwe !== 'string') throw new Error(`not encrypted: ${JSON.stringify(jwe)}`)
  const { plaintext } = await compactDecrypt(jwe, key)
  return JSON.parse(Buffer.from(plaintext).toString())
}

const chunk = (data: unknown): ExchangeEvent => ({ kind: 'chunk', data })
const complete = (text: string): ExchangeEvent => ({
  kind: 'outcome',
  outcome: { kind: 'complete', result: payloadFromText(text) },
})

function outcomeOf(event: ExchangeEvent | undefined): Outcome {
  if (event?.kind !== 'outcome') throw new Error(`no outcome: ${String(event?.kind)}`)
  return event.outcome
}

async function resultOf(event: ExchangeEvent | undefined, key?: KeyObject): Promise<unknown> {
  const outcome = outcomeOf(event)
  if (outcome.kind !== 'complete') throw new Error(`no result: ${outcome.kind}`)
  return decrypt(outcome.result.value(), key)
}

describe('an encrypting outlet', () => {
  it.each([
    ['RSA', 'RSA-OAEP-256' as const, generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['EC P-256', 'ECDH-ES+A256KW' as const, generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['X25519', 'ECDH-ES+A256KW' as const, { publicKey, privateKey }],
  ])('encrypts for %s so that the owner of the key can read it', async (_name, algorithm, keys) => {
    const { outlet, events } = round()
    await new EncryptingOutlet(outlet, { key: keys.publicKey, algorithm }, silentLog).write(complete('{"n":1.0}'))
    const outcome = outcomeOf(events[0])
    const jwe = outcome.kind === 'complete' ? String(outcome.result.value()) : ''
    const { plaintext, protectedHeader } = await compactDecrypt(jwe, keys.privateKey)
    expect(Buffer.from(plaintext).toString()).toBe('{"n":1.0}')
    expect(protectedHeader).toMatchObject({ alg: algorithm, enc: 'A256GCM' })
  })

  it('keeps the order of all events, also when the exchange no longer waits', async () => {
    const { outlet, events } = round()
    const encrypting = new EncryptingOutlet(outlet, ecdh, silentLog)
    const written = [
      encrypting.write({ kind: 'ack', ack: {} }),
      ...Array.from({ length: 50 }, (_, n) => encrypting.write(chunk(n))),
      encrypting.write({ kind: 'progress', progress: { progress: 1 } }),
      encrypting.write(chunk({ secret: 'a' })),
      encrypting.write(complete('"End of logs"')),
    ]
    expect(written[0]).toBeUndefined()
    await written.at(-1)
    expect(events.map(({ kind }) => kind)).toEqual([
      'ack',
      ...Array.from({ length: 50 }, () => 'chunk'),
      'progress',
      'chunk',
      'outcome',
    ])
    const chunks = events.flatMap((event) => (event.kind === 'chunk' ? [decrypt(event.data)] : []))
    expect(await Promise.all(chunks)).toEqual([...Array.from({ length: 50 }, (_, n) => n), { secret: 'a' }])
    expect(await resultOf(events.at(-1))).toBe('End of logs')
    expect(JSON.stringify(events)).not.toContain('secret')
  })

  it('is as slow as its reader, but an outcome does not wait for the reader', async () => {
    const slow = Promise.withResolvers<void>()
    const { outlet, events } = round({}, slow.promise)
    const encrypting = new EncryptingOutlet(outlet, ecdh, silentLog)
    const drained = vi.fn<() => void>()
    const writing = encrypting.write(chunk('a'))?.then(drained)
    await eventually(() => expect(events).toHaveLength(1))
    void encrypting.write(complete('1'))
    await eventually(() => expect(events).toHaveLength(2))
    expect(drained).not.toHaveBeenCalled()
    slow.resolve()
    await writing
    expect(drained).toHaveBeenCalledOnce()
  })

  it('shows no collected chunk unencrypted', async () => {
    const { outlet, events } = round({ stream: false })
    const encrypting = new EncryptingOutlet(outlet, ecdh, silentLog)
    expect(encrypting.write(chunk('a'))).toBeUndefined()
    expect(events).toEqual([])
    await encrypting.write(complete('{}'))
    expect(await resultOf(events[0])).toEqual({ chunks: ['a'] })

    const bounded = new EncryptingOutlet(outlet, ecdh, silentLog)
    void bounded.write(chunk('a'.repeat(gatheredLimit + 1)))
    await bounded.write(complete('{}'))
    expect(outcomeOf(events[1])).toMatchObject({ kind: 'error', error: { code: -32_013 } })
  })

  it('leaves errors and ends readable', async () => {
    const { outlet, events } = round()
    const encrypting = new EncryptingOutlet(outlet, ecdh, silentLog)
    const failed: ExchangeEvent = { kind: 'outcome', outcome: { kind: 'error', error: { code: 5, message: 'no' } } }
    expect(encrypting.write(failed)).toBeUndefined()
    expect(events).toEqual([failed])
    void encrypting.write(chunk('a'))
    await encrypting.write({ kind: 'end', reason: 'cancelled' })
    expect(events.map(({ kind }) => kind)).toEqual(['outcome', 'chunk', 'end'])
  })

  it('shows an error, and nothing else, when the encryption fails', async () => {
    const { outlet, events } = round()
    const errors = vi.fn<(message: string) => void>()
    const log = { ...silentLog, error: errors }
    const wrong: EncryptionKey = { key: publicKey, algorithm: 'RSA-OAEP-256' }
    const encrypting = new EncryptingOutlet(outlet, wrong, log)
    void encrypting.write(chunk('secret'))
    void encrypting.write(chunk('secret'))
    await encrypting.write({ kind: 'outcome', outcome: { kind: 'complete', result: payloadOf('secret') } })
    expect(events).toMatchObject([{ kind: 'outcome', outcome: { kind: 'error', error: { code: -32_603 } } }])
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(errors).toHaveBeenCalledOnce()
  })
})
