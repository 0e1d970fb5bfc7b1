import * as z from 'zod'
import type { DiscoveryConfig } from '../config.ts'

const path = z.string().regex(/^\/[\w.~-]+(?:\/[\w.~-]+)*$/, 'a path such as "/oauth/token"')

/** The schema of the section `discovery`, in the words of the document of the profile `saas`. */
export const discoverySchema: z.ZodType<DiscoveryConfig> = z
  .strictObject({
    oauth_endpoints: z
      .strictObject({
        authorize: path.default('/oauth/authorize'),
        token: path.default('/oauth/token'),
        register: path.default('/oauth/register'),
        revoke: path.default('/oauth/revoke'),
        resource: path.default('/oauth/resource'),
      })
      .prefault({}),
  })
  .superRefine(({ oauth_endpoints: paths }, context) => {
    const seen = new Set<string>(reserved)
    for (const [word, value] of Object.entries(paths)) {
      const first = `/${value.split('/')[1]}`
      if (seen.has(value) || reserved.includes(first)) {
        const message = 'a path that nothing else has, outside /mcp, /sse and /.well-known'
        context.addIssue({ code: 'custom', path: ['oauth_endpoints', word], message })
      }
      seen.add(value)
    }
  })
  .transform(({ oauth_endpoints: oauthPaths }) => ({ oauthPaths }))

const reserved = ['/mcp', '/sse', '/.well-known']
