import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = `
  import { writeGatewayState } from ${JSON.stringify(fileURLToPath(new URL('running-gateway.ts', import.meta.url)))}
  try {
    writeGatewayState({}, undefined, '/', { XDG_STATE_HOME: '/proc/self/nobody/home' })
  } catch (error) {
    console.log(error.code)
  }
`

// In a process of its own, which can be ended if it never does.
test.skipIf(!existsSync('/proc/self'))(
  'a folder that the system does not let exist is an error, and no endless loop',
  () => {
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
      killSignal: 'SIGKILL',
      timeout: 20_000,
    })
    expect(stdout).toBe('ENOENT\n')
  },
)
