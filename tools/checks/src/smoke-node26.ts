import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchNode26, node26 } from './node-26.ts'
import { repository, readWorkspace } from './workspace.ts'

// Checks that Node 26 accepts the sources: loads every door of every public package on it.

function fail(reason: string): never {
  console.error(`smoke:node26: ${reason}`)
  process.exit(1)
}

const found = fetchNode26()
if (found.kind === 'lacking') fail(found.lacks)

const doors = readWorkspace(repository)
  .filter(({ manifest }) => manifest.private !== true)
  .flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {})
      .filter((door) => door.endsWith('.ts'))
      .map((door) => join(repository, folder, door)),
  )
const program = `
  if (process.version !== 'v${node26}') throw new Error('this is ' + process.version)
  for (const door of ${JSON.stringify(doors.map((door) => pathToFileURL(door).href))}) await import(door)
`
const loading = spawnSync(found.path, ['--input-type=module', '--eval', program], {
  cwd: repository,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (loading.status !== 0) fail('a door does not load')
console.log(`smoke:node26: ${doors.length} doors load on Node ${node26}`)
