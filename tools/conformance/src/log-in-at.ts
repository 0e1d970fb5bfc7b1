/** Someone who may log in. */
export interface Person {
  readonly name: string
  readonly password: string
}

/**
 * Opens a page of an authorization server as a browser does: logs in, agrees, follows redirects and keeps cookies, until it
 * is sent to the client.
 *
 * @param back where the URLs of the client begin
 * @throws Error when a page has no form
 */
export async function logInAt(page: URL, back: string, { name, password }: Person): Promise<void> {
  const cookies = new Map<string, string>()
  let url = page
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step += 1) {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    // oxlint-disable-next-line no-await-in-loop -- each page says what is next
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(key, value)
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    const text = await answer.text()
    if (url.href.startsWith(back)) return
    const location = answer.headers.get('location')
    form = location === null ? filled(text, url, name, password) : undefined
    url = new URL(location ?? /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? url.href, url)
  }
  throw new Error('Expected to be sent to the client after 20 pages')
}

function filled(text: string, url: URL, name: string, password: string): URLSearchParams {
  const [, answer] = /<button name="answer" value="([^"]+)"/.exec(text) ?? []
  if (answer === undefined) throw new Error(`Expected a form at ${url.pathname}, got ${text.slice(-200)}`)
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const form = new URLSearchParams(hidden.map(([, key = '', value = '']): [string, string] => [key, value]))
  if (text.includes('name="password"'))
    for (const [key, value] of Object.entries({ name, password })) form.set(key, value)
  form.set('answer', answer)
  return form
}
