import type { BridgedFeature } from '../requirements/bridge.ts'

const intro = `# What works between the eras

A client up to 2025-11-25 opens a session. A client of 2026-07-28 does not. Backends are of both kinds too. Through
Junctor each client reaches each backend, at one URL. Each section says what a user gets, and names the requirements that
are tested for it. \`pnpm docs:eras\` makes this page from \`apps/e2e/requirements/bridge.ts\`.
`

/** The page about both eras, in Markdown. */
export function bridgePage(features: readonly BridgedFeature[]): string {
  return `${intro}\n${features.map(section).join('\n')}`
}

function section(feature: BridgedFeature): string {
  const rows = [
    ['client up to 2025-11-25, backend up to 2025-11-25', feature.oldClientOldBackend],
    ['client up to 2025-11-25, backend of 2026-07-28', feature.oldClientNewBackend],
    ['client of 2026-07-28, backend up to 2025-11-25', feature.newClientOldBackend],
    ['client of 2026-07-28, backend of 2026-07-28', feature.newClientNewBackend],
  ]
  const items = rows.map(([cell = '', what = '']) => `- ${cell}: ${what}`).join('\n')
  return `## ${feature.feature}\n\n${items}\n\nTested by ${feature.requirements.join(', ')}.\n`
}
