import type { RequestLogRecords, RequestMark } from '../../store/request-log-contract.ts'
import type { ShownProgress } from '../contract/requests.ts'

/** The newest: pages show no more at once. */
const maxFollowed = 50

/**
 * How far running requests have come since the last call, by their checkpoints. Those are written twice a second anyway,
 * whichever node or worker answers: following them costs one read, and nothing while nobody does.
 */
export const createReadProgress = (organisationId: string, requestLog: Pick<RequestLogRecords, 'progress'>) => {
  let known = new Map<string, number>()
  return async (open: RequestMark['open']): Promise<ShownProgress[]> => {
    const rows = open.length === 0 ? [] : await requestLog.progress(organisationId, open.slice(-maxFollowed))
    const last = known
    known = new Map(rows.map(({ requestId, completionTokens }) => [requestId, completionTokens]))
    return rows
      .filter(({ requestId, completionTokens }) => completionTokens !== last.get(requestId))
      .map(({ requestId, ...progress }) => ({ id: requestId, ...progress }))
  }
}
