/**
 * A person who logs in at an authorization server and agrees to what a client asks for, as a browser would: it follows
 * redirects, keeps cookies and sends the forms of the pages.
 */
export class PersonWithBrowser {
  readonly #name: string
  readonly #password: string
  #agrees = true
  #shown: string[] = []
  readonly #cookies = new Map<string, string>()
  /** The last page, and how much of its URL a browser would tell. */
  #page: { readonly url: URL; readonly policy: string | null } | undefined

  constructor(name: string, password = 'any') {
    this.#name = name
    this.#password = password
  }

  /** Opens a page that a client names. Resolves with the URL of the client to which the person is sent in the end. */
  async authorize(page: URL, back: string | ((url: URL) => boolean)): Promise<URL> {
    const isBack = typeof back === 'string' ? (url: URL) => url.href.startsWith(back) : back
    let url = page
    let form: URLSearchParams | undefined
    for (let step = 0; step < 20; step += 1) {
      if (isBack(url)) return url
      // oxlint-disable-next-line no-await-in-loop -- each page says what is next
      const answer = await this.#open(url, form)
      const location = answer.headers.get('location')
      // oxlint-disable-next-line no-await-in-loop -- see above
      const text = await answer.text()
      if (location === null) this.#shown.push(text)
      form = location === null ? this.#filled(text) : undefined
      url = new URL(location ?? actionOf(text, url), url)
    }
    throw new Error('Expected to be sent back to the client after 20 pages')
  }

  /** Opens a page, or sends its form with these values. Resolves with what is shown in the end. */
  async show(
    page: URL,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const first = await this.#open(page, undefined)
    const text = await first.text()
    if (form === undefined) return { status: first.status, text }
    const filled = this.#filled(text)
    for (const [name, value] of Object.entries(form)) filled.set(name, value)
    const sent = await this.#open(page, filled)
    return { status: sent.status, text: await sent.text() }
  }

  /** The pages on the way, as they are shown. */
  async pagesOf(page: URL, back: string): Promise<readonly string[]> {
    this.#shown = []
    await this.authorize(page, back)
    return this.#shown
  }

  /** The same as `authorize`, but the person does not agree. */
  async refuse(page: URL, back: string): Promise<URL> {
    this.#agrees = false
    try {
      return await this.authorize(page, back)
    } finally {
      this.#agrees = true
    }
  }

  /** Sends the form of the login page so many times. Resolves with the statuses of the answers. */
  async attempts(page: URL, times: number): Promise<readonly number[]> {
    const begun = await this.#open(page, undefined)
    const url = new URL(begun.headers.get('location') ?? page, page)
    const form = this.#filled(await (await this.#open(url, undefined)).text())
    const statuses: number[] = []
    for (let count = 0; count < times; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await this.#open(url, form)
      // oxlint-disable-next-line no-await-in-loop -- see above
      await answer.text()
      statuses.push(answer.status)
    }
    return statuses
  }

  async #open(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, ...(form !== undefined && { origin: this.#origin(url) }) },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    this.#page = { url, policy: answer.headers.get('referrer-policy') }
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const [name = '', ...value] = pair.split('=')
      this.#cookies.set(name, value.join('='))
    }
    return answer
  }

  /** The `Origin` of a form (Fetch Standard, "append a request `Origin` header"): the policy of the page may hide it. */
  #origin(to: URL): string {
    const { url, policy } = this.#page ?? { url: to, policy: null }
    const isHidden = policy === 'no-referrer' || (policy === 'same-origin' && url.origin !== to.origin)
    return isHidden ? 'null' : url.origin
  }

  #filled(text: string): URLSearchParams {
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const form = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
    if (text.includes('name="login"')) form.set('login', this.#name)
    if (text.includes('name="name"')) form.set('name', this.#name)
    if (text.includes('name="password"')) form.set('password', this.#password)
    const [, button] = /<button name="answer" value="([^"]+)"/.exec(text) ?? []
    if (button !== undefined) form.set('answer', this.#agrees || button === 'login' ? button : 'deny')
    return form
  }
}

function actionOf(text: string, url: URL): string {
  if (!text.includes('<form')) throw new Error(`Expected a form at ${url.href}, got ${text.slice(-300)}`)
  return /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? url.href
}
