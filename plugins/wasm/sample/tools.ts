// A sample of everything that a module can do. AssemblyScript: a language with the syntax of TypeScript.
import { errorAnswer, fetch, input, log, output, piece, progress, quote, textAnswer, textMember, value } from './host'

const text =
  '{"type":"object","properties":{"text":{"type":"string"}},"required":["text"],"additionalProperties":false}'
const nothing = '{"type":"object","additionalProperties":false}'

/** Gives the metadata of the tools. Their positions are the numbers that `call` gets. */
export function describe(): void {
  output(
    '[' +
      about('echo', 'Echo', 'Answers with its text', text) +
      ',' +
      about('steps', 'Steps', 'Reports three steps, then answers', nothing) +
      ',' +
      about('stream', 'Stream', 'Answers in three pieces', nothing) +
      ',' +
      about('log', 'Log', 'Logs its text', text) +
      ',' +
      about('greet', 'Greet', 'Greets with a word that the operator has chosen', text) +
      ',' +
      about('get', 'Get', 'Gets a page of a host that the operator has named', text) +
      ',' +
      about('refuse', 'Refuse', 'Answers with an error', text) +
      ',' +
      about('wait', 'Wait', 'Loops until it is stopped', nothing) +
      ',' +
      about('crash', 'Crash', 'Traps', nothing) +
      ',' +
      about('given', 'Given', 'Answers with its arguments as they came', '{"type":"object"}') +
      ']',
  )
}

function about(name: string, title: string, description: string, schema: string): string {
  return (
    '{"name":' +
    quote(name) +
    ',"title":' +
    quote(title) +
    ',"description":' +
    quote(description) +
    ',"version":"1.0.0","inputSchema":' +
    schema +
    '}'
  )
}

/** Runs a tool. */
export function call(tool: i32): void {
  const given = textMember(input(), 'text')
  const words = given === null ? '' : given
  if (tool == 0) output(textAnswer(words))
  else if (tool == 1) steps()
  else if (tool == 2) stream()
  else if (tool == 3) {
    log(4, words)
    output(textAnswer('logged'))
  } else if (tool == 4) greet(words)
  else if (tool == 5) output(textAnswer(fetch('{"url":' + quote(words) + '}')))
  else if (tool == 6) output(errorAnswer('Refused: ' + words))
  else if (tool == 7) while (true) {}
  else if (tool == 9) output(textAnswer(input()))
  else unreachable()
}

function steps(): void {
  for (let step = 1; step <= 3; step++) progress(step, 3, 'Step ' + step.toString())
  output(textAnswer('done'))
}

function stream(): void {
  piece('"one "')
  piece('"two "')
  piece('{"type":"text","text":"three"}')
}

function greet(name: string): void {
  const word = value('greeting')
  output(textAnswer((word === null ? 'Hello' : word) + ', ' + name + '!'))
}
