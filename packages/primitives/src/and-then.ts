/** Goes on with a value, at once when it is there: only a promise costs a promise. */
export function andThen<Value, Next>(
  value: Value | Promise<Value>,
  goOn: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
