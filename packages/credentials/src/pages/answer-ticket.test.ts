import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { silentLog } from '@junctor/contracts'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, it, onTestFinished } from 'vitest'
import { createSingleUse, type SingleUseRecord } from '../person/single-use.ts'
import { answerConnection } from './answer-connection.ts'
import { createCookies } from './cookies.ts'
import { ticketSchema } from './ticket.ts'

const unused = (): never => expect.unreachable()

it('gives the browser ten minutes at the authorization server, however long the person has read before', async () => {
  const fabric = createMemoryFabric(createMemoryBus())
  onTestFinished(() => fabric.close())
  const { seal } = fabric
  const steps = fabric.store<SingleUseRecord>('steps', 60_000)
  const tickets = createSingleUse('ticket', steps, seal, (data) => ticketSchema.safeParse(data).data)
  await tickets.put('secret', { person: { tenant: 'acme', principal: 'key|ada' }, label: 'ada', scope: null })
  const parts = {
    backend: 'mail',
    host: 'mail.example.com',
    tickets,
    seal,
    cookies: createCookies(false),
    log: silentLog,
    consent: { begin: async () => 'https://as.example.com/', finish: unused, prepareRefresh: unused, revoke: unused },
    grants: { read: async () => undefined, put: unused, end: unused, renew: unused },
    document: {} as never,
    now: Date.now,
  }
  const { origin, close } = await startHttpServer((request, response) => answerConnection(parts, request, response))
  onTestFinished(close)
  const link = `${origin}/connections/mail/secret`
  const shown = await fetch(link)
  const [, cookie = '', seconds] = /^([^;]+);.* Max-Age=(\d+);/.exec(shown.headers.getSetCookie()[0] ?? '') ?? []
  // Ten minutes each, and as long as the same link is given out again.
  expect(Number(seconds)).toBeGreaterThan(2 * 660)
  const form = /name="form" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
  const body = new URLSearchParams({ form, answer: 'connect' })
  const sent = await fetch(link, { method: 'POST', redirect: 'manual', headers: { cookie }, body })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, 'https://as.example.com/'])
})
