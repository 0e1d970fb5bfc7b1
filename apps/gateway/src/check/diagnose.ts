import { JunctorError } from '@junctor/protocol'
import { noDescriptors } from '@junctor/command'
import { diagnoseProgram } from './diagnose-program.ts'
import { diagnoseServer } from './diagnose-server.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { plainMessage } from './plain-message.ts'
import { waitedSeconds } from './waited-seconds.ts'

/** What to do about a failure of which no more is known, by the word that chose the plugin. */
const nextOf: Readonly<Record<string, string>> = {
  openapi: 'Open the document that "openapi" names: start its server, or correct the URL.',
  plugin: 'Correct its options, or its plugin.',
  tool: 'Open the URL of "tool": a component answers GET with its description. Start it, or correct the URL.',
  wasm: 'Correct "wasm": it is the path of a module, from the folder of this file, and the module must be built for it.',
}

/**
 * Finds out why a backend could not be used, and what to do about it. A backend that did not open within the gateway's own
 * timeout is treated like one that did not open within the timeout of the check.
 */
export function diagnose(attempt: FailedAttempt): Diagnosis {
  const { error, reached } = attempt
  const isSilent = error !== undefined && !reached && /^no answer in \d+ ms$/.test(plainMessage(error))
  return diagnoseKnown(isSilent ? { ...attempt, error: undefined } : attempt)
}

function diagnoseKnown(attempt: FailedAttempt): Diagnosis {
  const { word, error } = attempt
  const missing = noDescriptors(error)
  if (missing !== undefined) return { kind: 'other', expected: 'a backend that can be used', ...missing }
  const code = error instanceof JunctorError ? error.code : undefined
  if (error !== undefined && code === 'CONFIG_INVALID') {
    const expected = 'options that can be used'
    return { kind: 'options', got: errorText(error), expected, next: 'Correct the options of this backend.' }
  }
  // A program that ends while it is asked for its lists has said why, as one that ends before the handshake.
  const isExit = word === 'command' && code === 'BACKEND_EXITED'
  const special = isExit ? diagnoseWay(attempt) : (diagnoseHandshake(attempt) ?? diagnoseWay(attempt))
  if (special !== undefined) return special
  const got = error === undefined ? `no answer in ${waitedSeconds(attempt)}` : errorText(error)
  const next = nextOf[word] ?? 'Look at its own log.'
  return { kind: error === undefined ? 'silent' : 'other', got, expected: 'a backend that can be used', next }
}

/** What was got, when only the message of an error is known. Some messages name it; others are whole sentences. */
function errorText(error: Error): string {
  const message = plainMessage(error)
  return /^an? /.test(message) ? message : `the error: ${message}`
}

function diagnoseWay(attempt: FailedAttempt): Diagnosis | undefined {
  if (attempt.word === 'command') return diagnoseProgram(attempt)
  return attempt.word === 'url' ? diagnoseServer(attempt) : undefined
}

/** Problems of the MCP handshake, which do not depend on the transport. */
function diagnoseHandshake({ error, reached }: FailedAttempt): Diagnosis | undefined {
  if (error === undefined) return undefined
  const message = plainMessage(error)
  if (reached) {
    const next = 'Look at the log of the server: it can be reached, and cannot say what it has.'
    return { kind: 'no_lists', got: errorText(error), expected: 'lists of what it offers', next }
  }
  const [, refusal] = /^The server refused the handshake with (.*)$/s.exec(message) ?? []
  if (refusal !== undefined) {
    const next = 'Check that this is an MCP server, and what it wants in its environment, arguments or headers.'
    return { kind: 'refused_handshake', got: `error ${refusal}`, expected: 'an answer to initialize', next }
  }
  const [, newest, other] = /^Expected a protocol version up to (\S+), got (.*)$/s.exec(message) ?? []
  if (newest === undefined) return undefined
  const next = 'Use a version of the server that speaks one of these.'
  return { kind: 'other_revision', got: `the revision ${other}`, expected: `a revision up to ${newest}`, next }
}
