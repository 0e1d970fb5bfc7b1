import { redirect, sendPage } from '@junctor/plugin-sdk/pages'
import { hashOf } from '../person/person.ts'
import { showAccess } from './answer-grant.ts'
import { connectPage } from './connection-pages.ts'
import { expiredLink } from './expired-link.ts'
import { rememberOwner } from './owner.ts'
import { browserOf, formTokenOf, readOwnForm, rememberBrowser, sendProblem, type Visit } from './visit.ts'

const failed = 'The server cannot be connected now. Its administrator finds the reason in the log.'

/** Shows what a ticket is for. It is not used up: programs look at links before people do. */
export async function showTicket(visit: Visit, ticket: string): Promise<void> {
  const { parts, response } = visit
  const known = await parts.tickets.look(ticket)
  if (known === undefined) return sendProblem(visit, 404, expiredLink)
  const browser = rememberBrowser(visit)
  const { backend, host } = parts
  const { label, person } = known
  const isConnected = (await parts.grants.read(person)) !== undefined
  const formToken = formTokenOf(browser, ticket)
  const shown = { backend, host, person: label, tenant: person.tenant, isConnected, formToken }
  sendPage(response, 200, connectPage(shown))
}

/** Sends the browser to the authorization server. */
export async function useTicket(visit: Visit, ticket: string): Promise<void> {
  const { parts } = visit
  const browser = browserOf(visit)
  const form = await readOwnForm(visit, browser, ticket)
  if (browser === undefined || form === undefined) {
    return sendProblem(visit, 403, 'This form was not sent from this page.')
  }
  const taken = await parts.tickets.take(ticket)
  if (taken === undefined) return sendProblem(visit, 404, expiredLink)
  const { person, label, scope } = taken
  if (form.get('answer') === 'end') {
    await parts.grants.end(person)
    return showAccess(visit, { person, label })
  }
  try {
    redirect(visit.response, await parts.consent.begin({ person, label, browser: hashOf(browser) }, scope ?? undefined))
  } catch (error) {
    parts.log.warn('a person could not be sent to the authorization server', { error })
    sendProblem(visit, 502, failed)
  }
}

/** Takes a browser back from the authorization server. */
export async function endConsent(visit: Visit): Promise<void> {
  const { parts, request } = visit
  const { searchParams } = new URL(request.url ?? '', 'http://gateway')
  const browser = browserOf(visit)
  try {
    const end = await parts.consent.finish(searchParams, browser === undefined ? undefined : hashOf(browser))
    if (end.kind === 'unknown') return sendProblem(visit, 400, 'This answer belongs to no request of this browser.')
    if (end.kind === 'denied') {
      return sendProblem(visit, 403, `The access was not granted${end.error === undefined ? '' : ` (${end.error})`}.`)
    }
    const { person, label, grant } = end
    await parts.grants.put(person, grant)
    rememberOwner(visit, { person, label })
    // Another page: one that is loaded again must not bring the code again.
    redirect(visit.response, './')
  } catch (error) {
    parts.log.warn('a person was not connected', { error })
    sendProblem(visit, 502, failed)
  }
}
