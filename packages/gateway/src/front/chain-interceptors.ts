import type { Handler, Interceptor } from '@junctor/exchange'

/** Wraps a handler in a chain of interceptors, the first of them outermost. */
export function chainInterceptors(interceptors: readonly Interceptor[], handler: Handler): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler)
}
