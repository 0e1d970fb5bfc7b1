import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** An example of the ext-apps repository: a server with one tool and its view. */
export interface ExampleServer {
  /** The backend of the gateway. */
  readonly backend: object
  /** The HTML of the view, as the package has it. */
  readonly view: () => Promise<string>
}

/** @param name the package without its scope */
function example(name: string): ExampleServer {
  const folder = dirname(resolve(`@modelcontextprotocol/${name}`))
  return {
    backend: { command: process.execPath, args: [join(folder, 'index.js'), '--stdio'] },
    view: () => readFile(join(folder, 'mcp-app.html'), 'utf8'),
  }
}

/** The examples that are shown. Those of the clock have one name and one URI for two different views. */
export const exampleServers: Readonly<Record<'clock' | 'other' | 'budget', ExampleServer>> = {
  clock: example('server-basic-vanillajs'),
  other: example('server-basic-react'),
  budget: example('server-budget-allocator'),
}
