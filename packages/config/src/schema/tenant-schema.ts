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
  readonly prompts: ToolsConfig
  readonly resources: ToolsConfig
  readonly members?: MembersConfig | undefined
  readonly limits?: RateOptions | undefined
}

const patterns = z.array(toolPattern)

/** The schema of a policy for tools, prompts or resources. */
function policy(example: { readonly allow: string[]; readonly deny: string[] }): z.ZodType<ToolsConfig> {
  return z
    .strictObject({
      allow: patterns.optional().meta({ example: example.allow }),
      deny: patterns.default([]).meta({ example: example.deny }),
    })
    .transform(({ allow, deny }) => ({ allow, deny }))
    .prefault({})
}

const members = z.strictObject({
  claim: text.meta({ example: 'org' }),
  values: z
    .array(text)
    .min(1)
    .meta({ example: ['acme'] }),
})

/** Reads one entry of the section `tenants`. A word that it does not know is a problem. */
export const tenantSchema: z.ZodType<TenantOptions> = z.strictObject({
  profile: profileName.optional(),
  naming: namingSchema,
  relayExtensions: extensionIds,
  backends: z.array(name).meta({ example: ['search'] }),
  tools: policy({ allow: ['search:*'], deny: ['files:delete_*'] }),
  prompts: policy({ allow: ['search:*'], deny: ['files:draft_*'] }),
  resources: policy({ allow: ['files:file:///docs/*'], deny: ['files:*.env'] }),
  members: members.optional(),
  limits: ratesSchema.optional(),
})
