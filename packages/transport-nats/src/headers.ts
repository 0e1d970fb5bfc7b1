/** More parts of the same message follow. */
export const moreHeader = 'Junctor-More'
/** The sender says goodbye; the value says why. */
export const closeHeader = 'Junctor-Close'
/** The status that HTTP would have: of whoever is not let in. The two are what every service on NATS answers errors with. */
export const errorCodeHeader = 'Nats-Service-Error-Code'
export const errorHeader = 'Nats-Service-Error'
