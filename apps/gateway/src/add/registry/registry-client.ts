import type { Failure } from '@junctor/command'
import { type HttpClient, HttpRequestError } from '@junctor/http-client'
import { printable } from '@junctor/primitives'
import { judgeRegistryAnswer, namesInList, type RegisteredServer } from './registry-answer.ts'
import { isServerName } from './server-document.ts'

/** A server of a registry, or why there is none. */
export type FoundServer =
  | { readonly kind: 'server'; readonly server: RegisteredServer }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** The most similar names that are shown. */
const mostNames = 10

/**
 * Asks a registry for one version of a server.
 *
 * @param base its URL, without `/v0.1`
 * @param version default: the latest
 */
export async function findServer(
  http: HttpClient,
  base: string,
  name: string,
  version: string | undefined,
): Promise<FoundServer> {
  try {
    if (!isServerName(name))
      return await unknownServer(http, base, name, `${JSON.stringify(name)} is not a name of a server`)
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version ?? 'latest')}`
    const answer = await http.request(`${base}${path}`, { headers: { accept: 'application/json' } })
    if (answer.status === 404) {
      answer.cancel()
      const asked = version === undefined ? name : `${name} ${version}`
      return await unknownServer(http, base, lastSegment(name), `${base} has no server ${asked}`)
    }
    const type = answer.headers['content-type'] ?? 'nothing'
    if (answer.status !== 200 || !/\bjson\b/i.test(type)) {
      answer.cancel()
      return failed(`${base} answered with status ${answer.status} and ${type}, not with a server`, laterOrOther)
    }
    const judged = judgeRegistryAnswer(await answer.text(), name, version)
    if (judged.kind === 'server') return judged
    return failed(
      `${base} gave an answer for ${name} that cannot be used: ${judged.why}`,
      'Name another version with --version, or another registry with --registry.',
    )
  } catch (error) {
    if (error instanceof HttpRequestError) return failed(`${base} cannot be asked: ${error.message}`, laterOrOther)
    throw error
  }
}

const laterOrOther = 'Try again later, name another registry with --registry, or give a file: junctor add ./server.json'

async function unknownServer(http: HttpClient, base: string, words: string, message: string): Promise<FoundServer> {
  const similar = await search(http, base, words)
  const next =
    similar.length === 0
      ? 'Give the whole name, as in io.github.acme/weather. A program or a URL can be added too: junctor add --help.'
      : `Similar names: ${similar
          .slice(0, mostNames)
          .map((found) => printable(found))
          .join(', ')}`
  return failed(message, next)
}

/** The names that a registry finds for these words. */
async function search(http: HttpClient, base: string, words: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ search: words, limit: String(mostNames * 3), version: 'latest' })
  const url = `${base}/v0.1/servers?${query.toString()}`
  const answer = await http.request(url, { headers: { accept: 'application/json' } })
  if (answer.status === 200) return namesInList(await answer.text())
  answer.cancel()
  return []
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

function failed(message: string, next: string): FoundServer {
  return { kind: 'failed', failure: { message: printable(message, 600), next } }
}
