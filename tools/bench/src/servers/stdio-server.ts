import { announce } from './announce.ts'
import { type LeanMessage, responseTo } from './answer.ts'
import { createLineSplitter } from './line-splitter.ts'

// A hand-written MCP server of the handshake revisions on standard input and output. The answers to one chunk of input
// are one write.

const split = createLineSplitter()

process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  let answers = ''
  for (const line of split(chunk)) {
    const message = JSON.parse(line) as LeanMessage
    if (message.id !== undefined) answers += `${JSON.stringify(responseTo(message, false))}\n`
  }
  if (answers !== '') process.stdout.write(answers)
})
process.stdin.once('end', () => process.exit())

announce(undefined)
