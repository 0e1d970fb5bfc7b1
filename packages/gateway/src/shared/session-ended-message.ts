/** The message to a client about a request that was running when its session ended. */
export const sessionEndedMessage =
  'The session ended before the request was answered: whether it took effect is unknown'
