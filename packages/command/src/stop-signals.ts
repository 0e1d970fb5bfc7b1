/** Waits for the operating system, or whoever sits at the terminal, to ask for the end. */
export interface StopSignals {
  /** Resolves with the first signal. The second ends the process at once. */
  readonly first: Promise<NodeJS.Signals>
}

/** 128 and the signal's number, as shells have it. */
const forcedCodes = { SIGINT: 130, SIGTERM: 143 } as const

/** Takes SIGINT and SIGTERM over for the rest of the process's life. */
export function createStopSignals(target: NodeJS.Process): StopSignals {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let asked = false
  for (const [signal, code] of Object.entries(forcedCodes)) {
    target.on(signal as NodeJS.Signals, () => {
      if (asked) target.exit(code)
      asked = true
      resolve(signal as NodeJS.Signals)
    })
  }
  return { first: promise }
}
