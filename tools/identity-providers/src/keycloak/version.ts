/** The version that is tried. It needs Java 17 or later. */
export const keycloakVersion = '26.7.3'

/** The features that are experimental, or off, in this version. */
export const experimentalFeatures = ['resource-indicators', 'cimd'] as const
