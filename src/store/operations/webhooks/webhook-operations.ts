import { isPresent, isTrue } from '../audit/audit-conditions.ts'
import { audited } from '../audit/record-event.ts'
import { read, write, writeOnce } from '../operation.ts'
import { claimDeliveries, findNextDue, listDeliveries, recordAttempt, replayDelivery } from './deliveries.ts'
import {
  changeEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  listSubscribers,
  removeEndpoint,
} from './endpoints.ts'
import { listPlaces } from './list-places.ts'
import { pruneWebhooks } from './prune-webhooks.ts'
import { raiseEvent, sendEvent } from './raise-event.ts'
import { rememberPlace } from './remember-place.ts'

export const webhookOperations = {
  listEndpoints: read(listEndpoints),
  findEndpoint: read(findEndpoint),
  insertEndpoint: audited(insertEndpoint, isTrue),
  changeEndpoint: audited(changeEndpoint, isPresent),
  removeEndpoint: audited(removeEndpoint, isTrue),
  listSubscribers: read(listSubscribers),
  raiseEvent: write(raiseEvent),
  sendEvent: write(sendEvent),
  findNextDue: read(findNextDue),
  claimDeliveries: write(claimDeliveries),
  recordAttempt: writeOnce(recordAttempt),
  listDeliveries: read(listDeliveries),
  replayDelivery: write(replayDelivery),
  pruneWebhooks: write(pruneWebhooks),
  rememberPlace: write(rememberPlace),
  listPlaces: read(listPlaces),
}
