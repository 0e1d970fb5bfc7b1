import type { MessagePort } from 'node:worker_threads'
import type { WasmModule } from './web-assembly.ts'

/** What a thread is started with. */
export interface ThreadData {
  readonly module: WasmModule
  readonly values: Readonly<Record<string, string>>
  /** Bytes that one call may send. */
  readonly output: number
  /** Two 32-bit numbers: how many more events the thread may send, and 1 when the reply to its request has arrived. */
  readonly shared: SharedArrayBuffer
  /** The replies of requests. */
  readonly replies: MessagePort
}

/** One thing to do: the metadata of the module, or a call of one of its tools. */
export interface Work {
  /** The position of the tool in the metadata; `undefined` asks for the metadata. */
  readonly tool: number | undefined
  /** The arguments, as JSON. */
  readonly input: string
}

/** What a module sends while it works. */
export type ThreadEvent =
  | {
      readonly kind: 'progress'
      readonly done: number
      readonly total: number | undefined
      readonly message: string | undefined
    }
  | { readonly kind: 'piece'; readonly json: string }
  | { readonly kind: 'log'; readonly level: number; readonly text: string }
  | { readonly kind: 'fetch'; readonly json: string }

/** How the work has ended. */
export type ThreadAnswer =
  /** `json` is what the module has given as its output, if it has. */
  | { readonly kind: 'answered'; readonly json: string | undefined }
  /** The module has trapped, broken a bound or was stopped. The reason is for the log. */
  | { readonly kind: 'failed'; readonly reason: string }

/** How many events a thread may send before it waits until they were handled. */
export const eventWindow = 32
