import type { Log } from '@junctor/contracts'
import { printableLines } from '@junctor/primitives'
import { pino, stdSerializers, stdTimeFunctions } from 'pino'
import { redactLine } from './redact-line.ts'

/** What the level may be, from everything to nothing. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/** Where lines go. It must not keep the writer waiting: whoever reads slowly loses lines. */
export interface LogOutput {
  /** @param line one message as JSON, with its line feed */
  write(line: string): void
}

export interface LogOptions {
  readonly level: LogLevel
}

/**
 * The structured log of a process: each message one line of JSON without secrets and in which nothing is unprintable. Whatever is logged, and whatever
 * becomes of the output, the caller goes on.
 */
export function createLog(output: LogOutput, { level }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: stdSerializers.err },
    },
    { write: (line: string) => output.write(printableLines(redactLine(line))) },
  )
  const writer =
    (name: keyof Log): Log['debug'] =>
    (message, fields) => {
      try {
        logger[name](fields ?? {}, message)
      } catch {
        // There is nobody left to tell.
      }
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
