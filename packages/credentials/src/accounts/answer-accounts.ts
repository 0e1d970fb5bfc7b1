import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountSource, Person } from '@junctor/plugin-sdk'
import { mountName, readMountName } from '@junctor/protocol'
import { redirect, sendPage } from '@junctor/plugin-sdk/pages'
import { expiredLink } from '../pages/expired-link.ts'
import { browserOf, formTokenOf, readOwnForm, rememberBrowser, sendProblem } from '../pages/visit.ts'
import { accountsPath } from './account-tickets.ts'
import { accountsPage, accountTicketPage, type ShownAccount } from './accounts-page.ts'
import type { AccountsParts, AccountsVisit } from './accounts-visit.ts'
import { readerOf, rememberReader } from './reader.ts'

const stranger = 'This browser shows no accounts now. Open the link that your program shows.'
const foreign = 'This form was not sent from this page.'

/** Answers a request below {@link accountsPath}. */
export async function answerAccounts(
  parts: AccountsParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const visit: AccountsVisit = { parts, request, response }
  const [path = ''] = (request.url ?? '').split('?', 1)
  const ticket = path.slice(accountsPath.length)
  if (request.method === 'POST') return ticket === '' ? endAccounts(visit) : useTicket(visit, ticket)
  if (request.method !== 'GET') return sendProblem(visit, 405, 'Expected GET or POST.')
  return ticket === '' ? showAccounts(visit) : showTicket(visit, ticket)
}

/** Shows whose accounts a link leads to, and does not use it up. */
async function showTicket(visit: AccountsVisit, ticket: string): Promise<void> {
  const known = await visit.parts.tickets.look(ticket)
  if (known === undefined) return sendProblem(visit, 404, expiredLink)
  const { person, label } = known
  const formToken = formTokenOf(rememberBrowser(visit), ticket)
  sendPage(visit.response, 200, accountTicketPage({ person: label, tenant: person.tenant, formToken }))
}

/** Opens the accounts in this browser. */
async function useTicket(visit: AccountsVisit, ticket: string): Promise<void> {
  const browser = browserOf(visit)
  if (browser === undefined || (await readOwnForm(visit, browser, ticket)) === undefined) {
    return sendProblem(visit, 403, foreign)
  }
  const taken = await visit.parts.tickets.take(ticket)
  if (taken === undefined) return sendProblem(visit, 404, expiredLink)
  rememberReader(visit, browser, taken)
  redirect(visit.response, './')
}

async function showAccounts(visit: AccountsVisit): Promise<void> {
  const [reader, browser] = [readerOf(visit), browserOf(visit)]
  if (reader === undefined || browser === undefined) return sendProblem(visit, 403, stranger)
  const { person, label } = reader
  const shown = { person: label, tenant: person.tenant, formToken: formTokenOf(browser, pageOf(person)) }
  sendPage(visit.response, 200, accountsPage(shown, await accountsOf(visit, person)))
}

/** Ends the account whose button was pressed, or all. */
async function endAccounts(visit: AccountsVisit): Promise<void> {
  const { sources, log } = visit.parts
  const reader = readerOf(visit)
  if (reader === undefined) return sendProblem(visit, 403, stranger)
  const { person } = reader
  const sent = await readOwnForm(visit, browserOf(visit), pageOf(person))
  if (sent === undefined) return sendProblem(visit, 403, foreign)
  const wanted = [...sources].filter(([backend]) => sent.has('all') || sent.getAll('end').includes(backend))
  const results = await Promise.allSettled(wanted.map(([backend, source]) => endAt(source, person, backend)))
  const kept = results.flatMap((result, index) => {
    if (result.status === 'fulfilled') return []
    const [backend = ''] = wanted[index] ?? []
    log.warn('an account could not be ended', { backend, error: result.reason as unknown })
    return [backend]
  })
  if (kept.length > 0) return sendProblem(visit, 502, `The access to ${kept.join(', ')} could not be ended now.`)
  // Another request: a page that is loaded again must not end what is connected meanwhile.
  redirect(visit.response, './')
}

/** What is connected. A source knows the accounts of this person alone by its own records. */
async function accountsOf({ parts }: AccountsVisit, person: Person): Promise<readonly ShownAccount[]> {
  const read = [...parts.sources].flatMap(([backend, source]) =>
    placesOf(person, backend).map(async (place): Promise<readonly ShownAccount[]> => {
      const account = await source.read(place)
      return account === undefined ? [] : [{ backend, isAtOwnEndpoint: place.tenant !== person.tenant, ...account }]
    }),
  )
  return (await Promise.all(read)).flat()
}

/**
 * Where a person may have agreed to the use of a backend: at the tenant, and at the endpoint of this backend alone. Who has
 * come from such an endpoint sees only what was granted there.
 */
function placesOf(person: Person, backend: string): readonly Person[] {
  if (readMountName(person.tenant) !== undefined) return [person]
  return [person, { ...person, tenant: mountName(person.tenant, backend) }]
}

/** Ends what a person has granted at a backend. Where they come from, that is also what cannot be read now. */
async function endAt(source: AccountSource, person: Person, backend: string): Promise<void> {
  const ends = placesOf(person, backend).map(async (place) => {
    if (place === person || (await source.read(place)) !== undefined) await source.end(place)
  })
  await Promise.all(ends)
}

/** The forms of the page are bound to the person: in a browser that shows another one meanwhile, they end nothing. */
function pageOf({ tenant, principal }: Person): string {
  return JSON.stringify(['accounts', tenant, principal])
}
