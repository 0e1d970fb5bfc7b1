import { runFuzz } from './fuzz/run-fuzz.ts'
import { natsLack } from './storm/deployment/nats-lack.ts'
import { readWords } from './read-words.ts'

const help = `Usage: pnpm fuzz [--seconds 60] [--seed <any>] [--nodes 2] [--nats 1] [--clients 12]

Clients open, call, cancel, leave and end sessions in random order, while nodes are asked to end, killed or paused, NATS
is killed, and the backend changes in the configuration.
No node may fall, what was accepted is answered once, and nothing is left behind.

  --seconds <n>  of actions
  --seed <n>     decides what happens; another one each time when it is not given
  --nodes <n>    2 or 3
  --nats <n>     servers, 1 or 3
  --clients <n>  in turn of a tenant of profile saas, of one of mcp, with jobs of JSON-RPC 3.0, over WebSockets, over
                 HTTP+SSE, of 2026-07-28, and on NATS
  --help         this`

const { values } = readWords(
  {
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000)) },
      nodes: { type: 'string', default: '2' },
      nats: { type: 'string', default: '1' },
      clients: { type: 'string', default: '12' },
      help: { type: 'boolean', short: 'h' },
    },
  },
  help,
)
const [seconds, seed, clients] = [Number(values.seconds), Number(values.seed), Number(values.clients)]
const [nodes, servers] = [Number(values.nodes), Number(values.nats)]

if (values.help === true) console.log(help)
else if (!(seconds > 0) || !(Number.isInteger(seed) && seed > 0) || !(Number.isInteger(clients) && clients > 0)) {
  console.error('Expected --seconds, --seed and --clients to be numbers above 0.')
  process.exitCode = 2
} else if (nodes !== 2 && nodes !== 3) {
  console.error(`Expected 2 or 3 for --nodes, got ${values.nodes}.`)
  process.exitCode = 2
} else if (servers !== 1 && servers !== 3) {
  console.error(`Expected 1 or 3 for --nats, got ${values.nats}.`)
  process.exitCode = 2
} else {
  const lack = await natsLack(servers)
  if (lack !== undefined) {
    console.error(`${lack}.`)
    process.exit(2)
  }
  console.log(`seed ${seed}, ${nodes} nodes, ${servers} NATS, ${clients} clients, ${seconds} s`)
  const stopping = new AbortController()
  // A second signal ends the program immediately.
  process.once('SIGINT', () => stopping.abort())
  process.once('SIGTERM', () => stopping.abort())
  const { faults, folder } = await runFuzz({
    seconds,
    seed,
    nodes,
    servers,
    clients,
    stop: stopping.signal,
    onProgress: (line) => console.log(line),
  })
  for (const fault of faults) console.log(`FAULT ${fault}`)
  const began = new Date(performance.timeOrigin).toISOString()
  console.log(`seed ${seed}: ${faults.length === 0 ? 'all was kept' : `logs are in ${folder}; 0 ms is ${began}`}`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
