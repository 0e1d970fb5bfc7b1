import * as z from 'zod'
import type { MembersConfig, ToolsConfig } from '../config.ts'
import { extensionIds } from './extension-ids.ts'
import { namingSchema, type Naming, profileName } from './naming-schema.ts'
import { type RateOptions, ratesSchema } from './rates-schema.ts'
import { toolPattern } from './tool-pattern.ts'
import { name, text } from './values.ts'

/** A tenant as written in the file. */
export interface TenantOptions {
  readonly profile?: string | undefined
  readonly naming: Naming
  readonly relayExtensions?: readonly string[] | undefined
  readonly backends: readonly string[]
  readonly tools: ToolsConfig
  readonly members?: MembersConfig | undefined
  readonly limits?: RateOptions | undefined
}

const patterns = z.array(toolPattern)

const tools = z
  .strictObject({
    allow: patterns.optional().meta({ example: ['search:*'] }),
    deny: patterns.default([]).meta({ example: ['files:delete_*'] }),
  })
  .transform(({ allow, deny }) => ({ allow, deny }))

const members = z.strictObject({
  claim: text.meta({ example: 'org' }),
  values: z
    .array(text)
    .min(1)
    .meta({ example: ['acme'] }),
})

export const tenantSchema: z.ZodType<TenantOptions> = z.strictObject({
  profile: profileName.optional(),
  naming: namingSchema,
  relayExtensions: extensionIds,
  backends: z.array(name).meta({ example: ['search'] }),
  tools: tools.prefault({}),
  members: members.optional(),
  limits: ratesSchema.optional(),
})
