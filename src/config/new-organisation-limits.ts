/**
 * Limits of an organisation for which neither the settings nor the server owner set others. They do not apply to the
 * server owner's organisation, because the machine is theirs.
 */
export const newOrganisationLimits = { requestsPerMinute: 60, tokensPerMinute: 40_000, requestsInFlight: 4 } as const
