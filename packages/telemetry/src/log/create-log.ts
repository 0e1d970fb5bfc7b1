import type { Log } from '@junctor/contracts'
import { printableLines } from '@junctor/primitives'
import { pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { ProcessLogLevel } from './log-levels.ts'
import { redactLine } from './redact-line.ts'

/** The output of log lines. It must not block the writer: a slow reader loses lines. */
export interface LogOutput {
  /**
   * Takes one message.
   *
   * @param line the message as JSON, with its line feed
   */
  write(line: string): void
}

/** How much a log writes. */
export interface LogOptions {
  readonly level: ProcessLogLevel
}

/**
 * Creates the structured log of a process: one line of JSON per message, without secrets and unprintable characters. No
 * field and no failure of the output throws an error to the caller.
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
        // There is no place left to report the error.
      }
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
