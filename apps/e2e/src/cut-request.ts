import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends a request with the first bytes of its body, and closes the connection. */
export async function cutRequest(
  url: string,
  { method = 'POST', headers }: { readonly method?: string; readonly headers: Readonly<Record<string, string>> },
): Promise<void> {
  const { hostname, port, host, pathname } = new URL(url)
  const head = Object.entries({ host, ...headers, 'content-length': '100' }).map(([name, value]) => `${name}: ${value}`)
  const socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  const text = [`${method} ${pathname} HTTP/1.1`, ...head, '', '{"a":12345'].join('\r\n')
  socket.write(text, () => socket.destroy())
  await closed
}
