import process from 'node:process'
import { runPluginHost } from './plugins/isolated/host/run-plugin-host.ts'
import { provideSdk } from './provide-sdk.ts'

// The program of a process that runs one plugin: `startPluginProcess` starts it, and it speaks with the node over its
// file descriptor 3. Not for people.
provideSdk(import.meta.url)
await runPluginHost(process, process.argv[2] ?? '', process.argv[3])
