import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'
import { findAdmin } from '../admin/admin-endpoint.ts'
import { askAdmin } from '../admin/ask-admin.ts'
import { followEvents } from '../admin/follow-events.ts'
import type { Report } from '../report/report.ts'

/** Where calls are shown. */
export interface ShowCalls {
  /** The configuration of the gateway. */
  readonly file: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly show: (event: JsonValue) => void
  /** Called when the gateway serves a change. One that it refuses is in the log. */
  readonly reloaded: () => void
  readonly report: Pick<Report, 'failed'>
  /** Ends it. */
  readonly signal: AbortSignal
}

/**
 * Shows each call of a tool of a running gateway when it has ended, and notices each change that it serves, until the signal
 * aborts. Never rejects.
 */
export async function showCalls({ file, folder, env, show, reloaded, report, signal }: ShowCalls): Promise<void> {
  const admin = findAdmin({ config: file }, folder, env)
  if (admin.kind === 'unknown') {
    report.failed(admin.failure)
    return
  }
  const { place } = admin
  const path = '/events?follow=true'
  const asked = await askAdmin(place, path, signal)
  if (asked.kind === 'failed') {
    if (!signal.aborted) report.failed(asked.failure)
    return
  }
  const line = { show() {}, clear() {} }
  const showEnded = (event: JsonValue): void => {
    if (!isJsonObject(event)) return
    const { status, event_type: type } = event
    if (type === 'gateway.tool_call' && status !== 'pending') show(event)
    if (type === 'gateway.reloaded' && status === 'success') reloaded()
  }
  await followEvents({ first: asked.response, place, path, show: showEnded, report, line, signal })
}
