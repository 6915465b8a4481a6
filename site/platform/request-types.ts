export { requestOutcomes as outcomes } from '../../src/platform/contract/request-outcomes.ts'
export type {
  RequestBodies,
  RequestEvent,
  RequestList,
  RequestOutcome,
  ShownRequest,
} from '../../src/platform/contract/requests.ts'
