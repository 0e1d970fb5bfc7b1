import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue, type LocalCode } from '@junctor/protocol'
import { describe, expect, test } from 'vitest'
import { describePages, repository } from '../src/guides/describe-pages.ts'

const guides = join(repository, 'docs/guides')

/** The exit codes of the command, which is not a package to import from. */
const exitCodes = readFileSync(join(repository, 'packages/command/src/exit-codes.ts'), 'utf8').match(
  /(?<=^ {2}\w+: )\d+/gm,
)

/** Every local code: the compiler checks that none is missing. */
const localCodes: Readonly<Record<LocalCode, true>> = {
  CONFIG_INVALID: true,
  LISTEN_FAILED: true,
  CLOSED: true,
  TIMED_OUT: true,
  LIMIT_REACHED: true,
  BACKEND_UNREACHABLE: true,
  BACKEND_REFUSED: true,
  BACKEND_EXITED: true,
  NODE_LEFT: true,
  PROTOCOL_VIOLATED: true,
  FABRIC_UNAVAILABLE: true,
  FABRIC_REFUSED: true,
  BUG: true,
}

describePages('guides', 4)

describe('what-went-wrong.md', () => {
  const page = readFileSync(join(guides, 'what-went-wrong.md'), 'utf8')
  /** The cells after the first one of a row: cause and next step. */
  const rows = rowsOf(page)

  test.each(Object.keys(catalogue))('leads to %s', (situation) => {
    expect(page).toContain(`[${situation}](../errors.md#${situation})`)
  })

  test.each(Object.keys(localCodes))('has the cause and next step of %s', (code) => {
    expect(rows.get(`\`${code}\``)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test.each(exitCodes ?? [])('has the cause and next step of exit code %s', (code) => {
    expect(rows.get(code)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test('has exit codes', () => expect(exitCodes).toContain('0'))

  test('links only to existing pages', () => {
    const errors = readFileSync(join(repository, 'docs/errors.md'), 'utf8')
    const linked = [...page.matchAll(/errors\.md#(\w+)/g)].flatMap(([, situation]) => situation ?? [])
    expect(linked.filter((situation) => !errors.includes(`\n### ${situation}\n`))).toEqual([])
  })
})

/** The tables of a page, by the first cell of each row. */
function rowsOf(markdown: string): ReadonlyMap<string, readonly string[]> {
  const lines = markdown.split('\n').filter((line) => line.startsWith('| '))
  return new Map(
    lines.map((line) => {
      const [head = '', ...cells] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim())
      return [head, cells]
    }),
  )
}
