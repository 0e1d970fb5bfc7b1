import { createBackend, type LocalBackend, type Log } from '@junctor/plugin-sdk'
import { echo } from './echo.ts'
import { createFiles } from './files.ts'
import { greeting } from './greeting.ts'
import { status } from './status.ts'

/**
 * The server in the document of the profile `saas`: a tool, a prompt, a status resource, and files.
 *
 * @param files the folder whose files are read, absolute; undefined: there are no file resources
 */
export function createSaasServer(name: string, logTo: Log, files: string | undefined): LocalBackend {
  return createBackend({
    name,
    log: logTo,
    info: { name: 'MCP SaaS Server', version: '1.0.0' },
    tools: [echo],
    resources: files === undefined ? [status] : [status, createFiles(files)],
    prompts: [greeting],
  })
}
