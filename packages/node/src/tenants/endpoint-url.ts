import type { Config } from '@junctor/config'

/**
 * The URL of the endpoint without a tenant, as an authorization server knows it: below the public URL; else the first
 * audience that is a URL. `undefined`: neither is configured. It never depends on what a client sends.
 */
export function endpointUrl({ publicUrl, auth: { issuer } }: Pick<Config, 'publicUrl' | 'auth'>): string | undefined {
  if (publicUrl !== undefined) return `${publicUrl}/mcp`
  return issuer?.audience.map(withoutSlash).find((audience) => isHttpUrl(audience))
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
