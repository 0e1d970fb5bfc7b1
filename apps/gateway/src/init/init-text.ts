import { relative } from 'node:path'
import { clientSnippet, type OwnCommand } from './client-snippet.ts'
import type { Initialized } from './init.ts'
import { textSection } from '../report/text-section.ts'

type Written = Extract<Initialized, { kind: 'written' }>

/** The report of what was done, and what to do next. */
export function initText(written: Written, own: OwnCommand, folder: string): string {
  const { file, backends, taken, untaken, left, secrets } = written
  const near = relative(folder, file)
  const shown = near.startsWith('..') ? file : near
  const config = shown === 'junctor.yaml' ? '' : ` --config ${/\s/.test(shown) ? JSON.stringify(shown) : shown}`
  const lines = [
    `Wrote ${shown} with ${backends.length === 1 ? 'the backend' : 'the backends'} ${backends.join(', ')}.`,
    ...taken.map((each) => `  ${Object.keys(each.backends).join(', ')}: from ${each.file}`),
    ...textSection(
      'Not taken over as it was:',
      left.map(({ what, why }) => `${what}: ${why}`),
    ),
    ...textSection(
      'Secrets stand in the file as they stood in the other one, so only you may read it. Better: ${env:NAME} in their place.',
      secrets,
    ),
    ...textSection(
      'Servers of other programs are here too; take them over with --from FILE, or all with --yes:',
      untaken.map((each) => `${each.file}: ${Object.keys(each.backends).join(', ')}`),
    ),
    '',
    'Next:',
    `  junctor check${config}`,
    `  junctor serve${config}`,
    '',
    'A client that starts its servers itself wants this in its own file:',
    clientSnippet(own, file),
    '',
  ]
  return lines.join('\n')
}
