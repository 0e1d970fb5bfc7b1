/** Set on every part of a message but the last. */
export const moreHeader = 'Junctor-More'
/** Set on the message that closes a channel; the value is the reason. */
export const closeHeader = 'Junctor-Close'
/** The status that HTTP would have, for a refused client. Every NATS service answers errors with these two headers. */
export const errorCodeHeader = 'Nats-Service-Error-Code'
/** The text of a refusal, beside its code in the other header. */
export const errorHeader = 'Nats-Service-Error'
