import * as z from 'zod'

/** What the demo shows. */
export interface DemoConfig {
  /** Instead of small examples, the server that clients of the profile `saas` expect. */
  readonly saas?: SaasServerConfig | undefined
}

interface SaasServerConfig {
  /** The folder whose files `file://{path}` reads. Relative to the configuration's. Default: no files. */
  readonly files?: string | undefined
}

/** The demo has nothing to configure but which one it is, and says so when somebody tries. */
export const config: z.ZodType<DemoConfig> = z.strictObject({
  saas: z
    .strictObject({ files: z.string().min(1).optional().meta({ example: './files' }) })
    .optional()
    .meta({ example: {} }),
})
