import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log, Seal } from '@junctor/contracts'
import { readBody, sendPage } from '@junctor/plugin-sdk/pages'
import type { ClientMetadata } from '../oauth/register-client.ts'
import type { Consent } from '../person/consent.ts'
import type { Grants } from '../person/grants.ts'
import { hashOf } from '../person/person.ts'
import type { SingleUse } from '../person/single-use.ts'
import { problemPage } from './connection-pages.ts'
import type { Cookies } from './cookies.ts'
import type { Ticket } from './ticket.ts'

/** What the pages of a backend's connections are made with. */
export interface ConnectionPagesParts {
  readonly backend: string
  /** The host of the server. */
  readonly host: string
  readonly tickets: SingleUse<Ticket>
  readonly consent: Consent
  readonly grants: Grants
  readonly seal: Seal
  readonly cookies: Cookies
  /** The document of the gateway about itself as a client (OAuth Client ID Metadata Documents). */
  readonly document: ClientMetadata & { readonly client_id: string }
  readonly log: Log
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** One request for one page. */
export interface Visit<Parts extends { readonly cookies: Cookies } = ConnectionPagesParts> {
  readonly parts: Parts
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

const mostFormBytes = 4096

/** The secret of a browser, which its forms and its way to the authorization server are bound to. */
const browserCookie = 'browser'

/**
 * A browser keeps its secret for so long after it was last shown a page with a form, in seconds: longer than a person may take
 * to read a link, and then at the authorization server or with their accounts.
 */
const browserSeconds = 3600

/** What of a visit is the same for all pages. */
type AnyVisit = Visit<{ readonly cookies: Cookies }>

/** Sends a page about what went wrong. */
export function sendProblem({ response }: Pick<AnyVisit, 'response'>, status: number, text: string): void {
  sendPage(response, status, problemPage(text))
}

/** The secret of the browser. Undefined: it was on no page before. */
export function browserOf({ parts, request }: AnyVisit): string | undefined {
  return parts.cookies.read(request, browserCookie)
}

/** The secret of the browser, which gets one if it has none. */
export function rememberBrowser(visit: AnyVisit): string {
  const browser = browserOf(visit) ?? randomBytes(32).toString('base64url')
  visit.parts.cookies.set(visit.response, browserCookie, browser, browserSeconds)
  return browser
}

/** The proof that a form is from this page, in this browser: no other site can read the cookie. */
export function formTokenOf(browser: string, page: string): string {
  return hashOf(JSON.stringify(['form', browser, page]))
}

/** The form that this page has sent. Undefined: it is from elsewhere. */
export async function readOwnForm(
  { request }: Pick<AnyVisit, 'request'>,
  browser: string | undefined,
  page: string,
): Promise<URLSearchParams | undefined> {
  if (browser === undefined) return undefined
  const form = new URLSearchParams((await readBody(request, mostFormBytes)) ?? '')
  const given = Buffer.from(form.get('form') ?? '')
  const expected = Buffer.from(formTokenOf(browser, page))
  return given.length === expected.length && timingSafeEqual(given, expected) ? form : undefined
}
