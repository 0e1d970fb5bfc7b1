import { get } from 'node:http'
import { text } from 'node:stream/consumers'

/** What the admin port of a node shows. */
const paths = ['/status', '/metrics', '/events?limit=1000'] as const

/** How long an answer may take, in milliseconds: the status waits for backends that were never asked. */
const timeoutMs = 1_000

/**
 * Reads everything that the admin port of a node shows, by path. Leaves no connection open. What is not answered is left
 * out: a test may have ended the node, or a backend hangs.
 */
export async function readAdmin(
  url: string,
  token: string,
): Promise<readonly (readonly [path: string, text: string])[]> {
  const pages = await Promise.allSettled(paths.map((path) => read(`${url}${path}`, token)))
  return pages.flatMap((page, index) =>
    page.status === 'fulfilled' ? [[paths[index] ?? '', page.value] as const] : [],
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
