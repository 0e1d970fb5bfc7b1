/**
 * Calls `goOn` with the value: immediately when it is not a promise, so that only a promise creates another promise. The
 * promise may be one of another library, or of another realm: all that `await` waits for.
 */
export function andThen<Value, Next>(
  value: Value | PromiseLike<Value>,
  goOn: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  if (value instanceof Promise) return (value as Promise<Value>).then(goOn)
  return isThenable(value) ? Promise.resolve(value).then(goOn) : goOn(value)
}

function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
