/**
 * Calls `goOn` with the value: immediately when it is not a promise, so that only a promise creates another promise.
 */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
