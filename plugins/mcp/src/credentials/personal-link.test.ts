import type { PersonCredentials, PersonTokens } from '@junctor/credentials'
import { type Client, type Link, type Outcome, payloadOf, type Scope } from '@junctor/plugin-sdk/link'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { openPersonalLink } from './personal-link.ts'

const scope = { tenant: 'default', key: 'k', capabilities: {} } as Scope
const answer: Outcome = { kind: 'complete', result: payloadOf({ content: [] }) }

/** A link of a person who agrees after it was opened, to a server that opens when the test says so. */
async function setUp() {
  const opened: PromiseWithResolvers<Link>[] = []
  const signals: AbortSignal[] = []
  const grant: { since: number | undefined } = { since: undefined }
  const tokens: PersonTokens = { current: () => 't', afterRefusal: async () => undefined, takeMissing: () => undefined }
  const people = {
    tokens: () => tokens,
    watch: () => () => {},
    connectedSince: async () => grant.since,
  } as unknown as PersonCredentials
  const link = await openPersonalLink(
    {
      name: 'mail',
      people,
      log: createTestPluginContext().log,
      person: { tenant: 'default', principal: 'local|test' },
      scope,
      client: { notify: () => {} } as unknown as Client,
      open(_tokens, _owner, signal) {
        const next = Promise.withResolvers<Link>()
        opened.push(next)
        signals.push(signal)
        return next.promise
      },
    },
    new AbortController().signal,
  )
  const real = {
    call: async () => answer,
    list: async () => [],
    notify: () => {},
    close: async () => {},
    closed: new Promise(() => {}),
    server: { capabilities: {}, info: {} },
  } as unknown as Link
  const call = (): { readonly outcome: Promise<Outcome>; readonly end: () => void } => {
    const request = createRequest('tools/call', { name: 'send' })
    const { exchange } = recordExchange({ request })
    return { outcome: Promise.resolve(link.call(request, exchange)), end: () => exchange.end('cancelled') }
  }
  return { grant, opened, signals, real, call, link }
}

it('opens the link to the server for all who wait, also when the first of them is cancelled', async () => {
  const { grant, opened, signals, real, call, link } = await setUp()
  grant.since = 1
  const [first, second] = [call(), call()]
  await expect.poll(() => opened.length).toBe(1)
  first.end()
  expect(signals[0]?.aborted).toBe(false)
  opened[0]?.resolve(real)
  expect(await second.outcome).toBe(answer)
  expect(opened).toHaveLength(1)
  await link.close()
})

it('says that the server cannot be reached, and tries again with the next call', async () => {
  const { grant, opened, real, call, link } = await setUp()
  grant.since = 1
  const failed = call()
  await expect.poll(() => opened.length).toBe(1)
  opened[0]?.reject(new Error('connection refused'))
  expect(await failed.outcome).toMatchObject({ kind: 'error', error: { code: -32_000 } })
  const again = call()
  await expect.poll(() => opened.length).toBe(2)
  opened[1]?.resolve(real)
  expect(await again.outcome).toBe(answer)
  await link.close()
})
