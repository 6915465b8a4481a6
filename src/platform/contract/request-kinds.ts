export { type Endpoint as RequestEndpoint, endpoints as requestEndpoints } from '../../store/ledger-contract.ts'

/** In the order in which the site lists them. */
export const requestOutcomes = ['running', 'completed', 'failed', 'client_closed', 'server_died', 'refused'] as const
