/**
 * A person with a browser, who logs in at an authorization server and agrees to what a client asks for. The browser follows
 * redirects, keeps cookies and sends the forms of pages.
 */
export class PersonWithBrowser {
  readonly #name: string
  readonly #password: string
  readonly #provider: string | undefined
  /** Headers of every request, besides those of a browser. */
  headers: Readonly<Record<string, string>> = {}
  #agrees = true
  #shown: string[] = []
  #cookies = new Map<string, Cookie>()
  /** The last page, and its `Referrer-Policy`. */
  #page: { readonly url: URL; readonly policy: string | null } | undefined

  /** @param provider the provider where the person logs in, if a page offers it. Default: with the password */
  constructor(name: string, password = 'any', provider?: string) {
    this.#name = name
    this.#password = password
    this.#provider = provider
  }

  /** Another person at the same browser. */
  handOver(name: string, password: string): PersonWithBrowser {
    const next = new PersonWithBrowser(name, password)
    next.#cookies = this.#cookies
    return next
  }

  /** Does the same as `authorize`, but ends with the first page that has no form. Resolves with this page. */
  async stopped(page: URL): Promise<{ readonly status: number; readonly text: string; readonly url: URL }> {
    let last = { status: 0, text: '', url: page }
    const isStopped = (answer: typeof last): boolean => {
      last = answer
      return !answer.text.includes('<form')
    }
    await this.#walk(page, () => false, isStopped)
    return last
  }

  /**
   * Opens a page that a client names, logs in and agrees. Resolves with the URL of the client to which the person is sent
   * back; that URL is not opened.
   */
  async authorize(page: URL, back: string | ((url: URL) => boolean)): Promise<URL> {
    const isBack = typeof back === 'string' ? (url: URL) => url.href.startsWith(back) : back
    return this.#walk(page, isBack, () => false)
  }

  async #walk(
    page: URL,
    isBack: (url: URL) => boolean,
    isStopped: (answer: { status: number; text: string; url: URL }) => boolean,
  ): Promise<URL> {
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
      if (location === null && isStopped({ status: answer.status, text, url })) return url
      form = location === null ? this.#filled(text) : undefined
      url = new URL(location ?? actionOf(text, url), url)
    }
    throw new Error('Expected to be sent back to the client after 20 pages')
  }

  /** Opens a page, or sends its form with these values. Resolves with the last answer. */
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

  /** Does the same as `authorize`. Resolves with the pages that were shown. */
  async pagesOf(page: URL, back: string): Promise<readonly string[]> {
    this.#shown = []
    await this.authorize(page, back)
    return this.#shown
  }

  /** Does the same as `authorize`, but the person does not agree. */
  async refuse(page: URL, back: string): Promise<URL> {
    this.#agrees = false
    try {
      return await this.authorize(page, back)
    } finally {
      this.#agrees = true
    }
  }

  /** Sends the form of the login page `times` times. Resolves with the statuses of the answers. */
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
    const cookie = [...this.#cookies.values()]
      .filter(({ host, path }) => host === url.hostname && isBelow(url.pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { ...this.headers, cookie, ...(form !== undefined && { origin: this.#origin(url) }) },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    this.#page = { url, policy: answer.headers.get('referrer-policy') }
    for (const set of answer.headers.getSetCookie()) {
      const kept = readCookie(set, url)
      this.#cookies.set(JSON.stringify([kept.host, kept.path, kept.name]), kept)
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
    const provider = /<button name="upstream" value="([^"]+)"/g
    const offered = [...text.matchAll(provider)].map(([, name]) => name)
    const chosen = offered.find((name) => name === this.#provider)
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const form = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
    if (chosen !== undefined) {
      form.set('upstream', chosen)
      return form
    }
    for (const field of ['login', 'name', 'username']) {
      if (text.includes(`name="${field}"`)) form.set(field, this.#name)
    }
    if (text.includes('name="password"')) form.set('password', this.#password)
    // Keycloak has a button for each answer.
    if (text.includes('name="accept"')) form.set(this.#agrees ? 'accept' : 'cancel', 'on')
    const [, button] = /<button name="answer" value="([^"]+)"/.exec(text) ?? []
    if (button !== undefined) form.set('answer', this.#agrees || button === 'login' ? button : 'deny')
    return form
  }
}

/** A cookie, and where it is sent. Ports do not matter (RFC 6265, section 8.5). */
interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
}

function readCookie(set: string, { hostname, pathname }: URL): Cookie {
  const [pair = '', ...attributes] = set.split(';')
  const [name = '', ...value] = pair.split('=')
  const path = attributes.map((attribute) => /^\s*path=(\/.*)$/i.exec(attribute)?.[1]).find(Boolean)
  // RFC 6265, section 5.1.4.
  const folder = pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')))
  return { name, value: value.join('='), host: hostname, path: path ?? folder }
}

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function actionOf(text: string, url: URL): string {
  if (!text.includes('<form')) throw new Error(`Expected a form at ${url.href}, got ${text.slice(-300)}`)
  return /<form[^>]* action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? url.href
}
