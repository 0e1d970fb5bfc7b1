/** Where a gateway is, and where browsers believe that it is. */
export interface GatewayAddress {
  readonly publicUrl: string
  readonly node: string
}

/**
 * Opens the link of a gateway as a browser does: sends the form of its page, follows the redirects to the authorization
 * server and back, and keeps the cookies of the gateway.
 *
 * @throws Error when a page is neither a form nor a redirect
 */
export async function consentAt(link: URL, { publicUrl, node }: GatewayAddress): Promise<void> {
  const cookies = new Map<string, string>()
  const visit = async (url: URL, form?: URLSearchParams): Promise<Response> => {
    const isOwn = url.href.startsWith(publicUrl)
    const target = isOwn ? `${node}${url.pathname}${url.search}` : url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(target, {
      redirect: 'manual',
      ...(isOwn && { headers: { cookie } }),
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const set of isOwn ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return answer
  }

  const page = await (await visit(link)).text()
  const [, token = ''] = /name="form" value="([^"]+)"/.exec(page) ?? []
  let url = link
  let answer = await visit(link, new URLSearchParams({ form: token, answer: 'connect' }))
  for (let step = 0; step < 10; step += 1) {
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`Expected a redirect, got ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
    // oxlint-disable-next-line no-await-in-loop -- each page says what is next
    answer = await visit(url)
    if (answer.ok) return
  }
  throw new Error('Expected the page of the gateway after ten redirects')
}
