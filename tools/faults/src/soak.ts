import { parseArgs } from 'node:util'
import { runSoak } from './soak/run-soak.ts'
import { soakReport, soakRow } from './soak/soak-report.ts'

const help = `Usage: pnpm soak [--minutes 10] [--clients 12]

Calls, faults and reloads, and between them quiet moments at which a gateway must hold no more than at the first one.

  --minutes <n>  of load, in all
  --clients <n>  at the same time
  --help         this`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '12' },
    help: { type: 'boolean', short: 'h' },
  },
})
const minutes = Number(values.minutes)
const clients = Number(values.clients)

if (values.help === true) console.log(help)
else if (!(minutes > 0) || !(clients > 0)) {
  console.error('Expected --minutes and --clients to be numbers above 0.')
  process.exitCode = 2
} else {
  console.log(soakRow())
  const quiet = Math.max(2, Math.min(6, Math.round(minutes)))
  const report = await runSoak({
    seconds: minutes * 60,
    quiet,
    clients,
    onProgress: (sample) => console.log(soakRow(sample)),
  })
  console.log(soakReport(report))
  if (report.faults.length > 0) process.exitCode = 1
}
