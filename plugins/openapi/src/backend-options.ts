import type { Log } from '@junctor/plugin-sdk'
import type { OpenApiConfig } from './config.ts'

/** What one configured backend is made from. */
export interface OpenApiBackendOptions {
  readonly name: string
  readonly config: OpenApiConfig
  readonly log: Log
  /** Where relative paths start. */
  readonly folder: string
}
