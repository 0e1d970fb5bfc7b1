import { type ClientKind, clientKinds } from './storm/ledger/attempt.ts'
import { runStorm } from './storm/run-storm.ts'
import { natsLack } from './storm/deployment/nats-lack.ts'
import { isAllKept, stormReport } from './storm/storm-report.ts'
import { readWords } from './read-words.ts'

const help = `Usage: pnpm storm [--seconds 120] [--rate 100] [--clients 200] [--seed 1]

Gateways, workers and NATS servers as real processes, and clients of all kinds, while the processes are killed and
started again in turn. Every call has to end, nothing may run twice, cross or stay behind.

  --seconds <n>   of load
  --rate <n>      calls that begin in a second
  --clients <n>   how many
  --seed <n>      decides who calls what, and who is killed when
  --gateways <n>  3
  --workers <n>   2
  --nats <n>      1 or 3
  --kind <kind>   clients of this kind alone: ${clientKinds.join(', ')}
  --calm          nothing is killed
  --rolling       gateways and workers are asked to end in place of it, and every call has to come to a result
  --help          this`

const { values } = readWords(
  {
    options: {
      seconds: { type: 'string', default: '120' },
      rate: { type: 'string', default: '100' },
      clients: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      gateways: { type: 'string', default: '3' },
      workers: { type: 'string', default: '2' },
      nats: { type: 'string', default: '3' },
      kind: { type: 'string' },
      calm: { type: 'boolean' },
      rolling: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  },
  help,
)
const { help: isHelp, kind, calm, rolling, ...words } = values
const numbers = Object.fromEntries(Object.entries(words).map(([word, text]) => [word, Number(text)])) as Record<
  keyof typeof words,
  number
>
const wrong = Object.entries(numbers).filter(([word, value]) => !(word === 'workers' ? value >= 0 : value > 0))

if (isHelp === true) console.log(help)
else if (kind !== undefined && !clientKinds.some((known) => known === kind)) {
  console.error(`Expected one of ${clientKinds.join(', ')} for --kind, got ${kind}.`)
  process.exitCode = 2
} else if (wrong.length > 0) {
  console.error(`Expected numbers above 0 for ${wrong.map(([word]) => `--${word}`).join(', ')}.`)
  process.exitCode = 2
} else {
  const lack = await natsLack(numbers.nats)
  if (lack !== undefined) {
    console.error(`${lack}.`)
    process.exit(2)
  }
  const stopping = new AbortController()
  // A second signal ends the program immediately.
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const report = await runStorm({
    ...numbers,
    kind: kind as ClientKind | undefined,
    calm,
    rolling,
    stop: stopping.signal,
    onProgress: (line) => console.log(line),
  })
  console.log(stormReport(report))
  process.exitCode = isAllKept(report) ? 0 : 1
}
