import { reportLine, runScenarios } from './run-scenarios.ts'
import { scenarios } from './scenarios.ts'
import { readWords } from './read-words.ts'

const help = `Usage: pnpm faults [F-1 F-7] [--list]

Subjects a gateway to the faults that it must survive, and reports the observations for each.

  F-1 F-7       these faults alone; --only F-1,F-7 is the same
  --light       without those that take long
  --list        which there are
  --help        this`

/** Prints one line that is overwritten later; nothing when the output is not a terminal. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

const { values, positionals } = readWords(
  {
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      light: { type: 'boolean' },
      list: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  },
  help,
)
const ids = [...positionals, ...(values.only?.split(',') ?? [])].map((id) => id.trim().toUpperCase())
const wanted = ids.length === 0 ? undefined : ids
const unknown = wanted?.filter((id) => !scenarios.some((scenario) => scenario.id === id)) ?? []
const chosen = scenarios.filter(
  ({ id, heavy }) => (wanted?.includes(id) ?? true) && (values.light !== true || heavy !== true),
)

if (values.help === true) console.log(help)
else if (unknown.length > 0) {
  console.error(`Expected ids of faults, got ${unknown.join(', ')}. See --list.`)
  process.exitCode = 2
} else if (values.list === true) {
  for (const { id, title, ways, heavy } of chosen) {
    console.log(`${id.padEnd(5)} ${title} (${ways.join(', ')}${heavy === true ? ', heavy' : ''})`)
  }
} else {
  const counts = { held: 0, failed: 0, 'not run': 0 }
  for await (const outcome of runScenarios(chosen, progress)) {
    progress('')
    console.log(reportLine(outcome))
    counts[outcome.verdict] += 1
  }
  const { failed, 'not run': lacking } = counts
  const outcomes = lacking === 0 ? 'Every outcome' : `Every outcome but ${lacking} not run`
  console.log(failed === 0 ? `${outcomes} is the one promised` : `${failed} outcomes are not those promised`)
  // Processes of a failed scenario must not keep this one alive; guards end them.
  if (failed > 0) process.exit(1)
}
