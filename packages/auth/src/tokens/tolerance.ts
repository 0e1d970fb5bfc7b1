/** How far the clocks of issuers and clients may differ from the local clock, in seconds. */
export const toleranceSeconds = 30
