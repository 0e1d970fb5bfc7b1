/** An answer as a browser sees it. */
export interface Seen {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** A browser that shows its cookies and follows nothing, for those who take its parts apart. */
export class CookieBrowser {
  readonly cookies: Map<string, string>

  constructor(cookies: Iterable<readonly [string, string]> = []) {
    this.cookies = new Map(cookies)
  }

  async open(url: string | URL, form?: Readonly<Record<string, string>>): Promise<Seen> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', ...value] = set.split(';', 1)[0]?.split('=') ?? []
      this.cookies.set(name, value.join('='))
    }
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
}

/** The hidden value that the forms of a page send. */
export function formOf({ text }: Seen): string {
  return /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ''
}
