import { escapeHtml, form, page } from '@junctor/plugin-sdk/pages'

/** What a person reads before the gateway may act for them. */
export interface ConnectPage {
  readonly backend: string
  /** The host of the server that the gateway will call. */
  readonly host: string
  readonly person: string
  readonly tenant: string
  /** Whether the person has agreed before. */
  readonly isConnected: boolean
  readonly formToken: string
}

/** The page that a link of {@link ConnectPage} leads to. */
export function connectPage({ backend, host, person, tenant, isConnected, formToken }: ConnectPage): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Server', `${backend} (${host})`],
    ['For', `${person} at the tenant ${tenant}`],
  ]
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')
  const end = isConnected ? '<button name="answer" value="end">End the access</button>' : ''
  const buttons = `<button name="answer" value="connect">Connect</button>${end}`
  const warning =
    '<p>Everything that this gateway then does at the server for the name above is done with your account there. Go on only if that name is yours, and your own program has just shown you this link.</p>'
  return page(`Connect ${backend}?`, `<dl>${list}</dl>${warning}${form(formToken, buttons)}`)
}

/** What a person reads about what was granted. */
export interface ConnectedPage {
  readonly backend: string
  readonly person: string
  readonly tenant: string
  /** When the person agreed. Undefined: there is no grant. */
  readonly since: Date | undefined
  /** The scopes that were granted, separated by spaces. */
  readonly scope: string | undefined
  readonly formToken: string
}

/** The page where a person sees what was granted, and ends it. */
export function connectedPage({ backend, person, tenant, since, scope, formToken }: ConnectedPage): string {
  const who = `${person} at the tenant ${tenant}`
  if (since === undefined)
    return page(`${backend} is not connected`, `<p>The gateway has no access for ${escapeHtml(who)}.</p>`)
  const rows: readonly (readonly [string, string])[] = [
    ['For', who],
    ['Since', since.toISOString()],
    ['Scopes', scope ?? 'those that the server gives'],
  ]
  const list = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')
  const intro = '<p>You can close this window, and go on in your program. Here you can end the access again.</p>'
  return page(
    `${backend} is connected`,
    `${intro}<dl>${list}</dl>${form(formToken, '<button>End the access</button>')}`,
  )
}

/** A page for what does not go on. */
export function problemPage(problem: string): string {
  return page(
    'This does not work',
    `<p class="problem">${escapeHtml(problem)}</p><p>Go back to your program, and start again.</p>`,
  )
}
