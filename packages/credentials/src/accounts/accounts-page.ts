import type { ConnectedAccount } from '@junctor/plugin-sdk'
import { escapeHtml, form, page } from '@junctor/plugin-sdk/pages'

/** Whom the pages are about. */
export interface Shown {
  readonly person: string
  readonly tenant: string
  readonly formToken: string
}

/** An account, and the backend that uses it. */
export interface ShownAccount extends ConnectedAccount {
  readonly backend: string
  /** Whether the person has agreed at the endpoint of this backend, and not at that of the tenant. */
  readonly isAtOwnEndpoint: boolean
}

const descriptions = (rows: readonly (readonly [name: string, html: string])[]): string =>
  `<dl>${rows.map(([name, html]) => `<dt>${escapeHtml(name)}</dt><dd>${html}</dd>`).join('')}</dl>`

const who = ({ person, tenant }: Shown): string =>
  descriptions([['For', `${escapeHtml(person)} at the tenant ${escapeHtml(tenant)}`]])

/** What a link to the accounts leads to. It shows none of them: programs look at links before people do. */
export function accountTicketPage(shown: Shown): string {
  const text =
    '<p>Here you see all accounts that you let this gateway use, and can end its access. Go on only if the name above is yours, and your own program has just shown you this link.</p>'
  return page('Your accounts?', `${who(shown)}${text}${form(shown.formToken, '<button>Show my accounts</button>')}`)
}

/** The page with all accounts of a person. */
export function accountsPage(shown: Shown, accounts: readonly ShownAccount[]): string {
  const title = 'Your accounts'
  if (accounts.length === 0) return page(title, `${who(shown)}<p>The gateway has access to none of your accounts.</p>`)
  const sections = accounts.map(accountSection).join('')
  const all =
    accounts.length > 1
      ? '<h2>All of them</h2><button name="all" value="yes">End the access to all accounts</button>'
      : ''
  const intro = '<p>The gateway may use these accounts for you until you end it.</p>'
  return page(title, `${who(shown)}${intro}${form(shown.formToken, `${sections}${all}`)}`)
}

function accountSection({ backend, isAtOwnEndpoint, server, scope, since, renewed }: ShownAccount): string {
  const name = escapeHtml(backend)
  const rows: readonly (readonly [string, string])[] = [
    ['Server', escapeHtml(server)],
    ['Scopes', escapeHtml(scope ?? 'those that the server gives')],
    ['Since', timeOf(since)],
    ['Last renewed', renewed === undefined ? 'not yet' : timeOf(renewed)],
  ]
  const button = `<button name="end" value="${name}">End the access to ${name}</button>`
  return `<section><h2>${name}${isAtOwnEndpoint ? ', at its own endpoint' : ''}</h2>${descriptions(rows)}${button}</section>`
}

/** A time to the minute, for people; and in full, for programs that read the page. */
function timeOf(ms: number): string {
  const iso = new Date(ms).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`
}
