import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// The examples of README.md are run unchanged. Lines that begin with `// > ` are their expected output.

const folder = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(`${folder}/README.md`, 'utf8')
const examples = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code)

test('there are examples', () => {
  expect(examples).toHaveLength(2)
})

test.each(examples)('example %#', async (code) => {
  const printed = code.split('\n').filter((line) => line.startsWith('// > '))
  const flags = ['--input-type=module-typescript', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: folder })
  expect(stdout.trimEnd().split('\n')).toEqual(printed.map((line) => line.slice('// > '.length)))
})
