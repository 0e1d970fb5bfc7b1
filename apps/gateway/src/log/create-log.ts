import type { Log } from '@junctor/exchange'
import { pino, stdSerializers, stdTimeFunctions } from 'pino'
import { prettyLine } from './pretty-line.ts'
import type { LineOutput } from './stderr-lines.ts'

/** What `--log-level` may be, from everything to nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

export interface LogOptions {
  readonly level: LogLevel
  /** One readable line for each message, in place of JSON. */
  readonly pretty: boolean
  readonly color: boolean
}

/** The structured log of this process. */
export function createLog(output: LineOutput, { level, pretty, color }: LogOptions): Log {
  const destination: LineOutput = pretty
    ? { write: (line) => output.write(prettyLine(JSON.parse(line) as Parameters<typeof prettyLine>[0], color)) }
    : output
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: stdSerializers.err },
    },
    destination,
  )
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}
