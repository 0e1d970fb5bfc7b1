import * as z from 'zod'
import type { AuthConfig, SecretsConfig } from '../config.ts'
import { name } from './values.ts'

const apiKey = z.strictObject({
  hash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 hexadecimal digits, as `junctor hash-key` prints them'),
  tenants: z
    .array(name)
    .default(['default'])
    .meta({ example: ['default'] }),
})

/** Who may call. */
export const authSchema: z.ZodType<AuthConfig> = z
  .strictObject({
    apiKeys: z.record(name, apiKey).default({}),
    anonymous: z.boolean().default(false).meta({ example: true }),
  })
  .transform(({ apiKeys, anonymous }) => ({
    apiKeys: Object.entries(apiKeys).map(([key, value]) => ({ name: key, ...value })),
    anonymous,
  }))

/** Keys of this gateway's own. */
export const secretsSchema: z.ZodType<SecretsConfig> = z.strictObject({
  seal: z
    .array(z.string().min(32, 'at least 32 characters, as `openssl rand -base64 32` prints them'))
    .default([])
    .meta({ example: ['${env:JUNCTOR_SEAL}'] }),
})
