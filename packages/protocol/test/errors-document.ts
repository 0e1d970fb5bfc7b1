import { catalogue, type ErrorColumn, type ErrorRow, type Situation } from '../src/index.ts'

const columns: readonly (readonly [ErrorColumn, string])[] = [
  ['mcp', 'mcp'],
  ['modern', 'modern'],
  ['v3', '3.0'],
  ['saas', 'saas'],
  ['ftl', 'ftl'],
  ['n8n', 'n8n'],
]

const rows = Object.entries(catalogue) as readonly [Situation, ErrorRow][]

/** Returns the text of `docs/errors.md`: the whole catalogue, in the layout of the formatter. */
export function errorsDocument(): string {
  return [
    ...introduction,
    table(overview()),
    '',
    '## By code',
    '',
    ...byCode(),
    '',
    '## Situations',
    ...sections(),
    '',
  ].join('\n')
}

const introduction = [
  '# Errors that Junctor sends',
  '',
  'Generated from `packages/protocol/src/errors`; a test compares the two. Change the catalogue, then run `pnpm docs:errors`.',
  '',
  'A backend’s own errors pass as they are, except that a profile with a short list of codes has its own for the others, and',
  'that a 2026-07-28 request gets -32603 for the codes that this revision keeps for itself (-32020 to -32099).',
  'Everything below is Junctor’s own, and carries `data` unless its section says otherwise: `reason` is the name of the',
  'situation, `retryable` says that the request was not run and may be sent again unchanged, `backend` names the backend',
  'that failed.',
  '',
  'The column is chosen by who asks: a 2026-07-28 request gets `modern`, else a JSON-RPC 3.0 peer gets `3.0`, else the',
  'profile of the tenant decides. Under 3.0 every error also has the `title`. The HTTP status is used when the error is',
  'the whole HTTP answer.',
  '',
]

function overview(): string[][] {
  const head = ['situation', ...columns.map(([, name]) => name), 'HTTP']
  return [
    head,
    ...rows.map(([situation, row]) => [
      link(situation),
      ...columns.map(([column]) => `${row.codes[column]}`),
      statusOf(row),
    ]),
  ]
}

function byCode(): string[] {
  const codes = new Map<number, Situation[]>()
  for (const [situation, row] of rows) {
    for (const code of new Set(Object.values(row.codes))) codes.set(code, [...(codes.get(code) ?? []), situation])
  }
  const sorted = [...codes].toSorted(([one], [other]) => one - other)
  return sorted.map(([code, situations]) => `- \`${code}\`: ${situations.join(', ')}`)
}

function sections(): string[] {
  return rows.flatMap(([situation, row]) => [
    '',
    `### ${situation}`,
    '',
    `${row.title}: “${row.message}”`,
    ...wordings(row),
    '',
    `- Cause: ${row.cause}`,
    `- Next step: ${row.nextStep}`,
    `- ${row.retryable ? 'The request was not run and may be sent again.' : 'Sending the same request again will not help, or is not safe.'}`,
    ...bareness(row),
    ...(row.nameMember === undefined ? [] : [`- \`data.${row.nameMember}\` names what it is about.`]),
  ])
}

function wordings({ wording = {} }: ErrorRow): string[] {
  return columns.flatMap(([column, name]) =>
    wording[column] === undefined ? [] : ['', `In ${name}: “${wording[column]}”`],
  )
}

function bareness({ bare, onlyNames }: ErrorRow): string[] {
  const where = bare === true ? 'Under JSON-RPC 2.0' : `Under JSON-RPC 2.0 in ${bare?.join(', ')}`
  return [
    ...(bare === undefined ? [] : [`- ${where} it is code and message and nothing else.`]),
    ...(onlyNames === undefined ? [] : [`- In ${onlyNames.join(', ')} its \`data\` has nothing but the name.`]),
  ]
}

function statusOf({ status, modernStatus }: ErrorRow): string {
  return modernStatus === undefined ? `${status}` : `${status}; modern ${modernStatus}`
}

function link(situation: Situation): string {
  return `[${situation}](#${situation})`
}

/** Formats a Markdown table. The first row is the head; columns are as wide as their widest cell. */
function table(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, at) => Math.max(3, ...cells.map((row) => row[at]?.length ?? 0)))
  const lines = cells.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return lines.toSpliced(1, 0, rule).join('\n')
}
