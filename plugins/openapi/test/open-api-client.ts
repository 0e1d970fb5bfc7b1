import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '@junctor/plugin-sdk'
import { openBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { config } from '../src/config.ts'
import { createOpenApiBackend } from '../src/create-openapi-backend.ts'

/** A backend of a document in a temporary folder. */
export interface OpenedApi {
  readonly client: TestClient
  readonly folder: string
  /** What it logged, one line each: level, message and fields. */
  readonly lines: readonly string[]
  close(): Promise<void>
}

/** Files by name; `openapi.json` is the document unless the options name another. Objects become JSON. */
export async function openApiClient(
  files: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<OpenedApi> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-openapi-'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const lines: string[] = []
  const log = recordingLog(lines)
  const backend = createOpenApiBackend({
    name: 'api',
    config: config.parse({ openapi: 'openapi.json', ...options }),
    log,
    folder,
  })
  const clear = async (): Promise<void> => {
    await backend.close()
    rmSync(folder, { recursive: true })
  }
  try {
    const client = await openBackend(backend)
    return { client, folder, lines, close: async () => void (await Promise.all([client.close(), clear()])) }
  } catch (error) {
    await clear()
    throw error
  }
}

function recordingLog(lines: string[]): Log {
  const at = (level: string) => (message: string, fields?: object) => {
    const text = JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value))
    lines.push(`${level} ${message} ${text ?? ''}`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** A small document whose server is `url`. */
export function documentOf(paths: object, more: object = {}): Readonly<Record<string, unknown>> {
  return { openapi: '3.1.0', info: { title: 'Test', version: '1.2.3' }, paths, ...more }
}
