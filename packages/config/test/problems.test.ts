import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ProblemKind, problemKinds } from '../src/problem-kind.ts'
import { brokenFiles } from './broken-files.ts'
import { createParsing, problemLine, problemsOf } from './parsing.ts'

const parsing = createParsing()
// It is read only where a file has the word `pins`.
writeFileSync(join(parsing.folder, 'junctor.pins.json'), '{"files": {"rea')
afterAll(() => parsing.remove())

describe('each kind of problem', () => {
  test('has at least one broken file', () => {
    expect(Object.keys(brokenFiles).toSorted()).toEqual([...problemKinds].toSorted())
    expect(Object.entries(brokenFiles).filter(([, files]) => files.length === 0)).toEqual([])
  })

  const files = (Object.keys(brokenFiles) as ProblemKind[]).flatMap((kind) =>
    brokenFiles[kind].map(([name, text, problem]) => ({ kind, name, text, problem })),
  )

  test.each(files)('has its position, the value, the expected value and the next step: $kind, $name', (file) => {
    const isName = file.kind === 'unreadable_file'
    const problems = problemsOf(isName ? parsing.load(file.text) : parsing.parse(file.text))
    const lines = problems.map((problem) => problemLine(problem).replaceAll(parsing.folder, 'FOLDER'))
    expect(lines).toEqual([file.problem])
    expect(problems.map(({ kind }) => kind)).toEqual([file.kind])
  })
})

test('all problems are reported together, in the order of the file, once each', () => {
  const reported = parsing.problems(`
timeout: soon
listen: { http: { host: 0.0.0.0, port: -1 } }
backends:
  one: { comand: x }
  two: { url: nowhere, headers: { authorization: "\${env:NOPE}" } }
  three: { plugin: "@acme/weather", timeout: 5, colour: red }
tenants:
  acme: { backends: [one, four] }
  Bad: { profile: x }
auth: { apiKeys: { ci: { hash: x, tenants: [acme] } } }
unknown: 1
`)
  expect(reported.map((line) => line.split(' | ', 1)[0])).toEqual([
    '2:10 timeout',
    '3:40 listen.http.port',
    '5:3 backends.one',
    '6:15 backends.two.url',
    '6:50 backends.two.headers.authorization',
    '7:10 backends.three.city',
    '7:46 backends.three.timeout',
    '7:49 backends.three.colour',
    '9:27 tenants.acme.backends[1]',
    '10:3 tenants.Bad',
    '10:8 tenants.Bad.backends',
    '10:19 tenants.Bad.profile',
    '11:32 auth.apiKeys.ci.hash',
    '12:1 unknown',
  ])
})

test('many wrong values do not turn a command into a url', () => {
  const reported = parsing.problems(
    'backends:\n  files: { command: node, env: { A: [], B: {}, C: [1] }, args: [1, 2] }',
  )
  expect(reported.map((line) => line.split(' | ')[0])).toEqual([
    '2:37 backends.files.env.A',
    '2:44 backends.files.env.B',
    '2:51 backends.files.env.C',
    '2:65 backends.files.args[0]',
    '2:68 backends.files.args[1]',
  ])
})

test('no problem contains a secret, at any position of the file', () => {
  const reported = parsing.problems(`
secrets: { seal: hunter2 }
auth: { apiKeys: { ci: { hash: hunter2, tenants: hunter2 } }, anonymous: hunter2, algorithms: { x: hunter2 } }
backends:
  a: { command: x, args: hunter2, env: hunter2 }
  b: { url: "htp:/hunter2", headers: { authorization: [hunter2] } }
  c: { plugin: "\${env:TOKEN}" }
  d: { command: [hunter2], env: { TOKEN: { x: hunter2 } } }
listen: { http: { host: "\${env:TOKEN}", tls: { cert: "\${env:TOKEN}", key: hunter2 } }, admin: { token: "hunter2 x", port: "\${env:TOKEN}" } }
events: { keep: "\${env:TOKEN}" }
audit: { file: ["\${env:TOKEN}"] }
mcpServers: { e: { command: x, envFile: "\${env:TOKEN}", args: [{ x: hunter2 }] } }
`)
  expect(reported.length).toBeGreaterThan(8)
  expect(reported.filter((line) => line.includes('hunter2') && !line.includes('backends.b.url'))).toEqual([])
})
