/** The text of a page whose link is not valid any more. */
export const expiredLink = 'This link has expired, or it was used.'
