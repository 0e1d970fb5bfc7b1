import { globSync, readFileSync } from 'node:fs'
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

test('every requirement that the page of threats names exists', () => {
  const page = readFileSync(`${import.meta.dirname}/../../../docs/who-may-do-what.md`, 'utf8')
  const ids = [...page.matchAll(/\b[A-Z]+-\d+(?:\.\d+)?\b/g)].map(([id]) => id)
  expect(ids.length).toBeGreaterThan(20)
  expect(ids.filter((id) => !Object.hasOwn(requirements, id))).toEqual([])
})
