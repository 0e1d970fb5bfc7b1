import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The file of the module whose code runs: set while it is imported, and kept by the timers and promises that it starts
 * then. It belongs to the process, as imported modules do.
 */
const loading = new AsyncLocalStorage<string>()

/** Runs a function as the loading of the module in this file. */
export function whileLoading<Result>(file: string, run: () => Result): Result {
  return loading.run(file, run)
}

/** The file of the module that has started the code that runs now. `undefined`: no module did. */
export function loadedModule(): string | undefined {
  return loading.getStore()
}
