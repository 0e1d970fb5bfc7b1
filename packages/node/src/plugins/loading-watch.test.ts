import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

test('names the module that keeps the process, and none that has been loaded', async () => {
  const program = `import { watchLoading } from ${JSON.stringify(import.meta.resolve('./loading-watch.ts'))}
    watchLoading(['./early.js'], 200)[Symbol.dispose]()
    watchLoading(['./first.js', './loop.js', './never.js'], 300).loaded()
    for (;;);`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = once(child, 'exit')
  try {
    const [line] = await once(createInterface(child.stderr), 'line')
    const next = `Look for a loop that does not end. Until it ends, process ${child.pid} does nothing else.`
    expect(line).toBe(`The plugin ./loop.js has not loaded after 0.3 s. ${next}`)
  } finally {
    child.kill('SIGKILL')
    await exit
  }
})
