import type { Frame, Page } from 'playwright-core'

/** A view that the host shows. */
export interface HostedView {
  /** Its URI, as the gateway shows it. */
  readonly uri: string
  readonly html: string
  readonly frame: Frame
}

/** Connects the host to an endpoint, calls a tool, and shows its view. `mode` is that of the client. */
export async function openView(host: Page, endpoint: string, mode: object | string, tool: string): Promise<HostedView> {
  await host.waitForFunction('globalThis.connectHost !== undefined')
  const script = `(async () => {
    await connectHost(${JSON.stringify(endpoint)}, ${JSON.stringify(mode)})
    return await show(${JSON.stringify(tool)})
  })()`
  const shown = await host.evaluate<{ readonly uri: string; readonly html: string }>(script)
  const frame = host.frames().findLast((each) => each.name() === tool)
  if (frame === undefined) throw new Error(`Expected a frame for ${tool}`)
  return { ...shown, frame }
}
