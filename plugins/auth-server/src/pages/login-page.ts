import { escapeHtml, form, page } from '@junctor/plugin-sdk/pages'

/** Which client asks people to log in, how they can log in, and what went wrong before. */
export interface LoginPage {
  readonly client: string
  readonly formToken: string
  /** Whether people may log in with a password. */
  readonly hasPasswords: boolean
  /** The names of the OpenID providers where people may log in. */
  readonly upstreams: readonly string[]
  readonly problem?: string
  readonly name?: string
}

/** The page where people log in. */
export function loginPage({ client, formToken, hasPasswords, upstreams, problem, name = '' }: LoginPage): string {
  // Where the name is known already, the password is what is to be written.
  const [first, second] = name === '' ? [' autofocus', ''] : ['', ' autofocus']
  const fields =
    `<label for="name">Name</label><input id="name" name="name" value="${escapeHtml(name)}" autocomplete="username" autocapitalize="none" spellcheck="false" required${first}>` +
    `<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required${second}>` +
    '<button name="answer" value="login">Log in</button>'
  const problemText = problem === undefined ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`
  const ways = [
    ...(hasPasswords ? [form(formToken, fields)] : []),
    ...upstreams.map((upstream) => form(formToken, upstreamButton(upstream))),
  ]
  return page('Log in', `<p><bdi>${escapeHtml(client)}</bdi> asks you to log in.</p>${problemText}${ways.join('')}`)
}

function upstreamButton(upstream: string): string {
  const name = escapeHtml(upstream)
  return `<button name="upstream" value="${name}">Log in with ${name}</button>`
}
