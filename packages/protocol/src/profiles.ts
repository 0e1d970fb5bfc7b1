import type { Profile } from './profile.ts'
import { mcpProfile } from './profiles/mcp.ts'

/** Every profile by the name that configurations call it. */
export const profiles: Readonly<Record<string, Profile>> = { [mcpProfile.name]: mcpProfile }
