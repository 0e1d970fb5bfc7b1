import { expect, test } from 'vitest'
import { captureProgramOutput } from './capture-program-output.ts'

test.each([
  [
    'Node, which ends with its version',
    [
      'node:internal/modules/cjs/loader:1568',
      '  throw err;',
      '  ^',
      '',
      "Error: Cannot find module '/srv/server.js'",
      '    at Module._resolveFilename (node:internal/modules/cjs/loader:1564:15)',
      '    at node:internal/main/run_main_module:33:47 {',
      "  code: 'MODULE_NOT_FOUND',",
      '  requireStack: []',
      '}',
      '',
      'Node.js v24.21.0',
    ],
    "Error: Cannot find module '/srv/server.js'",
  ],
  [
    'npm, which ends with the place of its log',
    [
      'npm error code E404',
      'npm error 404 Not Found - GET https://registry.example/server-filesytem',
      'npm notice',
      'npm notice New minor version of npm available! 11.1.0 -> 11.19.0',
      'npm error 404',
      "npm error 404  The requested resource 'server-filesytem@*' could not be found",
      'npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log',
    ],
    'npm error 404 Not Found - GET https://registry.example/server-filesytem',
  ],
  [
    'Python, whose last line says it',
    ['Traceback (most recent call last):', '  File "server.py", line 1', "ModuleNotFoundError: No module named 'mcp'"],
    "ModuleNotFoundError: No module named 'mcp'",
  ],
  ['Rust', ["thread 'main' panicked", 'no key', 'note: run with `RUST_BACKTRACE=1` to see a backtrace'], 'no key'],
  ['an error that was not the end', ['Error: cache lost', '    at file.js:1:1', 'no database'], 'no database'],
  ['indented text', ['Starting', '  no database'], 'no database'],
])('The last words are those that say why: %s', (_name, lines, expected) => {
  const { log, words } = captureProgramOutput()
  for (const line of lines) log.info('a backend wrote to stderr', { line })
  expect(words().error).toBe(expected)
})
