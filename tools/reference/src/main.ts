import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { writeReference } from './write-reference.ts'

const help = `Writes the API reference from the docstrings of all packages.

  pnpm docs:reference [--out FOLDER]

  --out FOLDER  where the pages go. Default: dist/reference
`

const root = resolve(import.meta.dirname, '../../..')
const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
if (values.help === true) {
  process.stdout.write(help)
} else {
  const out = resolve(values.out ?? resolve(root, 'dist/reference'))
  const written = await writeReference(root, out)
  if (written.kind === 'written') {
    process.stdout.write(`${written.modules} entry points: ${resolve(out, 'index.html')}\n`)
  } else {
    process.stderr.write(`${written.problems} problems: no page was written\n`)
    process.exitCode = 1
  }
}
