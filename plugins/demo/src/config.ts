import * as z from 'zod'

/** The configuration of the demo. */
export interface DemoConfig {
  /** Serve what clients of the profile `saas` expect, instead of the small examples. */
  readonly saas?: SaasServerConfig | undefined
}

interface SaasServerConfig {
  /** The folder whose files `file://{path}` reads, relative to the configuration file. Default: no files. */
  readonly files?: string | undefined
}

/** The only options select the variant of the demo; any other option is refused. */
export const config: z.ZodType<DemoConfig> = z.strictObject({
  saas: z
    .strictObject({ files: z.string().min(1).optional().meta({ example: './files' }) })
    .optional()
    .meta({ example: {} }),
})
