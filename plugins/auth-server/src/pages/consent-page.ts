import { escapeHtml, form, page } from '@junctor/plugin-sdk/pages'

/** The request of a client, as the page shows it to a person. */
export interface ConsentPage {
  /** The name that the client gives itself. */
  readonly client: string
  readonly clientId: string
  readonly person: string
  /** The endpoints that it wants to use. */
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
  readonly redirectUri: string
  readonly formToken: string
}

/** The page where people agree to what a client asks for. */
export function consentPage({
  client,
  clientId,
  person,
  resources,
  scopes,
  redirectUri,
  formToken,
}: ConsentPage): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Program', client],
    ['Its id', clientId],
    ['Wants to use', resources.join(', ')],
    ['With the scopes', scopes.join(', ')],
    ['Sends you back to', redirectUri],
  ]
  const list = rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
  const fields = '<button name="answer" value="allow">Allow</button><button name="answer" value="deny">Deny</button>'
  const warning = '<p>The name is what the program says of itself. Allow it only if you have just started it.</p>'
  return page(
    'Allow access?',
    `<p>You are ${escapeHtml(person)}.</p><dl>${list.join('')}</dl>${warning}${form(formToken, fields)}`,
  )
}
