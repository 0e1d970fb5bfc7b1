import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchNode26, node26 } from './node-26.ts'
import { repository, readWorkspace } from './workspace.ts'

// Checks that Node 26 accepts the sources: loads every entry point of every public package on it.

/** A program that runs when it is loaded, and needs the process that starts it. `smoke:plugin` runs it on Node 26. */
const pluginHost = './plugin-host'

function fail(reason: string): never {
  console.error(`smoke:node26: ${reason}`)
  process.exit(1)
}

const found = fetchNode26()
if (found.kind === 'lacking') fail(found.lacks)

const files = readWorkspace(repository)
  .filter(({ manifest }) => manifest.private !== true)
  .flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {})
      .filter(([name, file]) => file.endsWith('.ts') && name !== pluginHost)
      .map(([, file]) => join(repository, folder, file)),
  )
const program = `
  if (process.version !== 'v${node26}') throw new Error('this is ' + process.version)
  for (const url of ${JSON.stringify(files.map((file) => pathToFileURL(file).href))}) await import(url)
`
const loading = spawnSync(found.path, ['--input-type=module', '--eval', program], {
  cwd: repository,
  stdio: ['ignore', 'inherit', 'inherit'],
})
if (loading.status !== 0) fail('an entry point does not load')
console.log(`smoke:node26: ${files.length} entry points load on Node ${node26}`)
