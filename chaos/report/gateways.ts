import { newApiGateway } from '../peers/new-api/new-api-gateway.ts'
import type { GatewayKind } from './gateway.ts'
import { helixGateway } from './helix-gateway.ts'

/** Everything the fault report can be run against, by the name on the command line. */
export const gateways: Record<string, GatewayKind> = { helix: helixGateway, 'new-api': newApiGateway }
