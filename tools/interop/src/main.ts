import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { peersIn } from './peers.ts'
import { exitCodes, runCommandFor } from './run-command-for.ts'

const root = join(import.meta.dirname, '../../..')
const peers = peersIn(join(root, '.cache/interop'))
const names = peers.map(({ name }) => name)

const help = `Usage: pnpm interop [--only python,go] [--write]

The official SDKs of ${peers.map(({ language }) => language).join(', ')} as clients and as servers, each client with each
server through the gateway, in both eras. It needs python3 with venv, go, cargo, mvn and java, and the registries of
these languages; what is built stays in .cache/interop.

  --only <names>  some of ${names.join(',')}
  --write         writes the result to docs/interop.md
  --help          this`

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help === true) {
    console.log(help)
    return exitCodes.passed
  }
  const chosen = values.only?.split(',') ?? names
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    console.error(`Expected names of ${names.join(', ')} for --only, got ${unknown.join(', ')}.`)
    return exitCodes.unusable
  }
  const page = values.write === true ? join(root, 'docs/interop.md') : undefined
  return await runCommandFor(
    peers.filter(({ name }) => chosen.includes(name)),
    page,
  )
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = exitCodes.unusable
}
