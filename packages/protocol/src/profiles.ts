import type { Profile } from './profile.ts'
import { ftlProfile } from './profiles/ftl.ts'
import { mcpProfile } from './profiles/mcp.ts'
import { n8nProfile } from './profiles/n8n.ts'
import { saasProfile } from './profiles/saas.ts'

/** Every profile, by its name in configurations. */
export const profiles: Readonly<Record<string, Profile>> = {
  [mcpProfile.name]: mcpProfile,
  [n8nProfile.name]: n8nProfile,
  [saasProfile.name]: saasProfile,
  [ftlProfile.name]: ftlProfile,
}
