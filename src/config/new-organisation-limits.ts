/**
 * What an organisation may use that nobody gave other limits, neither the settings nor the owner of the server. The
 * organisation of the server's owner is not held to them: it is their own machine.
 */
export const newOrganisationLimits = { requestsPerMinute: 60, tokensPerMinute: 40_000, requestsInFlight: 4 } as const
