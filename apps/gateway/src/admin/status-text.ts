import { printable } from '@junctor/primitives'
import type { ShownStatus } from './shown-status.ts'
import { counted } from '../report/counted.ts'
import { createPaint, type Paint } from '../report/paint.ts'

/** The status of a gateway as text for people. */
export function statusText(status: ShownStatus, color: boolean): string {
  const paint = createPaint(color)
  const { node, uptimeMs, notReady, sessions, tenants, backends, reload, nodes } = status
  const open = Object.entries(sessions).map(([transport, count]) => `${count} over ${transport}`)
  const longest = Math.max(0, ...backends.map((backend) => backend.name.length))
  const lines = [
    `${paint('bold', nameOf(status))}  node ${node}, up ${durationText(uptimeMs)}`,
    ...(notReady === undefined ? [] : [paint('red', `ready     no: ${printable(notReady)}`)]),
    `sessions  ${open.length === 0 ? 'none' : open.join(', ')}`,
    `tenants   ${tenants.join(', ')}`,
    ...(reload.result === 'failure'
      ? [paint('red', `reload    refused at ${reload.at}: the configuration before is served`)]
      : []),
    ...reload.problems.map(({ file, line, path, got, expected }) => {
      const place = path === '' ? '' : `${path}  `
      return `          ${file}:${line}  ${place}got ${got}, expected ${expected}`
    }),
    ...(status.files ?? []).flatMap(({ name: what, file, problem, lost }) =>
      problem === undefined && lost === 0
        ? []
        : [
            paint(
              'red',
              `${what.padEnd(9)} ${printable(`${file}: ${problem ?? 'can be written again'}, ${lost} lines lost`)}`,
            ),
          ],
    ),
    ...nodeLines(nodes, paint),
    '',
    ...backends.flatMap(({ name: backend, state, tools, links, inFlight, error, warnings, nodes: places }) => {
      const counts = [counted(tools, 'tool'), counted(links, 'link'), counted(inFlight, 'call')].join(', ')
      const failure = error === undefined ? '' : `  ${printable(error)}`
      const where = nodes.length > 1 ? `  on ${places.length === 0 ? 'no node' : places.join(', ')}` : ''
      const shown = paint(stateColors.get(state) ?? 'yellow', printable(state.replace('_', ' ')).padEnd(13))
      const line = `  ${paint('bold', backend.padEnd(longest))}  ${shown}  ${counts}${where}${failure}`
      return [line, ...warnings.map((warning) => `      ${paint('yellow', 'warning')}  ${printable(warning)}`)]
    }),
  ]
  return `${lines.join('\n')}\n`
}

/** The nodes, one line each. Other machines wrote these texts, so they are made printable. */
function nodeLines(nodes: ShownStatus['nodes'], paint: Paint): readonly string[] {
  if (nodes.length < 2) return []
  const longest = Math.max(...nodes.map(({ node }) => node.length))
  const own = nodes.find(({ self }) => self)?.policy
  const lines = nodes.map((one) => {
    const { node, self, role, startedAt, backends, policy, clockAheadMs = 0 } = one
    const about = role === 'unknown' ? [] : [printable(nameOf(one)), `since ${printable(startedAt)}`]
    const held = backends.map((backend) => backend.name).join(', ')
    const clock = `clock ${durationText(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead' : 'behind'}`
    const words = [
      printable(role).padEnd(7),
      ...about,
      ...(held === '' ? [] : [printable(held)]),
      ...(Math.abs(clockAheadMs) < shownSkewMs ? [] : [paint('yellow', clock)]),
      ...(policy === undefined || policy === own ? [] : [paint('yellow', `another policy (${printable(policy)})`)]),
      ...(self ? ['(this one)'] : []),
    ]
    return `  ${paint('bold', node.padEnd(longest))}  ${words.join('  ').trimEnd()}`
  })
  return ['', ...lines]
}

/** The name of a node for its clients, and the version of Junctor, which a configuration cannot change. */
function nameOf({ name, version, release }: Pick<ShownStatus, 'name' | 'version' | 'release'>): string {
  const own = `${name} ${version}`
  return release === undefined || own === `junctor ${release}` ? own : `${own} (junctor ${release})`
}

/** Clock differences from this size on are shown, in milliseconds. */
const shownSkewMs = 1_000

/** The colour of each state. Those of a newer gateway are yellow. */
const stateColors: ReadonlyMap<string, 'green' | 'yellow' | 'red'> = new Map([
  ['up', 'green'],
  ['starting', 'yellow'],
  ['down', 'red'],
  ['crash_looping', 'red'],
])

/** Whole units, the two largest: `2d 3h`, `5m 10s`. */
export function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first === -1) return '0s'
  return units
    .slice(first, first + 2)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ')
}
