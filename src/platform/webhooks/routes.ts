import { toAuditActor } from '../../accounts/actor.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Person } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { AuditActor } from '../../store/audit-contract.ts'
import type { WebhookScope } from '../../store/webhook-contract.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import { type EndpointList, webhookOperations } from '../contract/webhooks.ts'
import { createActor } from '../create-actor.ts'
import { deliveryJson, endpointJson, placeText, readPlace } from './webhook-json.ts'

const pageSize = 20

type CreatedEndpoint = Awaited<ReturnType<Webhooks['create']>>
const createdJson = ({ endpoint, secret }: CreatedEndpoint) => ({ endpoint: endpointJson(endpoint), secret })

/** The endpoints of the organisation that the session is for, and those of the server. */
export const createWebhookRoutes = (webhooks: Webhooks): Route[] => {
  const by = ({ exchange, caller }: { exchange: Exchange; caller: Person }): AuditActor =>
    toAuditActor(createActor(exchange, caller))
  const list = async (scope: WebhookScope): Promise<EndpointList> => ({
    data: (await webhooks.list(scope)).map(endpointJson),
    sendsMail: webhooks.sendsMail(),
    allowsHttp: webhooks.allowsHttp,
  })
  const listPage = async (scope: WebhookScope, id: string, query: { before?: string; limit?: number }) => {
    const page = await webhooks.deliveries(scope, id, readPlace(query.before), query.limit ?? pageSize)
    const last = page.items.at(-1)
    return {
      data: page.items.map(deliveryJson),
      next: page.hasMore && last !== undefined ? placeText(last) : null,
    }
  }
  const rows = webhookOperations
  return [
    createRoute(rows.listWebhooks, ({ caller }) => list(caller.organisationId)),
    createRoute(rows.addWebhook, async (call) =>
      createdJson(await webhooks.create(by(call), call.caller.organisationId, { description: '', ...call.body })),
    ),
    createRoute(rows.changeWebhook, async (call) =>
      endpointJson(await webhooks.change(by(call), call.caller.organisationId, call.params.endpoint, call.body)),
    ),
    createRoute(rows.rotateWebhook, async (call) =>
      createdJson(await webhooks.rotate(by(call), call.caller.organisationId, call.params.endpoint)),
    ),
    createRoute(rows.removeWebhook, (call) =>
      webhooks.remove(by(call), call.caller.organisationId, call.params.endpoint),
    ),
    createRoute(rows.testWebhook, async ({ caller, params }) =>
      deliveryJson(await webhooks.test(caller.organisationId, params.endpoint)),
    ),
    createRoute(rows.listDeliveries, ({ caller, params, query }) =>
      listPage(caller.organisationId, params.endpoint, query),
    ),
    createRoute(rows.replayDelivery, async ({ caller, params }) =>
      deliveryJson(await webhooks.replay(caller.organisationId, params.endpoint, params.delivery)),
    ),
    createRoute(rows.listServerWebhooks, () => list(null)),
    createRoute(rows.addServerWebhook, async (call) =>
      createdJson(await webhooks.create(by(call), null, { description: '', ...call.body })),
    ),
    createRoute(rows.changeServerWebhook, async (call) =>
      endpointJson(await webhooks.change(by(call), null, call.params.endpoint, call.body)),
    ),
    createRoute(rows.rotateServerWebhook, async (call) =>
      createdJson(await webhooks.rotate(by(call), null, call.params.endpoint)),
    ),
    createRoute(rows.removeServerWebhook, (call) => webhooks.remove(by(call), null, call.params.endpoint)),
    createRoute(rows.testServerWebhook, async ({ params }) => deliveryJson(await webhooks.test(null, params.endpoint))),
    createRoute(rows.listServerDeliveries, ({ params, query }) => listPage(null, params.endpoint, query)),
    createRoute(rows.replayServerDelivery, async ({ params }) =>
      deliveryJson(await webhooks.replay(null, params.endpoint, params.delivery)),
    ),
  ]
}
