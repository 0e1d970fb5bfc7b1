import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { silentLog } from '@junctor/contracts'
import type { AccountSource, Person } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, it, onTestFinished } from 'vitest'
import { createCookies } from '../pages/cookies.ts'
import { createAccountOffer, createAccountTickets } from './account-tickets.ts'
import { answerAccounts } from './answer-accounts.ts'

const ada: Person = { tenant: 'acme', principal: 'key|ada' }

/**
 * The pages at a port of their own, at a time that the test sets. Resolves with a browser that has used a link.
 *
 * @param readMs how long the person reads what the link is for
 */
async function openPages(sources: Readonly<Record<string, AccountSource>>, readMs = 0) {
  const clock = { now: 1_700_000_000_000 }
  const fabric = createMemoryFabric(createMemoryBus())
  onTestFinished(() => fabric.close())
  const tickets = createAccountTickets(fabric)
  const parts = { tickets, seal: fabric.seal, cookies: createCookies(false), log: silentLog, now: () => clock.now }
  const { origin: url, close } = await startHttpServer((request, response) =>
    answerAccounts({ ...parts, sources: new Map(Object.entries(sources)) }, request, response),
  )
  onTestFinished(close)
  const link = await createAccountOffer(fabric, url)(ada, '<b>ada</b>')
  const cookies = new Map<string, { readonly value: string; readonly until: number }>()
  const open = async (at: string, form?: Readonly<Record<string, string>>) => {
    const sent = form && { method: 'POST', body: new URLSearchParams(form) }
    const kept = [...cookies].filter(([, { until }]) => until > clock.now)
    const headers = { cookie: kept.map(([name, { value }]) => `${name}=${value}`).join('; '), connection: 'close' }
    const answer = await fetch(at, { redirect: 'manual', headers, ...sent })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = '', seconds] = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/.exec(set) ?? []
      cookies.set(name, { value, until: clock.now + Number(seconds) * 1000 })
    }
    const text = await answer.text()
    return { status: answer.status, text, form: /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '' }
  }
  const { form, text } = await open(link)
  expect(text).not.toContain('<b>')
  clock.now += readMs
  expect((await open(link, { form })).status).toBe(303)
  return { clock, open, page: `${url}/connections/-/` }
}

const account = { server: 'mail.example.com', scope: undefined, since: 0, renewed: undefined }

it('shows what servers say as text', async () => {
  const scope = '"><script>alert(1)</script>'
  const { open, page } = await openPages({ mail: { read: async () => ({ ...account, scope }), end: async () => {} } })
  const { text } = await open(page)
  expect(text).toContain('&#34;&#62;&#60;script&#62;')
  expect(text).not.toContain('<script')
})

it('shows nothing after ten minutes, and ends nothing', async () => {
  const ended: Person[] = []
  const mail = { read: async () => account, end: async (person: Person) => void ended.push(person) }
  const { clock, open, page } = await openPages({ mail })
  const { form, status } = await open(page)
  clock.now += 599_000
  expect([status, (await open(page)).status]).toEqual([200, 200])
  clock.now += 1_000
  expect([(await open(page)).status, (await open(page, { form, all: 'yes' })).status]).toEqual([403, 403])
  expect(ended).toEqual([])
})

it('shows them for ten minutes, however long the person has read what the link is for', async () => {
  const { clock, open, page } = await openPages({ mail: { read: async () => account, end: async () => {} } }, 590_000)
  clock.now += 599_000
  expect((await open(page)).status).toBe(200)
})

it('shows and ends what was granted at the endpoint of a backend too', async () => {
  const granted = new Set(['acme', 'acme/-/mail', 'acme/-/other', 'other/-/mail'])
  const mail: AccountSource = {
    read: async ({ tenant }) => (granted.has(tenant) ? account : undefined),
    end: async ({ tenant }) => void granted.delete(tenant),
  }
  const { open, page } = await openPages({ mail })
  const { form, text } = await open(page)
  expect(text.match(/<h2>[^<]*/g)).toEqual(['<h2>mail', '<h2>mail, at its own endpoint', '<h2>All of them'])
  expect((await open(page, { form, end: 'mail' })).status).toBe(303)
  expect([...granted]).toEqual(['acme/-/other', 'other/-/mail'])
})

it('ends the others when one cannot be ended, and says which', async () => {
  const ended: string[] = []
  const source = (name: string): AccountSource => ({
    read: async ({ tenant }) => (tenant === ada.tenant ? account : undefined),
    async end() {
      if (name === 'broken') throw new Error('storage is away')
      ended.push(name)
    },
  })
  const sources = { mail: source('mail'), broken: source('broken'), tickets: source('tickets') }
  const { open, page } = await openPages(sources)
  const { form } = await open(page)
  const answer = await open(page, { form, all: 'yes' })
  expect([answer.status, ended]).toEqual([502, ['mail', 'tickets']])
  expect(answer.text).toContain('The access to broken could not be ended now.')
})
