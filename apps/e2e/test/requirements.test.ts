import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from '../requirements.ts'

/** Every id that a test verifies. */
function citedIds(): ReadonlySet<string> {
  const files = globSync('**/*.test.ts', { cwd: import.meta.dirname })
  const ids = files.flatMap((file) => {
    const source = readFileSync(`${import.meta.dirname}/${file}`, 'utf8')
    const subjects = [...source.matchAll(/verifies\(\s*(\[[^\]]*\]|'[^']*')/g)].map((match) => match[1] ?? '')
    return subjects.flatMap((subject) => [...subject.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? ''))
  })
  return new Set(ids)
}

test('every requirement has a test', () => {
  const cited = citedIds()
  expect(Object.keys(requirements).filter((id) => !cited.has(id))).toEqual([])
})

test('every test verifies an existing requirement', () => {
  expect([...citedIds()].filter((id) => !Object.hasOwn(requirements, id))).toEqual([])
})

/** An id, but not that of a report of a vulnerability. */
const requirementId = /(?<![-\w])(?!CVE-|GHSA-)[A-Z]+-\d+(?:\.\d+)?(?![-\w])/g

const docs = `${import.meta.dirname}/../../../docs`

test.each(['who-may-do-what.md', 'known-attacks.md'])('every requirement that %s names exists', (name) => {
  const ids = [...readFileSync(`${docs}/${name}`, 'utf8').matchAll(requirementId)].map(([id]) => id)
  expect(ids.length).toBeGreaterThan(20)
  expect(ids.filter((id) => !Object.hasOwn(requirements, id))).toEqual([])
})

test('every known attack has a test', () => {
  const page = readFileSync(`${docs}/known-attacks.md`, 'utf8')
  const cells = page.split('\n').flatMap((line) => line.match(/^\|.*\|(?<tests>[^|]*)\|$/)?.groups?.['tests'] ?? [])
  const [, , ...rows] = cells
  expect(rows).toHaveLength(29)
  for (const row of rows) {
    const files = [...row.matchAll(/`(?<file>[^`]+)`/g)].map(({ groups }) => groups?.['file'] ?? '')
    expect(files.filter((file) => !existsSync(`${docs}/../${file}`))).toEqual([])
    expect(files.length + [...row.matchAll(requirementId)].length).toBeGreaterThan(0)
  }
})
