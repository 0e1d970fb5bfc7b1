import { parseArgs } from 'node:util'
import { rows } from './rows.ts'

/** How much is measured. */
export interface Settings {
  /** The rounds that count. */
  readonly rounds: number
  /**
   * The rounds before them, which are discarded, because code is slow until it is compiled. On two processors, which the
   * compiler shares with four processes under load, a gateway takes three: 167, 116 and 96 microseconds a call, and then 77.
   */
  readonly warmUps: number
  /** One load of one server in one round, in milliseconds. */
  readonly loadMs: number
  /** The uncounted load before each of them, in milliseconds. */
  readonly warmUpMs: number
  /** The largest number of sessions in a row. */
  readonly sessions: number
  /** The largest number of pieces in a stream. */
  readonly pieces: number
  /** Names of rows. */
  readonly only: readonly string[]
}

/** The parsed command line. */
export type Command =
  | { readonly kind: 'run'; readonly settings: Settings; readonly json: boolean }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'unusable'; readonly problem: string }

const full: Settings = {
  rounds: 5,
  warmUps: 3,
  loadMs: 2000,
  warmUpMs: 300,
  sessions: Infinity,
  pieces: Infinity,
  only: [],
}
const quick: Settings = {
  rounds: 3,
  warmUps: 1,
  loadMs: 500,
  warmUpMs: 100,
  sessions: 1000,
  pieces: 50_000,
  only: [],
}

const help = `Measures Junctor against bare programs that do the same, in one run on this machine.

  pnpm bench [--quick] [--rounds N] [--only ROW]... [--json]

  --quick     ${quick.rounds} short rounds: about a minute, and only a rough picture
  --rounds N  how many rounds count; the medians of all of them are reported. Default ${full.rounds}
  --only ROW  only this row; may be given several times
  --json      the report as one JSON object

Rows:
${rows.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}

The exit code is 0 at any speed, 1 when an answer was wrong or missing, 2 when the command line cannot be used.`

/** Parses the arguments after the name of the program. */
export function readCommandLine(words: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      // A package manager passes its own `--` on.
      args: words.filter((word) => word !== '--'),
      options: {
        quick: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        only: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return { kind: 'help', text: help }
    const size = values.quick ? quick : full
    const rounds = Number(values.rounds ?? size.rounds)
    if (!Number.isInteger(rounds) || rounds < 1)
      return unusable(`--rounds expects a number from 1 on, got ${values.rounds}`)
    const unknown = values.only.find((name) => !rows.some((row) => row.name === name))
    if (unknown !== undefined) return unusable(`--only expects the name of a row, got ${unknown}`)
    return { kind: 'run', settings: { ...size, rounds, only: values.only }, json: values.json }
  } catch (error) {
    return unusable(error instanceof Error ? error.message : String(error))
  }
}

function unusable(problem: string): Command {
  return { kind: 'unusable', problem: `${problem}\nRun "pnpm bench --help" to see what is possible.` }
}
