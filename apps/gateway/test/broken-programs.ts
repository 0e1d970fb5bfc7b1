import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { type BrokenBackends, brokenBackend as row } from './broken-backend.ts'

const startable = 'a program that can be started'
const runs = 'a program that goes on running'

/** Programs that do not work as backends. The files among them are written into the folder of the configuration. */
export function brokenPrograms(folder: string): BrokenBackends {
  writeFileSync(join(folder, 'plain.sh'), '#!/bin/sh\n')
  writeFileSync(join(folder, 'lost.sh'), '#!/no/such/interpreter\n')
  chmodSync(join(folder, 'lost.sh'), 0o755)
  const dies = `console.error("hello\\nno database \\x1b[31mthere: " + process.env.DB_PASSWORD); process.exit(3)`
  const refusing = { initialize: { error: { code: -32602, message: 'no way' } } }
  const old = { initialize: wellBegun('1999-01-01') }
  const listless = {
    initialize: wellBegun('2025-11-25'),
    'tools/list': { error: { code: -1, message: 'no database' } },
  }
  const install = 'Correct "command", install it, or write its whole path.'
  const noProgram = 'no program "no-such-program" on the PATH'
  return {
    failing: [
      row('absent', { command: 'no-such-program' }, 'no_program', noProgram, startable, install),
      row('words', { command: 'npx -y server' }, 'no_program', /"npx -y server"/, startable, /first word as "command"/),
      row('path', { command: './nope' }, 'no_program', 'no file "./nope"', startable, /folder of the configuration/),
      row('script', { command: './lost.sh' }, 'no_program', /interpreter that is not there/, startable, /^Install/),
      row('folder', { command: 'node', cwd: './nowhere' }, 'no_folder', 'no folder "./nowhere"', /"cwd"/, /"cwd"/),
      row('plain', { command: './plain.sh' }, 'not_executable', /may not be run: "\.\/plain\.sh"/, startable, /^Make/),
      row(
        'exits',
        { ...node(dies), env: { DB_PASSWORD: 'very-secret' } },
        'exited',
        /^a program that exited with code 3, and said: no database there: \S+$/,
        runs,
        /^Run its command by itself/,
      ),
      row(
        'ends',
        { command: 'echo', args: ['hello'] },
        'exited',
        'a program that exited with code 0, and said: hello',
        runs,
        /does its work and ends/,
      ),
      row('killed', shell('kill -9 $$'), 'exited', 'a program that was ended by SIGKILL', runs, /^Run its command/),
      row('refuses', answering(refusing), 'refused_handshake', 'error -32602: no way', /initialize/, /^Check that/),
      row('old', answering(old), 'other_revision', 'the revision "1999-01-01"', /^a revision up to \d{4}-/, /version/),
      row(
        'listless',
        answering(listless),
        'no_lists',
        'the error: tools/list failed with -1: no database',
        'lists of what it offers',
        /log of the server/,
      ),
    ],
    hanging: [
      row(
        'mute',
        shell('echo waiting for a disk >&2; sleep 100'),
        'silent',
        /^no answer in [\d.]+ s; its last words: waiting for a disk$/,
        'an answer to initialize',
        /--timeout/,
      ),
      row(
        'noisy',
        shell('echo Welcome; sleep 100'),
        'not_mcp',
        /^"Welcome" on its standard output, and no answer in [\d.]+ s$/,
        /^messages of MCP/,
        /standard error/,
      ),
    ],
  }
}

function node(program: string): JsonObject {
  return { command: process.execPath, args: ['-e', program] }
}

function shell(script: string): JsonObject {
  return { command: 'sh', args: ['-c', script] }
}

/** A server that answers these methods, and no others. */
function answering(answers: JsonObject): JsonObject {
  return node(`process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) {
    const { id, method } = JSON.parse(line)
    const answer = ${JSON.stringify(answers)}[method]
    if (answer) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  } })`)
}

function wellBegun(protocolVersion: string): JsonObject {
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } }
}
