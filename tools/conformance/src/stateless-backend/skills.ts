import { hash } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** The identifier of skills (SEP-2640). */
export const skillsExtension = 'io.modelcontextprotocol/skills'

const folder = 'skill://acme/read-pdf'
const description = 'Reads PDF files'

/** The files of the one skill, by URI. */
export const skillFiles: Readonly<Record<string, string>> = {
  [`${folder}/SKILL.md`]: `---\nname: read-pdf\ndescription: ${description}\n---\n\n# Read PDF\n\nSee docs/forms.md.\n`,
  [`${folder}/docs/forms.md`]: '# Forms\n',
}

const skill = {
  uri: `${folder}/SKILL.md`,
  frontmatter: { name: 'read-pdf', description },
  resources: Object.entries(skillFiles).map(([uri, content]) => ({
    uri,
    digest: `sha256:${hash('sha256', content, 'hex')}`,
    size: Buffer.byteLength(content),
  })),
}

const hints = { ttlMs: 1_000, cacheScope: 'public' as const }

/** Adds the methods of skills, which the SDK does not know. Directories are left to the gateway. */
export function addSkills({ server }: McpServer): void {
  server.setRequestHandler('skills/list', { params: z.looseObject({}) }, () => ({ skills: [skill], ...hints }))
  server.setRequestHandler('skills/get', { params: z.looseObject({ uri: z.string() }) }, ({ uri }) => {
    if (uri !== skill.uri) throw Object.assign(new Error(`Unknown skill: ${uri}`), { code: -32_602 })
    return { skill, ...hints }
  })
}
