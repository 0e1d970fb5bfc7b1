import { bearerToken, sentHeaders } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import { longestTimerMs } from './longest-timer.ts'

/** Tools behind HTTP, and how they are found and called. */
export interface HttpToolsConfig {
  /**
   * The URL of a component, several, a pattern with `{component}` for the names in `components`, or a registry: a JSON
   * document that lists the URLs of components.
   */
  readonly tool: string | readonly string[] | { readonly registry: string }
  /** The names for a pattern. */
  readonly components?: readonly string[] | undefined
  /** Sent with every request to hosts that the configuration names. */
  readonly headers: Readonly<Record<string, string>>
  /** How Junctor proves itself to the components. */
  readonly auth?: { readonly bearer: string } | undefined
  /** Hosts that may have private addresses, and get `headers`, besides those in `tool`: of components in a registry. */
  readonly allowedHosts: readonly string[]
  /** How often components and the registry are read again, in milliseconds. */
  readonly refresh: number
}

/** The place of a component's name in a pattern. */
export const placeholder = '{component}'

const httpUrl = 'a URL that begins with http:// or https://'

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

const url = z.string().refine(isHttpUrl, httpUrl)

const urlOrPattern = z.string().refine((text) => isHttpUrl(text.replaceAll(placeholder, '1')), httpUrl)

const milliseconds = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

const duration = z
  .string()
  .regex(/^[1-9]\d{0,5}(?:ms|s|m|h)$/, 'a time like 30s, 5m or 500ms')
  .transform((text) => parseInt(text, 10) * milliseconds[text.replace(/^\d+/, '') as keyof typeof milliseconds])
  .refine((ms) => ms <= longestTimerMs, 'a time of at most 596h')

/** The schema of the options. */
export const config: z.ZodType<HttpToolsConfig> = z
  .strictObject({
    tool: z.union([urlOrPattern, z.array(url).min(1, 'at least one URL'), z.strictObject({ registry: url })], {
      error: `${httpUrl}, a list of them, or { registry: URL }`,
    }),
    components: z
      .array(z.string().regex(/^[\w.-]+$/, 'a name of letters, digits, and _ . -'))
      .min(1, 'at least one name')
      .optional(),
    headers: sentHeaders.default({}),
    auth: z.strictObject({ bearer: bearerToken }).optional(),
    allowedHosts: z
      .array(z.string().regex(/^(?!.*[/@\s])\S+$/, 'a host, as in weather.internal or 10.0.0.5'))
      .default([]),
    refresh: duration.prefault('30s'),
  })
  .superRefine(({ tool, components }, context) => {
    const isPattern = typeof tool === 'string' && tool.includes(placeholder)
    if (isPattern === (components !== undefined)) return
    const path = isPattern ? ['components'] : ['tool']
    const message = isPattern
      ? `the names for ${placeholder}`
      : `a URL with ${placeholder}, for the names in components`
    context.addIssue({ code: 'custom', path, message })
  })
