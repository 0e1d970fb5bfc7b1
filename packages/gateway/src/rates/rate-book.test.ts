import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TenantRates } from '../shared/tenant-rates.ts'
import { RateBook } from './rate-book.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const three = { calls: 3, windowMs: 1_000 }
const five = { calls: 5, windowMs: 1_000 }
const none: TenantRates = { tenant: 'acme', ofTenant: undefined, ofPrincipal: undefined, ofTools: [] }

function createBook(rates: Partial<TenantRates>): RateBook {
  return new RateBook(
    { ...none, ...rates },
    (calls, forMs) => new RateLimiterMemory({ points: calls, duration: forMs / 1000, keyPrefix: '' }),
  )
}

function by(subject: string, tool?: string) {
  return { principal: { issuer: 'api-key', subject, key: `api-key ${subject}` }, tool }
}

/** The limits that refuse the calls; `undefined` for each call that is admitted. */
function scopes(book: RateBook, calls: readonly ReturnType<typeof by>[]): readonly (string | undefined)[] {
  return calls.map((call) => book.take(call, Date.now())?.scope)
}

describe('a call', () => {
  test('counts for its tenant, whoever makes it', () => {
    const book = createBook({ ofTenant: three })
    expect(
      scopes(
        book,
        ['ada', 'bob', 'ada', 'bob'].map((name) => by(name)),
      ),
    ).toEqual([undefined, undefined, undefined, 'tenant'])
  })

  test('counts for its principal', () => {
    const book = createBook({ ofPrincipal: { calls: 1, windowMs: 1_000 } })
    expect(scopes(book, [by('ada'), by('ada'), by('bob')])).toEqual([undefined, 'principal', undefined])
  })

  test('of a caller without credentials counts for no principal', () => {
    const book = createBook({ ofPrincipal: { calls: 1, windowMs: 1_000 } })
    const anonymous = { principal: { issuer: 'anonymous', subject: '', key: 'anonymous' }, tool: undefined }
    expect(scopes(book, [anonymous, anonymous])).toEqual([undefined, undefined])
  })

  test('of a tool counts for every pattern that matches it', () => {
    const one = { calls: 1, windowMs: 1_000 }
    const book = createBook({
      ofTools: [
        { pattern: 'files:delete_*', rate: one },
        { pattern: 'files:*', rate: three },
      ],
    })
    expect(scopes(book, [by('ada', 'files:delete_all'), by('bob', 'files:delete_one')])).toEqual([undefined, 'tools'])
    const read = by('ada', 'files:read')
    expect(scopes(book, [read, read, read])).toEqual([undefined, undefined, 'tools'])
    expect(scopes(book, [by('ada', 'search:find'), by('ada')])).toEqual([undefined, undefined])
  })

  test('that one limit refuses uses up nothing of the others', () => {
    const book = createBook({ ofTenant: five, ofPrincipal: three })
    const refused = scopes(
      book,
      Array.from({ length: 20 }, () => by('ada')),
    )
    expect(refused.filter((scope) => scope === undefined)).toHaveLength(3)
    expect(scopes(book, [by('bob'), by('bob'), by('bob')])).toEqual([undefined, undefined, 'tenant'])
  })

  test('that is given back counts for nothing', () => {
    const book = createBook({ ofTenant: three, ofPrincipal: three })
    scopes(book, [by('ada'), by('ada'), by('ada')])
    book.giveBack(by('ada'), Date.now())
    expect(scopes(book, [by('ada'), by('ada')])).toEqual([undefined, 'principal'])
  })
})

test('a refusal says how long it holds', () => {
  const book = createBook({ ofTenant: three })
  scopes(book, [by('ada'), by('ada'), by('ada')])
  vi.advanceTimersByTime(400)
  expect(book.take(by('ada'), Date.now())).toEqual({ scope: 'tenant', rate: three, retryAfterMs: 600 })
})

test('rates that have not changed keep their counts when others change', () => {
  const book = createBook({ ofTenant: five, ofPrincipal: three, ofTools: [{ pattern: 'a:*', rate: three }] })
  scopes(book, [by('ada', 'a:b'), by('ada', 'a:b'), by('ada', 'a:b')])
  book.applyConfig({ ...none, ofTenant: { ...five }, ofPrincipal: five, ofTools: [] })
  expect(scopes(book, [by('ada', 'a:b'), by('ada', 'a:b'), by('ada', 'a:b')])).toEqual([undefined, undefined, 'tenant'])
})

test('limits without calls are forgotten', () => {
  const book = createBook({ ofTenant: three, ofPrincipal: three })
  scopes(book, [by('ada'), by('bob')])
  book.sweep()
  expect(book.size).toBe(3)
  vi.advanceTimersByTime(2_000)
  book.sweep()
  expect(book.size).toBe(0)
})

describe('other nodes', () => {
  test('receive calls once, by the names of the limits', () => {
    const book = createBook({ ofTenant: five, ofPrincipal: three, ofTools: [{ pattern: 'a:*', rate: five }] })
    scopes(book, [by('ada', 'a:b'), by('ada')])
    expect(book.takeUnsent()).toEqual([
      { name: 'principal api-key ada', tried: 2, admitted: 2 },
      { name: 'tools a:*', tried: 1, admitted: 1 },
      { name: 'tenant', tried: 2, admitted: 2 },
    ])
    expect(book.takeUnsent()).toEqual([])
  })

  test('leave less room, for callers that were never here too', () => {
    const book = createBook({ ofPrincipal: three })
    book.countRemote({ name: 'principal api-key ada', tried: 3, admitted: 3 }, Date.now())
    expect(scopes(book, [by('ada'), by('bob')])).toEqual(['principal', undefined])
  })

  test('may have limits that this node does not have', () => {
    const book = createBook({ ofPrincipal: three })
    for (const name of ['tenant', 'tools a:*', 'something'])
      book.countRemote({ name, tried: 9, admitted: 9 }, Date.now())
    expect(book.size).toBe(0)
  })
})

test('a caller that is one of very many replaces the first, and not the tenant', () => {
  const book = createBook({ ofTenant: { calls: 200_000, windowMs: 1_000 }, ofPrincipal: three })
  for (let count = 0; count < 100_010; count += 1) book.take(by(String(count)), Date.now())
  expect(book.size).toBe(100_001)
  expect(book.takeUnsent().find(({ name }) => name === 'tenant')).toMatchObject({ tried: 100_010 })
})
