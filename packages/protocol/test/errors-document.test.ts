import { expect, test } from 'vitest'
import { catalogue } from '../src/index.ts'
import { errorsDocument } from './errors-document.ts'

test('docs/errors.md matches the catalogue', async () => {
  await expect(errorsDocument()).toMatchFileSnapshot('../../../docs/errors.md')
})

test('docs/errors.md contains every situation and every code', () => {
  const document = errorsDocument()
  const situations = Object.keys(catalogue).map((situation) => `\n### ${situation}\n`)
  const codes = Object.values(catalogue).flatMap((row) => Object.values(row.codes).map((code) => `\n- \`${code}\`: `))
  expect([...situations, ...codes].filter((part) => !document.includes(part))).toEqual([])
})
