import { type HttpToolsConfig, placeholder } from './config.ts'

/** Where the URLs of components come from. */
export type Source =
  | { readonly kind: 'listed'; readonly urls: readonly string[] }
  | { readonly kind: 'registry'; readonly url: string }

/** The source that a configuration describes. */
export function sourceOf({ tool, components = [] }: HttpToolsConfig): Source {
  if (typeof tool === 'object' && 'registry' in tool) return { kind: 'registry', url: tool.registry }
  if (typeof tool !== 'string') return { kind: 'listed', urls: [...new Set(tool)] }
  if (!tool.includes(placeholder)) return { kind: 'listed', urls: [tool] }
  return { kind: 'listed', urls: [...new Set(components)].map((name) => tool.replaceAll(placeholder, name)) }
}

/** The hosts that a configuration names. Only they may have private addresses, and only they get its headers. */
export function namedHosts(config: HttpToolsConfig): readonly string[] {
  const source = sourceOf(config)
  const urls = source.kind === 'registry' ? [source.url] : source.urls
  return [...new Set([...urls.map(hostIn), ...config.allowedHosts])]
}

/** The host of a URL, without the brackets of IPv6. */
export function hostIn(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '')
}

/** A URL as logs and statuses show it: without a query, which may hold a secret. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
