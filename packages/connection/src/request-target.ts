/** The start of an HTTP request, as Node gives it. */
interface RequestStart {
  readonly method?: string | undefined
  readonly url?: string | undefined
}

/** The method and the path of a request, without its query. */
export function requestTarget({ method = '', url = '' }: RequestStart): {
  readonly method: string
  readonly path: string
} {
  const [path = ''] = url.split('?', 1)
  return { method, path }
}
