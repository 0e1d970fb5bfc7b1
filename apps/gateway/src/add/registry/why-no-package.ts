import { createHash } from 'node:crypto'
import { type HttpClient, HttpRequestError } from '@junctor/http-client'
import { isJsonObject, type JsonValue, parseJson } from '@junctor/jsonrpc'
import type { DocumentPackage } from './server-document.ts'

/**
 * Compares the file of a package with its `fileSha256`, as the schema demands before a package is run. Versions of npm,
 * PyPI and NuGet never change, so that the program that runs the package gets the same file. Returns why the package must
 * not be run; `undefined`: it may be run, because its hash is the same, or it has none.
 */
export async function whyNoPackage(http: HttpClient, described: DocumentPackage): Promise<string | undefined> {
  const { fileSha256: wanted } = described
  if (wanted === undefined) return undefined
  const hashes = hashesOf[described.registryType]
  if (hashes === undefined) return `the hash of a package of ${described.registryType} cannot be compared`
  try {
    const found = await hashes(http, described)
    return found.includes(wanted) ? undefined : `its file has another SHA-256 than ${wanted}`
  } catch (error) {
    if (error instanceof HttpRequestError || error instanceof UnusableAnswer) {
      return `its file could not be compared with its SHA-256: ${error.message}`
    }
    throw error
  }
}

type Hashes = (http: HttpClient, described: DocumentPackage) => Promise<readonly string[]>

const hashesOf: Readonly<Record<string, Hashes>> = {
  async npm(http, { identifier, version = '', registryBaseUrl = 'https://registry.npmjs.org' }) {
    const about = await json(http, `${trimmed(registryBaseUrl)}/${identifier.replace('/', '%2F')}/${version}`)
    const { tarball } = isJsonObject(about) && isJsonObject(about['dist']) ? about['dist'] : {}
    if (typeof tarball !== 'string') throw new UnusableAnswer('the registry names no file')
    return [await fileHash(http, tarball)]
  },
  async pypi(http, { identifier, version = '', registryBaseUrl = 'https://pypi.org' }) {
    const about = await json(http, `${trimmed(registryBaseUrl)}/pypi/${identifier}/${version}/json`)
    const urls = isJsonObject(about) && Array.isArray(about['urls']) ? about['urls'] : []
    return urls.flatMap((file) => {
      const { sha256 } = isJsonObject(file) && isJsonObject(file['digests']) ? file['digests'] : {}
      return typeof sha256 === 'string' ? [sha256] : []
    })
  },
  async nuget(http, { identifier, version = '' }) {
    const [id, exact] = [identifier.toLowerCase(), version.toLowerCase()]
    return [await fileHash(http, `https://api.nuget.org/v3-flatcontainer/${id}/${exact}/${id}.${exact}.nupkg`)]
  },
}

/** A registry whose answer has no file. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

/** Packages are larger than documents. */
const mostFileBytes = 256 * 1024 * 1024

async function fileHash(http: HttpClient, url: string): Promise<string> {
  const answer = await http.request(url, { maxBytes: mostFileBytes, timeoutMs: 120_000 })
  if (answer.status !== 200) {
    answer.cancel()
    throw new UnusableAnswer(`the file answered with status ${answer.status}`)
  }
  const hash = createHash('sha256')
  for await (const piece of answer.pieces()) hash.update(piece)
  return hash.digest('hex')
}

async function json(http: HttpClient, url: string): Promise<JsonValue> {
  const answer = await http.request(url, { headers: { accept: 'application/json' }, maxBytes: 16 * 1024 * 1024 })
  if (answer.status !== 200) {
    answer.cancel()
    throw new UnusableAnswer(`the registry answered with status ${answer.status}`)
  }
  const value = parseJson(await answer.text())
  if (value !== undefined) return value
  throw new UnusableAnswer('the registry did not answer with JSON')
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
