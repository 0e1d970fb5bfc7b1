import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type HttpClient, HttpRequestError } from '@junctor/plugin-sdk/http'
import { digestOf } from './digest-of.ts'
import { percentDecoded } from './json-pointer.ts'

/** A text that was read, or why there is none. */
type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  /** The server says that the text is the one that it gave before. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly why: string }

/** Where a document is. */
export interface DocumentSource {
  /** As in the configuration, for messages. */
  readonly shown: string
  /** `undefined`: the document is a file. */
  readonly url: URL | undefined
  /** The absolute path of the file; the URL's text otherwise. References start here. */
  readonly origin: string
  /** Reads the document. Never rejects. */
  read(): Promise<ReadText>
  /** Reads a file or URL that the document refers to. A document from a URL refers to URLs only. Never rejects. */
  readOther(target: string): Promise<ReadText>
  /** What each of those gave, the last time: by its absolute path or URL, a digest of its text or why there is none. */
  readonly others: ReadonlyMap<string, string>
}

/** The most bytes of a document. */
const largestDocument = 64 * 1024 * 1024

/** Whether the option `openapi` is a URL. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** The source that the option `openapi` names. */
export function documentSource(
  named: string,
  folder: string,
  { http, headers }: { readonly http: Pick<HttpClient, 'request'>; readonly headers: Readonly<Record<string, string>> },
): DocumentSource {
  return isUrl(named) ? urlSource(new URL(named), http, headers) : fileSource(named, resolve(folder, named))
}

function fileSource(named: string, file: string): DocumentSource {
  const root = dirname(file)
  const others = new Map<string, string>()
  return {
    others,
    shown: named,
    url: undefined,
    origin: file,
    read: () => readText(file),
    async readOther(target) {
      if (isUrl(target)) return { kind: 'failed', why: 'a file may refer to files only' }
      if (!/\.(?:json|ya?ml)$/i.test(target)) return { kind: 'failed', why: 'expected a file .json, .yaml or .yml' }
      const place = resolve(root, percentDecoded(target))
      return noted(others, place, await readText(place))
    },
  }
}

function noted(others: Map<string, string>, place: string, read: ReadText): ReadText {
  others.set(place, read.kind === 'text' ? digestOf(read.text) : JSON.stringify(read))
  return read
}

async function readText(file: string): Promise<ReadText> {
  try {
    return { kind: 'text', text: await readFile(file, 'utf8') }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { kind: 'failed', why: isMissing ? 'there is no such file' : `it cannot be read: ${String(error)}` }
  }
}

function urlSource(
  url: URL,
  http: Pick<HttpClient, 'request'>,
  headers: Readonly<Record<string, string>>,
): DocumentSource {
  const others = new Map<string, string>()
  let tag: string | undefined
  const request = async (target: URL, extra: Readonly<Record<string, string>>) => {
    const accept = { accept: 'application/json, application/yaml, */*;q=0.5' }
    return http.request(target, { headers: { ...accept, ...extra }, maxBytes: largestDocument })
  }
  const read = async (target: URL, extra: Readonly<Record<string, string>>): Promise<ReadText & { tag?: string }> => {
    try {
      const response = await request(target, extra)
      if (response.status === 304) {
        response.cancel()
        return { kind: 'unchanged' }
      }
      if (response.status !== 200) {
        response.cancel()
        return { kind: 'failed', why: `it was answered with HTTP ${response.status}` }
      }
      const { etag } = response.headers
      return { kind: 'text', text: await response.text(), ...(typeof etag === 'string' && { tag: etag }) }
    } catch (error) {
      if (error instanceof HttpRequestError) return { kind: 'failed', why: error.message }
      throw error
    }
  }
  return {
    others,
    shown: url.href,
    url,
    origin: url.href,
    async read() {
      const result = await read(url, { ...headers, ...(tag !== undefined && { 'if-none-match': tag }) })
      if (result.kind === 'text') ({ tag } = result)
      return result
    },
    async readOther(target) {
      const other = URL.canParse(target, url.href) ? new URL(target, url) : undefined
      if (other === undefined || !isUrl(other.href)) return { kind: 'failed', why: 'a URL may refer to URLs only' }
      return noted(others, other.href, await read(other, other.origin === url.origin ? headers : {}))
    },
  }
}
