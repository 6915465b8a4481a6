import type { Take } from '../../replay/take.ts'
import type { Delivery } from './delivery.ts'

/** The answer goes into a recording, whoever reads it. */
export const openRecordedDelivery = (take: Take, signal: AbortSignal, admitted: Delivery['admitted']): Delivery => ({
  admitted,
  send: (data) => take.append(data, signal),
  document: (completion) => void take.append(JSON.stringify(completion), signal),
  end: take.end,
})
