import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import type { Platform } from '../../../platform/platform.ts'

/** The same operations for an organisation and for the server. */
export const webhookCalls = (platform: Platform, scope: EventScope) =>
  scope === 'server'
    ? {
        list: platform.listServerWebhooks,
        add: platform.addServerWebhook,
        change: platform.changeServerWebhook,
        rotate: platform.rotateServerWebhook,
        remove: platform.removeServerWebhook,
        test: platform.testServerWebhook,
        deliveries: platform.listServerDeliveries,
        replay: platform.replayServerDelivery,
      }
    : {
        list: platform.listWebhooks,
        add: platform.addWebhook,
        change: platform.changeWebhook,
        rotate: platform.rotateWebhook,
        remove: platform.removeWebhook,
        test: platform.testWebhook,
        deliveries: platform.listDeliveries,
        replay: platform.replayDelivery,
      }
