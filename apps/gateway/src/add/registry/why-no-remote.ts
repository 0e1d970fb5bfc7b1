import { lookup } from 'node:dns/promises'
import { addressKind } from '@junctor/http-client'

/**
 * Why a URL that a registry gave must not become a backend: it is no URL, or leads to this machine or its network.
 * `undefined`: it may. A URL whose host is given by reference is the user's word.
 *
 * @param allowed hosts that the operator named
 */
export async function whyNoRemote(url: string, allowed: readonly string[]): Promise<string | undefined> {
  // References are read at the start: any word stands for them here.
  const plain = url.replace(/\$\{[^{}]*\}/g, 'reference')
  const parsed = URL.canParse(plain) ? new URL(plain) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return 'it is not a URL with http or https'
  if (parsed.username !== '' || parsed.password !== '') return 'it has credentials in its URL'
  const host = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (allowed.includes(host) || host.includes('reference')) return undefined
  if (host === 'localhost' || host.endsWith('.localhost')) return `${host} is this machine`
  const found = await lookup(host, { all: true }).catch(() => [])
  const near = found.find(({ address }) => addressKind(address) !== 'public')
  return near === undefined ? undefined : `${host} has a private address, ${near.address}`
}
