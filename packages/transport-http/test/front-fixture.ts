import { onTestFinished } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { createFixtureGateway, type FixtureGateway } from './gateway-fixture.ts'
import { createHttpFront, type HttpFront, type HttpFrontOptions } from '../src/front/http-front.ts'

/** A listening front on a fixture gateway, closed after the test. */
export async function startFront(
  options: Partial<Pick<HttpFrontOptions, 'limits' | 'log' | 'pages' | 'publicUrl' | 'shares'>> & {
    readonly listen?: Partial<HttpFrontOptions['listen']>
  } = {},
): Promise<{ gateway: FixtureGateway; front: HttpFront; port: number; url: string }> {
  const gateway = createFixtureGateway()
  const front = createHttpFront({
    front: gateway,
    log: silentLog,
    ...options,
    listen: { host: '127.0.0.1', port: 0, ...options.listen },
  })
  onTestFinished(() => front.close(0))
  return { gateway, front, ...(await front.listen()) }
}
