import type { Log } from '@junctor/contracts'
import { loadedModule } from './loading-module.ts'

/** Handles uncaught errors of plugins before there is a node: those of timers that a module has started while it loads. */
export interface LoadingErrors {
  /** Logs the error. Returns the file of the module that caused it; undefined when none did. */
  uncaught(error: unknown): string | undefined
}

/** Use it until there is a node, whose `uncaught` knows more. */
export function createLoadingErrors(log: Log): LoadingErrors {
  return {
    uncaught(error) {
      const file = loadedModule()
      if (file === undefined) log.error('an error was not caught', { error })
      else log.error('the module of a plugin left an uncaught error; all else goes on', { file, error })
      return file
    },
  }
}
