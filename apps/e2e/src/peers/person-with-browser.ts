/**
 * A person who logs in at an authorization server and agrees to what a client asks for, as a browser would: it follows
 * redirects, keeps cookies and sends the forms of the pages.
 */
export class PersonWithBrowser {
  readonly #name: string
  readonly #cookies = new Map<string, string>()

  constructor(name: string) {
    this.#name = name
  }

  /** Opens a page that a client names. Resolves with the URL of the client to which the person is sent in the end. */
  async authorize(page: URL, back: string): Promise<URL> {
    let url = page
    let form: URLSearchParams | undefined
    for (let step = 0; step < 20; step += 1) {
      if (url.href.startsWith(back)) return url
      // oxlint-disable-next-line no-await-in-loop -- each page says what is next
      const answer = await this.#open(url, form)
      const location = answer.headers.get('location')
      // oxlint-disable-next-line no-await-in-loop -- see above
      const text = await answer.text()
      form = location === null ? this.#filled(text) : undefined
      url = new URL(location ?? actionOf(text, url), url)
    }
    throw new Error('Expected to be sent back to the client after 20 pages')
  }

  async #open(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', ...value] = pair.split('=')
      this.#cookies.set(name, value.join('='))
    }
    return answer
  }

  #filled(text: string): URLSearchParams {
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const form = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
    if (text.includes('name="login"')) form.set('login', this.#name)
    if (text.includes('name="password"')) form.set('password', 'any')
    return form
  }
}

function actionOf(text: string, url: URL): string {
  const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1]
  if (action === undefined) throw new Error(`Expected a form at ${url.href}, got ${text.slice(0, 300)}`)
  return action
}
