import type { Handler, Interceptor } from '@junctor/exchange'

/** One handler from a chain of interceptors around it. */
export function compose(interceptors: readonly Interceptor[], handler: Handler): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler)
}
