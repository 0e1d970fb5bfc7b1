import type { Config } from '@junctor/config'
import type { GatewaySite } from '@junctor/plugin-sdk'

/** What the gateway of a configuration is for the world outside. */
export function siteOf({ publicUrl, discovery }: Pick<Config, 'publicUrl' | 'discovery'>): GatewaySite {
  return { publicUrl, oauthPaths: discovery.oauthPaths }
}
