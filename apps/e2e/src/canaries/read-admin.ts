import { get } from 'node:http'
import { text } from 'node:stream/consumers'

/** What the admin port of a node shows, besides its status. */
const paths = ['/metrics', '/events?limit=1000'] as const

/** How long an answer may take, in milliseconds: the status waits for backends that were never asked. */
const timeoutMs = 1_000

/**
 * Reads everything that the admin port of a node shows, by path. Leaves no connection open. What is not answered is left
 * out: a test may have ended the node, or a backend hangs.
 *
 * @param isStatusRead whether its status is read too, which starts all backends that were never asked
 */
export async function readAdmin(
  url: string,
  token: string,
  isStatusRead: boolean,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const wanted = isStatusRead ? ['/status', ...paths] : paths
  const pages = await Promise.allSettled(wanted.map((path) => read(`${url}${path}`, token)))
  return pages.flatMap((page, index) =>
    page.status === 'fulfilled' ? [[wanted[index] ?? '', page.value] as const] : [],
  )
}

function read(url: string, token: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  }
  get(url, options, (answer) => {
    text(answer).then(resolve, reject)
  }).on('error', reject)
  return promise
}
